define i32 @f(i32 %x, i1 %c) {
entry:
  br i1 %c, label %then, label %join

then:
  br label %join

dead:
  br label %join

join:
  %slot.0 = phi i32 [ %x, %entry ], [ 9, %then ], [ poison, %dead ]
  ret i32 %slot.0
}
