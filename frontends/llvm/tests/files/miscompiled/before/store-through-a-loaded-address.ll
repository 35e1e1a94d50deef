; LLVM test 2003-06-26 and its kind: a slot whose address was in another one is promoted, and a store by the loaded address is lost.

define i32 @f(i32 %x) {
entry:
  %slot = alloca i32
  %address = alloca ptr
  store i32 1, ptr %slot
  store ptr %slot, ptr %address
  %loaded = load ptr, ptr %address
  store i32 %x, ptr %loaded
  %got = load i32, ptr %slot
  ret i32 %got
}
