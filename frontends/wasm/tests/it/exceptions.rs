//! What handlers see, and where branches on references lead.

use crate::judged::check;

#[test]
fn a_handler_sees_locals_as_they_were_before_the_call() {
    check(
        "(import \"env\" \"g\" (func $g (param i32) (result i32)))
         (tag $t (param i32))
         (func $f (param $x i32) (result i32)
           (local $y i32)
           (local.set $y (i32.const 7))
           (block $handler (result i32)
             (try_table (catch $t $handler)
               (local.set $y (call $g (local.get $x)))
               (local.set $y (call $g (local.get $y))))
             (return (local.get $y)))
           (i32.add (local.get $y)))",
        "func f(%x.0) {
         var x, y, stack
         block0:
           %y.0 = call 0 \"g\"(%x.0) to block2, block1
         block1: <- block0, block2
           %y.1 = phi 7, %y.0
           %4 = catch 0
           jump block4
         block2:
           %y.2 = call 0 \"g\"(%y.0) to block3, block1
         block3:
           return %y.2
         block4:
           %6 = i32.add %4, %y.1
           return %6
         }",
    );
}

#[test]
fn clauses_are_tried_from_the_inside_out_up_to_one_that_catches_all() {
    check(
        "(import \"env\" \"g\" (func $g))
         (tag $t) (tag $u (param i64))
         (func $f (result i32)
           (block $out
             (block $all (result exnref)
               (block $u (result i64 exnref)
                 (try_table (catch_all $out)
                   (try_table (catch_ref $u $u) (catch_all_ref $all)
                     (call $g)
                     (throw $t)))
                 (return (i32.const 0)))
               (throw_ref))
             (drop))
           (i32.const 1))",
        "func f() {
         var stack: i64
         var stack_2, stack_3: ref.null.exn
         block0:
           call 0 \"g\"() to block3, block1, block2
         block1:
           %1: i64, %2: ref.exn = catch_ref 1
           jump block4
         block2:
           %3: ref.exn = catch_all_ref()
           jump block5
         block3:
           throw 0() to block1, block2
         block4:
           throw_ref(%2)
         block5:
           return 1
         }",
    );
}

#[test]
fn a_handler_may_be_the_header_of_a_loop() {
    check(
        "(import \"env\" \"g\" (func $g))
         (func $f (param $n i32)
           (loop $again
             (local.set $n (i32.sub (local.get $n) (i32.const 1)))
             (try_table (catch_all $again) (call $g))))",
        "func f(%n.0) {
         block0:
           jump block1
         block1: <- block0, block2
           %n.1 = phi %n.0, %n.2
           %n.2 = i32.sub %n.1, 1
           call 0 \"g\"() to block3, block2
         block2:
           catch_all
           jump block1
         block3:
           return
         }",
    );
}

#[test]
fn a_tail_call_leaves_the_frame_before_its_handlers() {
    check(
        "(import \"env\" \"g\" (func $g (param i32)))
         (func $f (param $x i32) (block $h (try_table (catch_all $h) (return_call $g (local.get $x)))))",
        "func f(%x.0) {
         block0:
           return_call 0 \"g\"(%x.0)
         }",
    );
}

#[test]
fn a_branch_on_null_refines_what_goes_on() {
    check(
        "(func $f (param $r funcref) (result i32)
           (block $null
             (drop (br_on_null $null (local.get $r)))
             (return (i32.const 1)))
           (i32.const 0))",
        "func f(%r.0: ref.null.func) {
         var r: ref.null.func
         block0:
           %3: ref.func = br_on_null %r.0, block2, block1
         block1:
           return 0
         block2:
           return 1
         }",
    );
    check(
        "(type $t (func (result i32)))
         (func $f (param $r (ref null $t)) (result i32)
           (call_ref $t
             (block $some (result (ref $t))
               (br_on_non_null $some (local.get $r))
               (return (i32.const 0)))))",
        "func f(%r.0: ref.null.0) {
         var r: ref.null.0
         var stack: ref.0
         block0:
           %2: ref.0 = br_on_non_null %r.0, block1, block2
         block1:
           jump block3
         block2:
           return 0
         block3:
           %3 = call_ref 0(%2)
           return %3
         }",
    );
}

#[test]
fn a_cast_refines_both_ways_out() {
    check(
        "(type $s (struct (field i32)))
         (func $f (param $r anyref) (result i32)
           (block $cast (result (ref null $s))
             (drop (br_on_cast $cast anyref (ref null $s) (local.get $r)))
             (return (i32.const 1)))
           (struct.get $s 0))",
        "func f(%r.0: ref.null.any) {
         var r: ref.null.any
         var stack: ref.null.0
         block0:
           %2: ref.null.0 = br_on_cast ref.null.any ref.null.0 %r.0, block1, block2
         block1:
           jump block3
         block2:
           %3: ref.any = ref.as_non_null %r.0
           return 1
         block3:
           %4 = struct.get 0 0 %2
           return %4
         }",
    );
    check(
        "(type $s (struct (field i32)))
         (func $f (param $r anyref) (result i32)
           (block $other (result anyref)
             (return (struct.get $s 0 (br_on_cast_fail $other anyref (ref $s) (local.get $r)))))
           (drop)
           (i32.const 5))",
        "func f(%r.0: ref.null.any) {
         var r, stack: ref.null.any
         block0:
           %2: ref.0 = br_on_cast_fail ref.null.any ref.0 %r.0, block1, block2
         block1:
           %3 = struct.get 0 0 %2
           return %3
         block2:
           jump block3
         block3:
           return 5
         }",
    );
}
