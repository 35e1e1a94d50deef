; ModuleID = '<stdin>'
source_filename = "<stdin>"
target datalayout = "e-p:64:64-p5:32:32-A5"

declare void @print(i32)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #0

define void @a_marker_alone() {
  ret void
}

define void @a_lifetime_in_a_loop(i32 %x, i1 %c, i1 %d) {
entry:
  br label %head

head:                                             ; preds = %latch, %entry
  %slot.0 = phi i32 [ undef, %entry ], [ %slot.1, %latch ]
  call void @llvm.assume(i1 true) [ "ignore"(ptr addrspace(5) poison, i64 4) ]
  br i1 %c, label %set, label %skip

set:                                              ; preds = %head
  br label %read

skip:                                             ; preds = %head
  br label %read

read:                                             ; preds = %skip, %set
  %slot.1 = phi i32 [ %x, %set ], [ %slot.0, %skip ]
  call void @print(i32 %slot.1)
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

declare void @llvm.lifetime.start.i64(i64)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p5(ptr addrspace(5) captures(none)) #1

declare void @llvm.lifetime.end.i64(i64)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p5(ptr addrspace(5) captures(none)) #1

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
