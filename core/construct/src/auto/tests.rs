//! Compares the tree and its masks with the dominators of `graph`, and rows with definitions by variable.

use super::Builder;
use super::bloom::VariableMask;
use crate::calls::SsaBuilder;
use crate::host::PhiHost;
use crate::options::Options;
use crate::thresholds::Thresholds;
use alloc::string::ToString;
use alloc::vec::Vec;
use ssaphire_graph::{Block, DominatorTree, FlatCfg, IdLimits, Order, Value, Variable};

/// Numbers that look random, the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// A host that counts values.
struct Host(usize);

impl Host {
    fn value(&mut self) -> Value {
        self.0 += 1;
        Value::new(self.0 - 1)
    }
}

impl PhiHost for Host {
    fn new_phi(&mut self, _: Block, _: Variable) -> Value {
        self.value()
    }

    fn undefined(&mut self, _: Variable) -> Value {
        self.value()
    }
}

/// Some of the variables share bits.
const NUM_VARIABLES: usize = 9;

fn name(index: usize) -> Variable {
    Variable::new(if index < 6 { index } else { 58 + index })
}

/// What a read found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Value(Value),
    Phi(Block, Variable),
}

/// A graph, and the variables that each block writes.
struct Function {
    targets: Vec<Vec<Block>>,
    writes: Vec<Vec<Variable>>,
    /// The number of values of which each write takes one; with 0, each takes a new one.
    num_values: usize,
}

impl Function {
    fn random(numbers: &mut Numbers) -> Self {
        let num_blocks = 2 + numbers.below(8);
        let any_target = |numbers: &mut Numbers| Block::new(1 + numbers.below(num_blocks - 1));
        let some = |numbers: &mut Numbers| 0..numbers.below(4);
        let targets = (0..num_blocks).map(|_| some(numbers).map(|_| any_target(numbers)).collect());
        let targets: Vec<Vec<Block>> = targets.collect();
        let writes = (0..num_blocks).map(|_| some(numbers).map(|_| name(numbers.below(NUM_VARIABLES))).collect());
        let writes = writes.collect();
        Self { targets, writes, num_values: 0 }
    }

    fn cfg(&self) -> FlatCfg {
        FlatCfg::from_successors(Block::new(0), &self.targets).expect("all targets are blocks")
    }

    /// Builds it in reverse post-order, unreachable blocks last: each block reads all variables, writes, and reads
    /// again.
    ///
    /// Returns the results of the reads, by phi or by value.
    fn build(&self, builder: &mut Builder, host: &mut Host) -> Vec<Found> {
        let cfg = self.cfg();
        let order = Order::new(&cfg);
        let unreachable = cfg.blocks().filter(|&block| !order.is_reachable(block));
        let mut reads = Vec::new();
        let values: Vec<Value> = (0..self.num_values).map(|_| host.value()).collect();
        for block in order.rpo().chain(unreachable) {
            for (number, &variable) in self.writes[block.index()].iter().enumerate() {
                if number % 2 == 1 || block.index() % 3 == 0 {
                    let found =
                        [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|index| builder.read_variable(host, block, name(index)));
                    // Reads in unreachable code are not compared.
                    reads.extend(found.into_iter().filter(|_| order.is_reachable(block)));
                }
                let value = match values.len() {
                    0 => host.value(),
                    len => values[(5 * block.index() + number) % len],
                };
                builder.write_variable(block, variable, value);
            }
            builder.terminate(block, cfg.targets(block));
            for &target in cfg.targets(block) {
                let sources = cfg.incoming(target).iter().map(|&edge| cfg.source(edge));
                if { sources }.all(|source| builder.is_filled(source)) && !builder.is_sealed(target) {
                    builder.seal_block(host, target);
                }
            }
        }
        builder.try_seal_all_blocks(host).expect("there is no limit");
        for block in cfg.blocks().filter(|&block| order.is_reachable(block)) {
            (0..NUM_VARIABLES).for_each(|index| reads.push(builder.read_at_end(host, block, name(index))));
        }
        let result = builder.finish(host).expect("all blocks are sealed and filled");
        let found = |value: Value| {
            let value = result.resolve(value);
            let phi = result.phis.iter().find(|phi| phi.value == value);
            phi.map_or(Found::Value(value), |phi| Found::Phi(phi.block, phi.variable))
        };
        let mut all: Vec<Found> = reads.iter().map(|&value| found(value)).collect();
        // Variables that share a bit are looked along edges for in rows alone, which makes their phis earlier.
        let mut phis: Vec<_> = result.phis.iter().collect();
        phis.sort_by_key(|phi| (phi.block, phi.variable));
        for phi in phis {
            all.push(found(phi.value));
            all.extend(phi.operands.iter().map(|&operand| found(operand)));
        }
        all
    }

