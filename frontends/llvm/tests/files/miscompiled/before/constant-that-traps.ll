; LLVM bug 33673: the only store is of a constant expression that divides by zero, and its load is done where the store is not.

@g = external global i32

declare void @print(i32)

define void @f(i1 %c) {
entry:
  %slot = alloca i32
  br i1 %c, label %then, label %join

then:
  store i32 sdiv (i32 1, i32 sub (i32 ptrtoint (ptr @g to i32), i32 ptrtoint (ptr @g to i32))), ptr %slot
  br label %join

join:
  %got = load i32, ptr %slot
  call void @print(i32 %got)
  ret void
}
