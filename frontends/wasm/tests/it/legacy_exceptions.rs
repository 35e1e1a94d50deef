//! `try`, `catch`, `delegate` and `rethrow`: what handlers see, and where exceptions go.

use crate::judged::check;

/// What the functions below call and throw.
const FIELDS: &str = "(import \"env\" \"g\" (func $g (param i32) (result i32)))
    (import \"env\" \"h\" (func $h))
    (tag $t (param i32)) (tag $u (param i64)) ";

#[track_caller]
fn check_function(function: &str, expected: &str) {
    check(&format!("{FIELDS}{function}"), expected);
}

#[test]
fn a_handler_sees_locals_as_they_were_before_the_call() {
    check_function(
        "(func $f (param $x i32) (result i32) (local $y i32)
           (local.set $y (i32.const 7))
           try (result i32)
             (local.set $y (call $g (local.get $x)))
               (local.set $y (call $g (local.get $y)))
               (local.get $y)
             catch $t (i32.add (local.get $y)) end)",
        "func f(%x.0) {
         block0:
           %y.0 = call 0 \"g\"(%x.0) to block2, block1
         block1: <- block0, block2
           %y.1 = phi 7, %y.0
           %4 = catch 0
           %5 = i32.add %4, %y.1
           jump block4
         block2:
           %y.2 = call 0 \"g\"(%y.0) to block3, block1
         block3:
           jump block4
         block4: <- block3, block1
           %stack.0 = phi %y.2, %5
           return %stack.0
         }",
    );
}

#[test]
fn all_catches_are_known_before_the_first_is_read() {
    // The inner `try` ends between two `catch`es of the outer one, and opens after another.
    check_function(
        "(func $f (result i32)
           try (result i32)
             (call $h) (i32.const 0)
             catch $t (drop) try (call $h) catch $u (drop) catch_all end (i32.const 1)
             catch $u (drop) (i32.const 2)
             catch_all (i32.const 3) end)",
        "func f() {
         block0:
           call 1 \"h\"() to block4, block1, block2, block3
         block1:
           %4 = catch 0
           call 1 \"h\"() to block8, block6, block7
         block2:
           %5: i64 = catch 1
           jump block5
         block3:
           catch_all
           jump block5
         block4:
           jump block5
         block5: <- block4, block9, block2, block3
           %stack.0 = phi 0, 1, 2, 3
           return %stack.0
         block6:
           %7: i64 = catch 1
           jump block9
         block7:
           catch_all
           jump block9
         block8:
           jump block9
         block9: <- block8, block6, block7
           jump block5
         }",
    );
}

#[test]
fn what_an_inner_try_does_not_catch_goes_to_the_outer_ones() {
    check_function(
        "(func $f
           try
             try (call $h) catch $t (drop) end
             catch $u (drop)
             catch_all end)",
        "func f() {
         block0:
           call 1 \"h\"() to block4, block1, block2, block3
         block1:
           %0 = catch 0
           jump block5
         block2:
           %1: i64 = catch 1
           jump block6
         block3:
           catch_all
           jump block6
         block4:
           jump block5
         block5: <- block4, block1
           jump block6
         block6: <- block5, block2, block3
           return
         }",
    );
}

#[test]
fn a_rethrow_throws_the_exception_of_the_catch_it_names() {
    // Only what is rethrown is caught by reference; a handler is no longer protected by its own `try`.
    check_function(
        "(func $f
           try $outer
             (call $h)
             catch $t
               (drop)
               try $inner
                 (call $h)
                 catch_all (rethrow $outer) end end)",
        "func f() {
         block0:
           call 1 \"h\"() to block2, block1
         block1:
           %0, %1: ref.exn = catch_ref 0
           call 1 \"h\"() to block5, block4
         block2:
           jump block3
         block3:
           return
         block4:
           catch_all
           throw_ref(%1)
         block5:
           jump block6
         block6:
           jump block3
         }",
    );
}

#[test]
fn a_rethrow_is_seen_by_the_handlers_around_it() {
    check_function(
        "(func $f (result i32)
           try (result i32)
             try (result i32)
               (throw $t (i32.const 1))
               catch_all (rethrow 0) end
             catch $t end)",
        "func f() {
         block0:
           throw 0(1) to block1
         block1:
           %1: ref.exn = catch_all_ref()
           throw_ref(%1) to block2
         block2:
           %2 = catch 0
           return %2
         }",
    );
}

#[test]
fn a_delegate_passes_the_handlers_between() {
    check_function(
        "(func $f
           try $far
             try $near
               try (call $h) delegate $far
               catch_all end
             catch $u (drop) end)",
        "func f() {
         block0:
           call 1 \"h\"() to block2, block1
         block1:
           %0: i64 = catch 1
           jump block4
         block2:
           jump block3
         block3:
           jump block4
         block4: <- block3, block1
           return
         }",
    );
}

