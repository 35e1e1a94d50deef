//! Which blocks wait for which others to be linked, and in which order they are looked at again.

use super::dominators::Meeting;
use super::order::Order;
use alloc::vec::Vec;
use core::ops::Range;
use ssaphire_graph::{Block, IdMap, IdSet, PackedOption};

/// Sealed blocks that are not linked.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    /// By waiting block, the one that it waits for.
    pub(super) blocker: IdMap<Block, PackedOption<Block>>,
    /// By block, those that wait for it, in the order they began to: a list.
    pub(super) queues: IdMap<Block, Queue>,
    /// By waiting block, the next of its list.
    pub(super) next: IdMap<Block, PackedOption<Block>>,
    /// By block that has been looked at, how many of its sources are known to lie in one tree.
    pub(super) agreeing: IdMap<Block, Agreeing>,
    /// Blocks that are to be looked at again, as what they have waited for is known: the next one last.
    pub(super) again: Vec<Block>,
    /// Blocks that have waited, and wait no longer: their incomplete phis are to get operands.
    pub(super) released: Vec<Block>,
    /// Sources that are not known to be unreachable: each block's by operand index, on top of those before.
    pub(super) sources: Vec<Order>,
    /// The roots above the sources looked at last.
    pub(super) roots: Vec<Order>,
    /// Blocks that are in one another's way, and the same as a set.
    pub(super) group: Vec<Block>,
    pub(super) in_group: IdSet<Block>,
    /// Blocks that are linked together, with their sources, as a range of their own.
    pub(super) members: Vec<(Order, Block, Range<usize>)>,
    /// Where the sources of each meet.
    pub(super) meetings: Vec<Meeting>,
}

/// Sources of a block that lie in one tree, but for those that are unreachable.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Agreeing {
    /// The first of them that was not known to be unreachable.
    pub(super) first: usize,
    /// All sources before this one belong to them.
    pub(super) end: usize,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Queue {
    pub(super) first: PackedOption<Block>,
    pub(super) last: PackedOption<Block>,
}

impl Waiting {
    pub(super) fn clear(&mut self) {
        self.blocker.clear();
        self.queues.clear();
        self.next.clear();
        self.agreeing.clear();
        self.again.clear();
        self.released.clear();
        self.sources.clear();
    }

    /// The block that this one waits for.
    pub(super) fn blocker(&self, block: Block) -> Option<Block> {
        self.blocker.get(block)?.expand()
    }

    /// Whether no block has waited.
    pub(super) fn is_empty(&self) -> bool {
        self.blocker.is_empty()
    }

    pub(super) fn forget(&mut self, block: Block) {
        if let Some(blocker) = self.blocker.get_mut(block) {
            *blocker = PackedOption::NONE;
        }
    }

    pub(super) fn wait(&mut self, block: Block, blocker: Block) {
        self.blocker.grow_to(block, PackedOption::NONE);
        self.blocker[block] = blocker.into();
        self.next.grow_to(block, PackedOption::NONE);
        self.next[block] = PackedOption::NONE;
        self.queues.grow_to(blocker, Queue::default());
        let queue = &mut self.queues[blocker];
        match queue.last.replace(block).expand() {
            Some(before) => self.next[before] = block.into(),
            None => queue.first = block.into(),
        }
    }

    /// Lets the block alone be the group.
    pub(super) fn begin_group(&mut self, block: Block) {
        for member in self.group.drain(..) {
            self.in_group.remove(member);
        }
        self.group.push(block);
        self.in_group.insert(block);
    }

    /// Lets those that wait for the block be looked at again, in the order they began to wait.
    pub(super) fn wake(&mut self, block: Block) {
        let Some(queue) = self.queues.get_mut(block) else { return };
        let mut next = core::mem::take(queue).first;
        let num_before = self.again.len();
        while let Some(waiting) = next.expand() {
            self.again.push(waiting);
            self.blocker[waiting] = PackedOption::NONE;
            next = self.next[waiting];
        }
        self.again[num_before..].reverse();
    }
}
