target datalayout = "A5"

define i32 @f(i32 %x) {
entry:
  ret i32 1
}
