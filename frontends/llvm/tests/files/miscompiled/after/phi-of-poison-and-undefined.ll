define i32 @f(i1 %c, i32 %x) {
entry:
  %sum = add nsw i32 %x, 1
  br i1 %c, label %then, label %join

then:
  br label %join

join:
  ret i32 %sum
}
