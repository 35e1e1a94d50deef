;; A loop, a table of jumps that names a target twice, and a local that is set in one arm only.
(module
  (memory 1)
  (func $loop (export "loop") (param $n i32) (result i32) (local $sum i32)
    (block $done
      (loop $again
        (br_if $done (i32.eqz (local.get $n)))
        (local.set $sum (i32.add (local.get $sum) (i32.load (local.get $n))))
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (br $again)))
    (local.get $sum))
  (func $switch (param $x i32) (result i64) (local $y i64)
    (block $a
      (block $b
        (br_table $a $b $a $b (local.get $x)))
      (local.set $y (i64.const 7)))
    (if (result i64) (local.get $x)
      (then (local.tee $y (i64.const 3)))
      (else (local.get $y)))))
