; Loads that promise a pointer that is not null or a value that is defined. LLVM's test of all these is
; `preserve-nonnull-load-metadata`, where they have the same names up to the first comment that says otherwise.

define ptr @single_store_noundef(ptr %from) {
entry:
  %slot = alloca ptr, align 8
  %value = load ptr, ptr %from, align 8
  store ptr %value, ptr %slot, align 8
  %got = load ptr, ptr %slot, align 8, !nonnull !0, !noundef !0
  ret ptr %got
}

define ptr @single_store_missing_noundef(ptr %from) {
entry:
  %slot = alloca ptr, align 8
  %value = load ptr, ptr %from, align 8
  store ptr %value, ptr %slot, align 8
  %got = load ptr, ptr %slot, align 8, !nonnull !0
  ret ptr %got
}

define ptr @single_block_noundef(ptr %from) {
entry:
  %slot = alloca ptr, align 8
  %value = load ptr, ptr %from, align 8
  store ptr null, ptr %slot, align 8
  store ptr %value, ptr %slot, align 8
  %got = load ptr, ptr %slot, align 8, !nonnull !0, !noundef !0
  ret ptr %got
}

define ptr @single_block_missing_noundef(ptr %from) {
entry:
  %slot = alloca ptr, align 8
  %value = load ptr, ptr %from, align 8
  store ptr null, ptr %slot, align 8
  store ptr %value, ptr %slot, align 8
  %got = load ptr, ptr %slot, align 8, !nonnull !0
  ret ptr %got
}

define ptr @multi_block_noundef(ptr %from) {
entry:
  %slot = alloca ptr, align 8
  %value = load ptr, ptr %from, align 8
  store ptr null, ptr %slot, align 8
  br label %next

next:
  store ptr %value, ptr %slot, align 8
  %got = load ptr, ptr %slot, align 8, !nonnull !0, !noundef !0
  ret ptr %got
}

define ptr @multi_block_missing_noundef(ptr %from) {
entry:
  %slot = alloca ptr, align 8
  %value = load ptr, ptr %from, align 8
  store ptr null, ptr %slot, align 8
  br label %next

next:
  store ptr %value, ptr %slot, align 8
  %got = load ptr, ptr %slot, align 8, !nonnull !0
  ret ptr %got
}

define ptr @no_assume(ptr %from) {
entry:
  %slot = alloca ptr, align 8
  %value = load ptr, ptr %from, align 8
  %is_given = icmp ne ptr %value, null
  br i1 %is_given, label %given, label %missing

given:
  store ptr %value, ptr %slot, align 8
  %got = load ptr, ptr %slot, align 8, !nonnull !0
  ret ptr %got

missing:
  ret ptr null
}

define ptr @no_store_single_load_noundef() {
entry:
  %slot = alloca ptr, align 8
  %got = load ptr, ptr %slot, align 8, !noundef !0
  ret ptr %got
}

define ptr @no_store_multiple_loads_noundef(i1 %c) {
entry:
  %slot = alloca ptr, align 8
  br i1 %c, label %then, label %else

then:
  %one = load ptr, ptr %slot, align 8, !noundef !0
  ret ptr %one

else:
  %other = load ptr, ptr %slot, align 8, !noundef !0
  ret ptr %other
}

define ptr @no_store_single_load_nonnull_noundef() {
entry:
  %slot = alloca ptr, align 8
  %got = load ptr, ptr %slot, align 8, !nonnull !0, !noundef !0
  ret ptr %got
}

define ptr @no_store_multiple_loads_nonnull_noundef(i1 %c) {
entry:
  %slot = alloca ptr, align 8
  br i1 %c, label %then, label %else

then:
  %one = load ptr, ptr %slot, align 8, !nonnull !0, !noundef !0
  ret ptr %one

else:
  %other = load ptr, ptr %slot, align 8, !nonnull !0, !noundef !0
  ret ptr %other
}

; Not in LLVM's tests: an integer that is said to be defined, and is.
define i32 @a_defined_integer(i32 %x, i1 %c) {
entry:
  %slot = alloca i32, align 4
  store i32 %x, ptr %slot, align 4
  br i1 %c, label %then, label %join

then:
  store i32 2, ptr %slot, align 4
  br label %join

join:
  %got = load i32, ptr %slot, align 4, !noundef !0
  ret i32 %got
}

!0 = !{}
