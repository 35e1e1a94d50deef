//! A hundred thousand blocks in a line, on a small stack. `ssaphire-long-tests` has a million.

use ssaphire_ir::basic::{BasicMachine, BinaryOp, Op, Type, behavior};
use ssaphire_ir::interp::{Content, Limits};
use ssaphire_ir::text::{PhiStyle, PrintOptions, parse, to_string};
use ssaphire_ir::{Arg, Basic, Function, Inst, dot, json};
use ssaphire_tests::functions::maximal_ssa;
use std::thread;

fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(256 << 10).spawn(test).expect("a thread can be made");
    thread.join().expect("the test passes on a small stack");
}

/// `x` counts the blocks.
fn line(num_blocks: usize) -> Function<Basic> {
    let mut function = Function::new("line");
    let x = function.add_variable("x", Type::Number);
    function.add_param(x);
    let one = function.constant(1);
    let blocks: Vec<_> = (0..num_blocks).map(|_| function.create_block()).collect();
    for pair in blocks.windows(2) {
        let add = Inst::op(Op::Binary(BinaryOp::Add), [Arg::Variable(x), Arg::Value(one)]);
        function.push_inst(pair[0], add.with_results([x]));
        function.push_inst(pair[0], Inst::jump(pair[1]));
    }
    function.push_inst(blocks[num_blocks - 1], Inst::op(Op::Return, [x]));
    function.canonicalize();
    function
}

#[test]
fn a_hundred_thousand_blocks_print_parse_and_run() {
    on_a_small_stack(|| {
        let function = line(100_000);
        assert_eq!(function.check_form(), []);
        let text = function.to_string();
        let limits = Limits { steps: 200_000, frames: 1 };
        let run = behavior(&function, &[0], BasicMachine::new(0, Vec::new()), limits);
        assert_eq!(run.outcome, Ok(vec![Content::Known(99_999.into())]));
        let read: Function<Basic> = parse(&text).unwrap_or_else(|errors| panic!("{}", errors.errors[0].kind));
        assert!(read.to_string() == text);
    });
}

#[test]
fn twenty_thousand_blocks_in_ssa_form_print_in_every_style_and_run() {
    on_a_small_stack(|| {
        let ssa = maximal_ssa(&line(20_000));
        assert!(parse::<Basic>(&ssa.to_string()) == Ok(ssa.clone()));
        for phis in [PhiStyle::Params, PhiStyle::Upsilon] {
            assert!(to_string(&ssa, PrintOptions { phis, ..PrintOptions::default() }).len() > 200_000);
        }
        assert!(dot::to_dot(&ssa).len() > 200_000);
        let limits = Limits { steps: 200_000, frames: 1 };
        let run = behavior(&ssa, &[0], BasicMachine::new(0, Vec::new()), limits);
        assert_eq!(run.outcome, Ok(vec![Content::Known(19_999.into())]));
    });
}

#[test]
fn ten_thousand_blocks_make_good_json() {
    on_a_small_stack(|| {
        let json: serde_json::Value =
            serde_json::from_str(&json::to_string(&maximal_ssa(&line(10_000)))).expect("it is JSON");
        assert_eq!(json["blocks"].as_array().map(Vec::len), Some(10_000));
    });
}
