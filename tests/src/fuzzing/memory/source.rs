//! Functions in memory form, made of bytes.
//!
//! In reachable blocks, what is used dominates its use. Unreachable blocks use any
//! value of the function: what they define themselves, before or after, and each other's.

use super::MemoryFunction;
use crate::choices::Choices;
use ssaphire::graph::{DominatorTree, FlatCfg};
use ssaphire::{Block, Value};
use ssaphire_ir::basic::{BinaryOp, Call, Op, Type};
use ssaphire_ir::memory::{Memory, MemoryOp, MemoryType};
use ssaphire_ir::{Basic, Function, IncomingEdge, Inst};

/// The most blocks of a function.
const BLOCKS: usize = 10;

/// What a block does, before it is known what there is to do it with. Numbers choose among that.
#[derive(Clone, Copy, Debug)]
struct Step {
    kind: Kind,
    first: usize,
    second: usize,
}

impl Step {
    /// The level of the address that it goes through.
    fn level(&self) -> usize {
        [1, 1, 2, 3][self.second / 8 % 4]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Load,
    Store,
    /// Through any address that there is.
    LoadThrough,
    StoreThrough,
    LifetimeStart,
    LifetimeEnd,
    Print,
    Add,
    Copy,
    CopyAddress,
    Call,
    VolatileLoad,
    VolatileStore,
    /// Of an address: a trap.
    PrintSlot,
}

/// Kinds by how often they come.
const KINDS: [Kind; 32] = {
    use Kind::{Add, Call, Copy, CopyAddress, LifetimeEnd, LifetimeStart, Load, LoadThrough};
    use Kind::{Print, Store, StoreThrough, VolatileLoad, VolatileStore};
    [
        Load,
        Load,
        Load,
        Load,
        Load,
        Load,
        Load,
        Load,
        Store,
        Store,
        Store,
        Store,
        Store,
        Store,
        Store,
        Store,
        Print,
        Print,
        Print,
        LoadThrough,
        LoadThrough,
        LoadThrough,
        StoreThrough,
        StoreThrough,
        LifetimeStart,
        LifetimeEnd,
        Add,
        Call,
        Copy,
        CopyAddress,
        VolatileLoad,
        VolatileStore,
    ]
};

/// Values are numbers, addresses of slots for numbers, addresses of slots for those, and so on: so many levels.
///
/// No slot holds values of two levels. If one did, what is printed as an undefined number could become an address.
const LEVELS: usize = 4;

fn type_of(level: usize) -> MemoryType<Type> {
    if level == 0 { MemoryType::Inner(Type::Number) } else { MemoryType::Address }
}

/// A block: of which levels it has phis, its steps, and what decides where it leads.
#[derive(Clone, Debug)]
struct Contents {
    has_phi: [bool; LEVELS],
    steps: Vec<Step>,
    chosen: usize,
}

/// The function that the bytes describe.
pub fn decode(bytes: &[u8]) -> MemoryFunction {
    let mut choices = Choices::new(bytes);
    // By slot: the level of what it holds, and whether it is made in another block than the entry.
    let slots: Vec<(usize, bool)> =
        (0..1 + choices.below(7)).map(|_| (choices.pick(&[0, 0, 0, 1, 1, 2]), choices.chance(5))).collect();
    let (mut contents, mut targets) = (Vec::new(), Vec::new());
    while contents.is_empty() || (!choices.is_empty() && contents.len() < BLOCKS) {
        contents.push(read_contents(&mut choices));
        targets.push(read_targets(contents.len(), &mut choices));
    }
    // Nothing leads into the entry from outside, so a phi has no operand for that.
    contents[0].has_phi = [false; LEVELS];
    let num_others = targets.len() - 1;
    let block = |target: Option<usize>| Block::new(target.map_or(0, |number| 1 + number % num_others));
    let blocks =
        |list: Vec<Option<usize>>| if num_others == 0 { Vec::new() } else { list.into_iter().map(block).collect() };
    let targets = targets.into_iter().map(blocks).collect();
    Source::new(&slots, &contents, targets).fill()
}

fn read_contents(choices: &mut Choices<'_>) -> Contents {
    let has_phi = [12, 8, 4, 0].map(|percent| choices.chance(percent));
    let num_steps = choices.below(7);
    let mut step = || {
        let rare = choices.below(256);
        let kind = if rare == 255 { Kind::PrintSlot } else { KINDS[rare % KINDS.len()] };
        Step { kind, first: choices.below(256), second: choices.below(256) }
    };
    let steps = (0..num_steps).map(|_| step()).collect();
    Contents { has_phi, steps, chosen: choices.below(256) }
}

/// Up to three targets, by their numbers among the blocks but the entry; the next block is the likeliest.
///
/// `None` is the entry. That is rare, since no slot of an entry with incoming edges can be promoted.
fn read_targets(next: usize, choices: &mut Choices<'_>) -> Vec<Option<usize>> {
    let count = choices.pick(&[1, 1, 2, 2, 2, 0, 3]);
    let target = |choices: &mut Choices<'_>| match choices.below(8) {
        0..3 => Some(next - 1),
        3 => Some(next.saturating_sub(2)),
        7 if choices.chance(4) => None,
        _ => Some(choices.below(BLOCKS)),
    };
    (0..count).map(|_| target(choices)).collect()
}

