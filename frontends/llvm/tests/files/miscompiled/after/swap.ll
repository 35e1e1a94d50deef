declare i1 @more(i32, i32)

define void @f(i32 %x, i32 %y) {
entry:
  br label %loop

loop:
  %a.0 = phi i32 [ %x, %entry ], [ %b.0, %loop ]
  %b.0 = phi i32 [ %y, %entry ], [ %b.0, %loop ]
  %c = call i1 @more(i32 %a.0, i32 %b.0)
  br i1 %c, label %loop, label %exit

exit:
  ret void
}
