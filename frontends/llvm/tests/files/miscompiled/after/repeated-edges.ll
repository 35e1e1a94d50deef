define i32 @f(i32 %x) {
entry:
  switch i32 %x, label %other [
    i32 1, label %join
    i32 2, label %join
  ]

other:
  br label %join

join:
  %slot.0 = phi i32 [ %x, %entry ], [ 5, %entry ], [ 5, %other ]
  ret i32 %slot.0
}
