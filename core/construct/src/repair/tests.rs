//! Reuse, refusals, what is unused. That a repair gives what construction gives is tested as a property, across crates.

use super::{Position, Repair, RepairError};
use crate::ValueCounter;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::Cell;
use ssaphire_graph::{Block, Cfg, FlatCfg, SsaForm, Value, ValueEvent, Variable};

const X: Variable = Variable::new(0);

/// The first number of phis and undefined values.
const MADE: usize = 1_000;

/// A graph with phis.
struct Phis {
    cfg: FlatCfg,
    phis: Vec<(Block, Value, Vec<Value>)>,
}

impl Cfg for Phis {
    fn num_blocks(&self) -> usize {
        Cfg::num_blocks(&self.cfg)
    }

    fn entry(&self) -> Block {
        Cfg::entry(&self.cfg)
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.cfg.successors(block)
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.cfg.predecessors(block)
    }
}

impl SsaForm for Phis {
    fn num_values(&self) -> usize {
        MADE
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        core::iter::empty()
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        self.phis.iter().filter(move |phi| phi.0 == block).map(|phi| phi.1)
    }

    fn operands(&self, _: Block, phi: Value) -> impl Iterator<Item = Value> {
        self.phis.iter().filter(move |other| other.1 == phi).flat_map(|phi| phi.2.iter().copied())
    }

    fn events(&self, _: Block) -> impl Iterator<Item = ValueEvent> {
        core::iter::empty()
    }
}

/// A loop with a conditional in it: 0 -> 1 -> 2 -> 3, 4 -> 5 -> 1, 6.
fn looping() -> FlatCfg {
    let targets = [vec![1], vec![2], vec![3, 4], vec![5], vec![5], vec![1, 6], vec![]];
    let targets = targets.map(|targets| targets.into_iter().map(Block::new).collect::<Vec<_>>());
    FlatCfg::from_successors(Block::new(0), &targets).unwrap()
}

#[test]
fn a_cycle_of_phis_is_reused_as_a_whole() {
    let [top, header, left, join, exit] = [0, 1, 3, 5, 6].map(Block::new);
    let [before, changed, first, second, other] = [0, 1, 2, 3, 4].map(Value::new);
    // Phis at the header and at the join, as the repair needs them; and another one at the join.
    let phis = vec![
        (header, first, vec![before, second]),
        (join, other, vec![changed, before]),
        (join, second, vec![changed, first]),
    ];
    let mut form = Phis { cfg: looping(), phis };
    let mut repair = Repair::new();
    let mut num_new = |form: &Phis| {
        repair.begin(X);
        repair.define(top, Position::End, before);
        repair.define(left, Position::At(0), changed);
        let used = repair.use_at(exit, Position::At(0));
        repair.decide_with_reuse(form).unwrap();
        let mut host = ValueCounter::starting_at(MADE);
        let result = repair.insert_phis(&mut host);
        (result.phis().count(), result.value(used))
    };
    assert_eq!(num_new(&form), (0, second));
    // Both differ if one of them does.
    form.phis[0].2[0] = changed;
    assert_eq!(num_new(&form), (2, Value::new(MADE + 1)));
    // A phi that is there alone is as good.
    form.phis = vec![(header, first, vec![before, first])];
    assert_eq!(num_new(&form).0, 2);
}

