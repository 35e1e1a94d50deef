//! What a repair costs: how often it asks for incoming edges, phis and operands. No times.

use ssaphire::repair::{Position, Repair};
use ssaphire::{Block, Cfg, FlatCfg, SsaForm, Value, ValueCounter, ValueEvent, Variable};
use std::cell::Cell;

const X: Variable = Variable::new(0);

/// A graph with phis in its joins, which counts what is asked of it.
struct Counting {
    cfg: FlatCfg,
    /// Number of phis in each block with two incoming edges; all operands are the value 0.
    phis_by_join: usize,
    /// Incoming edges that somebody has come by.
    edges: Cell<usize>,
    /// Phis, and operands of phis.
    phis: Cell<usize>,
}

impl Counting {
    fn new(targets: &[Vec<Block>], phis_by_join: usize) -> Self {
        let cfg = FlatCfg::from_successors(Block::new(0), targets).unwrap();
        Self { cfg, phis_by_join, edges: Cell::new(0), phis: Cell::new(0) }
    }

    /// What was counted since it was asked last: edges, and phis with operands.
    fn take(&self) -> (usize, usize) {
        (self.edges.take(), self.phis.take())
    }
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
        self.cfg.predecessors(block).inspect(|_| self.edges.set(self.edges.get() + 1))
    }
}

impl SsaForm for Counting {
    fn num_values(&self) -> usize {
        1 + Cfg::num_blocks(self) * self.phis_by_join
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        [Value::new(0)].into_iter()
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        let is_join = self.cfg.incoming(block).len() == 2;
        let first = 1 + block.index() * self.phis_by_join;
        let phis = (first..).map(Value::new).take(if is_join { self.phis_by_join } else { 0 });
        phis.inspect(|_| self.phis.set(self.phis.get() + 1))
    }

    fn operands(&self, _: Block, _: Value) -> impl Iterator<Item = Value> {
        [Value::new(0); 2].into_iter().inspect(|_| self.phis.set(self.phis.get() + 1))
    }

    fn events(&self, _: Block) -> impl Iterator<Item = ValueEvent> {
        [].into_iter()
    }
}

/// A row of diamonds: block 3*i* branches to 3*i* + 1 and 3*i* + 2, which meet in 3*i* + 3.
fn diamonds(count: usize) -> Vec<Vec<Block>> {
    let block = |index: usize, offset: usize| Block::new(3 * index + offset);
    let each = (0..count).flat_map(|at| [vec![block(at, 1), block(at, 2)], vec![block(at, 3)], vec![block(at, 3)]]);
    each.chain([vec![]]).collect()
}

/// Two definitions, in the arms of diamond number `at`.
fn define_in_arms(repair: &mut Repair, at: usize, num_values: usize) {
    repair.begin(X);
    for arm in [1, 2] {
        repair.define(Block::new(3 * at + arm), Position::End, Value::new(num_values + arm));
    }
}

#[test]
fn a_repair_among_a_million_blocks_costs_what_is_live() {
    let num_diamonds = 333_333;
    let cfg = Counting::new(&diamonds(num_diamonds), 0);
    assert_eq!(Cfg::num_blocks(&cfg), 1_000_000);
    let (mut repair, mut host) = (Repair::new(), ValueCounter::starting_at(1_000_000));
    for live in [10, 100, 1_000] {
        for first in [0, num_diamonds / 2, num_diamonds - live - 1] {
            define_in_arms(&mut repair, first, 10);
            let used = repair.use_at(Block::new(3 * (first + live)), Position::At(0));
            repair.decide(&cfg).unwrap();
            let phis: Vec<Value> = repair.insert_phis(&mut host).phis().map(|phi| phi.value).collect();
            assert_eq!(phis, [repair.insert_phis(&mut host).value(used)]);
            // Each diamond has four edges; they are come by when the region is collected, and when it is decided.
            let (edges, _) = cfg.take();
            assert!(edges <= 2 * 4 * live, "{edges} for {live} diamonds");
        }
    }
}

/// What LLVM's updater took 80 minutes for: uses all over a long region without definitions, and phis in all of its joins.
#[test]
fn many_uses_behind_many_joins_with_phis_cost_each_edge_and_phi_once() {
    for num_diamonds in [1_000, 10_000] {
        let phis_by_join = 10;
        let form = Counting::new(&diamonds(num_diamonds), phis_by_join);
        let num_values = SsaForm::num_values(&form);
        let (mut repair, mut host) = (Repair::new(), ValueCounter::starting_at(num_values + 10));
        define_in_arms(&mut repair, 0, num_values);
        let uses: Vec<_> =
            (3..=3 * num_diamonds).map(|block| repair.use_at(Block::new(block), Position::At(0))).collect();
        repair.decide_with_reuse(&form).unwrap();
        let repaired = repair.insert_phis(&mut host);
        // The first join needs a phi, and that reaches all uses.
        let phi = repaired.phis().next().unwrap().value;
        assert_eq!(repaired.phis().count(), 1);
        assert!(uses.iter().all(|&use_| repaired.value(use_) == phi));
        let (edges, phis) = form.take();
        assert!(edges <= 2 * 4 * num_diamonds, "{edges} for {num_diamonds} diamonds");
        assert!(phis <= 3 * phis_by_join, "{phis}: only the phis beside a new one are looked at");
    }
}

/// The same where a new phi is needed in each join, so that all phis there might stand for it.
#[test]
fn a_definition_before_each_join_makes_each_phi_looked_at_once() {
    for num_diamonds in [1_000, 10_000] {
        let phis_by_join = 10;
        let form = Counting::new(&diamonds(num_diamonds), phis_by_join);
        let num_values = SsaForm::num_values(&form);
        let (mut repair, mut host) = (Repair::new(), ValueCounter::starting_at(2 * num_values + 10));
        repair.begin(X);
        repair.define(Block::new(0), Position::At(0), Value::new(0));
        for at in 0..num_diamonds {
            repair.define(Block::new(3 * at + 1), Position::At(0), Value::new(num_values + at));
        }
        for block in 1..=3 * num_diamonds {
            repair.use_at(Block::new(block), Position::End);
        }
        repair.decide_with_reuse(&form).unwrap();
        assert_eq!(repair.insert_phis(&mut host).phis().count(), num_diamonds);
        let (edges, phis) = form.take();
        assert!(edges <= 3 * 4 * num_diamonds, "{edges} for {num_diamonds} diamonds");
        assert!(phis <= 3 * phis_by_join * num_diamonds, "{phis} for {num_diamonds} diamonds");
    }
}
