//! Locals, the operand stack and structured control, in and out.

use crate::judged::{self, check};
use ssaphire::Certified;
use ssaphire_wasm::{TranslateOptions, Translator, translate};

#[test]
fn copies_between_locals_leave_no_instruction() {
    check(
        "(func $f (param $x i32) (result i32) (local $y i32)
           (local.set $y (local.get $x))
           (local.set $x (i32.const 1))
           (i32.add (local.get $y) (local.get $x)))",
        "func f(%x.0) {
         var x, y
         block0:
           %2 = i32.add %x.0, 1
           return %2
         }",
    );
}

#[test]
fn locals_begin_with_zero_or_null() {
    check(
        "(func (result i32 i64 f32 f64 v128 funcref)
           (local i32 i64 f32 f64 v128 funcref)
           local.get 0 local.get 1 local.get 2 local.get 3 local.get 4 local.get 5)",
        "func func0() {
         var l0
         var l1: i64
         var l2: f32
         var l3: f64
         var l4: v128
         var l5: ref.null.func
         block0:
           return 0, 0_i64, 0_f32, 0_f64, 0x00000000000000000000000000000000_v128, null.func
         }",
    );
}

#[test]
fn a_conditional_joins_what_its_parts_wrote() {
    check(
        "(func $f (param $c i32) (result i32) (local $x i32)
           (if (local.get $c) (then (local.set $x (i32.const 1))) (else (local.set $x (i32.const 2))))
           (local.get $x))",
        "func f(%c.0) {
         block0:
           br_if %c.0, block1, block2
         block1:
           jump block3
         block2:
           jump block3
         block3: <- block1, block2
           %x.0 = phi 1, 2
           return %x.0
         }",
    );
}

#[test]
fn both_parts_of_a_conditional_take_its_operands() {
    check(
        "(func $f (param $c i32) (result i32)
           (i32.const 5)
           (if (param i32) (result i32) (local.get $c) (then (i32.eqz)) (else)))",
        "func f(%c.0) {
         block0:
           br_if %c.0, block1, block2
         block1:
           %2 = i32.eqz 5
           jump block3
         block2:
           jump block3
         block3: <- block1, block2
           %stack.0 = phi %2, 5
           return %stack.0
         }",
    );
}

#[test]
fn a_value_is_named_after_the_first_local_that_holds_it() {
    check(
        "(func $f (param $p i32) (result i32) (local $x i32) (local $y i32)
           (local.set $x (i32.eqz (local.get $p)))
           (local.set $y (local.get $x))
           (local.get $y))",
        "func f(%p.0) {
         var p, x, y
         block0:
           %x.0 = i32.eqz %p.0
           return %x.0
         }",
    );
}

#[test]
fn several_results_have_their_types() {
    check(
        "(func $f (param $c i32) (result i32 i64 f32)
           (block (result i32 i64 f32) (call $f (local.get $c))))",
        "func f(%c.0) {
         block0:
           %1, %2: i64, %3: f32 = call 0 \"f\"(%c.0)
           return %1, %2, %3
         }",
    );
}

#[test]
fn a_conditional_without_else_passes_its_operands_on() {
    check(
        "(func $f (param $c i32) (result i32)
           (local.get $c) (i32.const 5)
           (if (param i32) (result i32) (local.get $c) (then (drop) (i32.const 1)))
           (i32.add))",
        "func f(%c.0) {
         block0:
           br_if %c.0, block1, block2
         block1:
           jump block2
         block2: <- block0, block1
           %stack.0 = phi 5, 1
           %4 = i32.add %c.0, %stack.0
           return %4
         }",
    );
}

#[test]
fn a_branch_carries_values_to_its_label() {
    check(
        "(func $f (param $c i32) (result i32)
           (block (result i32)
             (br_if 0 (i32.const 1) (local.get $c))
             (drop)
             (br 0 (i32.const 2))))",
        "func f(%c.0) {
         block0:
           br_if %c.0, block1, block2
         block1: <- block0, block2
           %stack.0 = phi 1, 2
           return %stack.0
         block2:
           jump block1
         }",
    );
}

