declare void @llvm.lifetime.start.p0(i64, ptr)

declare void @llvm.lifetime.end.p0(i64, ptr)

declare i1 @more()

define i32 @f(i32 %x, i32 %y) {
entry:
  br label %loop

loop:
  %c = call i1 @more()
  br i1 %c, label %loop, label %exit

exit:
  ret i32 %y
}
