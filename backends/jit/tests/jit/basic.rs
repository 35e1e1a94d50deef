//! Programs of the dialect `Basic`: compiled, and interpreted.

use crate::compared::{Ends, LIMITS, compare, machine};
use ssaphire::Certified;
use ssaphire_ir::basic::Datum;
use ssaphire_ir::interp::{Content, Interpreter, Limits, Trap, TrapKind};
use ssaphire_ir::{Basic, Function, text, to_ssa};
use ssaphire_jit::basic::Program;
use ssaphire_jit::{Error, Options};

fn functions(source: &str) -> Vec<Function<Basic>> {
    text::parse_all::<Basic>(source).unwrap()
}

#[test]
fn calls_with_too_few_arguments_or_results_end_where_the_interpreter_ends() {
    let few_arguments = "func f() {\nentry:\n  %1 = call g(1)\n  return %1\n}\n\
                         func g(%4, %5) {\nentry:\n  return %4\n}\n";
    let few_results = "func f() {\nentry:\n  print 1\n  %1, %2 = call g()\n  return %1\n}\n\
                       func g() {\nentry:\n  return 3\n}\n";
    let more_results = "func f() {\nentry:\n  %1 = call g()\n  return %1\n}\n\
                        func g() {\nentry:\n  return 3, 4\n}\n";
    for (source, end) in [(few_arguments, "arguments"), (few_results, "results"), (more_results, "returned")] {
        let mut ends = Ends::new();
        compare(end, &functions(source), &Options::default(), &mut ends);
        assert!(ends.contains_key(end), "{ends:?}");
    }
}

#[test]
fn division_wraps_around_and_traps_where_the_divisor_is_zero_or_undefined() {
    for (x, y) in [
        ("-9223372036854775808", "-1"),
        ("7", "0"),
        ("7", "-2"),
        ("undef", "0"),
        ("undef", "7"),
        ("7", "undef"),
        ("undef", "undef"),
    ] {
        let source = format!("func f() {{\nentry:\n  %3 = div {x}, {y}\n  %1 = rem {x}, {y}\n  return %3, %1\n}}\n");
        compare(&format!("{x} / {y}"), &functions(&source), &Options::quick(), &mut Ends::new());
    }
}

#[test]
fn calls_may_nest_as_deep_as_the_limit_says() {
    let source = "func f(%6) {\nentry:\n  branch %6, more, done\nmore:\n  %7 = sub %6, 1\n  %1 = call f(%7)\n  \
                  %2 = add %1, 1\n  return %2\ndone:\n  return 0\n}\n";
    let functions = functions(source);
    let compiled = Program::compile(&functions, &Options::default()).unwrap();
    let run = |depth: i64, frames| {
        let limits = Limits { steps: u64::MAX, frames };
        compiled.run(&mut machine(&functions), 0, &[depth], limits).unwrap()
    };
    assert_eq!(run(999_999, 1_000_000), Ok(vec![Content::Known(999_999.into())]));
    let trap = |kind| Trap { kind, function: 0, block: ssaphire_ir::Block::new(1), index: 1 };
    assert_eq!(run(1_000_000, 1_000_000), Err(trap(TrapKind::TooManyFrames { limit: 1_000_000 })));
    // Where nothing else ends it, the stack does.
    let kind = run(i64::MAX, usize::MAX).unwrap_err().kind;
    assert_eq!(kind, TrapKind::Dialect("call stack exhausted".to_owned()));
}

#[test]
fn what_cannot_be_compiled_is_an_error() {
    let variable = functions("func f() {\n  var x\nentry:\n  x = 1\n  return x\n}\n");
    let error = Program::compile(&variable, &Options::quick()).err();
    assert!(matches!(error, Some(Error::NotSsa { .. })), "{error:?}");
    let early = functions("func f() {\nentry:\n  %4 = add %5, 1\n  %5 = add 1, 1\n  return %4\n}\n");
    let error = Program::compile(&early, &Options::quick()).err();
    assert!(matches!(error, Some(Error::NotSsa { .. })), "{error:?}");
}

#[test]
fn calls_with_other_types_are_refused_and_trap_where_they_are_interpreted() {
    let number_for_array = "func f() {\nentry:\n  %1 = call g(1)\n  return %1\n}\n\
                            func g(%0: array) {\nentry:\n  %1 = access %0, 1\n  return %1\n}\n";
    let array_for_number = "func f() {\nentry:\n  %0 = hidden_update 1, 2\n  %1 = call g(%0)\n  return %1\n}\n\
                            func g(%0) {\nentry:\n  %1 = add %0, 1\n  return %1\n}\n";
    let array_returned = "func f() {\nentry:\n  %1 = call g()\n  %2 = add %1, 1\n  return %2\n}\n\
                          func g() {\nentry:\n  %0 = hidden_update 1, 2\n  return %0\n}\n";
    for source in [number_for_array, array_for_number, array_returned] {
        let error = Program::compile(&functions(source), &Options::quick()).err();
        assert!(matches!(error, Some(Error::Refused { .. })), "{error:?}");
    }
    for source in [array_for_number, array_returned] {
        let functions = functions(source);
        let run = Interpreter::new(&functions, LIMITS[0]).run(&mut machine(&functions), 0, Vec::new());
        assert_eq!(run.map_err(|trap| trap.kind), Err(TrapKind::Malformed));
    }
    let array = "func f() {\nentry:\n  %0 = hidden_update 1, 2\n  %1: array, %2 = call g(%0, 5)\n  return %1, %2\n}\n\
                 func g(%0: array, %1) {\nentry:\n  %2 = update %0, 2, %1\n  %3 = access %0, 2\n  return %2, %3\n}\n";
    compare("an array to a function and back", &functions(array), &Options::quick(), &mut Ends::new());
}

/// A row of blocks is as deep in the dominator tree as it is long, and is not optimized beyond some length.
#[test]
fn a_long_row_of_blocks_is_compiled() {
    let count = 3_000;
    let row: String = (0..count).map(|block| format!("b{block}:\n  s = add s, x\n  jump b{}\n", block + 1)).collect();
    let source = format!("func f(x) {{\na:\n  s = 0\n  jump b0\n{row}b{count}:\n  return s\n}}\n");
    let mut ssa = Certified::default();
    let functions = [to_ssa(&text::parse::<Basic>(&source).unwrap(), &mut ssa).unwrap()];
    let options = Options { verifies: false, ..Options::default() };
    let compiled = Program::compile(&functions, &options).unwrap();
    let limits = Limits { steps: 1 << 20, frames: 2 };
    let given = compiled.run(&mut machine(&functions), 0, &[3], limits).unwrap();
    assert_eq!(given, Ok(vec![Content::Known(Datum::Number(3 * count))]));
}
