; ModuleID = '<stdin>'
source_filename = "<stdin>"

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #0

define void @of_a_slot_and_another_address(ptr %other) {
  call void @llvm.assume(i1 true) [ "nonnull"(ptr %other), "ignore"(ptr poison, i64 4) ]
  call void @llvm.assume(i1 true) [ "ignore"(ptr poison, i64 16), "nonnull"(ptr %other) ]
  ret void
}

define void @a_condition() {
  %slot = alloca i64, align 8
  %is_null = icmp eq ptr %slot, null
  call void @llvm.assume(i1 %is_null)
  store i64 3, ptr %slot, align 8
  ret void
}

define void @several_of_a_structure() {
  call void @llvm.assume(i1 true) [ "ignore"(ptr poison, i64 4), "ignore"(ptr poison, i64 8) ]
  call void @llvm.assume(i1 true) [ "ignore"(ptr poison), "ignore"(ptr poison, i64 4) ]
  ret void
}

define void @of_a_computed_address() {
  call void @llvm.assume(i1 true) [ "ignore"(ptr poison, i64 4), "ignore"(ptr poison, i64 8) ]
  call void @llvm.assume(i1 true) [ "ignore"(ptr poison), "ignore"(ptr poison, i64 4) ]
  ret void
}

define void @between_markers() {
  call void @llvm.assume(i1 true) [ "ignore"(ptr poison), "ignore"(ptr poison, i64 2), "ignore"(ptr poison, i64 4) ]
  call void @llvm.assume(i1 true) [ "ignore"(ptr poison), "ignore"(ptr poison, i64 2), "ignore"(ptr poison) ]
  call void @llvm.assume(i1 true) [ "ignore"(ptr poison), "ignore"(ptr poison, i64 2), "ignore"(ptr poison) ]
  ret void
}

declare void @llvm.lifetime.start.i64(i64)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare void @llvm.lifetime.end.i64(i64)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
