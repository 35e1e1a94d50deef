//! Jump threading: an edge into a block that will leave it by a known way leads to a copy of the block that goes there.
//!
//! The copy, one for a block and a way out of it, has the block's phis with the operands of the edges that are led to it,
//! and its instructions, but jumps. Each value of the block then has two or more definitions: [`Repair`] finds which of
//! them reaches each use. Many edges are threaded at once, before any value is repaired.
//!
//! | Braun et al. 2013, Fig. 7 | here |
//! |---|---|
//! | the block with a branch that is decided on some paths | `Threading::find` |
//! | its copy | `Threading::copy` |
//! | SSA reconstruction of the values defined twice | `Threading::repair` |
//!
//! # Complexity
//! O(size of the function) in each round, and as many rounds as branches decide one after the other.
//!
//! # Departures
//! The figure moves one edge. Here the phis of a copy hold what its edges brought for the phis of the block: such an operand
//! may be a value of the block itself, where the edge is a back edge, and is repaired like any use at the end of its source.

use super::{remove_redundant_phis, remove_unreachable_blocks};
use crate::dialect::Dialect;
use crate::function::{Action, Arg, Dest, Function, IncomingEdge, Inst, InstRef, Phi, PhiRef};
use ssaphire::graph::{CfgError, FlatCfg, IdLists, IdMap};
use ssaphire::repair::{Position, Repair, Use};
use ssaphire::{Block, PhiHost, Value, Variable};
use ssaphire_graph::internal_id;
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
        report.phis += threading.repair(function);
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

internal_id!(
    /// Number of a value of which there are copies.
    Copied, "copied"
);

/// A value of which there are copies.
#[derive(Debug)]
struct Versions {
    value: Value,
    /// Where it is defined, in its block and in the copies of that.
    position: Position,
    block: Block,
    /// The copies: of its block, and of itself.
    copies: Vec<(Block, Value)>,
}

/// Where a value is used.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// Block, phi and operand.
    Operand(Block, usize, usize),
    /// Block, instruction and argument.
    Arg(Block, usize, usize),
}

/// The incoming edges that a block gets: those that it has with their indices, and new ones.
type Incoming = Vec<(IncomingEdge, Option<usize>)>;

#[derive(Default)]
struct Threading {
    /// Before anything is changed.
    cfg: FlatCfg,
    /// By block, slot and operand index.
    threads: Vec<Thread>,
    num_copies: usize,
    /// The values of blocks that were copied.
    versions: IdMap<Copied, Versions>,
    version_of: IdMap<Value, Option<Copied>>,
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
                if !only_branches(function, edge.source) {
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
        self.version_of.reset(function.num_values(), None);
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
        let data = function.value(value);
        let (name, ty) = (data.name, data.ty.clone());
        let made = function.new_value(name, ty);
        let version = self.version_of[value].unwrap_or_else(|| {
            let version = self.versions.push(Versions { value, position, block, copies: Vec::new() });
            self.version_of[value] = Some(version);
            version
        });
        self.versions[version].copies.push((copy, made));
        made
    }

    /// What stands for a value in the copy made last.
    fn copied(&self, value: Value, copy: Block) -> Value {
        let version = self.version_of.get(value).copied().flatten();
        let last = version.and_then(|version| self.versions[version].copies.last());
        last.filter(|(block, _)| *block == copy).map_or(value, |&(_, value)| value)
    }

    /// Finds for each use of a copied value which of the definitions reach it: number of phis inserted.
    fn repair<D: Dialect>(&self, function: &mut Function<D>) -> usize {
        let mut uses = IdLists::new();
        uses.rebuild(self.versions.len(), self.uses(function).into_iter());
        let mut repair = Repair::new();
        let (mut phis, mut changes) = (Vec::new(), Vec::new());
        for (copied, versions) in self.versions.iter() {
            repair.begin(Variable::new(0));
            if !function.block(versions.block).incoming().is_empty() {
                repair.define(versions.block, versions.position, versions.value);
            }
            for &(copy, value) in &versions.copies {
                repair.define(copy, versions.position, value);
            }
            let asked: Vec<(Place, Use)> =
                uses.of(copied).iter().map(|&place| (place, place.ask(function, &mut repair))).collect();
            repair.decide(function).expect("the blocks are there, each defines once, and nothing leads to the entry");
            let repaired = repair.insert_phis(&mut Versioned { function, like: versions.value });
            phis.extend(repaired.phis().map(|phi| (phi.block, phi.value, phi.operands.to_vec())));
            changes.extend(asked.into_iter().map(|(place, use_)| (place, repaired.value(use_))));
        }
        for (place, value) in changes {
            match place {
                Place::Operand(block, phi, index) => function.set_operand(block, phi, index, value),
                Place::Arg(block, inst, arg) => function.set_arg(block, inst, arg, value),
            }
        }
        let num_phis = phis.len();
        for (block, value, operands) in phis {
            let variable = function.value(value).name;
            function.push_phi(block, Phi { value, variable, operands: operands.into() });
        }
        num_phis
    }

    /// The uses of values that were copied.
    fn uses<D: Dialect>(&self, function: &Function<D>) -> Vec<(Copied, Place)> {
        let mut uses = Vec::new();
        let version_of = |value: Value| self.version_of.get(value).copied().flatten();
        for block in function.blocks() {
            let data = function.block(block);
            for (index, phi) in data.phis().iter().enumerate() {
                for (operand, &value) in phi.operands.iter().enumerate() {
                    uses.extend(version_of(value).map(|version| (version, Place::Operand(block, index, operand))));
                }
            }
            for (index, inst) in data.insts().iter().enumerate() {
                for (place, arg) in inst.args.iter().enumerate() {
                    let Arg::Value(value) = *arg else { continue };
                    uses.extend(version_of(value).map(|version| (version, Place::Arg(block, index, place))));
                }
            }
        }
        uses
    }
}

impl Place {
    /// Adds the use to those of a repair.
    fn ask<D: Dialect>(self, function: &Function<D>, repair: &mut Repair) -> Use {
        match self {
            Self::Operand(block, _, index) => {
                repair.use_at(function.block(block).incoming()[index].source, Position::End)
            }
            Self::Arg(block, index, _) => repair.use_at(block, Position::At(index as u32)),
        }
    }
}

/// A function in which a value gets new versions.
struct Versioned<'f, D: Dialect> {
    function: &'f mut Function<D>,
    like: Value,
}

impl<D: Dialect> PhiHost for Versioned<'_, D> {
    fn new_phi(&mut self, _: Block, _: Variable) -> Value {
        let data = self.function.value(self.like);
        let (name, ty) = (data.name, data.ty.clone());
        self.function.new_value(name, ty)
    }

    fn undefined(&mut self, _: Variable) -> Value {
        let data = self.function.value(self.like);
        let (name, ty) = (data.name, data.ty.clone());
        self.function.values.undefined(name, ty)
    }
}

/// Whether the block ends with nothing but a choice of its targets.
fn decides<D: Dialect>(function: &Function<D>, block: Block) -> bool {
    function.block(block).targets().len() > 1 && only_branches(function, block)
}

fn only_branches<D: Dialect>(function: &Function<D>, block: Block) -> bool {
    let terminator = function.block(block).terminator();
    terminator.is_some_and(|inst| matches!(inst.action, Action::Op(op) if D::only_branches(op)))
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
