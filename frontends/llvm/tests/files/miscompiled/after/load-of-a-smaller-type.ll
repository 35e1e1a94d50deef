define i8 @f(i64 %x) {
entry:
  %got = trunc i64 %x to i8
  ret i8 %got
}
