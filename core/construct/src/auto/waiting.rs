//! Which blocks wait until their dominators are known, which roots they wait for, and which of them are to be looked
//! at again.
//!
//! A block that waits has sources in two trees, and waits for the root of one. Once that is linked, the sources lie in the tree of a root
//! above. If that was begun late enough, nothing more is known about the block, which goes on to wait for that root, together with others,
//! in O(log *n*) for all of them.

use super::heaps::Heaps;
use super::order::Order;
use alloc::vec::Vec;
use ssaphire_graph::{Block, IdMap, PackedOption};

/// Sealed blocks that are not linked.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    /// By waiting block, the one that it has begun to wait for.
    blocker: IdMap<Block, PackedOption<Block>>,
    /// By root, the one of those that wait for it, or for one that is linked below it, that is to be looked at first.
    first: IdMap<Block, PackedOption<Block>>,
    /// The blocks that wait for the same root, by the latest root at which they have to be looked at again.
    queues: Heaps<Block>,
    /// By waiting block, or one that is linked, the end of the chain of blocks that each wait for the next, and the
    /// number of broken chains when it was found.
    ends: IdMap<Block, (PackedOption<Block>, u32)>,
    /// How often blocks have ceased to wait.
    num_broken: u32,
    /// Blocks that are to be looked at again, since the root that they waited for is linked or never will be: the next
    /// one last.
    again: Vec<Block>,
    /// Blocks that are to be looked at again once all these have been.
    later: Vec<Block>,
    /// Blocks that have waited, and wait no longer: their incomplete phis are to get operands.
    released: Vec<Block>,
}

impl Waiting {
    pub(super) fn clear(&mut self) {
        self.blocker.clear();
        self.first.clear();
        self.queues.clear();
        self.ends.clear();
        self.num_broken = 0;
        self.again.clear();
        self.later.clear();
        self.released.clear();
    }

    /// Whether no block has waited.
    pub(super) fn is_empty(&self) -> bool {
        self.blocker.is_empty()
    }

    /// The block that this one has begun to wait for, if it waits; that may have been linked since.
    pub(super) fn blocker(&self, block: Block) -> Option<Block> {
        self.blocker.get(block)?.expand()
    }

    /// Whether blocks wait for this one.
    pub(super) fn has_queue(&self, block: Block) -> bool {
        self.first.get(block).is_some_and(|first| first.is_some())
    }

    /// The end of the chain that the block is in, if it was found before: that may go on by now.
    pub(super) fn known_end(&self, block: Block) -> Option<Block> {
        let &(end, num_broken) = self.ends.get(block)?;
        // A chain that has been broken may end earlier; one that has become longer still leads to this end.
        end.expand().filter(|_| num_broken == self.num_broken)
    }

    pub(super) fn set_end(&mut self, block: Block, end: Block) {
        self.ends.grow_to(block, (PackedOption::NONE, 0));
        self.ends[block] = (end.into(), self.num_broken);
    }

    /// Lets the block wait for a root, and then for those above it, until one was begun at `until` or before.
    pub(super) fn wait(&mut self, block: Block, blocker: Block, until: Order) {
        self.blocker.grow_to(block, PackedOption::NONE);
        self.blocker[block] = blocker.into();
        self.first.grow_to(blocker, PackedOption::NONE);
        self.first[blocker] = self.queues.insert(self.first[blocker], block, until);
    }

    /// Lets those that wait for the block be looked at again.
    pub(super) fn wake(&mut self, block: Block) {
        self.wake_until(block, Order::FIRST);
    }

    /// Lets those that wait for the block, which has been linked below the root `above`, begun as `order`, wait for that,
    /// or be looked at again.
    pub(super) fn move_on(&mut self, block: Block, above: Block, order: Order) {
        self.wake_until(block, order);
        let Some(first) = self.first.get_mut(block) else { return };
        let rest = core::mem::take(first);
        self.first.grow_to(above, PackedOption::NONE);
        self.first[above] = self.queues.unite(self.first[above], rest);
    }

    /// Lets those that wait for the block until `order`, or a root begun later, be looked at again, the latest one first.
    fn wake_until(&mut self, block: Block, order: Order) {
        let Some(first) = self.first.get_mut(block) else { return };
        let num_before = self.again.len();
        while let Some(waiting) = first.expand().filter(|&waiting| self.queues.key(waiting) >= order) {
            *first = self.queues.pop(waiting);
            self.again.push(waiting);
            // One that has been released meanwhile is taken off like all others; `link_again` passes over it.
            self.blocker[waiting] = PackedOption::NONE;
        }
        self.num_broken += u32::from(self.again.len() > num_before);
        // The last of the list is looked at first.
        self.again[num_before..].reverse();
    }

    /// Lets the block be the next one that is looked at again.
    pub(super) fn look_again(&mut self, block: Block) {
        self.again.push(block);
    }

    /// Lets the block be looked at again after the others that are to be looked at, if there are any. Returns whether
    /// there are.
    pub(super) fn look_later(&mut self, block: Block) -> bool {
        let are_others = !self.again.is_empty();
        if are_others {
            self.later.push(block);
        }
        are_others
    }

    /// The block that is to be looked at again.
    pub(super) fn next(&mut self) -> Option<Block> {
        self.again.pop().or_else(|| self.later.pop())
    }

    /// Ends the wait of the block. If it is in a queue, it stays there until it is looked at.
    pub(super) fn release(&mut self, block: Block) {
        // Heaps cannot drop a member, so the block stays in its queue; it never waits again, and so is in one queue
        // at most.
        if self.blocker.get_mut(block).is_some_and(|blocker| core::mem::take(blocker).is_some()) {
            self.num_broken += 1;
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