/// Values by level.
type Known = [Vec<Value>; LEVELS];

/// A function that is being filled.
struct Source<'c> {
    function: MemoryFunction,
    contents: &'c [Contents],
    targets: Vec<Vec<Block>>,
    tree: DominatorTree,
    /// Slot addresses, and the level of what each slot holds.
    slots: Vec<(Value, usize)>,
    /// By block: the slots that it makes.
    made: Vec<Vec<usize>>,
    /// By block: its phis, by level.
    phis: Vec<[Option<Value>; LEVELS]>,
    /// By block and step: its result and the level of that.
    results: Vec<Vec<Option<(Value, usize)>>>,
    /// What is there wherever control is.
    globals: Known,
}

impl<'c> Source<'c> {
    fn new(slots: &[(usize, bool)], contents: &'c [Contents], targets: Vec<Vec<Block>>) -> Self {
        let cfg = FlatCfg::from_successors(Block::new(0), &targets).expect("targets are blocks");
        let tree = DominatorTree::new(&cfg);
        let mut function = Function::new("f");
        let params = [(); 2].map(|()| function.add_value_param(None, type_of(0)));
        let mut globals: Known = Default::default();
        globals[0] = params.into_iter().chain([1, 7].map(|number| function.constant(number))).collect();
        for _ in contents {
            function.create_block();
        }
        let mut made = vec![Vec::new(); contents.len()];
        let place = |(number, &(level, is_elsewhere)): (usize, &(usize, bool))| {
            made[if is_elsewhere { number % contents.len() } else { 0 }].push(number);
            (function.new_value(None, MemoryType::Address), level)
        };
        let slots: Vec<(Value, usize)> = slots.iter().enumerate().map(place).collect();
        let mut source =
            Self { function, contents, targets, tree, slots, made, phis: Vec::new(), results: Vec::new(), globals };
        source.name_results();
        source
    }

    /// Gives every step that has a result a value, so that unreachable code can use all of them.
    fn name_results(&mut self) {
        for contents in self.contents {
            let mut value = |level: usize| self.function.new_value(None, type_of(level));
            let mut phis = [None; LEVELS];
            (0..LEVELS).filter(|&level| contents.has_phi[level]).for_each(|level| phis[level] = Some(value(level)));
            self.phis.push(phis);
            let level = |step: &Step| match step.kind {
                Kind::Load | Kind::VolatileLoad => Some(self.slots[step.first % self.slots.len()].1),
                Kind::LoadThrough => Some(step.level() - 1),
                Kind::Add | Kind::Copy | Kind::Call => Some(0),
                Kind::CopyAddress => Some(step.level()),
                _ => None,
            };
            let levels = contents.steps.iter().map(level);
            self.results.push(levels.map(|level| level.map(|level| (value(level), level))).collect());
        }
    }

    fn fill(mut self) -> MemoryFunction {
        let everything = self.everything();
        let mut at_end = vec![everything.clone(); self.contents.len()];
        for &block in &self.tree.preorder().to_vec() {
            let mut known =
                self.tree.idom(block).map_or_else(|| self.globals.clone(), |idom| at_end[idom.index()].clone());
            self.fill_block(block, &mut known);
            at_end[block.index()] = known;
        }
        for block in self.function.blocks() {
            if !self.tree.is_reachable(block) {
                self.fill_block(block, &mut everything.clone());
            }
        }
        self.add_phis(&at_end);
        self.function
    }

    /// All values of the function.
    fn everything(&self) -> Known {
        let mut all = self.globals.clone();
        self.slots.iter().for_each(|&(slot, level)| all[level + 1].push(slot));
        for (phis, results) in self.phis.iter().zip(&self.results) {
            phis.iter().zip(&mut all).for_each(|(phi, all)| all.extend(*phi));
            results.iter().flatten().for_each(|&(value, level)| all[level].push(value));
        }
        all
    }

    fn fill_block(&mut self, block: Block, known: &mut Known) {
        let contents = &self.contents[block.index()];
        self.phis[block.index()].iter().zip(&mut *known).for_each(|(phi, known)| known.extend(*phi));
        for number in self.made[block.index()].clone() {
            let (slot, level) = self.slots[number];
            let make = Inst::op::<Value>(MemoryOp::Slot(type_of(level)), []).with_results([slot]);
            self.function.push_inst(block, make);
            known[level + 1].push(slot);
        }
        for (step, result) in contents.steps.iter().zip(self.results[block.index()].clone()) {
            if let Some(inst) = self.inst(step, result, known) {
                self.function.push_inst(block, inst);
            } else if let Some((value, level)) = result {
                // There is nothing to do it with: an undefined value it is.
                let undefined = self.function.undefined_of_type(type_of(level));
                self.function.push_inst(block, Inst::copy(value, undefined));
            }
            result.into_iter().for_each(|(value, level)| known[level].push(value));
        }
        self.terminate(block, contents.chosen, known);
    }

