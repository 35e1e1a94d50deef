; LLVM test 2003-04-24: of two edges between the same blocks, one gets another operand.

define i32 @f(i32 %x) {
entry:
  %slot = alloca i32
  store i32 %x, ptr %slot
  switch i32 %x, label %other [
    i32 1, label %join
    i32 2, label %join
  ]

other:
  store i32 5, ptr %slot
  br label %join

join:
  %got = load i32, ptr %slot
  ret i32 %got
}
