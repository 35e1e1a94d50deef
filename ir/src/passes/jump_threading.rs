//! Jump threading: an edge into a block that will leave it by a known way leads to a copy of the block that goes there.
//!
//! The copy, one for a block and a way out of it, has the block's phis with the operands of the edges that are led to it,
//! and its instructions, but jumps. Each value of the block then has two or more definitions: `versions` finds which of
//! them reaches each use. Many edges are threaded at once, before any value is repaired.
//!
//! | Braun et al. 2013, Fig. 7 | here |
//! |---|---|
//! | the block with a branch that is decided on some paths | `Threading::find` |
//! | its copy | `Threading::copy` |
//! | SSA reconstruction of the values defined twice | `Versions::repair` |
//!
//! # Complexity
//! O(size of the function, and the blocks where copied values are live, by value) in each round, and as many rounds as
//! branches decide one after the other: those in a row on one phi take a round each, while there is room for copies.
//!
//! # Departures
//! The figure moves one edge. Here the phis of a copy hold what its edges brought for the phis of the block: such an operand
//! may be a value of the block itself, where the edge is a back edge, and is repaired like any use at the end of its source.

use super::versions::{Versions, new_version};
use super::{remove_redundant_phis, remove_unreachable_blocks};
use crate::dialect::Dialect;
use crate::edit::Incoming;
use crate::function::{Action, Arg, Dest, Function, IncomingEdge, Inst, InstRef, Phi, PhiRef};
use ssaphire::graph::{CfgError, FlatCfg, IdMap};
use ssaphire::repair::Position;
use ssaphire::{Block, Value};
use std::collections::BTreeMap;

/// What [`thread_jumps`] may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadingOptions {
    /// How many instructions a block may have that is copied, its branch not counted.
    pub max_insts: usize,
    /// How many instructions may be copied in all, for each one that there was.
    pub max_growth: usize,
}

impl Default for ThreadingOptions {
    fn default() -> Self {
        Self { max_insts: 8, max_growth: 1 }
    }
}

/// What [`thread_jumps`] has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Threaded {
    /// Edges that lead to a copy, or no longer to a branch.
    pub edges: usize,
    /// Blocks that were copied; some of them may have gone.
    pub copies: usize,
    /// Phis that the repair inserted; some of them may have gone.
    pub phis: usize,
    /// Times that all branches were looked at.
    pub rounds: usize,
}

/// Leads edges of `function` past branches that are decided by phis of their block, until there is none: how many.
///
/// Loops may be copied, and entered in the middle afterwards.
///
/// # Errors
/// If the graph breaks its contract.
pub fn thread_jumps<D: Dialect>(function: &mut Function<D>, options: ThreadingOptions) -> Result<Threaded, CfgError> {
    let mut report = Threaded::default();
    remove_unreachable_blocks(function)?;
    let num_insts: usize = function.blocks().map(|block| function.block(block).insts().len()).sum();
    let mut room = num_insts * options.max_growth;
    // No operand stands for what enters the function at its top.
    while function.block(function.entry()).incoming().is_empty() {
        report.rounds += 1;
        let mut threading = Threading { cfg: FlatCfg::new(function)?, ..Threading::default() };
        threading.find(function, options.max_insts, &mut room);
        if threading.threads.is_empty() {
            break;
        }
        report.edges += threading.threads.len();
        threading.copy(function);
        report.copies += threading.num_copies;
        report.phis += threading.versions.repair(function);
        remove_unreachable_blocks(function)?;
        remove_redundant_phis(function)?;
    }
    Ok(report)
}

/// An edge that will leave its target by a known slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Thread {
    /// Where the edge leads.
    block: Block,
    slot: usize,
    /// Its operand index there.
    index: usize,
    edge: IncomingEdge,
}

#[derive(Default)]
struct Threading {
    /// Before anything is changed.
    cfg: FlatCfg,
    /// By block, slot and operand index.
    threads: Vec<Thread>,
    num_copies: usize,
    /// The values of blocks that were copied.
    versions: Versions,
}

