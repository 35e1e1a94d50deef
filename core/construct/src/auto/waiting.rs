//! The blocks that wait until their dominators are known, the roots for which they wait, and the worklist of blocks to
//! check again.
//!
//! A block that waits has sources in two trees, and waits for the root of one. Once that is linked, the sources lie in
//! the tree of a root above. If that root is new enough, nothing more is known about the block, which then waits for
//! that root, together with others, in O(log *n*) for all of them.

use super::heaps::Heaps;
use super::node_id::NodeId;
use alloc::vec::Vec;
use ssaphire_graph::{Block, IdMap, PackedOption};

/// Sealed blocks that are not linked.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    /// By waiting block, the root for which it started to wait.
    blocker: IdMap<Block, PackedOption<Block>>,
    /// By root, the first to check of the blocks that wait for it, or for one that is linked below it.
    first: IdMap<Block, PackedOption<Block>>,
    /// The blocks that wait for the same root, by the newest root at which they have to be checked again.
    queues: Heaps<Block>,
    /// By waiting block, or one that is linked, the end of the chain of blocks that each wait for the next, and the
    /// number of broken chains when it was found.
    ends: IdMap<Block, (PackedOption<Block>, u32)>,
    /// How often blocks have ceased to wait.
    num_broken: u32,
    /// Blocks to check again, since the root that they waited for is linked or never will be: the next one last.
    again: Vec<Block>,
    /// Blocks to check after all of these.
    later: Vec<Block>,
    /// Blocks that no longer wait, and whose incomplete phis need operands.
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

    /// The root for which this block started to wait, if it waits; that may have been linked since.
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

    /// Lets the block wait for a root, and then for those above it, until one is `until` or older.
    pub(super) fn wait(&mut self, block: Block, blocker: Block, until: NodeId) {
        self.blocker.grow_to(block, PackedOption::NONE);
        self.blocker[block] = blocker.into();
        self.first.grow_to(blocker, PackedOption::NONE);
        self.first[blocker] = self.queues.insert(self.first[blocker], block, until);
    }

    /// Lets the blocks that wait for this one be checked again.
    pub(super) fn wake(&mut self, block: Block) {
        self.wake_until(block, NodeId::FIRST);
    }

    /// Lets those that wait for the block, which has been linked below the root `above`, whose node is given, wait for
    /// that root, or be checked again.
    pub(super) fn move_on(&mut self, block: Block, above: Block, node: NodeId) {
        self.wake_until(block, node);
        let Some(first) = self.first.get_mut(block) else { return };
        let rest = core::mem::take(first);
        self.first.grow_to(above, PackedOption::NONE);
        self.first[above] = self.queues.unite(self.first[above], rest);
    }

    /// Lets those that wait for the block until `node`, or a newer root, be checked again, the newest first.
    fn wake_until(&mut self, block: Block, node: NodeId) {
        let Some(first) = self.first.get_mut(block) else { return };
        let num_before = self.again.len();
        while let Some(waiting) = first.expand().filter(|&waiting| self.queues.key(waiting) >= node) {
            *first = self.queues.pop(waiting);
            self.again.push(waiting);
            // One that has been released meanwhile is taken off like all others; `link_again` passes over it.
            self.blocker[waiting] = PackedOption::NONE;
        }
        self.num_broken += u32::from(self.again.len() > num_before);
        // The last of the list is checked first.
        self.again[num_before..].reverse();
    }

    /// Makes the block the next one to be checked.
    pub(super) fn look_again(&mut self, block: Block) {
        self.again.push(block);
    }

    /// Lets the block be checked after the others on the worklist, if there are any. Returns whether there are.
    pub(super) fn look_later(&mut self, block: Block) -> bool {
        let are_others = !self.again.is_empty();
        if are_others {
            self.later.push(block);
        }
        are_others
    }

    /// The next block to check, which leaves the worklist.
    pub(super) fn next(&mut self) -> Option<Block> {
        self.again.pop().or_else(|| self.later.pop())
    }

    /// Ends the wait of the block. If it is in a queue, it stays there until its turn comes.
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
