; LLVM bug 5023 and its kind: the handler of a call sees what is stored only after the call has returned.

declare void @work()

declare i32 @personality(...)

define i32 @f(i32 %x) personality ptr @personality {
entry:
  %slot = alloca i32
  store i32 %x, ptr %slot
  invoke void @work()
          to label %normal unwind label %handler

normal:
  store i32 7, ptr %slot
  br label %join

handler:
  %caught = landingpad { ptr, i32 }
          cleanup
  br label %join

join:
  %got = load i32, ptr %slot
  ret i32 %got
}
