declare void @work()

declare i32 @personality(...)

define i32 @f(i32 %x) personality ptr @personality {
entry:
  invoke void @work()
          to label %normal unwind label %handler

normal:
  br label %join

handler:
  %caught = landingpad { ptr, i32 }
          cleanup
  br label %join

join:
  ret i32 7
}
