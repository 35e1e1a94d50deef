; ModuleID = '<stdin>'
source_filename = "<stdin>"

declare i32 @next()

declare i1 @more(i32)

declare void @print(i32)

define i64 @never_stored() {
  ret i64 undef
}

define float @parameters(i16 %count, float %factor) {
  %new = sub i16 %count, 3
  %wide = uitofp i16 %new to float
  %result = fdiv float %wide, %factor
  ret float %result
}

define i64 @a_parameter_or_nothing(i1 %is_set, i64 %given) {
  br i1 %is_set, label %set, label %join

set:                                              ; preds = %0
  br label %join

join:                                             ; preds = %set, %0
  ret i64 %given
}

define i64 @a_local_value_or_nothing(i1 %is_set, i64 %given) {
  br i1 %is_set, label %set, label %join

set:                                              ; preds = %0
  %twice = shl i64 %given, 1
  br label %join

join:                                             ; preds = %set, %0
  %slot.0 = phi i64 [ %twice, %set ], [ undef, %0 ]
  ret i64 %slot.0
}

define i64 @the_same_value_or_nothing(i32 %which, i64 %given) {
  switch i32 %which, label %join [
    i32 1, label %one
    i32 2, label %two
  ]

one:                                              ; preds = %0
  br label %join

two:                                              ; preds = %0
  br label %join

join:                                             ; preds = %two, %one, %0
  ret i64 %given
}

define i16 @stored_poison(i1 %is_set) {
  br i1 %is_set, label %set, label %join

set:                                              ; preds = %0
  br label %join

join:                                             ; preds = %set, %0
  ret i16 undef
}

define i16 @stored_parameter(i1 %is_set, i16 %given) {
  br i1 %is_set, label %set, label %join

set:                                              ; preds = %0
  br label %join

join:                                             ; preds = %set, %0
  ret i16 %given
}

define i16 @stored_defined_parameter(i1 %is_set, i16 noundef %given) {
  br i1 %is_set, label %set, label %join

set:                                              ; preds = %0
  br label %join

join:                                             ; preds = %set, %0
  ret i16 %given
}

define i16 @stored_constant(i1 %is_set) {
  br i1 %is_set, label %set, label %join

set:                                              ; preds = %0
  br label %join

join:                                             ; preds = %set, %0
  ret i16 77
}

define i16 @many_edges(i1 %c) {
entry:
  br i1 %c, label %first, label %second

dead0:                                            ; No predecessors!
  br label %join

dead1:                                            ; No predecessors!
  br label %join

first:                                            ; preds = %entry
  br label %join

dead2:                                            ; No predecessors!
  br label %join

dead3:                                            ; No predecessors!
  br label %join

dead4:                                            ; No predecessors!
  br label %join

second:                                           ; preds = %entry
  br label %join

dead5:                                            ; No predecessors!
  br label %join

join:                                             ; preds = %dead5, %second, %dead4, %dead3, %dead2, %first, %dead1, %dead0
  %slot.0 = phi i16 [ 11, %first ], [ 22, %second ], [ poison, %dead0 ], [ poison, %dead1 ], [ poison, %dead2 ], [ poison, %dead3 ], [ poison, %dead4 ], [ poison, %dead5 ]
  ret i16 %slot.0
}

define i8 @repeated_edges(i1 %c, i8 %x) {
entry:
  br i1 %c, label %join, label %twice

twice:                                            ; preds = %entry
  br i1 %c, label %join, label %join

join:                                             ; preds = %twice, %twice, %entry
  %slot.0 = phi i8 [ 5, %entry ], [ %x, %twice ], [ %x, %twice ]
  ret i8 %slot.0
}

define i8 @repeated_edges_of_one_store(i1 %c, i8 %x) {
entry:
  br i1 %c, label %join, label %twice

twice:                                            ; preds = %entry
  br i1 %c, label %join, label %join

join:                                             ; preds = %twice, %twice, %entry
  ret i8 %x
}

define i64 @a_slot_in_a_slot() {
  ret i64 9
}

define i64 @a_slot_in_a_slot_in_a_slot(i64 %x) {
  ret i64 %x
}

define void @no_load_after_the_join(i32 %x, i1 %c) {
  br i1 %c, label %left, label %right

left:                                             ; preds = %0
  call void @print(i32 6)
  br label %join

right:                                            ; preds = %0
  call void @print(i32 %x)
  br label %join

join:                                             ; preds = %right, %left
  ret void
}

define void @a_constant_of_the_previous_iteration(i32 %n) {
entry:
  br label %head

head:                                             ; preds = %body, %entry
  %c = call i1 @more(i32 %n)
  br i1 %c, label %body, label %exit

body:                                             ; preds = %head
  call void @print(i32 40)
  br label %head

exit:                                             ; preds = %head
  ret void
}

define void @a_value_of_the_previous_iteration(i32 %n) {
entry:
  br label %head

head:                                             ; preds = %body, %entry
  %last.0 = phi i32 [ undef, %entry ], [ %fresh, %body ]
  %c = call i1 @more(i32 %n)
  br i1 %c, label %body, label %exit

body:                                             ; preds = %head
  %fresh = call i32 @next()
  call void @print(i32 %last.0)
  br label %head

exit:                                             ; preds = %head
  ret void
}

define void @a_loop_of_one_block() {
entry:
  br label %loop

loop:                                             ; preds = %loop, %entry
  %slot.0 = phi i32 [ undef, %entry ], [ %new, %loop ]
  %c = call i1 @more(i32 %slot.0)
  %new = call i32 @next()
  br i1 %c, label %loop, label %exit

exit:                                             ; preds = %loop
  ret void
}

define void @a_loop_of_one_block_without_a_store() {
entry:
  br label %loop

loop:                                             ; preds = %loop, %entry
  %c = call i1 @more(i32 undef)
  br i1 %c, label %loop, label %exit

exit:                                             ; preds = %loop
  ret void
}

define i64 @atomic_accesses(i64 %x) {
  ret i64 %x
}

define i64 @the_type_of_the_slot() {
  ret i64 13
}

define i32 @a_handler() personality ptr @personality {
entry:
  %result = invoke i32 @next()
          to label %normal unwind label %handler

normal:                                           ; preds = %entry
  br label %join

join:                                             ; preds = %handler, %normal
  %slot.0 = phi i32 [ %result, %normal ], [ undef, %handler ]
  ret i32 %slot.0

handler:                                          ; preds = %entry
  %caught = landingpad { ptr, i32 }
          cleanup
  br label %join
}

declare i32 @personality(...)

define i32 @a_swap(i32 %x, i32 %y, i32 %n) {
entry:
  br label %loop

loop:                                             ; preds = %loop, %entry
  %b.0 = phi i32 [ %y, %entry ], [ %a.0, %loop ]
  %a.0 = phi i32 [ %x, %entry ], [ %b.0, %loop ]
  %c = call i1 @more(i32 %n)
  br i1 %c, label %loop, label %exit

exit:                                             ; preds = %loop
  ret i32 %b.0
}

define i32 @an_irreducible_loop(i1 %c, i32 %x) {
entry:
  br i1 %c, label %left, label %right

left:                                             ; preds = %right, %entry
  %slot.0 = phi i32 [ %x, %entry ], [ %slot.1, %right ]
  %next = add i32 %slot.0, 1
  br label %right

right:                                            ; preds = %left, %entry
  %slot.1 = phi i32 [ %next, %left ], [ %x, %entry ]
  %d = call i1 @more(i32 %slot.1)
  br i1 %d, label %left, label %exit

exit:                                             ; preds = %right
  ret i32 %slot.1
}