#[test]
fn a_loop_takes_operands_and_gives_several() {
    check(
        "(func $swap (param i32 i32) (result i32 i32) (local.get 1) (local.get 0))
         (func $f (param $n i32) (result i32 i32)
           (i32.const 1) (i32.const 2)
           (loop $again (param i32 i32) (result i32 i32)
             (local.set $n (i32.sub (local.get $n) (i32.const 1)))
             (call $swap)
             (br_if $again (local.get $n))))",
        "func f(%n.0) {
         block0:
           jump block1
         block1: <- block0, block1
           %stack.0 = phi 1, %7
           %stack_2.0 = phi 2, %8
           %n.1 = phi %n.0, %n.2
           %n.2 = i32.sub %n.1, 1
           %7, %8 = call 0 \"swap\"(%stack.0, %stack_2.0)
           br_if %n.2, block1, block2
         block2:
           return %7, %8
         }",
    );
}

#[test]
fn a_label_named_twice_has_two_edges() {
    check(
        "(func $f (param $i i32) (result i32)
           (block $a (result i32)
             (drop (br_if $a (i32.const 1) (i32.eqz (local.get $i))))
             (block $b
               (br_table $a $a (i32.const 2) (local.get $i)))
             (unreachable)))",
        "func f(%i.0) {
         block0:
           %3 = i32.eqz %i.0
           br_if %3, block1, block2
         block1: <- block0, block2.0, block2.1
           %stack.0 = phi 1, 2, 2
           return %stack.0
         block2:
           br_table %i.0, [block1], block1
         }",
    );
}

#[test]
fn a_loop_that_nothing_repeats_is_no_loop() {
    check(
        "(func $f (param $x i32) (result i32)
           (loop (result i32) (block (local.set $x (i32.clz (local.get $x)))) (local.get $x)))",
        "func f(%x.0) {
         block0:
           %x.1 = i32.clz %x.0
           return %x.1
         }",
    );
}

#[test]
fn code_that_control_does_not_reach_is_skipped() {
    check(
        "(func $f (result i32)
           (block $a (result i32)
             (br $a (i32.const 1))
             (loop (if (i32.const 0) (then (unreachable)) (else (br 1))) (br 0))
             (unreachable)))",
        "func f() {
         var stack
         block0:
           jump block1
         block1:
           return 1
         }",
    );
    check("(func $f (unreachable) (i32.add) (drop))", "func f() {\nblock0:\nunreachable\n}");
    // Where the first part does not go on, the `else` still does.
    check(
        "(func $f (param $c i32) (result i32) (if (local.get $c) (then (unreachable)) (else)) (i32.const 4))",
        "func f(%c.0) {
         block0:
           br_if %c.0, block1, block2
         block1:
           unreachable
         block2:
           return 4
         }",
    );
}

#[test]
fn a_local_without_null_is_written_before_it_is_read() {
    check(
        "(func $f (param $r (ref func)) (result (ref func)) (local $x (ref func))
           (local.set $x (local.get $r))
           (local.get $x))",
        "func f(%r.0: ref.func) {
         var r, x: ref.func
         block0:
           return %r.0
         }",
    );
}

#[test]
fn nothing_of_a_function_is_left_in_the_next() {
    let text = "(module
        (func $large (param $x i64) (result i32) (local $y f32)
          (loop (result i32) (local.set $x (i64.add (local.get $x) (i64.const 7)))
            (br_if 0 (i64.lt_u (local.get $x) (i64.const 70))) (i32.const 7)))
        (func $small (param $z i32) (result i32)
          (if (result i32) (local.get $z) (then (i32.const 7)) (else (i32.const 70))))
        (func $empty))";
    let module = judged::module(text);
    let mut ssa = Certified::default();
    let mut translator = Translator::new(&module, TranslateOptions::default());
    for index in [0, 1, 2, 1, 0, 0] {
        let alone = translate(&module, index, &mut Certified::default(), TranslateOptions::default()).unwrap();
        assert_eq!(translator.translate_in_place(index, &mut ssa).unwrap().to_string(), alone.to_string());
        assert_eq!(translator.translate(index, &mut ssa).unwrap(), alone);
    }
    assert!(translator.translate_in_place(3, &mut ssa).is_err());
    assert_eq!(translator.translate_in_place(2, &mut ssa).unwrap().num_blocks(), 1);
}
