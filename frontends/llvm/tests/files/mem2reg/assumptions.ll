; Assumptions about slots, which keep none of them. Each comment names LLVM's test of the same situation.

declare void @llvm.assume(i1)

declare void @llvm.lifetime.start.p0(i64, ptr)

declare void @llvm.lifetime.end.p0(i64, ptr)

; ignore-droppable, `positive_assume_uses`: beside another address.
define void @of_a_slot_and_another_address(ptr %other) {
  %slot = alloca i64, align 8
  call void @llvm.assume(i1 true) [ "nonnull"(ptr %other), "align"(ptr %slot, i64 4) ]
  store i64 3, ptr %slot, align 8
  call void @llvm.assume(i1 true) [ "align"(ptr %slot, i64 16), "nonnull"(ptr %other) ]
  ret void
}

; ignore-droppable, `negative_assume_condition_use`: the condition is a use like others.
define void @a_condition() {
  %slot = alloca i64, align 8
  %is_null = icmp eq ptr %slot, null
  call void @llvm.assume(i1 %is_null)
  store i64 3, ptr %slot, align 8
  ret void
}

; ignore-droppable, `positive_multiple_assume_uses`: several of one slot.
define void @several_of_a_structure() {
  %slot = alloca { i16, i32 }, align 8
  call void @llvm.assume(i1 true) [ "align"(ptr %slot, i64 4), "align"(ptr %slot, i64 8) ]
  store { i16, i32 } zeroinitializer, ptr %slot, align 8
  call void @llvm.assume(i1 true) [ "nonnull"(ptr %slot), "align"(ptr %slot, i64 4) ]
  ret void
}

; ignore-droppable, `positive_gep_assume_uses`: of an address computed from the slot's.
define void @of_a_computed_address() {
  %slot = alloca { i16, i32 }, align 8
  %start = getelementptr { i16, i32 }, ptr %slot, i32 0, i32 0
  call void @llvm.lifetime.start.p0(i64 8, ptr %slot)
  call void @llvm.assume(i1 true) [ "align"(ptr %start, i64 4), "align"(ptr %start, i64 8) ]
  store { i16, i32 } zeroinitializer, ptr %slot, align 8
  call void @llvm.lifetime.end.p0(i64 8, ptr %slot)
  call void @llvm.assume(i1 true) [ "nonnull"(ptr %start), "align"(ptr %start, i64 4) ]
  ret void
}

; ignore-droppable, `positive_mixed_assume_uses`: between the markers of the lifetime.
define void @between_markers() {
  %slot = alloca i16, align 2
  call void @llvm.lifetime.start.p0(i64 2, ptr %slot)
  call void @llvm.assume(i1 true) [ "nonnull"(ptr %slot), "align"(ptr %slot, i64 2), "align"(ptr %slot, i64 4) ]
  store i16 1, ptr %slot, align 2
  call void @llvm.lifetime.end.p0(i64 2, ptr %slot)
  call void @llvm.assume(i1 true) [ "nonnull"(ptr %slot), "align"(ptr %slot, i64 2), "nonnull"(ptr %slot) ]
  call void @llvm.assume(i1 true) [ "nonnull"(ptr %slot), "align"(ptr %slot, i64 2), "nonnull"(ptr %slot) ]
  ret void
}
