//! Dominator intervals: what lies between a block and the nearest one above it that all paths pass (`auto`).
//!
//! When a block is sealed, the nearest common dominator of its predecessors is
//! found by climbing, and with it which variables are written on the way: 64
//! bits, exact for that many variables and a filter beyond. A lookup of any
//! other variable goes on at the dominator: no phi, no join to enter, nothing
//! to remember. Where that cannot be found out (an irreducible loop, a block
//! begun before all that lead to it) the block is not *linked*, and lookups
//! treat it as Braun et al. 2013 do.
//!
//! A join needs a phi for a variable exactly if the variable is written in its
//! interval: such a write does not strictly dominate the join, so the join is
//! in its iterated dominance frontier (Cytron et al. 1991, Lemma 4 and Theorem
//! 2, applied to a path from the write to the join).
//!
//! # Complexity
//! Linking a block climbs at most 64 + 8 · (incoming edges) blocks.
//!
//! # Departures
//! Not in Braun et al. 2013: this is our own.

use super::Builder;
use super::blocks::NONE;
use crate::observe::Observer;
use crate::result::IncomingEdge;
use ssaphire_graph::Block;

/// A block's place below its dominator.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    /// Number of a block that dominates this one strictly, once linked; `NONE` before.
    pub(super) up: u32,
    /// The block above on the dominator path: `up`, or while not linked the source of the first edge.
    pub(super) parent: u32,
    pub(super) depth: u32,
    /// Place in the order in which blocks were begun; `NONE` before.
    pub(super) begun: u32,
    visited: u32,
    /// Variables written between `up` and the top of the block, by their bit.
    pub(super) between: u64,
    /// Variables written in the block, by their bit.
    pub(super) written: u64,
}

impl Interval {
    pub(super) const NEW: Self =
        Self { up: NONE, parent: NONE, depth: 0, begun: NONE, visited: 0, between: 0, written: 0 };

    /// Variables written from below `up` to the end of the block.
    fn all(&self) -> u64 {
        self.between | self.written
    }
}

/// What linking keeps from block to block of a function.
#[derive(Clone, Debug, Default)]
pub(super) struct Intervals {
    num_begun: u32,
    visit: u32,
    /// Whether a block with incoming edges is sealed and not linked.
    pub(super) has_unlinked: bool,
}

impl Intervals {
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

impl<O: Observer> Builder<O> {
    /// Gives the block its place in the order of construction, at its first access or when it is filled: that place.
    #[inline]
    pub(super) fn begin(&mut self, block: Block) -> u32 {
        let data = self.blocks.mention(block);
        if data.is_begun {
            return data.interval.begun;
        }
        let begun = self.intervals.num_begun;
        data.is_begun = true;
        data.interval.begun = begun;
        self.intervals.num_begun += 1;
        if data.interval.up == NONE && !data.is_sealed {
            self.begin_unsealed(block);
        }
        begun
    }

    /// The block stands below the source of its first edge, where it will be linked if no other edge comes from above.
    fn begin_unsealed(&mut self, block: Block) {
        if let Some(source) = self.blocks.first_source(block) {
            let depth = self.blocks.get(source).interval.depth + 1;
            let interval = &mut self.blocks.get_mut(block).interval;
            (interval.parent, interval.depth) = (source.index() as u32, depth);
        }
    }

    /// Links a block that has just been sealed, if it can be.
    #[inline]
    pub(super) fn link(&mut self, block: Block) {
        let begun = self.blocks.get(block).interval.begun;
        let (up, between) = match *self.blocks.incoming(block) {
            [] => return,
            [IncomingEdge { source, .. }] if self.blocks.get(source).interval.begun < begun => {
                (source.index() as u32, 0)
            }
            [_] => (NONE, 0),
            _ => self.climb_to_dominator(block).unwrap_or((NONE, 0)),
        };
        let depth = if up == NONE { 0 } else { self.blocks.interval(up).depth + 1 };
        let interval = &mut self.blocks.get_mut(block).interval;
        if begun != NONE {
            self.link_begun(block, up, between);
        } else if up == NONE {
            self.intervals.has_unlinked = true;
        } else {
            (interval.up, interval.parent, interval.depth, interval.between) = (up, up, depth, between);
        }
    }

    /// Links a block that stands on its place already.
    fn link_begun(&mut self, block: Block, up: u32, between: u64) {
        let interval = &mut self.blocks.get_mut(block).interval;
        // A block that was begun before any edge led to it cannot be placed below another any more.
        if up == NONE || interval.parent == NONE {
            self.intervals.has_unlinked = true;
            return;
        }
        (interval.up, interval.parent, interval.between) = (up, up, between);
        self.path.lift_barrier(&self.blocks, block);
    }

    /// The nearest block that dominates all sources of edges from above, and what is written below it.
    ///
    /// Edges from blocks begun later are back edges: they have to come from below the block itself.
    fn climb_to_dominator(&mut self, block: Block) -> Option<(u32, u64)> {
        self.intervals.visit += 1;
        let visit = self.intervals.visit;
        let begun = self.blocks.get(block).interval.begun;
        let range = self.blocks.incoming_range(block);
        let mut budget = 64 + 8 * range.len();
        let (mut common, mut between) = (NONE, 0);
        for place in range.rev() {
            let source = self.blocks.incoming_edge(place).source;
            let mut at = source.index() as u32;
            if self.blocks.interval(at).begun >= begun {
                between |= self.climb_to_header(block, at, visit, &mut budget)?;
                continue;
            }
            if common == NONE {
                common = at;
            }
            while common != at {
                let (high, low) = (self.blocks.interval(common).begun, self.blocks.interval(at).begun);
                let lower = if high > low { &mut common } else { &mut at };
                let interval = self.blocks.interval_mut(*lower);
                if high < low && interval.visited == visit {
                    // An earlier climb has come past here.
                    break;
                }
                interval.visited = visit;
                between |= interval.all();
                *lower = interval.up;
                budget = budget.checked_sub(1)?;
                if *lower == NONE {
                    return None;
                }
            }
        }
        (common != NONE).then_some((common, between))
    }

    /// What is written from the header to the end of the block at the source of a back edge.
    fn climb_to_header(&mut self, header: Block, from: u32, visit: u32, budget: &mut usize) -> Option<u64> {
        let begun = self.blocks.get(header).interval.begun;
        let (mut at, mut between) = (from, 0);
        loop {
            if at == NONE || self.blocks.interval(at).begun < begun {
                return None;
            }
            let interval = self.blocks.interval_mut(at);
            if interval.visited == visit {
                return Some(between);
            }
            interval.visited = visit;
            between |= interval.all();
            if at as usize == header.index() {
                return Some(between);
            }
            at = interval.up;
            *budget = budget.checked_sub(1)?;
        }
    }
}
