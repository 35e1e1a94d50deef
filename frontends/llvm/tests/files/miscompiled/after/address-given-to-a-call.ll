declare void @fill(ptr)

define i32 @f() {
entry:
  %slot = alloca i32
  store i32 1, ptr %slot
  call void @fill(ptr %slot)
  ret i32 1
}
