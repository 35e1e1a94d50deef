; LLVM bug 1520: a volatile slot is promoted, so that a second return of `setjmp` does not see what was stored.

declare i32 @setjmp(ptr)

declare void @work()

define i32 @f(ptr %buffer) {
entry:
  %slot = alloca i32
  store volatile i32 0, ptr %slot
  %again = call i32 @setjmp(ptr %buffer)
  %c = icmp eq i32 %again, 0
  br i1 %c, label %first, label %second

first:
  store volatile i32 1, ptr %slot
  call void @work()
  br label %second

second:
  %got = load volatile i32, ptr %slot
  ret i32 %got
}
