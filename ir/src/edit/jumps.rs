//! Replaces many terminators with jumps at once.

use crate::dialect::Syntax;
use crate::function::{Action, Function, IncomingEdge, Inst};
use ssaphire_graph::{Block, IdMap};

/// # Jumps
impl<D: Syntax> Function<D> {
    /// Ends each block that has a target in `target_of` with a jump to it.
    ///
    /// If the block already has edges to this target, the first of them is kept with its operands; otherwise the new
    /// edge comes last, with undefined operands.
    ///
    /// # Complexity
    /// O(size of the function), but for sorting the new edges.
    pub(crate) fn make_jumps(&mut self, target_of: &IdMap<Block, Option<Block>>) {
        let slot_there = |block: Block| {
            let target = target_of[block]?;
            let mut slots = (0..).zip(self.block(block).targets());
            slots.find(|&(_, &other)| other == target).map(|(slot, _)| slot)
        };
        let kept_slot = self.blocks().map(slot_there).collect();
        self.make_jumps_that_keep(target_of, &kept_slot);
    }

    /// Ends each block that has a slot in `slot_of` with a jump to the target in this slot.
    ///
    /// This edge keeps its operands, and all other edges of the block are removed.
    ///
    /// # Complexity
    /// O(size of the function).
    pub(crate) fn keep_slots(&mut self, slot_of: &IdMap<Block, Option<u32>>) {
        let target = |block: Block| self.block(block).targets().get(slot_of[block]? as usize).copied();
        let target_of = self.blocks().map(target).collect();
        self.make_jumps_that_keep(&target_of, slot_of);
    }

    fn make_jumps_that_keep(&mut self, target_of: &IdMap<Block, Option<Block>>, kept_slot: &IdMap<Block, Option<u32>>) {
        let is_new = |&block: &Block| kept_slot[block].is_none();
        let new = self.blocks().filter(is_new).filter_map(|block| Some((target_of[block]?, block)));
        let mut new: Vec<(Block, Block)> = new.collect();
        new.sort_unstable();
        let mut new = new.into_iter().peekable();
        for block in self.blocks() {
            let mut edges = Vec::new();
            for (index, &edge) in self.block(block).incoming().iter().enumerate() {
                match target_of[edge.source] {
                    None => edges.push((edge, Some(index))),
                    Some(_) if kept_slot[edge.source] == Some(edge.slot) => {
                        edges.push((IncomingEdge { slot: 0, ..edge }, Some(index)));
                    }
                    Some(_) => {}
                }
            }
            while let Some((_, source)) = new.next_if(|&(target, _)| target == block) {
                edges.push((IncomingEdge { source, slot: 0 }, None));
            }
            if !edges.iter().map(|(edge, _)| edge).eq(self.block(block).incoming()) {
                self.replace_incoming(block, &edges);
            }
        }
        for (block, target) in target_of.iter().filter_map(|(block, target)| Some((block, (*target)?))) {
            self.end_with_jump(block, target);
        }
        self.compact_if_wasteful();
    }

    /// Changes the targets of `block`; edges are not touched.
    pub(crate) fn retarget(&mut self, block: Block, new: impl Fn(Block) -> Block) {
        if let Some(terminator) = self.code.insts.get(self.blocks[block].insts).last() {
            self.code.targets.span_mut(terminator.targets).iter_mut().for_each(|target| *target = new(*target));
        }
    }

    /// Replaces the terminator with a jump; edges are not touched.
    fn end_with_jump(&mut self, block: Block, target: Block) {
        let Some(terminator) = self.block(block).terminator() else { return };
        if terminator.targets == [target] && *terminator.action == Action::Op(D::jump()) {
            return;
        }
        let values: Vec<_> = terminator.defined_values().collect();
        self.values.detach(values);
        let body = self.block(block).body().len();
        self.keep_insts(block, |index| index < body);
        self.insert(block, body, Inst::jump(target));
    }
}
