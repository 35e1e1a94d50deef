declare void @llvm.assume(i1 noundef)

define ptr @f(ptr %x) {
entry:
  %0 = icmp ne ptr %x, null
  call void @llvm.assume(i1 %0)
  ret ptr %x
}

!0 = !{}
