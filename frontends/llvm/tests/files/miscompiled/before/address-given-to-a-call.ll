; LLVM test 2002-05-01 and its kind: a slot is promoted though a call has its address and may store.

declare void @fill(ptr)

define i32 @f() {
entry:
  %slot = alloca i32
  store i32 1, ptr %slot
  call void @fill(ptr %slot)
  %got = load i32, ptr %slot
  ret i32 %got
}