    fn written(&self, blocks: impl Iterator<Item = Block>) -> VariableMask {
        let mut written = VariableMask::EMPTY;
        for block in blocks {
            self.writes[block.index()].iter().for_each(|&variable| written.insert(variable));
        }
        written
    }
}

/// The blocks on the ways from below `dominator` to the top of `block`.
fn blocks_between(cfg: &FlatCfg, tree: &DominatorTree, dominator: Block, block: Block) -> Vec<Block> {
    let mut between: Vec<Block> = Vec::new();
    let mut next = 0;
    let mut at = block;
    loop {
        for source in cfg.incoming(at).iter().map(|&edge| cfg.source(edge)) {
            if tree.is_reachable(source) && source != dominator && !between.contains(&source) {
                between.push(source);
            }
        }
        let Some(&other) = between.get(next) else { return between };
        (at, next) = (other, next + 1);
    }
}

#[test]
fn blocks_are_linked_below_their_dominators_with_what_is_written_in_between() {
    let (mut builder, mut numbers) = (Builder::default(), Numbers(1));
    let (mut num_linked, mut num_shared) = (0, 0);
    for _ in 0..20_000 {
        let function = Function::random(&mut numbers);
        let cfg = function.cfg();
        let tree = DominatorTree::new(&cfg);
        builder.clear();
        function.build(&mut builder, &mut Host(0));
        let row = |block: Block| builder.tree.block(builder.node_of(block).expect("each block has a node"));
        for block in cfg.blocks().filter(|&block| tree.is_reachable(block)) {
            let node = builder.node_of(block).expect("each block has a node");
            let has_own = row(block) == block;
            let above =
                if has_own { builder.tree.dominator(node).map(|up| builder.tree.block(up)) } else { Some(row(block)) };
            // A dominator without a row of its own has that of a block above it.
            assert_eq!(above, tree.idom(block).map(row), "{block} of {:?}", function.targets);
            let Some(dominator) = tree.idom(block) else { continue };
            let between = blocks_between(&cfg, &tree, dominator, block);
            let written = function.written(between.into_iter());
            if !has_own {
                assert!(
                    written.is_empty() && function.writes[block.index()].is_empty(),
                    "{block} of {:?}",
                    function.targets
                );
                num_shared += 1;
            }
            if cfg.incoming(block).len() > 1 {
                assert_eq!(builder.blocks.get(block).own.between, written, "{block} of {:?}", function.targets);
                num_linked += 1;
            }
        }
    }
    assert!(num_shared > 3_000, "{num_shared} blocks that share a row");
    assert!(num_linked > 20_000, "{num_linked} joins");
}

#[test]
fn rows_and_definitions_by_variable_give_the_same() {
    let mut numbers = Numbers(2);
    // Rows for that many variables would be too large.
    let far = Variable::new(2_000_000);
    let mut builders = [Builder::new(), Builder::new()];
    for _ in 0..10_000 {
        let function = Function::random(&mut numbers);
        let [found, expected] = [0, 1].map(|number| {
            let (builder, mut host) = (&mut builders[number], Host(0));
            builder.clear();
            let value = host.value();
            let variable = if number == 0 { far } else { name(0) };
            builder.write_variable(Block::new(0), variable, value);
            if number == 0 {
                builder.write_variable(Block::new(0), name(0), value);
            }
            assert_eq!(builder.defs.is_sparse(), number == 0);
            function.build(builder, &mut host)
        });
        let (mut found, mut expected) = (found, expected);
        renumber(&mut found);
        renumber(&mut expected);
        let place = found.iter().zip(&expected).position(|(found, expected)| found != expected);
        let at = place.map(|place| (found[place], expected[place]));
        assert_eq!((at, found.len()), (None, expected.len()), "{:?} {:?}", function.targets, function.writes);
    }
}

