; LLVM test 2003-04-18 and its kind: a store in an unreachable block counts for the edge of another block.

define i32 @f(i32 %x, i1 %c) {
entry:
  %slot = alloca i32
  store i32 %x, ptr %slot
  br i1 %c, label %then, label %join

then:
  br label %join

dead:
  store i32 9, ptr %slot
  br label %join

join:
  %got = load i32, ptr %slot
  ret i32 %got
}
