; Slots in blocks that control cannot reach. Each comment names LLVM's test of the same situation.

declare void @print(i32)

; 2003-04-10-DFNotFound: a store only there.
define void @a_store_in_a_dead_block() {
  %slot = alloca i16, align 2
  ret void

dead:
  store i16 4, ptr %slot, align 2
  ret void
}

; 2003-04-18-DeadBlockProblem: a dead block that leads into a loop.
define void @a_dead_block_into_a_loop() {
entry:
  %slot = alloca i64, align 8
  store i64 1, ptr %slot, align 8
  br label %head

head:
  store i64 2, ptr %slot, align 8
  br label %tail

dead:
  br label %tail

tail:
  br label %head
}

; 2003-04-18-DeadBlockProblem, with a load and with a store in the dead block.
define void @a_dead_store_into_a_loop(i32 %x) {
entry:
  %slot = alloca i32, align 4
  store i32 1, ptr %slot, align 4
  br label %head

head:
  store i32 %x, ptr %slot, align 4
  br label %tail

dead:
  store i32 3, ptr %slot, align 4
  br label %tail

tail:
  %got = load i32, ptr %slot, align 4
  call void @print(i32 %got)
  br label %head
}

; 2005-11-28-Crash: a load only in a dead block, after a loop with two back edges.
define void @a_load_in_a_dead_block(i1 %c) {
entry:
  %slot = alloca i8, align 1
  br i1 %c, label %then, label %before

then:
  br label %before

before:
  store i8 1, ptr %slot, align 1
  br label %head

head:
  br i1 %c, label %body, label %after

body:
  br i1 %c, label %head, label %latch

latch:
  br label %head

after:
  br label %last

dead:
  %got = load i8, ptr %slot, align 1
  br label %end

dead_too:
  br label %last

last:
  br i1 %c, label %end, label %over

over:
  br label %end

end:
  ret void
}

; crash, the second function: a dead block stores what it loads.
define i64 @a_dead_store_of_a_dead_load() {
entry:
  %slot = alloca i64, align 8
  br label %join

join:
  %got = load i64, ptr %slot, align 8
  ret i64 %got

dead:
  %old = load i64, ptr %slot, align 8
  store i64 %old, ptr %slot, align 8
  br label %join
}

; pr37632-unreachable-list-of-stores: in a dead block, a value may be used before it is defined.
define void @a_dead_block_uses_before_it_defines() {
  %slot = alloca i64, align 8
  ret void

dead:
  %more = mul i64 %late, 3
  store i64 %more, ptr %slot, align 8
  store i64 %late, ptr %slot, align 8
  %late = load i64, ptr %slot, align 8
  br label %dead
}

; Not in LLVM's tests: a value from a dead block meets one from a live block.
define i32 @a_dead_block_into_a_join(i32 %x, i1 %c) {
entry:
  %slot = alloca i32, align 4
  store i32 %x, ptr %slot, align 4
  br i1 %c, label %then, label %join

then:
  store i32 8, ptr %slot, align 4
  br label %join

dead:
  store i32 9, ptr %slot, align 4
  br label %join

join:
  %got = load i32, ptr %slot, align 4
  ret i32 %got
}