/// `x = v0; if .. { x = v1 }; x = v0; y = v2; use x`, with rows given up at the write of `y` or not.
#[test]
fn a_value_written_again_after_another_one_survives_the_end_of_rows() {
    for far in [1, 2_000_000] {
        let (mut builder, mut host) = (Builder::default(), Host(0));
        let [entry, then, join, end] = [0, 1, 2, 3].map(Block::new);
        let (x, y) = (Variable::new(0), Variable::new(far));
        let [v0, v1, v2] = [0, 1, 2].map(|_| host.value());
        builder.write_variable(entry, x, v0);
        builder.terminate(entry, &[then, join]);
        builder.seal_block(&mut host, then);
        builder.write_variable(then, x, v1);
        builder.terminate(then, &[join]);
        builder.seal_block(&mut host, join);
        builder.write_variable(join, x, v0);
        builder.write_variable(join, y, v2);
        assert_eq!(builder.defs.is_sparse(), far != 1);
        builder.terminate(join, &[end]);
        builder.seal_block(&mut host, end);
        assert_eq!(builder.read_variable(&mut host, end, x), v0);
        builder.terminate(end, &[]);
        let result = builder.finish(&mut host).expect("all blocks are sealed and filled");
        assert_eq!(result.phis.iter().count(), 0);
    }
}

/// Values are written twice, so that a block may write what its dominator holds, with another write in between.
#[test]
fn rows_are_given_up_at_every_moment() {
    let mut numbers = Numbers(4);
    let mut num_builds = 0;
    for round in 0..300 {
        let mut function = Function::random(&mut numbers);
        function.num_values = round % 4;
        let build = |row_events: Option<u64>| {
            let thresholds = Thresholds { row_events, ..Thresholds::DEFAULT };
            let mut builder = Builder::with_options(Options::default().with_thresholds(thresholds));
            let mut found = function.build(&mut builder, &mut Host(0));
            renumber(&mut found);
            (found, builder.stats().num_events(), builder.defs.is_sparse())
        };
        let (expected, num_events, _) = build(None);
        for events in 0..=num_events {
            let (found, _, is_sparse) = build(Some(events));
            assert!(is_sparse || events + 1 >= num_events, "{events} of {num_events}");
            let place = found.iter().zip(&expected).position(|(found, expected)| found != expected);
            let at = place.map(|place| (found[place], expected[place]));
            let is_same = at.is_none() && found.len() == expected.len();
            assert!(is_same, "{at:?} after {events}: {:?} {:?}", function.targets, function.writes);
            num_builds += 1;
        }
    }
    assert!(num_builds > 20_000, "{num_builds}");
}

/// Numbers the values by where they are found first.
fn renumber(all: &mut [Found]) {
    let mut known: Vec<Value> = Vec::new();
    for found in all {
        if let Found::Value(value) = found {
            let place = known.iter().position(|other| other == value).unwrap_or_else(|| {
                known.push(*value);
                known.len() - 1
            });
            *value = Value::new(place);
        }
    }
}

/// Blocks are filled in any order, accesses of several are mixed, and each is sealed as soon as all its sources are
/// filled, or later.
#[test]
fn invariants_hold_after_each_seal_whatever_the_order_of_calls() {
    let mut numbers = Numbers(3);
    for round in 0..4_500 {
        let function = Function::random(&mut numbers);
        let (cfg, mut host) = (function.cfg(), Host(0));
        // Every third function keeps its rows; the others give them up somewhere.
        let row_events = (round % 3 != 0).then(|| numbers.below(30) as u64);
        let mut thresholds = Thresholds { row_events, ..Thresholds::DEFAULT };
        if round % 5 == 0 {
            // Linking is given up, at times in the middle of a group.
            (thresholds.climb_steps, thresholds.link_steps_per_block) =
                (numbers.below(3) as u32, numbers.below(6) as u32);
        }
        let options = Options { thresholds, ..Options::default() };
        let mut builder = Builder::with_observer(options, Vec::new());
        let values = [0, 1].map(|_| host.value());
        builder.set_entry(cfg.entry()).expect("it is the first call");
        let mut unfilled: Vec<Block> = cfg.blocks().collect();
        let mut unsealed: Vec<Block> = cfg.blocks().skip(1).collect();
        while !unfilled.is_empty() || !unsealed.is_empty() {
            let is_ready = |block: Block| {
                let mut sources = cfg.incoming(block).iter().map(|&edge| cfg.source(edge));
                sources.all(|source| builder.is_filled(source))
            };
            let ready = unsealed.iter().position(|&block| is_ready(block)).filter(|_| numbers.below(3) > 0);
            if let Some(place) = ready {
                builder.seal_block(&mut host, unsealed.remove(place));
                builder.check_invariants();
            } else if !unfilled.is_empty() {
                let place = numbers.below(unfilled.len());
                let block = unfilled[place];
                match numbers.below(4) {
                    0 => builder.terminate(unfilled.remove(place), cfg.targets(block)),
                    1 => drop(builder.read_variable(&mut host, block, name(numbers.below(NUM_VARIABLES)))),
                    _ => {
                        if let Some(&variable) = function.writes[block.index()].get(numbers.below(3)) {
                            // Few variables and values, so that some blocks write what their dominators hold.
                            let variable = if round % 2 == 0 { name(variable.index() % 2) } else { variable };
                            let value = if numbers.below(2) == 0 { values[numbers.below(2)] } else { host.value() };
                            builder.write_variable(block, variable, value);
                        }
                    }
                }
            }
        }
        builder.check_invariants();
        assert!(builder.finish(&mut host).is_ok());
    }
}

