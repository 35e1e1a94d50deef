declare i1 @print(i32)

declare i32 @next()

define void @f() {
entry:
  br label %loop

loop:
  %new = call i32 @next()
  %c = call i1 @print(i32 %new)
  br i1 %c, label %loop, label %exit

exit:
  ret void
}
