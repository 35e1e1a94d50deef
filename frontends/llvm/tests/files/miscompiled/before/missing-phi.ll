; A join without a phi: blocks without a dominance frontier were left out (found in a teaching compiler, cs420 216).

define i32 @f(i1 %c, i32 %x) {
entry:
  %slot = alloca i32
  store i32 %x, ptr %slot
  br label %head

head:
  br i1 %c, label %body, label %exit

body:
  %old = load i32, ptr %slot
  %new = add i32 %old, 1
  store i32 %new, ptr %slot
  br label %head

exit:
  %got = load i32, ptr %slot
  ret i32 %got
}
