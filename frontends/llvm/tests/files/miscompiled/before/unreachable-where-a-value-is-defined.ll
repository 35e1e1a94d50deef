; Kind of LLVM change 96639: the mark for code that is not reached, which a load of an undefined value leaves, stands where the value is defined.

define i32 @f(i1 %c, i32 %x) {
entry:
  %slot = alloca i32
  br i1 %c, label %then, label %join

then:
  store i32 %x, ptr %slot
  br label %join

join:
  %got = load i32, ptr %slot, !noundef !0
  ret i32 %got
}

!0 = !{}
