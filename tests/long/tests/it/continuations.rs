//! A million continuations in each other, on a small stack.

use crate::large::on_a_small_stack;
use ssaphire::Certified;
use ssaphire_ir::basic::{BasicMachine, BinaryOp, Datum, Op, Type};
use ssaphire_ir::cps::{Continuation, Cps, Layout, Nesting, interp, scheme, to_string};
use ssaphire_ir::interp::{Content, Limits};
use ssaphire_ir::{Basic, FunctionBuilder};

const NUM_BLOCKS: usize = 1_000_000;

/// Blocks in a row, each of which adds to `x`.
fn line() -> Cps<Basic> {
    let mut ssa: Certified = Certified::default();
    ssa.set_recording(false);
    let mut builder: FunctionBuilder<'_, Basic> = FunctionBuilder::new(&mut ssa, "line");
    let x = builder.declare("x", Type::Number);
    let one = builder.constant(1);
    let mut block = builder.create_block();
    builder.switch_to(block);
    builder.seal(block).unwrap();
    builder.param(x).unwrap();
    for _ in 1..NUM_BLOCKS {
        let read = builder.read(x).unwrap();
        let sum = builder.push_one(Op::Binary(BinaryOp::Add), &[read, one], Type::Number).unwrap();
        builder.write(x, sum).unwrap();
        block = builder.create_block();
        builder.terminate(Op::Jump, &[], &[block]).unwrap();
        builder.seal(block).unwrap();
        builder.switch_to(block);
    }
    let read = builder.read(x).unwrap();
    builder.terminate(Op::Return, &[read], &[]).unwrap();
    builder.finish_cps().unwrap()
}

#[test]
fn a_million_continuations_in_each_other() {
    on_a_small_stack(|| {
        let cps = line();
        let nesting = Nesting::new(&cps);
        assert_eq!(nesting.level(Continuation::new(NUM_BLOCKS as u32 - 1)), NUM_BLOCKS - 1);
        assert_eq!(nesting.broken_rules(&cps), []);
        for layout in [Layout::Nested, Layout::Flat] {
            assert!(to_string(&cps, layout).lines().all(|line| line.len() < 130), "{layout:?}");
        }
        let mut program = String::new();
        scheme::print(&cps, &mut program).unwrap();
        assert_eq!(program.matches('(').count(), program.matches(')').count());
        let functions = [cps];
        let mut interpreter = interp::Interpreter::new(&functions, Limits { steps: 2 * NUM_BLOCKS as u64, frames: 1 });
        let outcome = interpreter.run(&mut BasicMachine::new(0, vec![]), 0, vec![Content::Known(Datum::Number(0))]);
        assert_eq!(outcome, Ok(vec![Content::Known(Datum::Number(NUM_BLOCKS as i64 - 1))]));
    });
}
