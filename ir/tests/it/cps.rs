//! Functions as continuations.

use crate::depth::on_a_small_stack;
use ssaphire::{Certified, Observed, Options};
use ssaphire_ir::basic::{BasicMachine, BinaryOp, Datum, Op, Type};
use ssaphire_ir::cps::{Continuation, Cps, Layout, Nesting, NotSsa, ParameterCounter, TailKind, interp, to_string};
use ssaphire_ir::interp::{Content, Limits, TrapKind};
use ssaphire_ir::text::parse;
use ssaphire_ir::{Basic, FormError, Function, FunctionBuilder};

fn read(source: &str) -> Function<Basic> {
    parse(source).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn the_body_is_no_block_if_the_entry_has_incoming_edges() {
    let cps = Cps::of(&read("func f(%a.0) {\ntop:\n  branch %a.0, top, out\nout:\n  return\n}\n"));
    assert_eq!(cps.expect("it is in SSA form").origin(Continuation::BODY), None);
}

#[test]
fn what_is_not_in_ssa_form_is_refused() {
    assert_eq!(Cps::of(&read("func f(x) {\nblock0:\n  x = add x, 1\n  return x\n}\n")), Err(NotSsa::HasVariables));
    let mut function: Function<Basic> = Function::new("f");
    let entry = function.create_block();
    let error = Cps::of(&function).expect_err("there is no terminator");
    assert_eq!(error, NotSsa::Form(FormError::Unterminated { block: entry }));
    assert_eq!(error.to_string(), "block0: does not end with a terminator");
    assert_eq!(Cps::<Basic>::of(&Function::new("f")), Err(NotSsa::Form(FormError::NoEntry { entry })));
    let function = read("func f(%c.0) {\ntop: <- top.0\n  %1 = phi 1\n  branch %c.0, top, out\nout:\n  return %1\n}\n");
    let refused = Cps::of(&function).map_err(|error| error.to_string());
    assert_eq!(refused, Err("v2: phi in the entry block0, where control enters without an edge".to_owned()));
}

#[test]
fn a_run_says_where_it_traps_and_stops_after_as_many_steps() {
    let source =
        "func f(%a.0) {\ntop:\n  jump out\nout:\n  print 1\n  %2 = call g()\n  %3 = div 1, %a.0\n  return %3\n}\n";
    let functions = [Cps::of(&read(source)).expect("it is in SSA form")];
    let run = |arg, steps| {
        let limits = Limits { steps, ..Limits::default() };
        let mut interpreter = interp::Interpreter::new(&functions, limits);
        let outcome = interpreter.run(&mut BasicMachine::new(0, vec![]), 0, vec![Content::Known(Datum::Number(arg))]);
        (outcome.map_err(|trap| trap.to_string()), interpreter.steps())
    };
    assert_eq!(run(1, 9), (Ok(vec![Content::Known(Datum::Number(1))]), 5));
    assert_eq!(run(0, 9), (Err("function 0, block1, instruction 2: division by zero".to_owned()), 4));
    assert_eq!(run(1, 2), (Err("function 0, block1, instruction 1: more than 2 steps".to_owned()), 2));
    let given =
        interp::Interpreter::new(&functions, Limits::default()).run(&mut BasicMachine::new(0, vec![]), 0, vec![]);
    assert_eq!(given.map_err(|trap| trap.kind), Err(TrapKind::ArgumentCount { wanted: 1, given: 0 }));
}

/// Blocks in a row, built: each reads `x`, which the first one writes, and adds to it.
fn line(num_blocks: usize) -> Cps<Basic> {
    let mut ssa = Certified::with_observer(Options::default(), ParameterCounter::default());
    ssa.set_recording(false);
    let mut builder: FunctionBuilder<'_, Basic, _> = FunctionBuilder::new(&mut ssa, "line");
    let x = builder.declare("x", Type::Number);
    let one = builder.constant(1);
    let mut block = builder.create_block();
    builder.switch_to(block);
    builder.seal(block).expect("it is not sealed");
    builder.param(x).expect("it is not accessed");
    for _ in 1..num_blocks {
        let read = builder.read(x).expect("there is no limit");
        let sum = builder.push_one(Op::Binary(BinaryOp::Add), &[read, one], Type::Number).expect("a block is filled");
        builder.write(x, sum).expect("a block is filled");
        block = builder.create_block();
        builder.terminate(Op::Jump, &[], &[block]).expect("a block is filled");
        builder.seal(block).expect("it is not sealed");
        builder.switch_to(block);
    }
    let read = builder.read(x).expect("there is no limit");
    builder.terminate(Op::Return, &[read], &[]).expect("a block is filled");
    let cps = builder.finish_cps().expect("all blocks are sealed and filled");
    let counted = ssa.observer();
    assert_eq!((counted.created, counted.taken_back), (0, 0));
    cps
}

/// A line of so many blocks is nested, printed, run and dropped. `tests/long` has a million.
fn check_line(num_blocks: usize) {
    let cps = line(num_blocks);
    assert_eq!(cps.num_continuations(), num_blocks);
    let nesting = Nesting::new(&cps);
    let last = Continuation::new(num_blocks as u32 - 1);
    assert_eq!(nesting.level(last), num_blocks - 1);
    assert_eq!(nesting.broken_rules(&cps), []);
    for layout in [Layout::Nested, Layout::Flat] {
        let text = to_string(&cps, layout);
        assert!(text.lines().all(|line| line.len() < 130), "lines are short, however deep");
    }
    let functions = [cps];
    let limits = Limits { steps: 2 * num_blocks as u64, frames: 1 };
    let mut interpreter = interp::Interpreter::new(&functions, limits);
    let outcome = interpreter.run(&mut BasicMachine::new(0, vec![]), 0, vec![Content::Known(Datum::Number(0))]);
    assert_eq!(outcome, Ok(vec![Content::Known(Datum::Number(num_blocks as i64 - 1))]));
}

#[test]
fn a_hundred_thousand_continuations_in_each_other_pass_on_a_small_stack() {
    on_a_small_stack(|| check_line(100_000));
}

#[test]
fn ten_thousand_edges_into_one_block_pass_an_argument_each() {
    let mut source = "func f(%c.0) {\ntop:\n  switch %c.0, [".to_owned();
    let edges: Vec<&str> = vec!["join"; 10_000];
    source.push_str(&edges.join(", "));
    source.push_str("], join\njoin:\n  %1 = phi ");
    let operands: Vec<String> = (0..=10_000).map(|operand| operand.to_string()).collect();
    source.push_str(&operands.join(", "));
    source.push_str("\n  return %1\n}\n");
    let cps =
        Cps::of(&read(&source.replace("join:\n", &format!("join: <- {}\n", sources(10_001))))).expect("it is SSA");
    assert_eq!((cps.num_continuations(), cps.num_params()), (10_003, 1));
    let passing = cps.continuations().filter(|&of| cps.tail(of).kind == TailKind::Jump && cps.tail(of).args.len() == 1);
    assert_eq!(passing.count(), 10_001);
}

fn sources(num_edges: usize) -> String {
    (0..num_edges).map(|slot| format!("top.{slot}")).collect::<Vec<_>>().join(", ")
}
