; ModuleID = '<stdin>'
source_filename = "<stdin>"

declare void @print(i32)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #0

define void @markers_alone() {
  ret void
}

define void @markers_of_a_structure() {
  ret void
}

define i64 @two_lifetimes_in_one_block(i64 %x, i64 %y) {
  %product = mul i64 %x, %y
  ret i64 %product
}

define void @a_lifetime_in_a_loop(i32 %x, i1 %c, i1 %d) {
entry:
  br label %head

head:                                             ; preds = %latch, %entry
  %slot.0 = phi i32 [ undef, %entry ], [ %slot.1, %latch ]
  br i1 %c, label %set, label %skip

set:                                              ; preds = %head
  %twice = shl i32 %x, 1
  br label %read

skip:                                             ; preds = %head
  br label %read

read:                                             ; preds = %skip, %set
  %slot.1 = phi i32 [ %twice, %set ], [ %slot.0, %skip ]
  call void @print(i32 %slot.1)
  br label %latch

latch:                                            ; preds = %read
  br i1 %d, label %head, label %exit

exit:                                             ; preds = %latch
  ret void
}

define i32 @a_load_after_the_end(i32 %x) {
  ret i32 %x
}

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
