;; A machine with one number and two instructions, which loops over its program: a `br_table` in a loop, values on
;; the operand stack across branches, and calls through a table.
(module
  (memory 1)
  ;; The program: multiply by the counter (0), count down (1), go back to the start unless the counter is 0 (2), stop (3).
  (data (i32.const 0) "\00\01\02\03")

  (type $operation (func (param i64 i32) (result i64 i32)))
  (table funcref (elem $multiply $count_down))

  (func $multiply (type $operation) (param $number i64) (param $counter i32) (result i64 i32)
    (i64.mul (local.get $number) (i64.extend_i32_u (local.get $counter)))
    (local.get $counter))

  (func $count_down (type $operation) (param $number i64) (param $counter i32) (result i64 i32)
    (local.get $number)
    (i32.sub (local.get $counter) (i32.const 1)))

  ;; What the program makes of 1: with this one, the product of the numbers up to `counter`.
  (func $run (export "run") (param $counter i32) (result i64)
    (local $pc i32) (local $instruction i32)
    (i64.const 1)
    (loop $next (param i64) (result i64)
      (local.set $instruction (i32.load8_u (local.get $pc)))
      (local.set $pc (i32.add (local.get $pc) (i32.const 1)))
      (block $stop (param i64) (result i64)
        (block $go_back (param i64) (result i64)
          (block $call (param i64) (result i64)
            (br_table $call $call $go_back $stop (local.get $instruction)))
          (call_indirect (type $operation) (local.get $counter) (local.get $instruction))
          (local.set $counter)
          (br $next))
        (local.set $pc (select (i32.const 0) (local.get $pc) (local.get $counter)))
        (br $next)))))
