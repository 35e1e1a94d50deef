; A slot is promoted though another address space has its address, by which something is stored.

target datalayout = "A5"

define i32 @f(i32 %x) {
entry:
  %slot = alloca i32, addrspace(5)
  store i32 1, ptr addrspace(5) %slot
  %cast = addrspacecast ptr addrspace(5) %slot to ptr
  store i32 %x, ptr %cast
  %got = load i32, ptr addrspace(5) %slot
  ret i32 %got
}
