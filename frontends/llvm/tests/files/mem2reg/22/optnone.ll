; ModuleID = '<stdin>'
source_filename = "<stdin>"

; Function Attrs: noinline optnone
define i64 @not_to_be_optimized(i64 %x) #0 {
  %slot = alloca i64, align 8
  store i64 %x, ptr %slot, align 8
  %got = load i64, ptr %slot, align 8
  ret i64 %got
}

attributes #0 = { noinline optnone }
