define i32 @f(i1 %c, ptr %p) {
entry:
  %either = select i1 %c, ptr poison, ptr %p
  store i32 2, ptr %either
  ret i32 1
}
