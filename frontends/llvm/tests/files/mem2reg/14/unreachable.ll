; ModuleID = '<stdin>'
source_filename = "<stdin>"

declare void @print(i32)

define void @a_store_in_a_dead_block() {
  ret void

dead:                                             ; No predecessors!
  ret void
}

define void @a_dead_block_into_a_loop() {
entry:
  br label %head

head:                                             ; preds = %tail, %entry
  br label %tail

dead:                                             ; No predecessors!
  br label %tail

tail:                                             ; preds = %dead, %head
  br label %head
}

define void @a_dead_store_into_a_loop(i32 %x) {
entry:
  br label %head

head:                                             ; preds = %tail, %entry
  br label %tail

dead:                                             ; No predecessors!
  store i32 3, ptr poison, align 4
  br label %tail

tail:                                             ; preds = %dead, %head
  call void @print(i32 %x)
  br label %head
}

define void @a_load_in_a_dead_block(i1 %c) {
entry:
  br i1 %c, label %then, label %before

then:                                             ; preds = %entry
  br label %before

before:                                           ; preds = %then, %entry
  br label %head

head:                                             ; preds = %latch, %body, %before
  br i1 %c, label %body, label %after

body:                                             ; preds = %head
  br i1 %c, label %head, label %latch

latch:                                            ; preds = %body
  br label %head

after:                                            ; preds = %head
  br label %last

dead:                                             ; No predecessors!
  br label %end

dead_too:                                         ; No predecessors!
  br label %last

last:                                             ; preds = %dead_too, %after
  br i1 %c, label %end, label %over

over:                                             ; preds = %last
  br label %end

end:                                              ; preds = %over, %last, %dead
  ret void
}

define i64 @a_dead_store_of_a_dead_load() {
entry:
  br label %join

join:                                             ; preds = %dead, %entry
  ret i64 undef

dead:                                             ; No predecessors!
  %old = load i64, ptr poison, align 8
  store i64 %old, ptr poison, align 8
  br label %join
}

define void @a_dead_block_uses_before_it_defines() {
  ret void

dead:                                             ; preds = %dead
  %more = mul i64 poison, 3
  br label %dead
}

define i32 @a_dead_block_into_a_join(i32 %x, i1 %c) {
entry:
  br i1 %c, label %then, label %join

then:                                             ; preds = %entry
  br label %join

dead:                                             ; No predecessors!
  store i32 9, ptr poison, align 4
  br label %join

join:                                             ; preds = %dead, %then, %entry
  %slot.0 = phi i32 [ 8, %then ], [ %x, %entry ], [ undef, %dead ]
  ret i32 %slot.0
}
