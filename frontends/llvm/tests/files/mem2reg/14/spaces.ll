; ModuleID = '<stdin>'
source_filename = "<stdin>"
target datalayout = "e-p:64:64-p5:32:32-A5"

declare void @print(i32)

; Function Attrs: argmemonly nofree nosync nounwind willreturn
declare void @llvm.lifetime.start.p5(i64 immarg, ptr addrspace(5) nocapture) #0

; Function Attrs: argmemonly nofree nosync nounwind willreturn
declare void @llvm.lifetime.end.p5(i64 immarg, ptr addrspace(5) nocapture) #0

; Function Attrs: inaccessiblememonly nofree nosync nounwind willreturn
declare void @llvm.assume(i1 noundef) #1

define void @a_marker_alone() {
  ret void
}

define void @a_lifetime_in_a_loop(i32 %x, i1 %c, i1 %d) {
entry:
  br label %head

head:                                             ; preds = %latch, %entry
  call void @llvm.assume(i1 true) [ "ignore"(ptr addrspace(5) undef, i64 4) ]
  br i1 %c, label %set, label %skip

set:                                              ; preds = %head
  br label %read

skip:                                             ; preds = %head
  br label %read

read:                                             ; preds = %skip, %set
  call void @print(i32 %x)
  br label %latch

latch:                                            ; preds = %read
  br i1 %d, label %head, label %exit

exit:                                             ; preds = %latch
  ret void
}

define i32 @a_cast_to_another_space(i32 %x) {
  %kept = alloca i32, align 4, addrspace(5)
  %cast = addrspacecast ptr addrspace(5) %kept to ptr
  store i32 %x, ptr %cast, align 4
  %one = load i32, ptr addrspace(5) %kept, align 4
  %sum = add i32 %one, 7
  ret i32 %sum
}

attributes #0 = { argmemonly nofree nosync nounwind willreturn }
attributes #1 = { inaccessiblememonly nofree nosync nounwind willreturn }