/// Each looks for the roots above its sources: without jumps that takes a step for each loop before.
#[test]
fn irreducible_loops_in_a_row_are_linked() {
    let (mut builder, mut host) = (Builder::default(), Host(0));
    builder.write_variable(Block::new(0), name(0), host.value());
    for number in 0..1_000 {
        let [before, left, right, after] = [0, 1, 2, 3].map(|index| Block::new(3 * number + index));
        builder.terminate(before, &[left, right]);
        builder.terminate(left, &[right, after]);
        builder.terminate(right, &[left]);
        for block in [left, right, after] {
            builder.seal_block(&mut host, block);
        }
        let node = builder.node_of(left).expect("it has a node");
        assert!(builder.tree.dominator(node).is_some(), "{left} is linked");
    }
    let work = builder.stats().work;
    assert!(work < 100_000, "{work} steps");
}

/// The example of `docs/default-engine.md`.
#[test]
fn the_example_of_the_page_is_so() {
    let (mut builder, mut host) = (Builder::default(), Host(0));
    let [x, y] = [0, 1].map(Variable::new);
    let mut blocks = [0, 1, 2, 3, 4].map(Block::new);
    blocks.reverse();
    let [four, three, two, one, zero] = blocks;
    let [v0, v1, v2] = [0, 1, 2].map(|_| host.value());
    builder.write_variable(zero, x, v0);
    builder.write_variable(zero, y, v1);
    builder.terminate(zero, &[one]);
    builder.terminate(one, &[two, three]);
    builder.seal_block(&mut host, two);
    builder.write_variable(two, x, v2);
    builder.terminate(two, &[three]);
    builder.seal_block(&mut host, three);
    assert_eq!([x, y].map(|variable| builder.read_variable(&mut host, three, variable)), [4, 5].map(Value::new));
    builder.terminate(three, &[one, four]);
    builder.seal_block(&mut host, one);
    builder.seal_block(&mut host, four);
    assert_eq!(builder.read_variable(&mut host, four, x), Value::new(4));
    builder.terminate(four, &[]);
    let result = builder.finish(&mut host).expect("all blocks are sealed and filled");
    let phis = result.phis.iter().map(|phi| (phi.block, phi.value.index(), phi.operands.to_vec()));
    let expected = [(one, 3, alloc::vec![v0, Value::new(4)]), (three, 4, alloc::vec![Value::new(3), v2])];
    assert_eq!(phis.collect::<Vec<_>>(), expected);
    assert_eq!(result.resolve(Value::new(5)), v1);
}

#[test]
fn where_there_are_no_rows_ids_are_checked_and_steps_counted() {
    let ids = IdLimits { variables: 2_000_001, ..IdLimits::default() };
    let (mut builder, mut host) = (Builder::with_options(Options::default().with_ids(ids)), Host(0));
    let (entry, far) = (Block::new(0), Variable::new(2_000_000));
    let value = host.value();
    builder.write_variable(entry, far, value);
    assert!(builder.defs.is_sparse());
    let beyond = Variable::new(2_000_001);
    let refused = builder.try_read_variable(&mut host, entry, beyond).map_err(|error| error.to_string());
    assert_eq!(refused, Err("x2000001: exceeds the limit of 2000001 variables".to_string()));
    // A write on each exit of a line of blocks, which no later block is dominated by.
    for number in 0..100 {
        let [block, exit, next] = [2 * number, 2 * number + 1, 2 * number + 2].map(Block::new);
        // So that none of them shares the row of another.
        builder.write_variable(block, name(1), host.value());
        builder.terminate(block, &[exit, next]);
        builder.seal_block(&mut host, exit);
        builder.seal_block(&mut host, next);
        builder.write_variable(exit, far, host.value());
        builder.terminate(exit, &[]);
    }
    let before = builder.stats().work;
    assert_eq!(builder.read_variable(&mut host, Block::new(200), far), value);
    builder.read_variable(&mut host, Block::new(200), name(0));
    assert!(builder.stats().work > before + 100, "{} steps", builder.stats().work - before);
}
