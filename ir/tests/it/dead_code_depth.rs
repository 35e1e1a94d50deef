//! Dead code elimination of long, deep and wide functions, on a small stack.

use ssaphire_ir::basic::{BinaryOp, Op, Type};
use ssaphire_ir::passes::{Options, Report, remove_dead_code};
use ssaphire_ir::{Basic, Block, Function, Inst, Value};
use std::thread;

/// About so many blocks.
const SIZE: usize = 100_000;

/// Removes the dead code of what `build` makes of an empty function and its parameter, on a small stack.
fn remove(build: impl FnOnce(&mut Function<Basic>, Value) + Send + 'static) -> (Report, Function<Basic>) {
    let remove = move || {
        let mut function = Function::new("f");
        let param = function.add_value_param(None, Type::Number);
        build(&mut function, param);
        let report = remove_dead_code(&mut function, Options::default()).expect("the function is in form");
        assert_eq!(function.check_form(), []);
        (report, function)
    };
    let thread = thread::Builder::new().stack_size(256 << 10).spawn(remove).expect("a thread can be made");
    thread.join().expect("the pass manages on a small stack")
}

fn blocks(function: &mut Function<Basic>, count: usize) -> Vec<Block> {
    (0..count).map(|_| function.create_block()).collect()
}

fn end(function: &mut Function<Basic>, block: Block, op: Op, args: &[Value], targets: &[Block]) {
    function.push_inst(block, Inst::op(op, args.iter().copied()).with_targets(targets.iter().copied()));
}

fn print(function: &mut Function<Basic>, block: Block, value: Value) {
    function.push_inst(block, Inst::op(Op::Print, [value]));
}

fn add(function: &mut Function<Basic>, block: Block, left: Value, right: Value) -> Value {
    let sum = function.new_value(None, Type::Number);
    function.push_inst(block, Inst::op(Op::Binary(BinaryOp::Add), [left, right]).with_results([sum]));
    sum
}

/// A phi of constants, each another.
fn phi_of_constants(function: &mut Function<Basic>, block: Block) -> Value {
    let count = function.block(block).incoming().len() as i64;
    let mut constants: Vec<Value> = (0..count).rev().map(|constant| function.constant(constant)).collect();
    let phi = function.new_value(None, Type::Number);
    function.insert_phi(block, phi, None, |_| constants.pop().expect("there is one for each edge"));
    phi
}

/// Conditionals inside each other, `inner` in the innermost.
fn nest(function: &mut Function<Basic>, param: Value, inner: impl FnOnce(&mut Function<Basic>, Block)) {
    let (tops, joins) = (blocks(function, SIZE / 2), blocks(function, SIZE / 2));
    for level in 1..tops.len() {
        end(function, tops[level - 1], Op::Branch, &[param], &[tops[level], joins[level - 1]]);
        end(function, joins[level], Op::Jump, &[], &[joins[level - 1]]);
    }
    let innermost = tops[tops.len() - 1];
    inner(function, innermost);
    end(function, innermost, Op::Jump, &[], &[joins[joins.len() - 1]]);
    end(function, joins[0], Op::Return, &[], &[]);
}

#[test]
fn a_long_line_of_sums_that_nobody_needs_goes() {
    let (report, function) = remove(|function, param| {
        let line = blocks(function, SIZE);
        let mut sum = param;
        for pair in line.windows(2) {
            sum = add(function, pair[0], sum, param);
            end(function, pair[0], Op::Jump, &[], &[pair[1]]);
        }
        end(function, line[SIZE - 1], Op::Return, &[param], &[]);
    });
    assert_eq!((report.dead_insts, report.unreachable_blocks + report.empty_blocks), (SIZE - 1, SIZE - 1));
    assert_eq!(function.num_blocks(), 1);
}

#[test]
fn a_deep_nest_of_conditionals_goes_if_nothing_is_in_it() {
    let (report, function) = remove(|function, param| nest(function, param, |_, _| {}));
    assert_eq!((report.dead_branches, function.num_blocks()), (SIZE / 2 - 1, 1));
}

