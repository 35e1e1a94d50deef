; LLVM issue 97702: the only store is of poison, and a load that it does not reach gives poison, too, instead of an undefined value.

define i8 @f(i1 %c) {
entry:
  %slot = alloca i8
  br i1 %c, label %then, label %join

then:
  store i8 poison, ptr %slot
  br label %join

join:
  %got = load i8, ptr %slot
  ret i8 %got
}