    /// The instruction of a step, or `None` if it needs an address and there is none.
    fn inst(&self, step: &Step, result: Option<(Value, usize)>, known: &Known) -> Option<Inst<Memory<Basic>>> {
        let Step { kind, first, second } = *step;
        let number = |choice: usize| known[0][choice % known[0].len()];
        let any = |level: usize, choice: usize| known[level].get(choice % known[level].len().max(1)).copied();
        // One of a block that does not dominate this one is not there.
        let slot = self.slots[first % self.slots.len()];
        let slot = Some(slot).filter(|(slot, level)| known[level + 1].contains(slot));
        let through = any(step.level(), first);
        let is_volatile = matches!(kind, Kind::VolatileLoad | Kind::VolatileStore);
        let inner = MemoryOp::Inner;
        let inst = match kind {
            Kind::Load | Kind::VolatileLoad => Inst::op(MemoryOp::Load { is_volatile }, [slot?.0]),
            Kind::LoadThrough => Inst::op(MemoryOp::Load { is_volatile }, [through?]),
            Kind::Store | Kind::VolatileStore => {
                Inst::op(MemoryOp::Store { is_volatile }, [any(slot?.1, second)?, slot?.0])
            }
            Kind::StoreThrough => Inst::op(MemoryOp::Store { is_volatile }, [any(step.level() - 1, second)?, through?]),
            Kind::LifetimeStart => Inst::op(MemoryOp::LifetimeStart, [slot?.0]),
            Kind::LifetimeEnd => Inst::op(MemoryOp::LifetimeEnd, [slot?.0]),
            Kind::Print => Inst::op(inner(Op::Print), [number(first)]),
            Kind::PrintSlot => Inst::op(inner(Op::Print), [slot?.0]),
            Kind::Add => Inst::op(inner(Op::Binary(BinaryOp::Add)), [number(first), number(second)]),
            Kind::Call => Inst::op(inner(Op::Call(Call::new("g"))), [number(first)]),
            Kind::Copy => Inst::copy(result?.0, number(first)),
            Kind::CopyAddress => Inst::copy(result?.0, through?),
        };
        let is_copy = matches!(kind, Kind::Copy | Kind::CopyAddress);
        Some(if is_copy { inst } else { inst.with_results(result.map(|(value, _)| value)) })
    }

    /// Mostly what an opaque call has chosen decides: sure to be defined, and not the same every time.
    fn terminate(&mut self, block: Block, chosen: usize, known: &Known) {
        let targets = self.targets[block.index()].clone();
        let mut condition = known[0][chosen / 4 % known[0].len()];
        if targets.len() > 1 && !chosen.is_multiple_of(4) {
            let call = MemoryOp::Inner(Op::Call(Call::new("choose")));
            let (chosen, ten) = (self.function.new_value(None, type_of(0)), self.function.constant(10));
            self.function.push_inst(block, Inst::op(call, [ten]).with_results([chosen]));
            condition = self.function.new_value(None, type_of(0));
            let (rem, three) = (MemoryOp::Inner(Op::Binary(BinaryOp::Rem)), self.function.constant(3));
            self.function.push_inst(block, Inst::op(rem, [chosen, three]).with_results([condition]));
        }
        let inst = match targets[..] {
            [] => Inst::op(MemoryOp::Inner(Op::Return), [condition]),
            [target] => Inst::jump(target),
            [_, _] => Inst::op(MemoryOp::Inner(Op::Branch), [condition]),
            _ => Inst::op(MemoryOp::Inner(Op::Switch), [condition]),
        };
        let is_jump = targets.len() == 1;
        self.function.push_inst(block, if is_jump { inst } else { inst.with_targets(targets) });
    }

    /// Operands are something that is there at the end of the edge's source, or undefined.
    fn add_phis(&mut self, at_end: &[Known]) {
        for block in self.function.blocks() {
            for (level, phi) in self.phis[block.index()].into_iter().enumerate() {
                let Some(phi) = phi else { continue };
                let undefined = self.function.undefined_of_type(type_of(level));
                let chosen = self.contents[block.index()].chosen;
                let operand = |IncomingEdge { source, slot }: IncomingEdge| {
                    let known = &at_end[source.index()][level];
                    let choice = chosen + 3 * source.index() + slot as usize;
                    known.get(choice % (known.len() + 1)).copied().unwrap_or(undefined)
                };
                self.function.insert_phi(block, phi, None, operand);
            }
        }
    }
}
