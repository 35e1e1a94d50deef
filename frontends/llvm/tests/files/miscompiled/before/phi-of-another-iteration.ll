; A phi in a loop of an undefined value and one that each iteration computes anew becomes the latter, which is that of another iteration.

declare i1 @print(i32)

declare i32 @next()

define void @f() {
entry:
  %slot = alloca i32
  br label %loop

loop:
  %new = call i32 @next()
  %old = load i32, ptr %slot
  %c = call i1 @print(i32 %old)
  store i32 %new, ptr %slot
  br i1 %c, label %loop, label %exit

exit:
  ret void
}
