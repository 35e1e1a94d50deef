//! From variable form to SSA form: text in, text out, on every engine, each result judged.

use ssaphire::Certified;
use ssaphire::check::{Mode, Program, validate};
use ssaphire_ir::text::{self, PrintOptions};
use ssaphire_ir::{Basic, Function, to_ssa, to_ssa_in_order};
use ssaphire_literature::{AnyBuilder, Engine};

fn parse(source: &str) -> Function<Basic> {
    text::parse(source).unwrap_or_else(|errors| panic!("{errors}"))
}

#[track_caller]
fn check(source: &str, expected: &str) {
    let function = parse(source);
    let expected = text::to_string(&parse(expected), PrintOptions::default());
    for &engine in Engine::ALL {
        let mut ssa = Certified::with_builder(AnyBuilder::new(engine));
        let built = to_ssa(&function, &mut ssa).unwrap();
        assert_eq!(text::to_string(&built, PrintOptions::default()), expected, "{engine}");
        let mut program = Program::new();
        ssa.certify(&mut program).unwrap();
        assert_eq!(validate(&program, Mode::Exact), Ok(()), "{engine}");
        // Whatever the order in which blocks are filled, the result is right.
        let mut program = Program::new();
        to_ssa_in_order(&function, &mut ssa, |blocks| blocks.into_iter().rev().collect()).unwrap();
        ssa.certify(&mut program).unwrap();
        assert_eq!(validate(&program, Mode::Exact), Ok(()), "{engine}, last block first");
    }
}

#[test]
fn a_loop_gets_a_phi_per_variable_it_writes() {
    check(
        "func sum(n) {
         block0:
           i = 0
           s = 0
           jump block1
         block1:
           c = lt i, n
           branch c, block2, block3
         block2:
           s = add s, i
           i = add i, 1
           jump block1
         block3:
           return s
         }",
        "func sum(%n.0) {
         block0:
           jump block1
         block1: <- block0, block2
           %i.0 = phi 0, %i.1
           %s.0 = phi 0, %s.1
           %c.0 = lt %i.0, %n.0
           branch %c.0, block2, block3
         block2:
           %s.1 = add %s.0, %i.0
           %i.1 = add %i.0, 1
           jump block1
         block3:
           return %s.0
         }",
    );
}

#[test]
fn a_swap_reads_before_it_writes() {
    check(
        "func swap(x, y) {
         block0:
           jump block1
         block1:
           x, y = y, x
           c = read()
           branch c, block1, block2
         block2:
           return x, y
         }",
        "func swap(%x.0, %y.0) {
         block0:
           jump block1
         block1: <- block0, block1
           %y.1 = phi %y.0, %x.1
           %x.1 = phi %x.0, %y.1
           %c.0 = read()
           branch %c.0, block1, block2
         block2:
           return %y.1, %x.1
         }",
    );
}

#[test]
fn a_result_of_a_call_that_may_throw_is_unknown_to_the_handler() {
    check(
        "func f() {
         block0:
           x = 1
           x = call g() to block1, block2
         block1:
           return x
         block2:
           return x
         }",
        "func f() {
         block0:
           %x.0 = call g() to block1, block2
         block1:
           return %x.0
         block2:
           return 1
         }",
    );
}

#[test]
fn an_entry_with_incoming_edges_gets_a_block_in_front() {
    check(
        "func f(x) {
         block0:
           x = add x, 1
           branch x, block0, block1
         block1:
           return x
         }",
        "func f(%x.0) {
         entry: entry
         block0: <- block0, entry
           %x.1 = phi %x.2, %x.0
           %x.2 = add %x.1, 1
           branch %x.2, block0, block1
         block1:
           return %x.2
         entry:
           jump block0
         }",
    );
}

/// The undefined value of a type is one value, wherever it is written.
#[test]
fn undefined_may_be_written_in_blocks_that_do_not_dominate_one_another() {
    check(
        "func f(c) {
         e:
           branch c, a, b
         a:
           x = undef
           x, y = x, undef.y
           jump d
         b:
           x, y = undef, undef.y
           jump d
         d:
           print y
           return x
         }",
        "func f(%c.0) {
         var c, x, y
         e:
           branch %c.0, a, b
         a:
           jump d
         b:
           jump d
         d: <- a, b
           print undef.y
           return undef
         }",
    );
}
