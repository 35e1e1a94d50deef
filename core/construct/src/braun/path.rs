//! The dominator path: the blocks that dominate the current one, by depth (`auto`).
//!
//! A block that is not linked is a *barrier*: what the blocks above it hold may
//! not hold below it. It stands on the path all the same, since it may be
//! linked later.

use super::blocks::{Blocks, NONE};
use alloc::vec::Vec;
use ssaphire_graph::Block;

/// Going to a block climbs at most this far; what lies above then counts as unknown.
const LONGEST_CLIMB: usize = 64;

/// A depth at which no block stands.
const GAP: u32 = NONE - 1;

#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    blocks: Vec<u32>,
    /// Depth of the current block; what `blocks` holds deeper down is stale.
    top: u32,
    /// The least depth at which the path is known; what `blocks` holds above is stale.
    base: u32,
    /// Depths of the blocks that are not linked, from above.
    barriers: Vec<u32>,
    /// The last barrier, or `base`.
    floor: u32,
    climbed: Vec<u32>,
}

impl Path {
    pub(super) fn clear(&mut self) {
        self.blocks.clear();
        self.barriers.clear();
        (self.top, self.base, self.floor) = (0, 0, 0);
    }

    /// Whether the block of that depth dominates the current block with no barrier between.
    #[inline]
    pub(super) fn is_open(&self, block: u32, depth: u32) -> bool {
        self.floor <= depth && depth <= self.top && self.blocks.get(depth as usize) == Some(&block)
    }

    /// Whether the block of that depth is on the path.
    #[inline]
    pub(super) fn has(&self, block: u32, depth: u32) -> bool {
        self.base <= depth && depth <= self.top && self.blocks.get(depth as usize) == Some(&block)
    }

    /// Depth of the current block.
    #[inline]
    pub(super) fn depth(&self) -> u32 {
        self.top
    }

    /// The last barrier on the path, or its first block.
    #[inline]
    pub(super) fn barrier(&self) -> Option<Block> {
        self.blocks.get(self.floor as usize).map(|&block| Block::new(block as usize))
    }

    /// Makes the path lead to the block, which has been begun.
    #[inline]
    pub(super) fn go_to(&mut self, blocks: &Blocks, block: Block) {
        let interval = &blocks.get(block).interval;
        let (parent, depth) = (interval.parent, interval.depth);
        // A block stands at its own depth and nowhere else.
        if depth > 0 && self.has(parent, depth - 1) {
            self.cut(depth - 1);
            self.put(block.index() as u32, depth);
        } else {
            self.climb(blocks, block);
        }
        if interval.up == NONE && parent != NONE {
            self.barriers.push(depth);
        }
        self.top = depth;
        self.set_floor();
    }

    #[inline]
    fn set_floor(&mut self) {
        self.floor = self.barriers.last().copied().unwrap_or(self.base);
    }

    /// Forgets the barriers deeper than `depth`.
    #[inline]
    fn cut(&mut self, depth: u32) {
        while self.barriers.last().is_some_and(|&barrier| barrier > depth) {
            self.barriers.pop();
        }
    }

    #[inline]
    fn put(&mut self, block: u32, depth: u32) {
        let depth = depth as usize;
        match self.blocks.get_mut(depth) {
            Some(place) => *place = block,
            None => self.grow_and_put(block, depth),
        }
    }

    #[cold]
    fn grow_and_put(&mut self, block: u32, depth: usize) {
        self.blocks.resize(2 * depth + 8, GAP);
        self.blocks[depth] = block;
    }

    /// Puts the block and those above it on the path, up to the first that is there.
    #[cold]
    fn climb(&mut self, blocks: &Blocks, block: Block) {
        self.climbed.clear();
        let mut at = block.index() as u32;
        for _ in 0..LONGEST_CLIMB {
            let interval = blocks.interval(at);
            self.put(at, interval.depth);
            let parent = interval.parent;
            if parent == NONE {
                self.base = 0;
                self.barriers.clear();
                return self.take_climbed();
            }
            if at as usize != block.index() && interval.up == NONE {
                self.climbed.push(interval.depth);
            }
            let above = blocks.interval(parent).depth;
            self.blocks[above as usize + 1..interval.depth as usize].fill(GAP);
            if self.has(parent, above) {
                self.cut(above);
                return self.take_climbed();
            }
            at = parent;
        }
        // What lies above is not worth the climb.
        self.base = blocks.interval(at).depth + 1;
        self.barriers.clear();
        self.take_climbed();
    }

    fn take_climbed(&mut self) {
        self.barriers.extend(self.climbed.iter().rev());
    }

    /// The block, begun before, has been linked below its parent.
    pub(super) fn lift_barrier(&mut self, blocks: &Blocks, block: Block) {
        let interval = &blocks.get(block).interval;
        if !self.has(block.index() as u32, interval.depth) {
            return;
        }
        if let Some(place) = self.barriers.iter().rposition(|&barrier| barrier == interval.depth) {
            self.barriers.remove(place);
            self.set_floor();
        }
        let above = blocks.interval(interval.parent).depth;
        self.blocks[above as usize + 1..interval.depth as usize].fill(GAP);
    }
}
