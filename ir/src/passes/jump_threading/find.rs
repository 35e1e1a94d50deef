//! Finds the edges to thread, one after the other: later ones use the facts that hold in earlier copies.

use super::ThreadingOptions;
use super::known::{Definition, Known};
use super::plan::{Plan, Way};
use crate::dialect::Semantics;
use crate::function::{Action, Arg, Function, InstRef};
use ssaphire::graph::{IdMap, Order};
use ssaphire::{Block, Value};
use std::collections::BTreeSet;

/// Looks at the ways into blocks that branch, and plans copies.
///
/// A way from a block that is not seen yet is looked at twice: for a constant that its edge brings, and again when the
/// source is seen. Before that, nothing else is asked about the source, since the answer would be kept.
pub(super) struct Finder<'f, D: Semantics> {
    function: &'f Function<D>,
    pub(super) plan: Plan,
    known: Known<'f, D>,
    max_insts: usize,
    order: Order,
    /// Ways to look at into blocks that are seen: the place of the block in reverse post-order, the block, the number.
    again: BTreeSet<(usize, Block, usize)>,
    /// By value that decides where the block at hand goes.
    constants: IdMap<Value, Option<D::Constant>>,
    is_wanted: IdMap<Value, bool>,
    pub(super) num_threads: usize,
    num_looks: usize,
}

/// The computation of a block's branch condition.
struct Decision {
    /// Phis, and values of other blocks.
    inputs: Vec<Value>,
    /// The numbers of instructions.
    insts: Vec<usize>,
}

/// Whether a block ends with nothing but a choice of its targets, and its instructions are few and may be copied.
pub(super) fn may_copy<D: Semantics>(function: &Function<D>, block: Block, max_insts: usize) -> bool {
    let data = function.block(block);
    let may_copy = |inst: InstRef<'_, D>| match inst.action {
        Action::Op(op) => D::properties(op).may_copy,
        Action::Copy => true,
    };
    let is_small = data.targets().len() > 1 && data.body().len() <= max_insts;
    is_small && function.only_branches(block) && data.body().iter().all(may_copy)
}

impl<'f, D: Semantics> Finder<'f, D> {
    pub(super) fn new(function: &'f Function<D>, plan: Plan, options: ThreadingOptions) -> Self {
        Self {
            function,
            order: Order::new(&plan.cfg),
            known: Known::new(function),
            max_insts: options.max_insts,
            again: BTreeSet::new(),
            plan,
            constants: IdMap::filled(function.num_values(), None),
            is_wanted: IdMap::filled(function.num_values(), false),
            num_threads: 0,
            num_looks: 0,
        }
    }

    /// Plans copies, as long as there is room.
    pub(super) fn run(&mut self, room: &mut usize) {
        let blocks: Vec<Block> = self.order.rpo().collect();
        for block in blocks {
            let num_ways = self.plan.see(block);
            self.thread(block, 0..num_ways, room);
            self.requeue_targets(block);
            while let Some((_, block, number)) = self.again.pop_first() {
                let mut numbers = vec![number];
                while self.again.first().is_some_and(|&(_, other, _)| other == block) {
                    numbers.extend(self.again.pop_first().map(|(.., number)| number));
                }
                self.thread(block, numbers, room);
            }
        }
    }

    /// Edges that were looked at, and edges by which values came.
    pub(super) fn num_steps(&self) -> usize {
        self.num_looks + self.known.num_sources
    }

    /// More is known about the values that a block passes along retreating edges: checks their targets again.
    fn requeue_targets(&mut self, block: Block) {
        for edge in self.plan.cfg.outgoing(block) {
            let cfg = &self.plan.cfg;
            self.requeue(cfg.target(edge), cfg.operand_index(edge));
        }
    }

    fn requeue(&mut self, block: Block, number: usize) {
        if let (true, Some(index)) = (self.plan.is_seen(block), self.order.rpo_index(block)) {
            self.again.insert((index, block, number));
        }
    }

