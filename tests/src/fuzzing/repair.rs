//! Any definitions and uses of one variable, repaired and built: both give the same phis.

use crate::choices::Choices;
use ssaphire::graph::{FlatCfg, SsaForm, ValueEvent};
use ssaphire::repair::{Position, Repair, Use};
use ssaphire::{Block, Builder, Cfg, SsaBuilder, Value, ValueCounter, Variable};
use std::collections::BTreeMap;

const X: Variable = Variable::new(0);

/// The first number of phis and undefined values.
const MADE: usize = 1_000;

/// What happens at a position of a block.
#[derive(Clone, Copy, Debug)]
enum Access {
    Use,
    Define(Value),
}

/// A graph in which all blocks are reachable, and the accesses of each block in order.
#[derive(Debug)]
struct Function {
    cfg: FlatCfg,
    accesses: Vec<Vec<(Position, Access)>>,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    Definition(Value),
    Phi(Block),
    Undefined,
}

/// A phi: its block, its value and its operands.
type PhiOfForm = (Block, Value, Vec<Value>);

/// What uses see, in order, and the phis with their operands.
type Outcome = (Vec<Origin>, BTreeMap<Block, Vec<Origin>>);

/// A repair gives what construction gives, whether it is asked at once or in parts; and where its phis are in the
/// function already, it takes them.
///
/// # Panics
/// If that is not so.
pub fn check(bytes: &[u8]) {
    let function = Function::decode(&mut Choices::new(bytes));
    let built = function.built();
    let mut repair = Repair::new();
    for rounds in [1, 3] {
        let (repaired, phis) = function.repaired(&mut repair, rounds);
        assert_eq!(repaired, built, "in {rounds} rounds: {function:?}");
        let form = Form { cfg: &function.cfg, phis: &phis };
        // A repair does not know the undefined value before it asks for it, and takes no phi that has it.
        if phis.iter().flat_map(|phi| &phi.2).all(|&value| !form.is_undefined(value)) {
            let decoys = decoys(&phis);
            let all: Vec<PhiOfForm> = decoys.iter().chain(&phis).cloned().collect();
            let form = Form { cfg: &function.cfg, phis: &all };
            let (uses, num_new) = function.reused(&mut repair, &form);
            let origin = |&value: &Value| origin(value, |value| form.block_of(value));
            assert_eq!(uses.iter().map(origin).collect::<Vec<_>>(), built.0, "reused: {function:?}");
            assert_eq!(num_new, 0, "phis that are there are made again: {function:?}");
            let is_same = are_the_same(&phis, &decoys);
            let wrong = decoys.iter().zip(is_same).find(|(decoy, is_same)| !is_same && uses.contains(&decoy.1));
            assert_eq!(wrong, None, "a phi with other operands is taken: {function:?}");
        }
    }
}

impl Function {
    fn decode(choices: &mut Choices<'_>) -> Self {
        let num_blocks = 2 + choices.below(9);
        let mut targets = vec![vec![]; num_blocks];
        for block in 1..num_blocks {
            targets[choices.below(block)].push(Block::new(block));
        }
        for _ in 0..choices.below(2 * num_blocks) {
            targets[choices.below(num_blocks)].push(Block::new(1 + choices.below(num_blocks - 1)));
        }
        let cfg = FlatCfg::from_successors(Block::new(0), &targets).expect("the targets are blocks");
        let mut num_values = 0;
        let accesses = (0..num_blocks).map(|_| accesses_of_block(choices, &mut num_values)).collect();
        Self { cfg, accesses }
    }

    /// What the builder makes of it.
    fn built(&self) -> Outcome {
        let (mut host, mut ssa, mut uses) = (ValueCounter::starting_at(MADE), Builder::default(), Vec::new());
        ssa.announce(&self.cfg).expect("no edge enters the entry");
        for block in self.cfg.blocks() {
            for &(_, access) in &self.accesses[block.index()] {
                match access {
                    Access::Use => uses.push(ssa.read_variable(&mut host, block, X)),
                    Access::Define(value) => ssa.write_variable(block, X, value),
                }
            }
            ssa.terminate(block, self.cfg.targets(block));
        }
        let result = ssa.finish(&mut host).expect("all blocks are filled");
        let blocks: BTreeMap<_, _> = result.phis.iter().map(|phi| (phi.value, phi.block)).collect();
        let origin = |value: Value| origin(value, |value| blocks.get(&value).copied());
        let operands = |operands: &[Value]| operands.iter().map(|&operand| origin(operand)).collect();
        let uses = uses.into_iter().map(|value| origin(result.resolve(value))).collect();
        (uses, result.phis.iter().map(|phi| (phi.block, operands(phi.operands))).collect())
    }

    /// Adds the definitions to those of a repair, the last one first: where the uses are, in order.
    fn define(&self, repair: &mut Repair) -> Vec<(Block, Position)> {
        repair.begin(X);
        let mut places = Vec::new();
        for block in self.cfg.blocks().rev() {
            for &(position, access) in self.accesses[block.index()].iter().rev() {
                match access {
                    Access::Use => places.push((block, position)),
                    Access::Define(value) => repair.define(block, position, value),
                }
            }
        }
        places.reverse();
        places
    }

