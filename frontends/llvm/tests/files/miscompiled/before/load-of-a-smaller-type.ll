; `mem2reg` of LLVM 14 with opaque pointers: a slot is promoted that is loaded as a smaller type, which part of it depends on the target.

define i8 @f(i64 %x) {
entry:
  %slot = alloca i64
  store i64 %x, ptr %slot
  %got = load i8, ptr %slot
  ret i8 %got
}
