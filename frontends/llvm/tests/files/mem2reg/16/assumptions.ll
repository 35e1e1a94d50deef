; ModuleID = '<stdin>'
source_filename = "<stdin>"

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.assume(i1 noundef) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

define void @of_a_slot_and_another_address(ptr %other) {
  call void @llvm.assume(i1 true) [ "nonnull"(ptr %other), "ignore"(ptr undef, i64 4) ]
  call void @llvm.assume(i1 true) [ "ignore"(ptr undef, i64 16), "nonnull"(ptr %other) ]
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
  call void @llvm.assume(i1 true) [ "ignore"(ptr undef, i64 4), "ignore"(ptr undef, i64 8) ]
  call void @llvm.assume(i1 true) [ "ignore"(ptr undef), "ignore"(ptr undef, i64 4) ]
  ret void
}

define void @of_a_computed_address() {
  call void @llvm.assume(i1 true) [ "ignore"(ptr undef, i64 4), "ignore"(ptr undef, i64 8) ]
  call void @llvm.assume(i1 true) [ "ignore"(ptr undef), "ignore"(ptr undef, i64 4) ]
  ret void
}

define void @between_markers() {
  call void @llvm.assume(i1 true) [ "ignore"(ptr undef), "ignore"(ptr undef, i64 2), "ignore"(ptr undef, i64 4) ]
  call void @llvm.assume(i1 true) [ "ignore"(ptr undef), "ignore"(ptr undef, i64 2), "ignore"(ptr undef) ]
  call void @llvm.assume(i1 true) [ "ignore"(ptr undef), "ignore"(ptr undef, i64 2), "ignore"(ptr undef) ]
  ret void
}

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
