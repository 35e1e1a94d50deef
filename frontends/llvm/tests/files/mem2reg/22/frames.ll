; ModuleID = '<stdin>'
source_filename = "<stdin>"

; Unknown intrinsic
declare void @llvm.coro.outside.frame(ptr)

define i64 @outside_of_the_frame(i64 %x) {
  %slot = alloca i64, align 8
  call void @llvm.coro.outside.frame(ptr %slot)
  store i64 %x, ptr %slot, align 8
  %got = load i64, ptr %slot, align 8
  ret i64 %got
}
