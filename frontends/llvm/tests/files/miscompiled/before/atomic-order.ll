; A fence goes with the atomic accesses of a slot that is promoted, though it orders other memory, too.

define i32 @f(i32 %x, ptr %p) {
entry:
  %slot = alloca i32
  store atomic i32 %x, ptr %slot release, align 4
  store i32 %x, ptr %p
  fence seq_cst
  %got = load atomic i32, ptr %slot acquire, align 4
  ret i32 %got
}
