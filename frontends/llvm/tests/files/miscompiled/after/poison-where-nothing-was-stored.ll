define i8 @f(i1 %c) {
entry:
  br i1 %c, label %then, label %join

then:
  br label %join

join:
  ret i8 poison
}
