//! The dominator path: the blocks that dominate the current one, by depth (`auto`).
//!
//! A block that is not linked is a *barrier*: what the blocks above it hold may
//! not hold below it. It stands on the path all the same, since it may be
//! linked later. A header whose hint is taken on trust is no barrier as long as
//! the path stays below it: the row forgets the variables of the hint there.

use super::blocks::{Blocks, NONE};
use super::intervals::Interval;
use crate::fault::{self, Fault};
use alloc::vec::Vec;
use ssaphire_graph::Block;

/// Going to a block climbs at most this far; what lies above then counts as unknown.
const LONGEST_CLIMB: usize = 64;

/// No block: what stands where the path is not known.
const NOWHERE: u32 = NONE - 1;

#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    /// Blocks by depth, the current one last. Where no block has that depth, the one above stands again.
    blocks: Vec<u32>,
    /// The least depth at which the path is known; what `blocks` holds above is stale.
    base: u32,
    /// Depths of the blocks that are not linked, or were not when they were put here, from above.
    barriers: Vec<u32>,
    /// The last barrier, or `base`.
    floor: u32,
    climbed: Vec<u32>,
    /// The block that is to be no barrier when the path leads to it next.
    passed: Option<Block>,
    /// Whether there was such a block: it stops lookups of the variables in its hint, and so leaps.
    has_passed: bool,
}

impl Path {
    pub(super) fn clear(&mut self) {
        self.blocks.clear();
        self.barriers.clear();
        (self.base, self.floor, self.passed, self.has_passed) = (0, 0, None, false);
    }

    /// Whether the block of that depth dominates the current block with no barrier between.
    #[inline]
    pub(super) fn is_open(&self, block: u32, depth: u32) -> bool {
        (self.floor <= depth || fault::is_on(Fault::BarriersArePassed))
            && self.blocks.get(depth as usize) == Some(&block)
    }

    /// Whether the block of that depth is on the path.
    #[inline]
    pub(super) fn has(&self, block: u32, depth: u32) -> bool {
        self.base <= depth && self.blocks.get(depth as usize) == Some(&block)
    }

    /// Depth of the current block; `NONE` where there is no path.
    #[inline]
    pub(super) fn depth(&self) -> u32 {
        (self.blocks.len() as u32).wrapping_sub(1)
    }

    /// The last barrier on the path, or its first block.
    #[inline]
    pub(super) fn barrier(&self) -> Option<Block> {
        self.blocks.get(self.floor as usize).map(|&block| Block::new(block as usize))
    }

    /// Makes the path lead to the block, which has been begun.
    #[inline(always)]
    pub(super) fn go_to(&mut self, blocks: &Blocks, block: Block) {
        let number = block.index() as u32;
        let &Interval { up, depth, .. } = blocks.interval(number);
        // A block stands at its own depth and nowhere else.
        if up != NONE && self.has(up, depth - 1) {
            if !fault::is_on(Fault::PathIsNotCut) {
                self.blocks.truncate(depth as usize);
            }
            self.blocks.push(number);
            if !self.barriers.is_empty() {
                self.cut(depth - 1);
                self.set_floor(blocks);
            }
        } else {
            self.go_far(blocks, block);
        }
    }

    /// Makes the path lead to a block that is not linked, or whose dominator is not on the path at the depth above.
    fn go_far(&mut self, blocks: &Blocks, block: Block) {
        let (number, parent) = (block.index() as u32, above(blocks, block.index() as u32));
        let &Interval { up, depth, .. } = blocks.interval(number);
        if parent != NONE && self.has(parent, depth - 1) {
            self.cut(depth - 1);
            self.blocks.truncate(depth as usize);
            self.blocks.push(number);
        } else {
            self.climb(blocks, block);
        }
        let keeps = fault::is_on(Fault::PassedHeadersStayPassed);
        let is_passed = if keeps { self.passed } else { self.passed.take() } == Some(block);
        if up == NONE && parent != NONE && !is_passed && !fault::is_on(Fault::UnsealedBlocksAreNoBarriers) {
            self.barriers.push(depth);
        }
        self.set_floor(blocks);
    }

    /// Lets the block, which is begun, be no barrier until the path leads elsewhere and comes back.
    pub(super) fn pass(&mut self, block: Block) {
        (self.passed, self.has_passed) = (Some(block), !fault::is_on(Fault::LeapsPassHintedHeaders));
    }

