; LLVM issue 105537, in `sroa`: what is stored by a laundered address of a slot is lost.

declare ptr @llvm.launder.invariant.group.p0(ptr)

define i32 @f(i32 %x) {
entry:
  %slot = alloca i32
  store i32 1, ptr %slot
  %other = call ptr @llvm.launder.invariant.group.p0(ptr %slot)
  store i32 %x, ptr %other
  %got = load i32, ptr %slot
  ret i32 %got
}
