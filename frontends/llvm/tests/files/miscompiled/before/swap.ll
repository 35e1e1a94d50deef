; The swap problem of Briggs et al. 1998: phis of one block are read one after the other instead of all at once.

declare i1 @more(i32, i32)

define void @f(i32 %x, i32 %y) {
entry:
  %a = alloca i32
  %b = alloca i32
  store i32 %x, ptr %a
  store i32 %y, ptr %b
  br label %loop

loop:
  %from_a = load i32, ptr %a
  %from_b = load i32, ptr %b
  store i32 %from_b, ptr %a
  store i32 %from_a, ptr %b
  %c = call i1 @more(i32 %from_a, i32 %from_b)
  br i1 %c, label %loop, label %exit

exit:
  ret void
}
