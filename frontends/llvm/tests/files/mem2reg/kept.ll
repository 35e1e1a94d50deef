; Slots that stay in memory, beside others that do not. Each comment names LLVM's test of the same situation.

declare void @take(ptr)

declare i32 @mark(ptr) #0

declare void @jump()

@buffer = external global [64 x i64]

%pair = type { i64, i64 }

; 2002-05-01-ShouldNotPromoteThisAlloca: the address of the slot is stored.
define ptr @the_address_is_stored() {
  %slot = alloca i32, align 4
  %holder = alloca ptr, align 8
  store i32 12, ptr %slot, align 4
  store ptr %slot, ptr %holder, align 8
  %address = load ptr, ptr %holder, align 8
  call void @take(ptr %holder)
  ret ptr %address
}

; missed-remarks, `address_stored`: the same, in memory of the caller.
define void @the_address_is_stored_elsewhere(ptr %out) {
entry:
  %slot = alloca i64, align 8
  store i64 12, ptr %slot, align 8
  store ptr %slot, ptr %out, align 8
  ret void
}

; missed-remarks, `escapes_to_call`: a call has the address of one of two slots.
define i64 @a_call_has_the_address() {
entry:
  %given = alloca i64, align 8
  %free = alloca i64, align 8
  store i64 21, ptr %free, align 8
  call void @take(ptr %given)
  %got = load i64, ptr %free, align 8
  ret i64 %got
}

; missed-remarks, `volatile_load`.
define i64 @a_volatile_load() {
entry:
  %slot = alloca i64, align 8
  store i64 6, ptr %slot, align 8
  %got = load volatile i64, ptr %slot, align 8
  ret i64 %got
}

; 2007-08-27-VolatileLoadsStores: a volatile slot beside two others, where control may return twice.
define i32 @volatile_accesses() {
entry:
  %result = alloca i32, align 4
  %state = alloca i32, align 4
  %chosen = alloca i32, align 4
  store volatile i32 3, ptr %state, align 4
  %again = call i32 @mark(ptr @buffer)
  %came_back = icmp ne i32 %again, 0
  br i1 %came_back, label %second, label %first

second:
  %seen = load volatile i32, ptr %state, align 4
  store i32 %seen, ptr %chosen, align 4
  br label %join

first:
  store volatile i32 4, ptr %state, align 4
  call void @jump()
  store i32 0, ptr %chosen, align 4
  br label %join

join:
  %got = load i32, ptr %chosen, align 4
  store i32 %got, ptr %result, align 4
  br label %end

end:
  %returned = load i32, ptr %result, align 4
  ret i32 %returned
}

; missed-remarks, `aggregate_deferred`: parts of a structure.
define i64 @parts_of_a_structure(i64 %n) {
entry:
  %both = alloca %pair, align 8
  %one = getelementptr inbounds %pair, ptr %both, i32 0, i32 0
  %other = getelementptr inbounds %pair, ptr %both, i32 0, i32 1
  store i64 %n, ptr %one, align 8
  store i64 5, ptr %other, align 8
  %a = load i64, ptr %one, align 8
  %b = load i64, ptr %other, align 8
  %sum = add i64 %a, %b
  ret i64 %sum
}

; Not in LLVM's tests: a volatile store of one of two stores.
define i32 @a_volatile_store(i32 %x) {
  %slot = alloca i32, align 4
  store volatile i32 %x, ptr %slot, align 4
  store i32 1, ptr %slot, align 4
  %got = load i32, ptr %slot, align 4
  ret i32 %got
}

; Not in LLVM's tests: a structure that is loaded and stored as a whole is promoted.
define %pair @a_structure_as_a_whole(%pair %x, i1 %c) {
entry:
  %slot = alloca %pair, align 8
  store %pair %x, ptr %slot, align 8
  br i1 %c, label %then, label %join

then:
  store %pair zeroinitializer, ptr %slot, align 8
  br label %join

join:
  %got = load %pair, ptr %slot, align 8
  ret %pair %got
}

; Not in LLVM's tests: a slot outside of the first block stays.
define i32 @a_slot_in_another_block(i32 %x) {
entry:
  br label %next

next:
  %slot = alloca i32, align 4
  store i32 %x, ptr %slot, align 4
  %got = load i32, ptr %slot, align 4
  ret i32 %got
}

attributes #0 = { returns_twice }
