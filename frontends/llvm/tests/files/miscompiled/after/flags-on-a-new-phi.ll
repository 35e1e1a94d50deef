define float @f(i1 %c, float %x) {
entry:
  br i1 %c, label %then, label %join

then:
  br label %join

join:
  %slot.0 = phi nnan float [ %x, %entry ], [ 1.0, %then ]
  ret float %slot.0
}