    /// Threads ways into a block, if it is one that may be copied.
    fn thread(&mut self, block: Block, numbers: impl IntoIterator<Item = usize>, room: &mut usize) {
        if block == self.plan.cfg.entry() || !may_copy(self.function, block, self.max_insts) {
            return;
        }
        let decision = self.decision(block);
        let has_phis = !self.function.block(block).phis().is_empty();
        if !has_phis && !decision.inputs.iter().any(|&input| self.is_copied(input)) {
            return;
        }
        let mut threads = Vec::new();
        for number in numbers {
            self.num_looks += 1;
            let Some(way) = self.plan.way(block, number) else { continue };
            if let Some(slot) = self.slot_after(block, way, &decision) {
                threads.push((slot, number));
            }
        }
        threads.sort_unstable();
        threads.dedup();
        let num_copies = threads.chunk_by(|one, other| one.0 == other.0).count();
        let num_insts = num_copies * (self.function.block(block).body().len() + 1);
        if threads.is_empty() || num_insts > *room {
            return;
        }
        *room -= num_insts;
        self.num_threads += threads.len();
        for added in self.plan.copy_block(block, &threads) {
            self.requeue(added.block, added.number);
        }
    }

    fn is_copied(&self, value: Value) -> bool {
        match self.known.definition(value) {
            Definition::Phi(home, _) | Definition::Inst(home) => self.plan.is_copied(home),
            Definition::Other => false,
        }
    }

    /// The part of a block that its branch depends on.
    fn decision(&mut self, block: Block) -> Decision {
        let data = self.function.block(block);
        let (mut inputs, mut insts) = (Vec::new(), Vec::new());
        let mut want = |inst: InstRef<'_, D>, is_wanted: &mut IdMap<Value, bool>| {
            for arg in inst.args {
                if let Arg::Value(value) = *arg {
                    inputs.extend((!is_wanted[value]).then_some(value));
                    is_wanted[value] = true;
                }
            }
        };
        data.terminator().into_iter().for_each(|terminator| want(terminator, &mut self.is_wanted));
        for (index, inst) in data.body().iter().enumerate().rev() {
            if inst.defined_values().any(|value| self.is_wanted[value]) {
                insts.push(index);
                want(inst, &mut self.is_wanted);
            }
        }
        insts.reverse();
        inputs.iter().for_each(|&value| self.is_wanted[value] = false);
        inputs.retain(|&value| !matches!(self.known.definition(value), Definition::Inst(home) if home == block));
        Decision { inputs, insts }
    }

    /// The slot that the branch of a block takes after control enters by `way`, if that is known.
    fn slot_after(&mut self, block: Block, way: Way, decision: &Decision) -> Option<u32> {
        let source = self.plan.original(way.edge.source);
        if source == way.edge.source && !self.function.only_branches(source) {
            return None;
        }
        // Whatever is read has been set for this way: all inputs are needed.
        for &input in &decision.inputs {
            self.constants[input] = Some(self.constant_after(block, way, input)?);
        }
        let data = self.function.block(block);
        for inst in decision.insts.iter().filter_map(|&index| data.body().get(index)) {
            let result = match inst.action {
                Action::Op(op) => self.args(inst).and_then(|args| D::evaluate(op, &args)),
                Action::Copy => None,
            };
            for value in inst.defined_values() {
                self.constants[value] = result.clone();
            }
        }
        let terminator = data.terminator()?;
        let Action::Op(op) = terminator.action else { return None };
        D::chosen_slot(op, &self.args(terminator)?, terminator.targets.len())
    }

    /// The constant value of `value` in a block after control enters by `way`.
    fn constant_after(&mut self, block: Block, way: Way, value: Value) -> Option<D::Constant> {
        let passed = self.known.passed(block, way.index, value);
        let constant = if self.function.as_constant(passed).is_some() {
            passed
        } else if self.plan.is_seen(way.edge.source) {
            self.known.at_end(&self.plan, way.edge.source, passed)?
        } else {
            return None;
        };
        self.function.as_constant(constant).cloned()
    }

    /// The arguments, if all are constants.
    fn args(&self, inst: InstRef<'_, D>) -> Option<Vec<D::Constant>> {
        let constant = |arg: &Arg| match *arg {
            Arg::Value(value) => self.function.as_constant(value).or(self.constants[value].as_ref()).cloned(),
            Arg::Variable(_) => None,
        };
        inst.args.iter().map(constant).collect()
    }
}
