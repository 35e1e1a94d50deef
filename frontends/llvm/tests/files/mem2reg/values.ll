; What promoted slots hold. Each comment names LLVM's test of the same situation.

declare i32 @next()

declare i1 @more(i32)

declare void @print(i32)

; 2002-03-28-UninitializedVal: nothing is stored.
define i64 @never_stored() {
  %slot = alloca i64, align 8
  %got = load i64, ptr %slot, align 8
  ret i64 %got
}

; PromoteMemToRegister: two parameters in one block, one of which is stored again.
define float @parameters(i16 %count, float %factor) {
  %c = alloca i16, align 2
  %f = alloca float, align 4
  store i16 %count, ptr %c, align 2
  store float %factor, ptr %f, align 4
  %old = load i16, ptr %c, align 2
  %new = sub i16 %old, 3
  store i16 %new, ptr %c, align 2
  %again = load i16, ptr %c, align 2
  %wide = uitofp i16 %again to float
  %scale = load float, ptr %f, align 4
  %result = fdiv float %wide, %scale
  ret float %result
}

; UndefValuesMerge: a parameter and nothing meet.
define i64 @a_parameter_or_nothing(i1 %is_set, i64 %given) {
  %slot = alloca i64, align 8
  br i1 %is_set, label %set, label %join

set:
  store i64 %given, ptr %slot, align 8
  br label %join

join:
  %got = load i64, ptr %slot, align 8
  ret i64 %got
}

; UndefValuesMerge, with a value that the join does not know.
define i64 @a_local_value_or_nothing(i1 %is_set, i64 %given) {
  %slot = alloca i64, align 8
  br i1 %is_set, label %set, label %join

set:
  %twice = shl i64 %given, 1
  store i64 %twice, ptr %slot, align 8
  br label %join

join:
  %got = load i64, ptr %slot, align 8
  ret i64 %got
}

; UndefValuesMerge, with several stores of the same value and an edge without one.
define i64 @the_same_value_or_nothing(i32 %which, i64 %given) {
  %slot = alloca i64, align 8
  switch i32 %which, label %join [
    i32 1, label %one
    i32 2, label %two
  ]

one:
  store i64 %given, ptr %slot, align 8
  br label %join

two:
  store i64 %given, ptr %slot, align 8
  br label %join

join:
  %got = load i64, ptr %slot, align 8
  ret i64 %got
}

; single-store: a literal poison.
define i16 @stored_poison(i1 %is_set) {
  %slot = alloca i16, align 2
  br i1 %is_set, label %set, label %join

set:
  store i16 poison, ptr %slot, align 2
  br label %join

join:
  %got = load i16, ptr %slot, align 2
  ret i16 %got
}

; single-store: a parameter that may be poison.
define i16 @stored_parameter(i1 %is_set, i16 %given) {
  %slot = alloca i16, align 2
  br i1 %is_set, label %set, label %join

set:
  store i16 %given, ptr %slot, align 2
  br label %join

join:
  %got = load i16, ptr %slot, align 2
  ret i16 %got
}

; single-store: a parameter that is never poison.
define i16 @stored_defined_parameter(i1 %is_set, i16 noundef %given) {
  %slot = alloca i16, align 2
  br i1 %is_set, label %set, label %join

set:
  store i16 %given, ptr %slot, align 2
  br label %join

join:
  %got = load i16, ptr %slot, align 2
  ret i16 %got
}

; single-store: a constant.
define i16 @stored_constant(i1 %is_set) {
  %slot = alloca i16, align 2
  br i1 %is_set, label %set, label %join

set:
  store i16 77, ptr %slot, align 2
  br label %join

join:
  %got = load i16, ptr %slot, align 2
  ret i16 %got
}

; undef-order: operands in the order of the edges, most of them from unreachable blocks.
define i16 @many_edges(i1 %c) {
entry:
  %slot = alloca i16, align 2
  br i1 %c, label %first, label %second

dead0:
  br label %join

dead1:
  br label %join

first:
  store i16 11, ptr %slot, align 2
  br label %join

dead2:
  br label %join

dead3:
  br label %join

dead4:
  br label %join

second:
  store i16 22, ptr %slot, align 2
  br label %join

dead5:
  br label %join

join:
  %got = load i16, ptr %slot, align 2
  ret i16 %got
}

; 2003-04-24-MultipleIdenticalSuccessors: two edges between the same blocks.
define i8 @repeated_edges(i1 %c, i8 %x) {
entry:
  %slot = alloca i8, align 1
  store i8 5, ptr %slot, align 1
  br i1 %c, label %join, label %twice

twice:
  store i8 %x, ptr %slot, align 1
  br i1 %c, label %join, label %join

join:
  %got = load i8, ptr %slot, align 1
  ret i8 %got
}

; 2003-04-24-MultipleIdenticalSuccessors, with nothing stored before the branch.
define i8 @repeated_edges_of_one_store(i1 %c, i8 %x) {
entry:
  %slot = alloca i8, align 1
  br i1 %c, label %join, label %twice

twice:
  store i8 %x, ptr %slot, align 1
  br i1 %c, label %join, label %join

join:
  %got = load i8, ptr %slot, align 1
  ret i8 %got
}

; 2003-06-26-IterativePromote: a slot that holds the address of another.
define i64 @a_slot_in_a_slot() {
  %kept = alloca i64, align 8
  %target = alloca i64, align 8
  %address = alloca ptr, align 8
  store i64 9, ptr %target, align 8
  store ptr %target, ptr %address, align 8
  %loaded = load ptr, ptr %address, align 8
  %value = load i64, ptr %loaded, align 8
  store i64 %value, ptr %kept, align 8
  %got = load i64, ptr %kept, align 8
  ret i64 %got
}

