@g = external global i32

declare void @print(i32)

define void @f(i1 %c) {
entry:
  br i1 %c, label %then, label %join

then:
  br label %join

join:
  call void @print(i32 sdiv (i32 1, i32 sub (i32 ptrtoint (ptr @g to i32), i32 ptrtoint (ptr @g to i32))))
  ret void
}
