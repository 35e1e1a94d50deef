; A slot is gone though a store by a chosen address is left, which has become a store to poison (found in another promotion, Dat3M 904).

define i32 @f(i1 %c, ptr %p) {
entry:
  %slot = alloca i32
  store i32 1, ptr %slot
  %either = select i1 %c, ptr %slot, ptr %p
  store i32 2, ptr %either
  %got = load i32, ptr %slot
  ret i32 %got
}
