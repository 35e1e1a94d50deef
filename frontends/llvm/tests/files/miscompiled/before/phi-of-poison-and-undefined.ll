; LLVM issue 68683: a phi of an undefined value and one that may be poison becomes the latter.

define i32 @f(i1 %c, i32 %x) {
entry:
  %slot = alloca i32
  %sum = add nsw i32 %x, 1
  br i1 %c, label %then, label %join

then:
  store i32 %sum, ptr %slot
  br label %join

join:
  %got = load i32, ptr %slot
  ret i32 %got
}