#[test]
fn what_cannot_be_repaired_is_refused_and_changes_nothing() {
    let cfg = FlatCfg::from_successors(Block::new(0), &[vec![Block::new(1)], vec![Block::new(0)]]).unwrap();
    let (first, second) = (Block::new(0), Block::new(1));
    let (mut repair, mut host) = (Repair::new(), ValueCounter::starting_at(MADE));
    repair.define(second, Position::At(3), Value::new(7));
    repair.define(Block::new(2), Position::End, Value::new(7));
    let refused = RepairError::NoSuchBlock { block: Block::new(2), num_blocks: 2 };
    assert_eq!(repair.decide(&cfg), Err(refused));

    repair.begin(X);
    repair.define(second, Position::At(3), Value::new(7));
    repair.define(second, Position::At(3), Value::new(8));
    let refused = RepairError::DefinedTwice { block: second, position: Position::At(3) };
    assert_eq!(repair.decide(&cfg), Err(refused));

    repair.begin(X);
    repair.define(second, Position::At(3), Value::new(7));
    let after = repair.use_at(second, Position::At(4));
    repair.decide(&cfg).unwrap();
    repair.define(first, Position::At(3), Value::new(8));
    assert_eq!(repair.decide(&cfg), Err(RepairError::DefinedLate { block: first }));

    repair.begin(X);
    repair.define(second, Position::At(3), Value::new(7));
    repair.use_at(second, Position::At(3));
    for _ in 0..2 {
        assert_eq!(repair.decide(&cfg), Err(RepairError::EntryHasPredecessors { entry: first }));
    }
    repair.begin(X);
    repair.define(second, Position::At(3), Value::new(7));
    assert_eq!(repair.use_at(second, Position::At(4)), after);
    repair.decide(&cfg).unwrap();
    assert_eq!(repair.insert_phis(&mut host).value(after), Value::new(7));
    assert_eq!(host.len(), MADE, "nothing was asked of the host");
}

#[test]
fn definitions_that_nothing_sees_are_named() {
    let [top, header, left, exit] = [0, 1, 3, 6].map(Block::new);
    let (mut repair, mut host) = (Repair::new(), ValueCounter::starting_at(MADE));
    repair.begin(X);
    for (value, (block, position)) in
        [(top, Position::End), (left, Position::At(0)), (header, Position::Entry), (exit, Position::At(9))]
            .into_iter()
            .enumerate()
    {
        repair.define(block, position, Value::new(value));
    }
    repair.use_at(exit, Position::At(9));
    repair.decide(&looping()).unwrap();
    let result = repair.insert_phis(&mut host);
    assert_eq!(result.unused(), [0, 3].map(Value::new));
    assert_eq!((result.phis().count(), result.undefined()), (1, None));
}

/// A graph that counts how often somebody asks for incoming edges.
struct Counting {
    cfg: FlatCfg,
    num_asked: Cell<usize>,
}

impl Cfg for Counting {
    fn num_blocks(&self) -> usize {
        Cfg::num_blocks(&self.cfg)
    }

    fn entry(&self) -> Block {
        Cfg::entry(&self.cfg)
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.cfg.successors(block)
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.num_asked.set(self.num_asked.get() + 1);
        self.cfg.predecessors(block)
    }
}

#[test]
fn a_repair_looks_at_blocks_where_the_variable_is_live_and_at_each_of_them_once() {
    // A row of diamonds: block 3i branches to 3i + 1 and 3i + 2, which meet in 3i + 3.
    let num_diamonds = 1_000;
    let mut targets = Vec::new();
    for first in (0..3 * num_diamonds).step_by(3).map(Block::new) {
        let [left, right, join] = [1, 2, 3].map(|offset| Block::new(first.index() + offset));
        targets.extend([vec![left, right], vec![join], vec![join]]);
    }
    targets.push(vec![]);
    let cfg = FlatCfg::from_successors(Block::new(0), &targets).unwrap();
    let cfg = Counting { cfg, num_asked: Cell::new(0) };
    let (mut repair, mut host) = (Repair::new(), ValueCounter::starting_at(MADE));
    let define = |repair: &mut Repair| {
        repair.begin(X);
        for (value, block) in [1_501, 1_502].into_iter().enumerate() {
            repair.define(Block::new(block), Position::End, Value::new(value));
        }
    };
    // What is live in ten diamonds costs ten diamonds.
    define(&mut repair);
    let near = repair.use_at(Block::new(1_500 + 30), Position::At(0));
    repair.decide(&cfg).unwrap();
    assert!(cfg.num_asked.get() <= 2 * 30, "{}", cfg.num_asked.get());
    let result = repair.insert_phis(&mut host);
    assert_eq!((result.phis().count(), result.value(near).index()), (1, MADE));
    // A use in each block, one after the other: the walk against the edges goes through each block once.
    cfg.num_asked.set(0);
    define(&mut repair);
    for block in 1_503..3 * num_diamonds {
        repair.use_at(Block::new(block), Position::At(0));
        repair.decide(&cfg).unwrap();
        repair.insert_phis(&mut host);
    }
    assert!(cfg.num_asked.get() <= 2 * 3 * num_diamonds, "{}", cfg.num_asked.get());
}
