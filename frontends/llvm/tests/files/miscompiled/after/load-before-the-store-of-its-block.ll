declare i1 @more(i32)

declare i32 @next()

define void @f() {
entry:
  br label %loop

loop:
  %c = call i1 @more(i32 undef)
  %new = call i32 @next()
  br i1 %c, label %loop, label %exit

exit:
  ret void
}
