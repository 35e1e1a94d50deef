define i32 @f(i32 %x, ptr %p) {
entry:
  store i32 %x, ptr %p
  ret i32 %x
}