; 2003-06-26-IterativePromote, twice over, and with a store through the address.
define i64 @a_slot_in_a_slot_in_a_slot(i64 %x) {
  %target = alloca i64, align 8
  %address = alloca ptr, align 8
  %outer = alloca ptr, align 8
  store ptr %target, ptr %address, align 8
  store ptr %address, ptr %outer, align 8
  %one = load ptr, ptr %outer, align 8
  %two = load ptr, ptr %one, align 8
  store i64 %x, ptr %two, align 8
  %got = load i64, ptr %target, align 8
  ret i64 %got
}

; 2003-10-05-DeadPHIInsertion: no phi where nothing loads.
define void @no_load_after_the_join(i32 %x, i1 %c) {
  %slot = alloca i32, align 4
  store i32 %x, ptr %slot, align 4
  br i1 %c, label %left, label %right

left:
  store i32 6, ptr %slot, align 4
  %one = load i32, ptr %slot, align 4
  call void @print(i32 %one)
  br label %join

right:
  %other = load i32, ptr %slot, align 4
  call void @print(i32 %other)
  br label %join

join:
  ret void
}

; 2005-06-30-ReadBeforeWrite: a constant that is stored after the load, in a loop.
define void @a_constant_of_the_previous_iteration(i32 %n) {
entry:
  %last = alloca i32, align 4
  %shown = alloca i32, align 4
  br label %head

head:
  %c = call i1 @more(i32 %n)
  br i1 %c, label %body, label %exit

body:
  %v = load i32, ptr %last, align 4
  store i32 %v, ptr %shown, align 4
  store i32 40, ptr %last, align 4
  %w = load i32, ptr %shown, align 4
  call void @print(i32 %w)
  br label %head

exit:
  ret void
}

; 2005-06-30-ReadBeforeWrite, with a value of the previous iteration.
define void @a_value_of_the_previous_iteration(i32 %n) {
entry:
  %last = alloca i32, align 4
  %shown = alloca i32, align 4
  br label %head

head:
  %c = call i1 @more(i32 %n)
  br i1 %c, label %body, label %exit

body:
  %v = load i32, ptr %last, align 4
  store i32 %v, ptr %shown, align 4
  %fresh = call i32 @next()
  store i32 %fresh, ptr %last, align 4
  %w = load i32, ptr %shown, align 4
  call void @print(i32 %w)
  br label %head

exit:
  ret void
}

; pr24179, the first function: a load before the only store, in a block that is a loop.
define void @a_loop_of_one_block() {
entry:
  %slot = alloca i32, align 4
  br label %loop

loop:
  %old = load i32, ptr %slot, align 4
  %c = call i1 @more(i32 %old)
  %new = call i32 @next()
  store i32 %new, ptr %slot, align 4
  br i1 %c, label %loop, label %exit

exit:
  ret void
}

; pr24179, the second function: the same without a store.
define void @a_loop_of_one_block_without_a_store() {
entry:
  %slot = alloca i32, align 4
  br label %loop

loop:
  %old = load i32, ptr %slot, align 4
  %c = call i1 @more(i32 %old)
  br i1 %c, label %loop, label %exit

exit:
  ret void
}

; atomic: atomic accesses of a slot.
define i64 @atomic_accesses(i64 %x) {
  %slot = alloca i64, align 8
  store atomic i64 %x, ptr %slot release, align 8
  %got = load atomic i64, ptr %slot acquire, align 8
  ret i64 %got
}

; opaque-ptr, the first function: loads and stores of the slot's type.
define i64 @the_type_of_the_slot() {
  %slot = alloca i64, align 8
  store i64 13, ptr %slot, align 8
  %got = load i64, ptr %slot, align 8
  ret i64 %got
}

; crash, the first function: the handler of a call does not see its result.
define i32 @a_handler() personality ptr @personality {
entry:
  %slot = alloca i32, align 4
  %result = invoke i32 @next()
          to label %normal unwind label %handler

normal:
  store i32 %result, ptr %slot, align 4
  br label %join

join:
  %got = load i32, ptr %slot, align 4
  ret i32 %got

handler:
  %caught = landingpad { ptr, i32 }
          cleanup
  br label %join
}

declare i32 @personality(...)

; Not in LLVM's tests: two slots that swap their contents in a loop.
define i32 @a_swap(i32 %x, i32 %y, i32 %n) {
entry:
  %a = alloca i32, align 4
  %b = alloca i32, align 4
  store i32 %x, ptr %a, align 4
  store i32 %y, ptr %b, align 4
  br label %loop

loop:
  %from_a = load i32, ptr %a, align 4
  %from_b = load i32, ptr %b, align 4
  store i32 %from_b, ptr %a, align 4
  store i32 %from_a, ptr %b, align 4
  %c = call i1 @more(i32 %n)
  br i1 %c, label %loop, label %exit

exit:
  %got = load i32, ptr %a, align 4
  ret i32 %got
}

; Not in LLVM's tests: a loop that can be entered at two blocks.
define i32 @an_irreducible_loop(i1 %c, i32 %x) {
entry:
  %slot = alloca i32, align 4
  store i32 %x, ptr %slot, align 4
  br i1 %c, label %left, label %right

left:
  %one = load i32, ptr %slot, align 4
  %next = add i32 %one, 1
  store i32 %next, ptr %slot, align 4
  br label %right

right:
  %other = load i32, ptr %slot, align 4
  %d = call i1 @more(i32 %other)
  br i1 %d, label %left, label %exit

exit:
  %got = load i32, ptr %slot, align 4
  ret i32 %got
}
