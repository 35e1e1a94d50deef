declare i32 @setjmp(ptr)

declare void @work()

define i32 @f(ptr %buffer) {
entry:
  %again = call i32 @setjmp(ptr %buffer)
  %c = icmp eq i32 %again, 0
  br i1 %c, label %first, label %second

first:
  call void @work()
  br label %second

second:
  %slot.0 = phi i32 [ 0, %entry ], [ 1, %first ]
  ret i32 %slot.0
}
