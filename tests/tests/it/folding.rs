//! What is folded while While programs are built, one small program for each way.

use ssaphire::Certified;
use ssaphire::fold::FoldOptions;
use ssaphire_ir::basic::{BinaryOp, Op, Type};
use ssaphire_ir::fold::Folding;
use ssaphire_ir::{Basic, FunctionBuilder};
use ssaphire_tests::fuzzing::folding::folded;

/// Expects the instructions of the folded function, blocks and jumps left out; and that so much was folded late.
#[track_caller]
pub(crate) fn check(source: &str, expected: &[&str], late: u64) {
    let (text, stats) = folded(source);
    let is_inst = |line: &&str| line.starts_with("  ") && !line.trim_start().starts_with("jump");
    let found: Vec<&str> = text.lines().filter(is_inst).map(str::trim).collect();
    assert_eq!(found, expected, "\n{text}");
    assert_eq!(stats.late, late, "\n{text}");
}

#[test]
pub(crate) fn an_operation_on_a_phi_becomes_a_constant_when_the_loop_is_sealed() {
    check(
        "func f(n) { y := 5; i := 0; while i < n { x := y + 1; print x; i := i + 1; } return i; }",
        &[
            "%i.0 = phi 0, %i.1",
            "%5 = lt %i.0, %n.0",
            "branch %5, block2, block3",
            "print 6",
            "%i.1 = add %i.0, 1",
            "return %i.0",
        ],
        1,
    );
}

#[test]
pub(crate) fn a_phi_of_an_inner_loop_becomes_one_of_the_outer_loop_and_then_a_constant() {
    check(
        "func f(a, n) { y := 5; i := 0; while i < n { j := 0; while j < n { x := y + 1; print x; j := j + a; } \
         i := i + a; } return i; }",
        &[
            "%i.0 = phi 0, %i.1",
            "%5 = lt %i.0, %n.0",
            "branch %5, block2, block3",
            "return %i.0",
            "%j.0 = phi 0, %j.1",
            "%7 = lt %j.0, %n.0",
            "branch %7, block5, block6",
            "print 6",
            "%j.1 = add %j.0, %a.0",
            "%i.1 = add %i.0, %a.0",
        ],
        1,
    );
}

#[test]
pub(crate) fn the_later_one_of_two_that_become_the_same_goes() {
    // Both trap, so neither is a constant.
    check(
        "func f(n) { y := 0; i := 0; while i < n { x := y / 0; z := 0 / y; print x, z; i := i + 1; } return i; }",
        &[
            "%i.0 = phi 0, %i.1",
            "%4 = lt %i.0, %n.0",
            "branch %4, block2, block3",
            "%x.0 = div 0, 0",
            "print %x.0, %x.0",
            "%i.1 = add %i.0, 1",
            "return %i.0",
        ],
        1,
    );
}

#[test]
pub(crate) fn an_operation_is_found_by_what_its_arguments_are_now() {
    check(
        "func f(a, n) { y := a; while y * 3 < n { print y; } return a * 3; }",
        &["%3 = mul %a.0, 3", "%4 = lt %3, %n.0", "branch %4, block2, block3", "print %a.0", "return %3"],
        0,
    );
}

#[test]
pub(crate) fn a_comparison_is_the_opposite_one_of_the_arguments_exchanged() {
    check("func f(a, b) { x := a < b; y := b > a; return x, y; }", &["%x.0 = lt %a.0, %b.0", "return %x.0, %x.0"], 0);
}

#[test]
pub(crate) fn what_a_decided_branch_does_not_enter_is_not_there() {
    let source = "func f(a) { mask := 0; if a & mask { r := 0; } else { r := a; } return r; }";
    check(source, &["return %a.0"], 0);
    assert_eq!(folded(source).0.matches("jump").count(), 2);
}

#[test]
pub(crate) fn what_one_arm_computes_is_not_there_in_the_other() {
    check(
        "func f(a, b) { if a { x := a + b; if x { y := a + b; } else { y := b + a; } } else { y := a + b; } return y; }",
        &[
            "branch %a.0, block1, block2",
            "%x.0 = add %a.0, %b.0",
            "branch %x.0, block3, block4",
            "%y.0 = add %a.0, %b.0",
            "%y.1 = phi %x.0, %y.0",
            "return %y.1",
        ],
        0,
    );
}

/// `x` is read in a loop that does not write it, and that value is kept until the loop is sealed: then it stands for another.
#[test]
pub(crate) fn a_law_gives_what_its_argument_stands_for() {
    let (mut ssa, mut folding) = (Certified::default(), Folding::<Basic>::new(FoldOptions::ALL));
    let mut builder = FunctionBuilder::new(&mut ssa, "f");
    builder.fold_with(&mut folding);
    let x = builder.declare("x", Type::Number);
    let [entry, header, end] = [(); 3].map(|()| builder.create_block());
    builder.switch_to(entry);
    builder.param(x).unwrap();
    builder.terminate(Op::Jump, &[], &[header]).unwrap();
    builder.switch_to(header);
    let kept = builder.read(x).unwrap();
    builder.terminate(Op::Branch, &[kept], &[header, end]).unwrap();
    builder.seal(header).unwrap();
    builder.seal(end).unwrap();
    builder.switch_to(end);
    let (zero, y) = (builder.constant(0), builder.declare("y", Type::Number));
    let sum = builder.push_one(Op::Binary(BinaryOp::Add), &[kept, zero], Type::Number).unwrap();
    builder.write(y, sum).unwrap();
    let read = builder.read(y).unwrap();
    builder.terminate(Op::Return, &[read], &[]).unwrap();
    let function = builder.finish().unwrap();
    assert!(function.to_string().ends_with("  return %x.0\n}\n"), "{function}");
}

/// A front end that does not ask whether control comes to a block fills it, and it goes all the same.
#[test]
pub(crate) fn a_block_that_is_filled_though_nothing_enters_it_goes() {
    let (mut ssa, mut folding) = (Certified::default(), Folding::<Basic>::new(FoldOptions::ALL));
    let mut builder = FunctionBuilder::new(&mut ssa, "f");
    builder.fold_with(&mut folding);
    let [entry, then, otherwise] = [(); 3].map(|()| builder.create_block());
    builder.switch_to(entry);
    let truth = builder.constant(1);
    builder.terminate(Op::Branch, &[truth], &[then, otherwise]).unwrap();
    for block in [then, otherwise] {
        builder.seal(block).unwrap();
        builder.switch_to(block);
        builder.terminate(Op::Return, &[truth], &[]).unwrap();
    }
    let function = builder.finish().unwrap();
    assert_eq!(function.to_string(), "func f() {\nblock0:\n  jump block1\nblock1:\n  return 1\n}\n");
}