#[test]
fn a_delegate_to_a_frame_without_handlers_goes_to_those_around_that() {
    check_function(
        "(func $f
           try
             (block $b (loop $l
               try try (call $h) delegate $b catch_all end))
             catch $t (drop) end)",
        "func f() {
         block0:
           call 1 \"h\"() to block2, block1
         block1:
           %0 = catch 0
           jump block4
         block2:
           jump block3
         block3:
           jump block4
         block4: <- block3, block1
           return
         }",
    );
    // To the caller, and to a `try` whose handler it stands in: that handles nothing any more.
    let to_the_caller = "func f() {
         block0:
           call 1 \"h\"()
           jump block1
         block1:
           return
         }";
    check_function("(func $f try try (call $h) delegate 1 catch_all end)", to_the_caller);
    check_function(
        "(func $f
           try $t
             (call $h)
             catch_all try try (call $h) delegate $t catch_all end end)",
        "func f() {
         block0:
           call 1 \"h\"() to block2, block1
         block1:
           catch_all
           call 1 \"h\"()
           jump block4
         block2:
           jump block3
         block3:
           return
         block4:
           jump block3
         }",
    );
}

#[test]
fn delegates_in_a_row_lead_to_the_last_of_them() {
    check_function(
        "(func $f
           try $a
             try $b
               try $c
                 try (call $h) delegate $c
                 delegate $b
               delegate $a
             catch_all end)",
        "func f() {
         block0:
           call 1 \"h\"() to block2, block1
         block1:
           catch_all
           jump block3
         block2:
           jump block3
         block3: <- block2, block1
           return
         }",
    );
}

#[test]
fn a_try_in_a_loop_merges_what_its_parts_wrote() {
    check_function(
        "(func $f (param $n i32) (result i32)
           (loop $again (result i32)
             try (local.set $n (call $g (local.get $n)))
               catch $t (local.set $n) end
             (br_if $again (i32.eqz (local.get $n)))
             (local.get $n)))",
        "func f(%n.0) {
         block0:
           jump block1
         block1: <- block0, block4
           %n.1 = phi %n.0, %n.4
           %n.2 = call 0 \"g\"(%n.1) to block3, block2
         block2:
           %n.3 = catch 0
           jump block4
         block3:
           jump block4
         block4: <- block3, block2
           %n.4 = phi %n.2, %n.3
           %5 = i32.eqz %n.4
           br_if %5, block1, block5
         block5:
           return %n.4
         }",
    );
}

#[test]
fn parts_that_nothing_leads_to_are_skipped() {
    // Nothing throws; the region does not go on; a whole `try` is not reached.
    check_function(
        "(func $f (result i32)
           try (result i32)
             (i32.const 1)
             catch $t (loop (br 0))
             catch_all try (result i32) (call $h) (i32.const 0) delegate 0 end)",
        "func f() {
         var stack
         block0:
           jump block1
         block1:
           return 1
         }",
    );
    check_function(
        "(func $f (param $x i32) (result i32)
           (block
             (br 0)
             try (call $h) catch $t (drop) (rethrow 0) catch_all end
             try try (call $h) delegate 0 catch $u (drop) (loop (br 0)) end)
           try (throw $t (local.get $x)) (drop) (loop (br 0))
             catch $t (return) end
           (unreachable))",
        "func f(%x.0) {
         block0:
           jump block1
         block1:
           throw 0(%x.0) to block2
         block2:
           %1 = catch 0
           return %1
         }",
    );
}

#[test]
fn a_try_takes_operands_and_gives_several() {
    // Handlers do not get the operands that the region began with.
    check_function(
        "(func $f (param $x i32) (result i32 i64)
           (local.get $x) (i64.const 5)
           try (param i32 i64) (result i32 i64)
             (drop) (call $g) (i64.const 6)
             catch $u (i64.eqz) (i64.const 7) end)",
        "func f(%x.0) {
         var x, stack
         var stack_2: i64
         block0:
           %3 = call 0 \"g\"(%x.0) to block2, block1
         block1:
           %4: i64 = catch 1
           %5 = i64.eqz %4
           jump block3
         block2:
           jump block3
         block3: <- block2, block1
           %stack.0 = phi %3, %5
           %stack_2.0: i64 = phi 6_i64, 7_i64
           return %stack.0, %stack_2.0
         }",
    );
}

#[test]
fn both_proposals_work_in_one_function() {
    check_function(
        "(func $f (result i32)
           (block $all
             (block $value (result i32)
               try
                 (try_table (catch $t $value) (call $h))
                 catch_all (try_table (catch_all $all) (call $h)) end
               (return (i32.const 1)))
             (return))
           (i32.const 2))",
        "func f() {
         var stack
         block0:
           call 1 \"h\"() to block3, block1, block2
         block1:
           %2 = catch 0
           jump block4
         block2:
           catch_all
           call 1 \"h\"() to block7, block6
         block3:
           jump block5
         block4:
           return %2
         block5:
           return 1
         block6:
           catch_all
           jump block8
         block7:
           jump block5
         block8:
           return 2
         }",
    );
}
