; Markers of lifetimes. Each comment names LLVM's test of the same situation.

declare void @print(i32)

declare void @llvm.lifetime.start.p0(i64, ptr)

declare void @llvm.lifetime.end.p0(i64, ptr)

; ignore-lifetime, the first function.
define void @markers_alone() {
  %slot = alloca i64, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr %slot)
  store i64 2, ptr %slot, align 8
  call void @llvm.lifetime.end.p0(i64 8, ptr %slot)
  ret void
}

; ignore-lifetime, the second function: of a structure.
define void @markers_of_a_structure() {
  %slot = alloca { i16, i64 }, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr %slot)
  store { i16, i64 } zeroinitializer, ptr %slot, align 8
  call void @llvm.lifetime.end.p0(i64 16, ptr %slot)
  ret void
}

; lifetime-prepass-multiple-allocas, the first function: two slots in one block.
define i64 @two_lifetimes_in_one_block(i64 %x, i64 %y) {
  %a = alloca i64, align 8
  %b = alloca i64, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr %a)
  store i64 %x, ptr %a, align 8
  %from_a = load i64, ptr %a, align 8
  call void @llvm.lifetime.end.p0(i64 8, ptr %a)
  call void @llvm.lifetime.start.p0(i64 8, ptr %b)
  store i64 %y, ptr %b, align 8
  %from_b = load i64, ptr %b, align 8
  call void @llvm.lifetime.end.p0(i64 8, ptr %b)
  %product = mul i64 %from_a, %from_b
  ret i64 %product
}

; lifetime-prepass-multiple-allocas, the loop: versions up to 22 let the value of the previous iteration through.
define void @a_lifetime_in_a_loop(i32 %x, i1 %c, i1 %d) {
entry:
  %slot = alloca i32, align 4
  br label %head

head:
  call void @llvm.lifetime.start.p0(i64 4, ptr %slot)
  br i1 %c, label %set, label %skip

set:
  %twice = shl i32 %x, 1
  store i32 %twice, ptr %slot, align 4
  br label %read

skip:
  br label %read

read:
  %got = load i32, ptr %slot, align 4
  call void @print(i32 %got)
  br label %latch

latch:
  call void @llvm.lifetime.end.p0(i64 4, ptr %slot)
  br i1 %d, label %head, label %exit

exit:
  ret void
}

; Not in LLVM's tests: a load after the end of the lifetime.
define i32 @a_load_after_the_end(i32 %x) {
  %slot = alloca i32, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr %slot)
  store i32 %x, ptr %slot, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %slot)
  %got = load i32, ptr %slot, align 4
  ret i32 %got
}
