; ModuleID = '<stdin>'
source_filename = "<stdin>"

define double @a_load_of_another_type() {
entry:
  %slot = alloca i64, align 8
  store i64 42, ptr %slot, align 8
  %got = load double, ptr %slot, align 8
  ret double %got
}

define i8 @a_load_of_a_smaller_type() {
  %slot = alloca i64, align 8
  store i64 300, ptr %slot, align 8
  %got = load i8, ptr %slot, align 1
  ret i8 %got
}

define i64 @a_store_of_a_smaller_type(i8 %x) {
  %slot = alloca i64, align 8
  store i8 %x, ptr %slot, align 1
  %got = load i64, ptr %slot, align 8
  ret i64 %got
}
