//! Blocks that are sealed automatically once their last expected edge has been added.

use alloc::vec::Vec;
use ssaphire_graph::Block;

/// Blocks that are to be sealed.
///
/// `terminate`, which adds edges, has no host to ask for phis. So blocks wait here, and the next call with a host seals
/// them before it does anything else.
#[derive(Clone, Debug, Default)]
pub struct SealQueue {
    /// Those whose last expected edge has been added, in that order.
    ready: Vec<Block>,
    is_idle: bool,
    /// Blocks that are sealed together; empty between calls.
    group: Vec<Block>,
}

impl SealQueue {
    /// Forgets the function; keeps memory.
    pub fn clear(&mut self) {
        self.ready.clear();
        self.is_idle = false;
        self.group.clear();
    }

    /// Whether a call with a host has no pending work: no block waits, and it is not the first such call.
    #[inline]
    pub fn is_idle(&self) -> bool {
        self.is_idle
    }

    /// Notes that the next call with a host has pending work.
    pub fn unsettle(&mut self) {
        self.is_idle = false;
    }

    /// Queues the block until the next call with a host.
    pub fn push(&mut self, block: Block) {
        self.ready.push(block);
        self.is_idle = false;
    }

    /// Takes the waiting blocks, which are to be sealed now.
    pub fn take_ready(&mut self) -> Vec<Block> {
        self.is_idle = true;
        let mut group = core::mem::take(&mut self.group);
        group.append(&mut self.ready);
        group
    }

    /// A list of the blocks, which are to be sealed now.
    pub fn group(&mut self, blocks: impl IntoIterator<Item = Block>) -> Vec<Block> {
        let mut group = core::mem::take(&mut self.group);
        group.extend(blocks);
        group
    }

    /// Takes the list of blocks back, which have been sealed, to use its memory again.
    pub fn reuse(&mut self, mut group: Vec<Block>) {
        group.clear();
        self.group = group;
    }
}
