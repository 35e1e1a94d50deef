; ModuleID = '<stdin>'
source_filename = "<stdin>"

define ptr @single_store_noundef(ptr %from) {
entry:
  %value = load ptr, ptr %from, align 8
  %0 = icmp ne ptr %value, null
  call void @llvm.assume(i1 %0)
  ret ptr %value
}

define ptr @single_store_missing_noundef(ptr %from) {
entry:
  %value = load ptr, ptr %from, align 8
  %0 = icmp ne ptr %value, null
  call void @llvm.assume(i1 %0)
  ret ptr %value
}

define ptr @single_block_noundef(ptr %from) {
entry:
  %value = load ptr, ptr %from, align 8
  %0 = icmp ne ptr %value, null
  call void @llvm.assume(i1 %0)
  ret ptr %value
}

define ptr @single_block_missing_noundef(ptr %from) {
entry:
  %value = load ptr, ptr %from, align 8
  %0 = icmp ne ptr %value, null
  call void @llvm.assume(i1 %0)
  ret ptr %value
}

define ptr @multi_block_noundef(ptr %from) {
entry:
  %value = load ptr, ptr %from, align 8
  br label %next

next:                                             ; preds = %entry
  %0 = icmp ne ptr %value, null
  call void @llvm.assume(i1 %0)
  ret ptr %value
}

define ptr @multi_block_missing_noundef(ptr %from) {
entry:
  %value = load ptr, ptr %from, align 8
  br label %next

next:                                             ; preds = %entry
  %0 = icmp ne ptr %value, null
  call void @llvm.assume(i1 %0)
  ret ptr %value
}

define ptr @no_assume(ptr %from) {
entry:
  %value = load ptr, ptr %from, align 8
  %is_given = icmp ne ptr %value, null
  br i1 %is_given, label %given, label %missing

given:                                            ; preds = %entry
  ret ptr %value

missing:                                          ; preds = %entry
  ret ptr null
}

define ptr @no_store_single_load_noundef() {
entry:
  ret ptr undef
}

define ptr @no_store_multiple_loads_noundef(i1 %c) {
entry:
  br i1 %c, label %then, label %else

then:                                             ; preds = %entry
  ret ptr undef

else:                                             ; preds = %entry
  ret ptr undef
}

define ptr @no_store_single_load_nonnull_noundef() {
entry:
  ret ptr undef
}

define ptr @no_store_multiple_loads_nonnull_noundef(i1 %c) {
entry:
  br i1 %c, label %then, label %else

then:                                             ; preds = %entry
  %0 = icmp ne ptr undef, null
  call void @llvm.assume(i1 %0)
  ret ptr undef

else:                                             ; preds = %entry
  %1 = icmp ne ptr undef, null
  call void @llvm.assume(i1 %1)
  ret ptr undef
}

define i32 @a_defined_integer(i32 %x, i1 %c) {
entry:
  br i1 %c, label %then, label %join

then:                                             ; preds = %entry
  br label %join

join:                                             ; preds = %then, %entry
  %slot.0 = phi i32 [ 2, %then ], [ %x, %entry ]
  ret i32 %slot.0
}

; Function Attrs: inaccessiblememonly nofree nosync nounwind willreturn
declare void @llvm.assume(i1 noundef) #0

attributes #0 = { inaccessiblememonly nofree nosync nounwind willreturn }
