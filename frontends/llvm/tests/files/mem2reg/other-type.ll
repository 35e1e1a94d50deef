; Loads and stores of another type than the slot's, which keep it in memory. LLVM 14 is left out: given these with `ptr`, its `mem2reg`
; promotes slots of which a load has another type, and its verifier refuses what that becomes.

; missed-remarks, `mixed_types`: a load of another type.
define double @a_load_of_another_type() {
entry:
  %slot = alloca i64, align 8
  store i64 42, ptr %slot, align 8
  %got = load double, ptr %slot, align 8
  ret double %got
}

; opaque-ptr, the second function: a load of a smaller type.
define i8 @a_load_of_a_smaller_type() {
  %slot = alloca i64, align 8
  store i64 300, ptr %slot, align 8
  %got = load i8, ptr %slot, align 1
  ret i8 %got
}

; Not in LLVM's tests: a store of a smaller type, and a load of the slot's.
define i64 @a_store_of_a_smaller_type(i8 %x) {
  %slot = alloca i64, align 8
  store i8 %x, ptr %slot, align 1
  %got = load i64, ptr %slot, align 8
  ret i64 %got
}