#[test]
fn a_deep_nest_of_conditionals_stays_if_something_is_in_it() {
    let (report, function) = remove(|function, param| {
        nest(function, param, |function, block| print(function, block, param));
    });
    assert_eq!((report.dead_branches, report.unreachable_blocks + report.empty_blocks), (0, SIZE / 2 - 1));
    // All branches, and the block where all of them end.
    assert_eq!(function.num_blocks(), SIZE / 2 + 1);
}

fn report_of_empty_blocks(empty_blocks: usize) -> Report {
    let mut report = Report::default();
    report.empty_blocks = empty_blocks;
    report
}

/// To compute a frontier for each condition that is found to be needed would be quadratic.
#[test]
fn each_conditional_of_a_long_row_may_need_the_one_before() {
    let (report, _) = remove(|function, param| {
        let (mut top, mut condition) = (function.create_block(), param);
        for _ in 0..SIZE / 3 {
            let [left, right, bottom] = [(); 3].map(|()| function.create_block());
            end(function, top, Op::Branch, &[condition], &[left, right]);
            end(function, left, Op::Jump, &[], &[bottom]);
            end(function, right, Op::Jump, &[], &[bottom]);
            (top, condition) = (bottom, phi_of_constants(function, bottom));
        }
        end(function, top, Op::Return, &[condition], &[]);
    });
    assert_eq!(report, report_of_empty_blocks(SIZE / 3 * 2));
}

#[test]
fn deep_loops_that_do_nothing_go() {
    let (report, function) = remove(|function, param| {
        let (headers, latches) = (blocks(function, SIZE / 2), blocks(function, SIZE / 2));
        let exit = function.create_block();
        for level in 0..headers.len() {
            let (header, latch) = (headers[level], latches[level]);
            let inner = headers.get(level + 1).copied().unwrap_or(latch);
            let after = if level == 0 { exit } else { latches[level - 1] };
            end(function, header, Op::Branch, &[param], &[inner, after]);
            end(function, latch, Op::Jump, &[], &[header]);
        }
        end(function, exit, Op::Return, &[param], &[]);
    });
    assert_eq!((report.dead_branches, function.num_blocks()), (SIZE / 2, 1));
}

#[test]
fn a_wide_switch_over_empty_arms_stays_with_its_phi() {
    let wide = |is_live: bool| {
        remove(move |function, param| {
            let top = function.create_block();
            let arms = blocks(function, SIZE);
            let join = function.create_block();
            end(function, top, Op::Switch, &[param], &arms);
            arms.iter().for_each(|&arm| end(function, arm, Op::Jump, &[], &[join]));
            let phi = phi_of_constants(function, join);
            end(function, join, Op::Return, &[if is_live { phi } else { param }], &[]);
        })
    };
    let (report, function) = wide(true);
    assert_eq!((report, function.num_blocks()), (report_of_empty_blocks(SIZE), 2));
    let (report, function) = wide(false);
    assert_eq!((report.dead_branches, function.num_blocks()), (1, 1));
}

#[test]
fn many_dead_branches_may_lead_to_one_block() {
    let (report, function) = remove(|function, param| {
        let top = function.create_block();
        let arms = blocks(function, SIZE);
        let [join, end_block] = [(); 2].map(|()| function.create_block());
        end(function, top, Op::Switch, &[param], &arms);
        for &arm in &arms {
            print(function, arm, param);
            end(function, arm, Op::Branch, &[param], &[end_block, join]);
        }
        end(function, join, Op::Jump, &[], &[end_block]);
        end(function, end_block, Op::Return, &[param], &[]);
    });
    assert_eq!((report.dead_branches, function.num_blocks()), (SIZE, SIZE + 2));
}

#[test]
fn of_a_long_endless_loop_of_empty_blocks_one_stays() {
    let (report, function) = remove(|function, _| {
        let ring = blocks(function, SIZE);
        (0..SIZE).for_each(|at| end(function, ring[at], Op::Jump, &[], &[ring[(at + 1) % SIZE]]));
    });
    assert_eq!((report, function.num_blocks()), (report_of_empty_blocks(SIZE - 1), 1));
}
