; Up to LLVM 15, `!nonnull` without `!noundef` became an assumption: a null that was poison is undefined behavior then.

declare void @llvm.assume(i1 noundef)

define ptr @f(ptr %x) {
entry:
  %slot = alloca ptr
  store ptr %x, ptr %slot
  %got = load ptr, ptr %slot, !nonnull !0
  ret ptr %got
}

!0 = !{}
