;; The primes below a limit, by the sieve of Eratosthenes: a byte of memory for each number, 1 once it is crossed out.
(module
  (memory (export "memory") 1)

  ;; Crosses out the multiples of `step`, from its square on.
  (func $cross_out (param $step i32) (param $limit i32)
    (local $multiple i32)
    (local.set $multiple (i32.mul (local.get $step) (local.get $step)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $multiple) (local.get $limit)))
        (i32.store8 (local.get $multiple) (i32.const 1))
        (local.set $multiple (i32.add (local.get $multiple) (local.get $step)))
        (br $next))))

  ;; How many primes are below `limit`, which is at most 65536.
  (func $count_primes (export "count_primes") (param $limit i32) (result i32)
    (local $number i32) (local $count i32)
    (local.set $number (i32.const 2))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $number) (local.get $limit)))
        (if (i32.eqz (i32.load8_u (local.get $number)))
          (then
            (local.set $count (i32.add (local.get $count) (i32.const 1)))
            ;; The square of a larger number would not be below the limit, or not fit.
            (if (i32.lt_u (local.get $number) (i32.const 256))
              (then (call $cross_out (local.get $number) (local.get $limit))))))
        (local.set $number (i32.add (local.get $number) (i32.const 1)))
        (br $next)))
    (local.get $count)))
