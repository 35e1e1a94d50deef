//! Functions that are long, wide or nested deeply, on a small stack.

use ssaphire::Certified;
use ssaphire_ir::basic::{BasicMachine, BinaryOp, Op, Type, behavior};
use ssaphire_ir::interp::{Content, Limits, TrapKind};
use ssaphire_ir::memory::{Agreement, OverMemory, agreement};
use ssaphire_ir::text::{PhiStyle, PrintOptions, parse, parse_all, to_string};
use ssaphire_ir::{Arg, Basic, Function, Inst, to_ssa};
use std::thread;

pub(crate) fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(256 << 10).spawn(test).expect("a thread can be made");
    thread.join().expect("the test passes on a small stack");
}

/// Conditionals in a row, each with an arm that adds to `x`: the phi behind each merges the one before.
fn conditionals(count: usize) -> Function<Basic> {
    let mut function = Function::new("conditionals");
    let x = function.add_variable("x", Type::Number);
    function.add_param(x);
    let one = function.constant(1);
    let blocks: Vec<_> = (0..=2 * count).map(|_| function.create_block()).collect();
    for of_one in blocks.windows(3).step_by(2) {
        let &[head, arm, next] = of_one else { unreachable!("windows of three") };
        function.push_inst(head, Inst::op(Op::Branch, [x]).with_targets([arm, next]));
        function
            .push_inst(arm, Inst::op(Op::Binary(BinaryOp::Add), [Arg::Variable(x), Arg::Value(one)]).with_results([x]));
        function.push_inst(arm, Inst::jump(next));
    }
    function.push_inst(blocks[2 * count], Inst::op(Op::Return, [x]));
    function.canonicalize();
    function
}

#[test]
fn twenty_thousand_conditionals_agree_over_memory_and_directly() {
    on_a_small_stack(|| {
        let source = conditionals(20_000);
        let direct = to_ssa(&source, &mut Certified::default()).unwrap_or_else(|error| panic!("{error}"));
        let made = OverMemory::of(&source).unwrap_or_else(|obstacle| panic!("{obstacle}"));
        assert_eq!(made.promotion.phis_placed, 20_000);
        assert_eq!(agreement(&direct, &made.function), Ok(Agreement::Same));
    });
}

#[test]
fn a_block_may_have_a_hundred_thousand_incoming_edges_of_one_switch() {
    on_a_small_stack(|| {
        let targets = vec!["join"; 100_000].join(", ");
        let operands = (0..=100_000).map(|index| index.to_string()).collect::<Vec<_>>().join(", ");
        let edges = vec!["a"; 100_001].join(", ");
        let text = format!(
            "func f(%n.0) {{\na:\n  switch %n.0, [{targets}], join\njoin: <- {edges}\n  %x.0 = phi {operands}\n  return %x.0\n}}\n"
        );
        let function: Function<Basic> = parse(&text).unwrap_or_else(|errors| panic!("{}", errors.errors[0].kind));
        assert!(parse(&function.to_string()) == Ok(function.clone()));
        let run = behavior(&function, &[77_777], BasicMachine::new(0, Vec::new()), Limits::default());
        assert_eq!(run.outcome, Ok(vec![Content::Known(77_777.into())]));
        assert!(
            to_string(&function, PrintOptions { phis: PhiStyle::Params, ..PrintOptions::default() }).len() > 500_000
        );
    });
}

#[test]
fn calls_nest_on_the_heap() {
    let text = "\
func down(n) {
top:
  c = gt n, 0
  branch c, more, done
more:
  m = sub n, 1
  r = call down(m)
  r = add r, 1
  return r
done:
  return 0
}
func catches(n) {
top:
  r = call down(n, n)
  return r
}
";
    let functions = parse_all::<Basic>(text).unwrap_or_else(|errors| panic!("{errors}"));
    on_a_small_stack(move || {
        let machine = BasicMachine::new(0, Vec::new()).with_functions(&functions);
        let limits = Limits { steps: 10_000_000, frames: 200_000 };
        let run =
            |start, arg| ssaphire_ir::basic::behavior_of(&functions, start, &[arg], machine.clone(), limits).outcome;
        assert_eq!(run(0, 100_000), Ok(vec![Content::Known(100_000.into())]));
        assert_eq!(run(0, 300_000), Err(TrapKind::TooManyFrames { limit: 200_000 }));
        assert_eq!(run(1, 1), Err(TrapKind::ArgumentCount { wanted: 1, given: 2 }));
    });
}