    /// What a repair makes of it that is told of every so many uses in each round.
    fn repaired(&self, repair: &mut Repair, rounds: usize) -> (Outcome, Vec<PhiOfForm>) {
        let mut host = ValueCounter::starting_at(MADE);
        let places = self.define(repair);
        let (mut phis, mut uses) = (Vec::new(), vec![None; places.len()]);
        for round in 0..rounds {
            let asked: Vec<(usize, Use)> = (round..places.len())
                .step_by(rounds)
                .map(|place| (place, repair.use_at(places[place].0, places[place].1)))
                .collect();
            repair.decide(&self.cfg).expect("each position is defined once");
            let result = repair.insert_phis(&mut host);
            phis.extend(result.phis().map(|phi| (phi.block, phi.value, phi.operands.to_vec())));
            asked.into_iter().for_each(|(place, use_)| uses[place] = Some(result.value(use_)));
        }
        let form = Form { cfg: &self.cfg, phis: &phis };
        let origin = |&value: &Value| origin(value, |value| form.block_of(value));
        let operands: BTreeMap<_, _> =
            phis.iter().map(|(block, _, operands)| (*block, operands.iter().map(origin).collect())).collect();
        assert_eq!(operands.len(), phis.len(), "one phi for a block: {self:?}");
        ((uses.iter().flatten().map(origin).collect(), operands), phis)
    }

    /// What uses see if the phis are in the function already, and number of new ones.
    fn reused(&self, repair: &mut Repair, form: &Form<'_>) -> (Vec<Value>, usize) {
        let places = self.define(repair);
        let asked: Vec<Use> = places.iter().map(|&(block, position)| repair.use_at(block, position)).collect();
        repair.decide_with_reuse(form).expect("each position is defined once");
        let mut host = ValueCounter::starting_at(2 * MADE);
        let result = repair.insert_phis(&mut host);
        let num_new = result.phis().count();
        (asked.into_iter().map(|use_| result.value(use_)).collect(), num_new)
    }
}

fn accesses_of_block(choices: &mut Choices<'_>, num_values: &mut usize) -> Vec<(Position, Access)> {
    let mut define = |choices: &mut Choices<'_>| {
        // Some values are defined twice.
        let value = if choices.chance(25) { choices.below(*num_values + 1) } else { *num_values };
        *num_values = (*num_values).max(value + 1);
        Access::Define(Value::new(value))
    };
    let mut accesses = Vec::new();
    if choices.chance(10) {
        accesses.push((Position::Entry, define(choices)));
    }
    for position in 0..choices.below(4) as u32 {
        let access = if choices.chance(50) { Access::Use } else { define(choices) };
        accesses.push((Position::At(2 * position), access));
    }
    if choices.chance(25) {
        accesses.push((Position::End, Access::Use));
    }
    accesses
}

fn origin(value: Value, block_of: impl Fn(Value) -> Option<Block>) -> Origin {
    match block_of(value) {
        Some(block) => Origin::Phi(block),
        None if value.index() < MADE => Origin::Definition(value),
        None => Origin::Undefined,
    }
}

/// As many phis that depend on each other as these do, one of which has another operand.
fn decoys(phis: &[PhiOfForm]) -> Vec<PhiOfForm> {
    let decoy = |value: Value| {
        let is_phi = phis.iter().any(|phi| phi.1 == value);
        if is_phi { Value::new(value.index() + MADE / 2) } else { value }
    };
    let mut decoys: Vec<PhiOfForm> = Vec::new();
    for (block, value, operands) in phis {
        decoys.push((*block, decoy(*value), operands.iter().map(|&operand| decoy(operand)).collect()));
    }
    let operand = decoys.iter_mut().flat_map(|phi| &mut phi.2).find(|operand| operand.index() < MADE);
    if let Some(operand) = operand {
        *operand = Value::new(MADE - 1);
    }
    decoys
}

/// By definition: which of the decoys have the operands that the phis have, or decoys of these of which that is true.
fn are_the_same(phis: &[PhiOfForm], decoys: &[PhiOfForm]) -> Vec<bool> {
    let mut is_same = vec![true; phis.len()];
    loop {
        let operand_is_same = |one: Value, other: Value| match phis.iter().position(|phi| phi.1 == one) {
            Some(place) => other == one || is_same[place] && decoys[place].1 == other,
            None => one == other,
        };
        let phi_is_same = |(phi, decoy): (&PhiOfForm, &PhiOfForm)| {
            phi.2.iter().zip(&decoy.2).all(|(&one, &other)| operand_is_same(one, other))
        };
        let next: Vec<bool> = phis.iter().zip(decoys).map(phi_is_same).collect();
        if next == is_same {
            return next;
        }
        is_same = next;
    }
}

/// A graph with phis.
struct Form<'f> {
    cfg: &'f FlatCfg,
    phis: &'f [PhiOfForm],
}

impl Form<'_> {
    fn block_of(&self, value: Value) -> Option<Block> {
        self.phis.iter().find(|phi| phi.1 == value).map(|phi| phi.0)
    }

    fn is_undefined(&self, value: Value) -> bool {
        value.index() >= MADE && self.block_of(value).is_none()
    }
}

impl Cfg for Form<'_> {
    fn num_blocks(&self) -> usize {
        self.cfg.num_blocks()
    }

    fn entry(&self) -> Block {
        self.cfg.entry()
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.cfg.successors(block)
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.cfg.predecessors(block)
    }
}

impl SsaForm for Form<'_> {
    fn num_values(&self) -> usize {
        2 * MADE
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        std::iter::empty()
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        self.phis.iter().filter(move |phi| phi.0 == block).map(|phi| phi.1)
    }

    fn operands(&self, _: Block, phi: Value) -> impl Iterator<Item = Value> {
        self.phis.iter().filter(move |other| other.1 == phi).flat_map(|phi| phi.2.iter().copied())
    }

    fn events(&self, _: Block) -> impl Iterator<Item = ValueEvent> {
        std::iter::empty()
    }
}
