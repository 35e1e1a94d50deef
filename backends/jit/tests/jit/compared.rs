//! One run, compiled and interpreted, with limits at which runs end in the middle.
//!
//! The random programs of `tests/system` are compared by this, too.

use ssaphire_ir::basic::{BasicMachine, Datum};
use ssaphire_ir::interp::{Content, Interpreter, Limits, Trap, TrapKind};
use ssaphire_ir::{Basic, Function};
use ssaphire_jit::Options;
use ssaphire_jit::basic::Program;
use std::collections::BTreeMap;

/// Limits that most runs do not reach, and limits that most do.
pub(crate) const LIMITS: [Limits; 4] = [
    Limits { steps: 2_000, frames: 50 },
    Limits { steps: 37, frames: 50 },
    Limits { steps: 30, frames: 1 },
    Limits { steps: 2_000, frames: 2 },
];

/// How runs ended, by a word.
pub(crate) type Ends = BTreeMap<&'static str, u32>;

fn word(outcome: &Result<Vec<Content<Datum>>, Trap>) -> &'static str {
    match outcome {
        Ok(results) if results.contains(&Content::Undefined) => "returned undefined",
        Ok(_) => "returned",
        Err(trap) => match trap.kind {
            TrapKind::OutOfSteps { .. } => "steps",
            TrapKind::TooManyFrames { .. } => "frames",
            TrapKind::Undefined => "undefined",
            TrapKind::DivisionByZero => "division",
            TrapKind::EndOfInput => "input",
            TrapKind::Unreachable => "unreachable",
            TrapKind::ArgumentCount { .. } => "arguments",
            TrapKind::ResultCount { .. } => "results",
            _ => "other",
        },
    }
}

pub(crate) fn machine(functions: &[Function<Basic>]) -> BasicMachine {
    BasicMachine::new(7, vec![3, -1, 8]).with_functions(functions)
}

/// Runs function 0 in both ways, within all limits.
#[track_caller]
pub(crate) fn compare(name: &str, functions: &[Function<Basic>], options: &Options, ends: &mut Ends) {
    let compiled = Program::compile(functions, options).unwrap_or_else(|error| panic!("{name}: {error}"));
    let args: Vec<i64> = (0..functions[0].params().len() as i64).map(|place| 5 - 7 * place).collect();
    for limits in LIMITS {
        let contents = args.iter().map(|&arg| Content::Known(Datum::Number(arg))).collect();
        let mut interpreted = machine(functions);
        let wanted = Interpreter::new(functions, limits).run(&mut interpreted, 0, contents);
        let mut called = machine(functions);
        let given = compiled.run(&mut called, 0, &args, limits).unwrap();
        *ends.entry(word(&wanted)).or_default() += 1;
        assert_eq!(called.trace(), interpreted.trace(), "{name}, {limits:?}\n{}", functions[0]);
        assert_eq!(given, wanted, "{name}, {limits:?}\n{}", functions[0]);
    }
}