    /// The highest block from `block` upwards that was begun after that place, as far as no barrier is in the way.
    ///
    /// That block itself where headers were passed by their hints.
    ///
    /// Blocks that stand deeper on the path were begun later.
    #[inline]
    pub(super) fn highest_since(&self, blocks: &Blocks, block: u32, depth: u32, begun: u32) -> u32 {
        if self.has_passed || !self.has(block, depth) {
            return block;
        }
        let barriers = self.barriers.partition_point(|&barrier| barrier <= depth);
        let barriers = if fault::is_on(Fault::LeapsPassBarriers) { 0 } else { barriers };
        let top = barriers.checked_sub(1).map_or(self.base, |last| self.barriers[last]);
        let between = &self.blocks[top as usize..depth as usize];
        let begun = if fault::is_on(Fault::LeapsPassTheWriter) { begun.saturating_sub(2) } else { begun };
        let place = between.partition_point(|&number| blocks.interval(number).begun < begun);
        between.get(place).copied().unwrap_or(block)
    }

    /// Finds the last barrier; those that have been lifted since are forgotten as they come up.
    fn set_floor(&mut self, blocks: &Blocks) {
        self.floor = self.base;
        while let Some(&depth) = self.barriers.last() {
            let interval = blocks.interval(self.blocks[depth as usize]);
            if !interval.is_linked() && interval.depth == depth {
                self.floor = depth;
                break;
            }
            self.barriers.pop();
        }
    }

    /// Forgets the barriers deeper than `depth`.
    #[inline]
    fn cut(&mut self, depth: u32) {
        while self.barriers.last().is_some_and(|&barrier| barrier > depth && !fault::is_on(Fault::BarriersStay)) {
            self.barriers.pop();
        }
    }

    /// Puts the block and those above it on the path, up to the first that is there.
    #[cold]
    fn climb(&mut self, blocks: &Blocks, block: Block) {
        self.climbed.clear();
        let (mut at, mut depth) = (block.index() as u32, blocks.interval(block.index() as u32).depth);
        self.blocks.resize(depth as usize + 1, NOWHERE);
        for _ in 0..LONGEST_CLIMB {
            self.blocks[depth as usize] = at;
            let parent = above(blocks, at);
            if parent == NONE {
                self.base = 0;
                self.barriers.clear();
                return self.take_climbed();
            }
            let interval = blocks.interval(at);
            if at as usize != block.index() && !interval.is_linked() && !fault::is_on(Fault::ClimbsSeeNoBarriers) {
                self.climbed.push(interval.depth);
            }
            let next = blocks.interval(parent).depth;
            self.fill_gap(parent, next, depth);
            if self.has(parent, next) {
                self.cut(next);
                return self.take_climbed();
            }
            (at, depth) = (parent, next);
        }
        // What lies above is not worth the climb.
        self.base = if fault::is_on(Fault::StaleBlocksStayOnThePath) { 0 } else { depth + 1 };
        self.barriers.clear();
        self.take_climbed();
    }

    /// Lets the block stand at the depths between its own and that of the next one on the path, too.
    fn fill_gap(&mut self, block: u32, above: u32, below: u32) {
        if !fault::is_on(Fault::GapsAreLeft) {
            self.blocks[above as usize + 1..below as usize].fill(block);
        }
    }

    fn take_climbed(&mut self) {
        if fault::is_on(Fault::BarriersAreUpsideDown) {
            self.climbed.reverse();
        }
        self.barriers.extend(self.climbed.iter().rev());
    }

    /// The block, begun before, has been linked below its parent.
    pub(super) fn lift_barrier(&mut self, blocks: &Blocks, block: Block) {
        let interval = blocks.interval(block.index() as u32);
        if self.has(block.index() as u32, interval.depth) {
            self.fill_gap(interval.up, blocks.interval(interval.up).depth, interval.depth);
            self.set_floor(blocks);
        }
    }
}

/// The block above on the path: the dominator, or while the block is not linked the source of its first edge.
fn above(blocks: &Blocks, number: u32) -> u32 {
    let up = blocks.interval(number).up;
    if up == NONE { blocks.get(Block::new(number as usize)).parent } else { up }
}
