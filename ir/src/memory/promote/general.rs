//! Slots that need phis: iterated frontiers where the slot is live, then one renaming for all slots.

use super::State;
use super::slots::{AccessKind, Slot};
use crate::dialect::Syntax;
use ssaphire_graph::{Block, IdMap, IteratedFrontier, Queue, Value, Variable};

/// A phi that was placed.
#[derive(Clone, Debug)]
pub(super) struct NewPhi {
    pub(super) block: Block,
    pub(super) value: Value,
    pub(super) name: Option<Variable>,
    /// The position of its slot among the general ones.
    slot: u32,
    /// By incoming edge. None has been found before renaming.
    pub(super) operands: Vec<Value>,
}

enum Step {
    Enter(Block),
    /// Undoes the changes but so many.
    Leave(usize),
}

/// What slots hold on the way down the dominator tree, and how to undo it.
struct Held {
    /// By slot; `None` where nothing was stored.
    values: Vec<Option<Value>>,
    undo: Vec<(u32, Option<Value>)>,
}

impl Held {
    fn change(&mut self, slot: u32, to: Value) {
        self.undo.push((slot, self.values[slot as usize].replace(to)));
    }

    fn leave(&mut self, left: usize) {
        for (slot, before) in self.undo.drain(left..).rev() {
            self.values[slot as usize] = before;
        }
    }
}

impl<D: Syntax> State<'_, D> {
    /// Places phis at the iterated frontiers of the stores, where the slot is live.
    pub(super) fn place_phis(&mut self, slots: &[Slot<D>]) {
        let num_blocks = self.cfg.num_blocks();
        let mut finder = IteratedFrontier::with_queue(Queue::BySize);
        let (mut stored, mut live) = (IdMap::filled(num_blocks, u32::MAX), IdMap::filled(num_blocks, u32::MAX));
        for (number, slot) in (0..).zip(slots) {
            let mut defining: Vec<Block> = slot.definitions().map(|access| access.block).collect();
            defining.dedup();
            defining.iter().for_each(|&block| stored[block] = number);
            self.find_live(slot, number, &stored, &mut live);
            let frontier = finder.of_live(&self.cfg, &self.tree, &defining, |block| live[block] == number).to_vec();
            for block in frontier {
                let value = self.function.new_value(slot.name, slot.ty.clone());
                let operands = Vec::new();
                self.phis.push(NewPhi { block, value, name: slot.name, slot: number, operands });
            }
        }
        self.phis.sort_by_key(|phi| phi.block);
        self.report.phis_placed += self.phis.len();
    }

    /// Marks the blocks at whose top the slot is live: those that load first, and those that lead there without a store.
    fn find_live(&self, slot: &Slot<D>, number: u32, stored: &IdMap<Block, u32>, live: &mut IdMap<Block, u32>) {
        let mut last = None;
        let firsts = slot.accesses.iter().filter(|access| last.replace(access.block) != Some(access.block));
        let loads = firsts.filter(|access| matches!(access.kind, AccessKind::Load(_)));
        let mut work: Vec<Block> = loads.map(|access| access.block).collect();
        while let Some(block) = work.pop() {
            if std::mem::replace(&mut live[block], number) == number {
                continue;
            }
            let sources = self.cfg.incoming(block).iter().map(|&edge| self.cfg.source(edge));
            work.extend(sources.filter(|&source| stored[source] != number && self.tree.is_reachable(source)));
        }
    }

    /// Finds what loads stand for and what phis merge, on the way down the dominator tree.
    pub(super) fn rename(&mut self, slots: &[Slot<D>]) {
        if slots.is_empty() {
            return;
        }
        let accesses = by_block(slots, self.cfg.num_blocks());
        let undefined: Vec<Value> = slots.iter().map(|slot| self.undefined(slot)).collect();
        for phi in &mut self.phis {
            // Edges from unreachable blocks keep this.
            phi.operands = vec![undefined[phi.slot as usize]; self.cfg.incoming(phi.block).len()];
        }
        let mut held = Held { values: vec![None; slots.len()], undo: Vec::new() };
        let mut steps = vec![Step::Enter(self.cfg.entry())];
        while let Some(step) = steps.pop() {
            match step {
                Step::Leave(left) => held.leave(left),
                Step::Enter(block) => {
                    steps.push(Step::Leave(held.undo.len()));
                    self.enter(block, &accesses[block], &undefined, &mut held);
                    steps.extend(self.tree.children(block).iter().rev().map(|&child| Step::Enter(child)));
                }
            }
        }
        self.forget_unreachable(&accesses, &undefined);
    }

    fn enter(&mut self, block: Block, accesses: &[(u32, u32, AccessKind)], undefined: &[Value], held: &mut Held) {
        for index in self.phis_of(block) {
            held.change(self.phis[index].slot, self.phis[index].value);
        }
        for &(_, slot, kind) in accesses {
            match kind {
                AccessKind::Store(value) => held.change(slot, value),
                AccessKind::Clear => held.change(slot, undefined[slot as usize]),
                AccessKind::Load(loaded) => {
                    let value = held.values[slot as usize].unwrap_or(undefined[slot as usize]);
                    self.replace(loaded, value);
                }
            }
        }
        for edge in self.cfg.outgoing(block) {
            let index = self.cfg.operand_index(edge);
            for phi in self.phis_of(self.cfg.target(edge)) {
                let slot = self.phis[phi].slot as usize;
                self.phis[phi].operands[index] = held.values[slot].unwrap_or(undefined[slot]);
            }
        }
    }

    /// The phis of the block, by position.
    fn phis_of(&self, block: Block) -> std::ops::Range<usize> {
        let start = self.phis.partition_point(|phi| phi.block < block);
        let len = self.phis[start..].partition_point(|phi| phi.block == block);
        start..start + len
    }

    /// What unreachable code loads is undefined.
    fn forget_unreachable(&mut self, accesses: &IdMap<Block, Vec<(u32, u32, AccessKind)>>, undefined: &[Value]) {
        for block in self.cfg.blocks() {
            if self.tree.is_reachable(block) {
                continue;
            }
            for &(_, slot, kind) in &accesses[block] {
                if let AccessKind::Load(loaded) = kind {
                    self.replace(loaded, undefined[slot as usize]);
                }
            }
        }
    }
}

/// By block, the accesses in order: position, slot, and what is done.
fn by_block<D: Syntax>(slots: &[Slot<D>], num_blocks: usize) -> IdMap<Block, Vec<(u32, u32, AccessKind)>> {
    let mut accesses = IdMap::filled(num_blocks, Vec::new());
    for (number, slot) in (0..).zip(slots) {
        for access in &slot.accesses {
            accesses[access.block].push((access.index, number, access.kind));
        }
    }
    accesses.values_mut().for_each(|accesses| accesses.sort_by_key(|&(index, ..)| index));
    accesses
}
