//! Leaving SSA form: large functions on a small stack, and many parallel copies.

use crate::large::on_a_small_stack;
use ssaphire::check_destruction;
use ssaphire::destruct::{Method, destruct, sequentialize};
use ssaphire_ir::basic::{BinaryOp, Op, Type};
use ssaphire_ir::{Basic, Block, DestructView, Function, Inst, Phi, Value, leave_ssa};
use ssaphire_tests::{Part, Rng};

/// A million random parallel copies, each against its definition, and against the moves that it needs at least.
#[test]
fn a_million_parallel_copies() {
    let part = Part::of_environment();
    let mut rng = Rng::new(part.number as u64 + 1);
    let mut num_temporaries = 0;
    for round in 0..part.share(1_000_000) as usize {
        let num_locations = 1 + round % 12;
        let mut sources: Vec<usize> = (0..num_locations).collect();
        for place in 0..num_locations {
            let other = rng.below(num_locations);
            if round % 2 == 0 { sources.swap(place, other) } else { sources[place] = other }
        }
        let copies: Vec<(Value, Value)> =
            sources.iter().enumerate().map(|(to, &from)| (Value::new(to), Value::new(from))).collect();
        let moves = sequentialize(&copies, Value::new(num_locations)).unwrap();
        let mut held: Vec<usize> = (0..=num_locations).collect();
        moves.iter().for_each(|&(to, from)| held[to.index()] = held[from.index()]);
        assert_eq!(held[..num_locations], sources, "{copies:?}: {moves:?}");
        // A cycle that nobody else reads from takes one move more; a permutation is made of such cycles.
        let num_moved = sources.iter().enumerate().filter(|&(to, &from)| to != from).count();
        let num_cycles = num_cycles_alone(&sources);
        assert_eq!(moves.len(), num_moved + num_cycles, "{copies:?}: {moves:?}");
        num_temporaries += num_cycles;
    }
    assert!(num_temporaries as u64 > part.at_least(500_000), "{num_temporaries}");
}

/// Cycles of at least two locations, of which each is read once.
fn num_cycles_alone(sources: &[usize]) -> usize {
    let mut readers = vec![0; sources.len()];
    sources.iter().enumerate().filter(|&(to, &from)| to != from).for_each(|(_, &from)| readers[from] += 1);
    let mut seen = vec![false; sources.len()];
    let mut count = 0;
    for first in 0..sources.len() {
        let (mut at, mut is_alone) = (first, sources[first] != first && !seen[first]);
        while is_alone && !seen[at] {
            seen[at] = true;
            is_alone = readers[at] == 1 && sources[at] != at;
            at = sources[at];
        }
        count += usize::from(is_alone && at == first);
    }
    count
}

/// A function of about a million blocks: loops in a row, each with a variable that is swapped with another one and one that is
/// counted up, or conditionals in a row.
fn large(has_loops: bool) -> Function<Basic> {
    let mut function: Function<Basic> = Function::new("large");
    let mut block = function.create_block();
    let param = function.add_value_param(None, Type::Number);
    let one = function.constant(1);
    let mut held = [param, one];
    for _ in 0..if has_loops { 500_000 } else { 250_000 } {
        held = if has_loops {
            add_loop(&mut function, &mut block, held, one)
        } else {
            add_arms(&mut function, &mut block, held, one)
        };
    }
    function.push_inst(block, Inst::op(Op::Return, held));
    function
}

fn add_loop(function: &mut Function<Basic>, block: &mut Block, held: [Value; 2], one: Value) -> [Value; 2] {
    let [body, after] = [(); 2].map(|()| function.create_block());
    function.push_inst(*block, Inst::jump(body));
    let phis = held.map(|_| function.new_value(None, Type::Number));
    for (place, &value) in phis.iter().enumerate() {
        function.push_phi(body, Phi { value, variable: None, operands: [held[place]].into_iter().collect() });
    }
    let next = function.new_value(None, Type::Number);
    function.push_inst(body, Inst::op(Op::Binary(BinaryOp::Add), [phis[0], one]).with_results([next]));
    function.push_inst(body, Inst::op(Op::Branch, [next]).with_targets([body, after]));
    // The swap, and the sum with it.
    function.set_operand(body, 0, 1, phis[1]);
    function.set_operand(body, 1, 1, next);
    *block = after;
    phis
}

fn add_arms(function: &mut Function<Basic>, block: &mut Block, held: [Value; 2], one: Value) -> [Value; 2] {
    let [left, right, join] = [(); 3].map(|()| function.create_block());
    function.push_inst(*block, Inst::op(Op::Branch, [held[0]]).with_targets([left, right]));
    let made = [left, right].map(|arm| {
        let value = function.new_value(None, Type::Number);
        function.push_inst(arm, Inst::op(Op::Binary(BinaryOp::Add), [held[1], one]).with_results([value]));
        function.push_inst(arm, Inst::jump(join));
        value
    });
    let phis = [(); 2].map(|()| function.new_value(None, Type::Number));
    for (value, operands) in phis.into_iter().zip([[made[0], held[0]], [held[1], made[1]]]) {
        function.push_phi(join, Phi { value, variable: None, operands: operands.into_iter().collect() });
    }
    *block = join;
    phis
}

#[test]
fn a_million_blocks_leave_ssa_form_by_each_method() {
    for has_loops in [true, false] {
        on_a_small_stack(move || {
            let function = large(has_loops);
            assert!(function.num_blocks() > 750_000);
            let mut copies = Vec::new();
            for &method in Method::ALL {
                let view = DestructView::new(&function);
                let destruction = destruct(&view, method).unwrap();
                assert_eq!(check_destruction(&view, &destruction), [], "{method}");
                copies.push(destruction.count().copies);
            }
            // Of a loop that swaps, one copy at least is left.
            let least = if has_loops { 500_000 } else { 0 };
            assert!(
                copies[0] >= 1_000_000 && copies[1..].iter().all(|count| (least..=copies[0]).contains(count)),
                "{copies:?}"
            );
            let left = leave_ssa(&function, Method::Coalescing).unwrap();
            assert_eq!(left.function.check_form(), []);
        });
    }
}

/// One phi with 200,000 operands: classes are as large as that.
#[test]
fn a_phi_with_many_operands_is_coalesced_with_all_of_them() {
    on_a_small_stack(|| {
        const NUM_CASES: usize = 200_000;
        let mut function: Function<Basic> = Function::new("switch");
        let entry = function.create_block();
        let param = function.add_value_param(None, Type::Number);
        let cases: Vec<Block> = (0..NUM_CASES).map(|_| function.create_block()).collect();
        let join = function.create_block();
        function.push_inst(entry, Inst::op(Op::Switch, [param]).with_targets(cases.iter().copied()));
        let made: Vec<Value> = cases
            .iter()
            .map(|&case| {
                let value = function.new_value(None, Type::Number);
                function.push_inst(case, Inst::op(Op::Binary(BinaryOp::Add), [param, param]).with_results([value]));
                function.push_inst(case, Inst::jump(join));
                value
            })
            .collect();
        let value = function.new_value(None, Type::Number);
        function.push_phi(join, Phi { value, variable: None, operands: made.into() });
        function.push_inst(join, Inst::op(Op::Return, [value]));
        let view = DestructView::new(&function);
        let destruction = destruct(&view, Method::Coalescing).unwrap();
        assert_eq!((destruction.count().copies, destruction.num_locations()), (0, 2));
    });
}
