//! Repair beside construction from variables; reuse; refusals.

use super::{Position, Repair, RepairError, Use};
use crate::{Builder, SsaBuilder, ValueCounter};
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use ssaphire_graph::{Block, Cfg, FlatCfg, SsaForm, Value, ValueEvent, Variable};

const X: Variable = Variable::new(0);

fn random(state: &mut u64, limit: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    ((*state >> 33) % limit as u64) as usize
}

/// A graph whose blocks are all reachable, and whose entry no edge enters.
fn random_graph(state: &mut u64) -> FlatCfg {
    let num_blocks = 2 + random(state, 9);
    let mut targets = vec![vec![]; num_blocks];
    for block in 1..num_blocks {
        targets[random(state, block)].push(Block::new(block));
    }
    for _ in 0..random(state, 2 * num_blocks) {
        targets[random(state, num_blocks)].push(Block::new(1 + random(state, num_blocks - 1)));
    }
    FlatCfg::from_successors(Block::new(0), &targets).unwrap()
}

/// What happens in a block, in order: at the entry, at positions, at the end.
#[derive(Clone, Copy, Debug)]
enum Access {
    Use,
    Define(Value),
}

fn random_accesses(state: &mut u64, num_blocks: usize) -> Vec<Vec<(Position, Access)>> {
    let mut num_values = 0;
    let mut define = |state: &mut u64| {
        // Some values are defined twice.
        let value = if random(state, 4) == 0 { random(state, num_values + 1) } else { num_values };
        num_values = num_values.max(value + 1);
        Access::Define(Value::new(value))
    };
    (0..num_blocks)
        .map(|_| {
            let mut accesses = Vec::new();
            if random(state, 9) == 0 {
                accesses.push((Position::Entry, define(state)));
            }
            for position in 0..random(state, 4) as u32 {
                let access = if random(state, 2) == 0 { Access::Use } else { define(state) };
                accesses.push((Position::At(2 * position), access));
            }
            if random(state, 4) == 0 {
                accesses.push((Position::End, Access::Use));
            }
            accesses
        })
        .collect()
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    Definition(Value),
    Phi(Block),
    Undefined,
}

/// What uses see, in order, and the phis with their operands.
type Form = (Vec<Origin>, BTreeMap<Block, Vec<Origin>>);

/// The first number of phis and undefined values.
const MADE: usize = 1_000;

fn origin(value: Value, phis: &BTreeMap<Value, Block>) -> Origin {
    match phis.get(&value) {
        Some(&block) => Origin::Phi(block),
        None if value.index() < MADE => Origin::Definition(value),
        None => Origin::Undefined,
    }
}

fn built(cfg: &FlatCfg, accesses: &[Vec<(Position, Access)>]) -> Form {
    let (mut host, mut ssa, mut uses) = (ValueCounter::starting_at(MADE), Builder::default(), Vec::new());
    ssa.announce(cfg).unwrap();
    for block in cfg.blocks() {
        for &(_, access) in &accesses[block.index()] {
            match access {
                Access::Use => uses.push(ssa.read_variable(&mut host, block, X)),
                Access::Define(value) => ssa.write_variable(block, X, value),
            }
        }
        ssa.terminate(block, cfg.targets(block));
    }
    let result = ssa.finish(&mut host).unwrap();
    let blocks = result.phis.iter().map(|phi| (phi.value, phi.block)).collect();
    let uses = uses.into_iter().map(|value| origin(result.resolve(value), &blocks)).collect();
    let operands = |operands: &[Value]| operands.iter().map(|&operand| origin(operand, &blocks)).collect();
    (uses, result.phis.iter().map(|phi| (phi.block, operands(phi.operands))).collect())
}

/// The same by a repair that is asked in `rounds`, each of which gets some of the uses.
fn repaired(repair: &mut Repair, cfg: &FlatCfg, accesses: &[Vec<(Position, Access)>], rounds: usize) -> Form {
    let mut host = ValueCounter::starting_at(MADE);
    repair.begin(X);
    let mut places = Vec::new();
    for block in cfg.blocks().rev() {
        for &(position, access) in accesses[block.index()].iter().rev() {
            match access {
                Access::Use => places.push((block, position)),
                Access::Define(value) => repair.define(block, position, value),
            }
        }
    }
    places.reverse();
    let (mut blocks, mut phis, mut uses) = (BTreeMap::new(), Vec::new(), vec![None; places.len()]);
    for round in 0..rounds {
        let asked: Vec<(usize, Use)> = (0..places.len())
            .filter(|place| place % rounds == round)
            .map(|place| (place, repair.use_at(places[place].0, places[place].1)))
            .collect();
        repair.decide(cfg).unwrap();
        let result = repair.insert_phis(&mut host);
        for phi in result.phis() {
            assert_eq!(blocks.insert(phi.value, phi.block), None);
            phis.push((phi.block, phi.operands.to_vec()));
        }
        for (place, use_) in asked {
            uses[place] = Some(result.value(use_));
        }
    }
    let num_phis = phis.len();
    let operands = |operands: Vec<Value>| operands.iter().map(|&operand| origin(operand, &blocks)).collect();
    let phis: BTreeMap<_, _> = phis.into_iter().map(|(block, values)| (block, operands(values))).collect();
    assert_eq!(phis.len(), num_phis, "one phi for a block");
    (uses.into_iter().map(|value| origin(value.unwrap(), &blocks)).collect(), phis)
}

#[test]
fn a_repair_gives_what_construction_gives() {
    let (mut repair, mut state, mut num_phis) = (Repair::new(), 1, 0);
    for _ in 0..20_000 {
        let cfg = random_graph(&mut state);
        let accesses = random_accesses(&mut state, cfg.num_blocks());
        let expected = built(&cfg, &accesses);
        for rounds in [1, 3] {
            assert_eq!(repaired(&mut repair, &cfg, &accesses, rounds), expected, "{cfg:?} {accesses:?}");
        }
        num_phis += expected.1.len();
    }
    assert!(num_phis > 10_000, "{num_phis}");
}

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
