define i32 @f(i1 %c, i32 %x) {
entry:
  br label %head

head:
  br i1 %c, label %body, label %exit

body:
  %new = add i32 %x, 1
  br label %head

exit:
  ret i32 %x
}
