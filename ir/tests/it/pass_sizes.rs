//! Passes on large functions of shapes for which they were once quadratic.

use ssaphire_ir::basic::{BinaryOp, Op, Type};
use ssaphire_ir::passes::{hoist_loop_invariants, number_values, propagate_constants, split_live_range};
use ssaphire_ir::{Basic, Block, Function, Inst, Value};

/// So many cases, loops, points or operations.
const SIZE: usize = 100_000;

fn function() -> (Function<Basic>, Block, Value) {
    let mut function = Function::new("f");
    let entry = function.create_block();
    let param = function.add_value_param(None, Type::Number);
    (function, entry, param)
}

fn add(function: &mut Function<Basic>, block: Block, left: Value, right: Value) -> Value {
    let sum = function.new_value(None, Type::Number);
    function.push_inst(block, Inst::op(Op::Binary(BinaryOp::Add), [left, right]).with_results([sum]));
    sum
}

fn end(function: &mut Function<Basic>, block: Block, value: Value) {
    function.push_inst(block, Inst::op(Op::Return, [value]));
}

/// Each edge, and each operand that goes up, tells a phi of many operands something.
#[test]
fn a_phi_of_a_hundred_thousand_operands_is_a_constant() {
    let (mut function, entry, param) = function();
    let cases: Vec<Block> = (0..SIZE).map(|_| function.create_block()).collect();
    let join = function.create_block();
    function.push_inst(entry, Inst::op(Op::Switch, [param]).with_targets(cases.iter().copied()));
    let one = function.constant(1);
    let mut sums = Vec::new();
    for &case in &cases {
        sums.push(add(&mut function, case, one, one));
        function.push_inst(case, Inst::jump(join));
    }
    let phi = function.new_value(None, Type::Number);
    let mut operands = sums.into_iter();
    function.insert_phi(join, phi, None, |_| operands.next().expect("there is one for each case"));
    end(&mut function, join, phi);
    let report = propagate_constants(&mut function).unwrap();
    assert_eq!((report.constants, report.branches), (SIZE + 1, 0));
    let two = function.constant(2);
    assert_eq!(function.block(join).terminator().unwrap().args, [two.into()]);
}

/// Copies come before a hundred thousand instructions of one block, and each of these uses the one before it.
#[test]
fn a_live_range_is_split_at_a_hundred_thousand_points_of_one_block() {
    let (mut function, entry, param) = function();
    for _ in 0..SIZE {
        function.push_inst(entry, Inst::op(Op::Print, [param]));
    }
    end(&mut function, entry, param);
    let points: Vec<(Block, usize)> = (0..SIZE).map(|inst| (entry, inst)).collect();
    let split = split_live_range(&mut function, param, &points).unwrap();
    assert_eq!((split.copies.len(), split.phis), (SIZE, 0));
    for (place, &copy) in split.copies.iter().enumerate() {
        assert_eq!(function.block(entry).insts().get(2 * place + 1).unwrap().args, [copy.into()]);
    }
}

/// Each of a hundred thousand loops around each other has an operation that leaves all of them.
#[test]
fn operations_leave_a_deep_nest_of_loops() {
    let (mut function, mut block, param) = function();
    let mut headers = Vec::new();
    for _ in 0..SIZE {
        let header = function.create_block();
        function.push_inst(block, Inst::jump(header));
        add(&mut function, header, param, param);
        headers.push(header);
        block = header;
    }
    for &header in headers.iter().rev() {
        let after = function.create_block();
        function.push_inst(block, Inst::op(Op::Branch, [param]).with_targets([header, after]));
        block = after;
    }
    end(&mut function, block, param);
    let report = hoist_loop_invariants(&mut function).unwrap();
    assert_eq!((report.insts, report.preheaders), (SIZE, 0));
    assert_eq!(function.block(function.entry()).body().len(), SIZE);
}

/// Of two sums that are made of each other, step by step, each has one that is congruent, and no two of one are.
#[test]
fn two_long_sums_are_congruent_step_by_step() {
    let (mut function, entry, param) = function();
    let mut sums = [param; 2];
    for _ in 0..SIZE {
        sums = sums.map(|sum| add(&mut function, entry, sum, param));
    }
    function.push_inst(entry, Inst::op(Op::Return, sums));
    let report = number_values(&mut function, Default::default()).unwrap();
    assert_eq!(report.insts, SIZE);
    assert_eq!(function.block(entry).body().len(), SIZE);
}
