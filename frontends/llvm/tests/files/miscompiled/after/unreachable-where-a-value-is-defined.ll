define i32 @f(i1 %c, i32 %x) {
entry:
  br i1 %c, label %then, label %join

then:
  br label %join

join:
  store i1 true, ptr poison, align 1
  ret i32 undef
}

!0 = !{}
