; ModuleID = '<stdin>'
source_filename = "<stdin>"

%pair = type { i64, i64 }

@buffer = external global [64 x i64]

declare void @take(ptr)

; Function Attrs: returns_twice
declare i32 @mark(ptr) #0

declare void @jump()

define ptr @the_address_is_stored() {
  %slot = alloca i32, align 4
  %holder = alloca ptr, align 8
  store i32 12, ptr %slot, align 4
  store ptr %slot, ptr %holder, align 8
  %address = load ptr, ptr %holder, align 8
  call void @take(ptr %holder)
  ret ptr %address
}

define void @the_address_is_stored_elsewhere(ptr %out) {
entry:
  %slot = alloca i64, align 8
  store i64 12, ptr %slot, align 8
  store ptr %slot, ptr %out, align 8
  ret void
}

define i64 @a_call_has_the_address() {
entry:
  %given = alloca i64, align 8
  call void @take(ptr %given)
  ret i64 21
}

define i64 @a_volatile_load() {
entry:
  %slot = alloca i64, align 8
  store i64 6, ptr %slot, align 8
  %got = load volatile i64, ptr %slot, align 8
  ret i64 %got
}

define i32 @volatile_accesses() {
entry:
  %state = alloca i32, align 4
  store volatile i32 3, ptr %state, align 4
  %again = call i32 @mark(ptr @buffer)
  %came_back = icmp ne i32 %again, 0
  br i1 %came_back, label %second, label %first

second:                                           ; preds = %entry
  %seen = load volatile i32, ptr %state, align 4
  br label %join

first:                                            ; preds = %entry
  store volatile i32 4, ptr %state, align 4
  call void @jump()
  br label %join

join:                                             ; preds = %first, %second
  %chosen.0 = phi i32 [ %seen, %second ], [ 0, %first ]
  br label %end

end:                                              ; preds = %join
  ret i32 %chosen.0
}

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

define i32 @a_volatile_store(i32 %x) {
  %slot = alloca i32, align 4
  store volatile i32 %x, ptr %slot, align 4
  store i32 1, ptr %slot, align 4
  %got = load i32, ptr %slot, align 4
  ret i32 %got
}

define %pair @a_structure_as_a_whole(%pair %x, i1 %c) {
entry:
  br i1 %c, label %then, label %join

then:                                             ; preds = %entry
  br label %join

join:                                             ; preds = %then, %entry
  %slot.0 = phi %pair [ zeroinitializer, %then ], [ %x, %entry ]
  ret %pair %slot.0
}

define i32 @a_slot_in_another_block(i32 %x) {
entry:
  br label %next

next:                                             ; preds = %entry
  %slot = alloca i32, align 4
  store i32 %x, ptr %slot, align 4
  %got = load i32, ptr %slot, align 4
  ret i32 %got
}

attributes #0 = { returns_twice }