impl Threading {
    /// Finds the edges to thread, as long as there is room for copies.
    fn find<D: Dialect>(&mut self, function: &Function<D>, max_insts: usize, room: &mut usize) {
        let mut known = Known::new(function);
        for block in self.cfg.blocks().filter(|&block| block != self.cfg.entry()) {
            let data = function.block(block);
            let may_copy = |inst: InstRef<'_, D>| match inst.action {
                Action::Op(op) => D::may_copy(op),
                Action::Copy => true,
            };
            let is_small = data.body().len() <= max_insts;
            if data.phis().is_empty() || !is_small || !decides(function, block) || !data.body().iter().all(may_copy) {
                continue;
            }
            let first = self.threads.len();
            for (index, &edge) in data.incoming().iter().enumerate() {
                if !function.only_branches(edge.source) {
                    continue;
                }
                if let Some(slot) = known.slot_after(block, index) {
                    self.threads.push(Thread { block, slot, index, edge });
                }
            }
            self.threads[first..].sort_unstable();
            let num_copies = self.threads[first..].chunk_by(|one, other| one.slot == other.slot).count();
            let num_insts = num_copies * (data.body().len() + 1);
            if num_insts > *room {
                self.threads.truncate(first);
            } else {
                *room -= num_insts;
            }
        }
    }

    /// Copies each block once for each slot by which threaded edges leave it, and leads these edges there.
    fn copy<D: Dialect>(&mut self, function: &mut Function<D>) {
        let mut incoming = BTreeMap::new();
        for threads in self.threads.chunk_by(|one, other| one.block == other.block) {
            let block = threads[0].block;
            incoming.insert(block, others(function, block, threads.iter().map(|thread| thread.index).collect()));
        }
        let mut new_operands = Vec::new();
        let threads = std::mem::take(&mut self.threads);
        for threads in threads.chunk_by(|one, other| (one.block, one.slot) == (other.block, other.slot)) {
            let Thread { block, slot, .. } = threads[0];
            // The block's own edges may have been led elsewhere by now.
            let Some(edge) = self.cfg.edge_at(block, slot as u32) else { continue };
            let (target, edge) = (self.cfg.target(edge), self.cfg.operand_index(edge));
            let copy = self.copy_block(function, threads, target);
            // The copy leads to the target as the block did, with copies of what that passed.
            let passed = function.block(target).phis().iter().map(|phi| self.copied(phi.operands[edge], copy));
            let edges = incoming.entry(target).or_insert_with(|| others(function, target, Vec::new()));
            new_operands.push((target, edges.len(), passed.collect::<Vec<Value>>()));
            edges.push((IncomingEdge { source: copy, slot: 0 }, None));
            for thread in threads {
                function.set_target(thread.edge.source, thread.edge.slot as usize, copy);
            }
            self.num_copies += 1;
        }
        for (block, edges) in incoming {
            function.replace_incoming(block, &edges);
        }
        for (target, index, passed) in new_operands {
            for (phi, value) in passed.into_iter().enumerate() {
                function.set_operand(target, phi, index, value);
            }
        }
    }

    /// A copy of a block for these edges, all of which will leave it to `target`.
    fn copy_block<D: Dialect>(&mut self, function: &mut Function<D>, threads: &[Thread], target: Block) -> Block {
        let block = threads[0].block;
        let data = function.block(block);
        let phi = |phi: PhiRef<'_>| {
            let operands = threads.iter().map(|thread| phi.operands[thread.index]).collect();
            Phi { value: phi.value, variable: phi.variable, operands }
        };
        let (phis, body): (Vec<Phi>, _) = (data.phis().iter().map(phi).collect(), data.body().to_vec());
        let copy = function.create_block();
        let edges: Incoming = threads.iter().map(|thread| (thread.edge, None)).collect();
        function.replace_incoming(copy, &edges);
        for phi in phis {
            let value = self.copy_value(function, phi.value, Position::Entry, (block, copy));
            function.push_phi(copy, Phi { value, ..phi });
        }
        let num_insts = body.len();
        for (index, mut inst) in body.into_iter().enumerate() {
            for arg in &mut inst.args {
                if let Arg::Value(value) = arg {
                    *value = self.copied(*value, copy);
                }
            }
            for dest in &mut inst.results {
                if let Dest::Value(value) = dest {
                    *value = self.copy_value(function, *value, Position::At(index as u32), (block, copy));
                }
            }
            function.insert(copy, index, inst);
        }
        function.insert(copy, num_insts, Inst::jump(target));
        copy
    }

    /// Makes a value for a definition in a copy.
    fn copy_value<D: Dialect>(
        &mut self,
        function: &mut Function<D>,
        value: Value,
        position: Position,
        (block, copy): (Block, Block),
    ) -> Value {
        let version = new_version(function, value);
        if self.versions.last(value).is_none() {
            self.versions.define(value, block, position, value);
        }
        self.versions.define(value, copy, position, version);
        version
    }

    /// What stands for a value in the copy made last.
    fn copied(&self, value: Value, copy: Block) -> Value {
        self.versions.last(value).filter(|(block, _)| *block == copy).map_or(value, |(_, version)| version)
    }
}

/// Whether the block ends with nothing but a choice of its targets.
fn decides<D: Dialect>(function: &Function<D>, block: Block) -> bool {
    function.block(block).targets().len() > 1 && function.only_branches(block)
}

/// The incoming edges of a block but for those that are threaded, by operand index.
fn others<D: Dialect>(function: &Function<D>, block: Block, mut threaded: Vec<usize>) -> Incoming {
    threaded.sort_unstable();
    let mut threaded = threaded.into_iter().peekable();
    let edges = function.block(block).incoming().iter().copied().enumerate();
    let stays = edges.filter(|(index, _)| threaded.next_if_eq(index).is_none());
    stays.map(|(index, edge)| (edge, Some(index))).collect()
}

/// What is known on an edge.
struct Known<'f, D: Dialect> {
    function: &'f Function<D>,
    /// By value of the block at hand.
    constants: IdMap<Value, Option<D::Constant>>,
}

impl<'f, D: Dialect> Known<'f, D> {
    fn new(function: &'f Function<D>) -> Self {
        Self { function, constants: IdMap::filled(function.num_values(), None) }
    }

    /// The slot by which a block is left that was entered by its incoming edge number `index`, if that is known.
    fn slot_after(&mut self, block: Block, index: usize) -> Option<usize> {
        let data = self.function.block(block);
        for phi in data.phis().iter() {
            self.constants[phi.value] = self.function.as_constant(phi.operands[index]).cloned();
        }
        for inst in data.body().iter() {
            let result = match inst.action {
                Action::Op(op) => self.args(inst).and_then(|args| D::evaluate(op, &args)),
                Action::Copy => None,
            };
            for value in inst.defined_values() {
                self.constants[value] = result.clone();
            }
        }
        let slot = data.terminator().and_then(|terminator| {
            let Action::Op(op) = terminator.action else { return None };
            D::chosen_slot(op, &self.args(terminator)?, terminator.targets.len())
        });
        // Nothing of this is known elsewhere.
        let results = data.body().iter().flat_map(InstRef::defined_values);
        data.phis().iter().map(|phi| phi.value).chain(results).for_each(|value| self.constants[value] = None);
        slot
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
