//! Which blocks wait until their dominators are known, what for, and in which order they are looked at again.

use alloc::vec::Vec;
use ssaphire_graph::{Block, IdMap, PackedOption};

/// Sealed blocks that are not linked.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    /// By waiting block, the one that it waits for.
    blocker: IdMap<Block, PackedOption<Block>>,
    /// By block, those that wait for it, in the order they began to: a list.
    queues: IdMap<Block, Queue>,
    /// By waiting block, the next of its list.
    next: IdMap<Block, PackedOption<Block>>,
    /// Blocks that are to be looked at again, as what they have waited for is known: the next one last.
    again: Vec<Block>,
    /// Blocks that have waited, and wait no longer: their incomplete phis are to get operands.
    released: Vec<Block>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Queue {
    first: PackedOption<Block>,
    last: PackedOption<Block>,
}

impl Waiting {
    pub(super) fn clear(&mut self) {
        self.blocker.clear();
        self.queues.clear();
        self.next.clear();
        self.again.clear();
        self.released.clear();
    }

    /// Whether no block has waited.
    pub(super) fn is_empty(&self) -> bool {
        self.blocker.is_empty()
    }

    /// The block that this one waits for.
    pub(super) fn blocker(&self, block: Block) -> Option<Block> {
        self.blocker.get(block)?.expand()
    }

    /// Lets the block wait for another one.
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

    /// Lets the block be the next one that is looked at again.
    pub(super) fn look_again(&mut self, block: Block) {
        self.again.push(block);
    }

    /// The block that is to be looked at again.
    pub(super) fn next(&mut self) -> Option<Block> {
        self.again.pop()
    }

    /// The block waits no longer. If it is in a queue, it stays there until that is woken.
    pub(super) fn release(&mut self, block: Block) {
        if let Some(blocker) = self.blocker.get_mut(block) {
            *blocker = PackedOption::NONE;
        }
        self.released.push(block);
    }

    pub(super) fn num_released(&self) -> usize {
        self.released.len()
    }

    pub(super) fn released(&self, index: usize) -> Block {
        self.released[index]
    }

    pub(super) fn forget_released(&mut self) {
        self.released.clear();
    }
}
