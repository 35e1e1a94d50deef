; Kind of LLVM change 181370: two slots count as one because their lifetimes seem to be disjoint.

declare void @llvm.lifetime.start.p0(i64, ptr)

declare void @llvm.lifetime.end.p0(i64, ptr)

declare i1 @more()

define i32 @f(i32 %x, i32 %y) {
entry:
  %a = alloca i32
  %b = alloca i32
  store i32 %x, ptr %a
  br label %loop

loop:
  call void @llvm.lifetime.start.p0(i64 4, ptr %b)
  store i32 %y, ptr %b
  call void @llvm.lifetime.end.p0(i64 4, ptr %b)
  %c = call i1 @more()
  br i1 %c, label %loop, label %exit

exit:
  %got = load i32, ptr %a
  ret i32 %got
}
