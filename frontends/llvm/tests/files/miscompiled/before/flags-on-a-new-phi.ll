; Kind of LLVM issue 161524: a new phi has flags, so that it may be poison where the loaded value was not.

define float @f(i1 %c, float %x) {
entry:
  %slot = alloca float
  store float %x, ptr %slot
  br i1 %c, label %then, label %join

then:
  store float 1.0, ptr %slot
  br label %join

join:
  %got = load float, ptr %slot
  ret float %got
}
