; Slots in another address space. Each comment names LLVM's test of the same situation.

target datalayout = "e-p:64:64-p5:32:32-A5"

declare void @print(i32)

declare void @llvm.lifetime.start.p5(i64, ptr addrspace(5))

declare void @llvm.lifetime.end.p5(i64, ptr addrspace(5))

declare void @llvm.assume(i1)

; alloca_addrspace: a marker alone.
define void @a_marker_alone() {
  %slot = alloca i16, align 4, addrspace(5)
  call void @llvm.lifetime.start.p5(i64 2, ptr addrspace(5) %slot)
  ret void
}

; ignore-droppable and lifetime-prepass-multiple-allocas, the loop, with an assumption about the start of the slot.
define void @a_lifetime_in_a_loop(i32 %x, i1 %c, i1 %d) {
entry:
  %slot = alloca i32, align 4, addrspace(5)
  br label %head

head:
  call void @llvm.lifetime.start.p5(i64 4, ptr addrspace(5) %slot)
  %start = getelementptr inbounds i32, ptr addrspace(5) %slot, i64 0
  call void @llvm.assume(i1 true) [ "align"(ptr addrspace(5) %start, i64 4) ]
  br i1 %c, label %set, label %skip

set:
  store i32 %x, ptr addrspace(5) %slot, align 4
  br label %read

skip:
  br label %read

read:
  %got = load i32, ptr addrspace(5) %slot, align 4
  call void @print(i32 %got)
  br label %latch

latch:
  call void @llvm.lifetime.end.p5(i64 4, ptr addrspace(5) %slot)
  br i1 %d, label %head, label %exit

exit:
  ret void
}

; Not in LLVM's tests: a slot in another space is kept by a cast of its address.
define i32 @a_cast_to_another_space(i32 %x) {
  %kept = alloca i32, align 4, addrspace(5)
  %free = alloca i32, align 4, addrspace(5)
  %cast = addrspacecast ptr addrspace(5) %kept to ptr
  store i32 %x, ptr %cast, align 4
  store i32 7, ptr addrspace(5) %free, align 4
  %one = load i32, ptr addrspace(5) %kept, align 4
  %other = load i32, ptr addrspace(5) %free, align 4
  %sum = add i32 %one, %other
  ret i32 %sum
}
