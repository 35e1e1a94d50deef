; LLVM bug 24179: in a block that is a loop, a load before the only store gives an undefined value in each
; iteration, and not in the first one alone.

declare i1 @more(i32)

declare i32 @next()

define void @f() {
entry:
  %slot = alloca i32
  br label %loop

loop:
  %old = load i32, ptr %slot
  %c = call i1 @more(i32 %old)
  %new = call i32 @next()
  store i32 %new, ptr %slot
  br i1 %c, label %loop, label %exit

exit:
  ret void
}
