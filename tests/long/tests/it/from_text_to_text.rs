//! Large functions on a small stack, from text to text: parse, convert, judge, print, parse again, run both forms.

use ssaphire::Certified;
use ssaphire::check::{Judge, Mode, Program, quality, rules};
use ssaphire_ir::basic::{BasicMachine, Datum, behavior};
use ssaphire_ir::interp::{Content, Limits};
use ssaphire_ir::text::{PrintOptions, parse, to_string};
use ssaphire_ir::{Basic, Function, to_ssa};
use std::fmt::Write;

/// Runs `body` on a thread with a stack of 256 KiB.
fn on_a_small_stack(body: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(body).unwrap();
    thread.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload));
}

/// What `function` returns for the argument 1.
fn run(function: &Function<Basic>) -> i64 {
    let limits = Limits { steps: u64::MAX, ..Limits::default() };
    let behavior = behavior(function, &[1], BasicMachine::new(0, Vec::new()), limits);
    match behavior.outcome.as_deref() {
        Ok([Content::Known(Datum::Number(number))]) => *number,
        other => panic!("{other:?}"),
    }
}

/// Takes the source through everything, and checks that it returns `expected` and has so many phis.
fn check(source: &str, expected: i64, phis: usize) {
    let function: Function<Basic> = parse(source).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(run(&function), expected);
    let mut ssa = Certified::default();
    let built = to_ssa(&function, &mut ssa).unwrap();
    drop(function);
    let mut program = Program::new();
    ssa.certify(&mut program).unwrap();
    assert_eq!(Judge::new().judge(&program, Mode::Exact).violations, []);
    drop((program, ssa));
    assert_eq!((rules(&built), quality(&built)), (vec![], vec![]));
    assert_eq!(built.blocks().map(|block| built.block(block).phis().len()).sum::<usize>(), phis);
    let text = to_string(&built, PrintOptions::default());
    let again: Function<Basic> = parse(&text).unwrap_or_else(|errors| panic!("{errors}"));
    assert!(again == built, "what was printed is what is parsed");
    assert_eq!(run(&again), expected);
}

#[test]
fn a_million_blocks_in_a_line() {
    on_a_small_stack(|| {
        let mut text = String::from("func line(x) {\n");
        for block in 0..1_000_000 {
            let _ = write!(text, "b{block}:\n  jump b{}\n", block + 1);
        }
        text.push_str("b1000000:\n  return x\n}\n");
        check(&text, 1, 0);
    });
}

#[test]
fn a_million_ifs_one_after_the_other() {
    on_a_small_stack(|| {
        let mut text = String::from("func ifs(c) {\nvar c, x\nb0:\n  x = 0\n  jump i0\n");
        for number in 0..1_000_000 {
            let _ = write!(text, "i{number}:\n  branch c, t{number}, i{next}\n", next = number + 1);
            let _ = write!(text, "t{number}:\n  x = add x, 1\n  jump i{next}\n", next = number + 1);
        }
        text.push_str("i1000000:\n  return x\n}\n");
        check(&text, 1_000_000, 1_000_000);
    });
}

#[test]
fn a_hundred_thousand_loops_in_each_other() {
    on_a_small_stack(|| {
        // Every loop is left the first time round; x is written in the innermost one, so each header has a phi.
        let mut text = String::from("func nest(c) {\nvar c, x\nb0:\n  x = 0\n  jump h0\n");
        for depth in 0..100_000 {
            let _ = write!(text, "h{depth}:\n  jump h{}\n", depth + 1);
        }
        text.push_str("h100000:\n  x = add x, 1\n  branch c, l99999, h100000\n");
        for depth in (0..100_000_u32).rev() {
            let after = depth.checked_sub(1).map_or("end".to_owned(), |outer| format!("l{outer}"));
            let _ = write!(text, "l{depth}:\n  branch c, {after}, h{depth}\n");
        }
        text.push_str("end:\n  return x\n}\n");
        check(&text, 1, 100_001);
    });
}
