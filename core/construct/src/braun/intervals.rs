//! Dominator intervals: what lies between a block and the nearest one above it that all paths pass (`auto`).
//!
//! When a block is sealed, the nearest common dominator of its predecessors is
//! found by climbing, and with it which variables are written on the way: 64
//! bits, exact for that many variables and a filter beyond, which the first and
//! the last write of a variable make finer (`shortcut`). A lookup of any
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
//! Linking climbs O(log *n*) blocks for each block and edge, amortized: what is
//! climbed in a loop counts as its header from then on, and climbs that would
//! take longer than that are given up.
//!
//! # Departures
//! Not in Braun et al. 2013: this is our own.

use super::Builder;
use super::blocks::NONE;
use super::definitions::List;
use crate::fault::{self, Fault};
use crate::observe::Observer;
use crate::result::IncomingEdge;
use ssaphire_graph::Block;

/// A block's place below its dominator, and what it defines.
///
/// Engines that walk up block by block link only blocks with one incoming edge (see `chain`), and use `stops` and `up` alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    /// Variables a lookup stops at the block for, by their bit: all while it is not linked, else those that are
    /// defined in it or written in its interval.
    pub(super) stops: u64,
    /// Variables written from below `up` to the end of the block, by their bit.
    written: u64,
    /// Number of a block that dominates this one strictly, once linked; `NONE` before.
    pub(super) up: u32,
    pub(super) depth: u32,
    /// Place in the order in which blocks were begun; `NONE` before.
    pub(super) begun: u32,
    visited: u32,
    /// What variables hold at the end of the block, where something stored it.
    pub(super) definitions: List,
}

impl Interval {
    pub(super) const NEW: Self =
        Self { stops: u64::MAX, written: 0, up: NONE, depth: 0, begun: NONE, visited: 0, definitions: List::EMPTY };

    #[inline]
    pub(super) fn is_linked(&self) -> bool {
        self.up != NONE
    }

    /// Links the block below `up`; `between` is written on the way, `defined` in the block.
    #[inline]
    pub(super) fn link(&mut self, up: u32, between: u64, defined: u64) {
        self.up = up;
        self.written |= if fault::is_on(Fault::MasksForgetTheWayUp) { 0 } else { between };
        self.stops = between | defined;
    }

    /// Links a block that was not begun below its only predecessor: whether it was so.
    #[inline]
    pub(super) fn link_first(&mut self, up: u32, depth: u32) -> bool {
        if self.begun != NONE && !fault::is_on(Fault::BegunBlocksAreLinkedBelowOne) {
            return false;
        }
        (self.up, self.depth, self.stops) = (up, depth, 0);
        true
    }

    /// Notes that the variable of that bit is defined in the block.
    #[inline]
    pub(super) fn define(&mut self, bit: u64) {
        self.stops |= bit;
    }

    /// Notes that the variable of that bit is written in the block: when it was begun.
    #[inline]
    pub(super) fn write(&mut self, bit: u64) -> u32 {
        self.stops |= bit;
        self.written |= if fault::is_on(Fault::MasksForgetTheBlock) { 0 } else { bit };
        self.begun
    }
}

/// Climbs to a header that take no more steps than that leave nothing behind.
const SHORT_CLIMB: usize = 1;

/// What linking keeps from block to block of a function.
#[derive(Clone, Debug, Default)]
pub(super) struct Intervals {
    num_begun: u32,
    visit: u32,
    /// Steps that climbs have taken beyond what each may take: at most four for each block begun.
    excess: usize,
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
        let interval = self.blocks.interval_mut(block.index() as u32);
        if interval.begun != NONE {
            return interval.begun;
        }
        let begun = self.intervals.num_begun;
        interval.begun = begun;
        self.intervals.num_begun += 1;
        if !interval.is_linked() {
            self.begin_unlinked(block);
        }
        begun
    }

    /// The block stands below the source of its first edge, where it will be linked if no other edge comes from above.
    #[inline(never)]
    fn begin_unlinked(&mut self, block: Block) {
        if self.blocks.get(block).is_sealed {
            return;
        }
        if let Some(source) = self.blocks.first_source(block) {
            let parent = source.index() as u32;
            let depth = self.blocks.interval(parent).depth + 1;
            self.blocks.get_mut(block).parent = parent;
            self.blocks.interval_mut(block.index() as u32).depth = depth;
            self.pass_by_hint(block);
        }
    }

    /// Lets what holds above a header with a hint hold below it, but for the variables of the hint.
    fn pass_by_hint(&mut self, header: Block) {
        if self.options.verify_hints && !fault::is_on(Fault::HintsArePassedUnnoted) {
            // What is taken on trust is to be noted, lookup by lookup.
            return;
        }
        let Some(variables) = self.blocks.hint(header) else { return };
        if !fault::is_on(Fault::HintedVariablesAreKept) {
            variables.iter().for_each(|&variable| self.row.cell(variable).forget());
        }
        self.path.pass(header);
    }

    /// Links a block that has just been sealed, if it can be.
    #[inline]
    pub(super) fn link(&mut self, block: Block) {
        let number = block.index() as u32;
        let begun = self.blocks.interval(number).begun;
        let (up, between) = match *self.blocks.incoming(block) {
            [] => return,
            [IncomingEdge { source, .. }] if self.blocks.interval(source.index() as u32).begun < begun => {
                (source.index() as u32, 0)
            }
            [_] => (NONE, 0),
            _ => self.climb_to_dominator(block).unwrap_or((NONE, 0)),
        };
        let data = self.blocks.get_mut(block);
        // A block that was begun before any edge led to it cannot be placed below another any more.
        let is_late = begun != NONE && data.parent == NONE && !fault::is_on(Fault::BlocksBegunEarlyAreLinked);
        if up == NONE || is_late {
            self.intervals.has_unlinked = !fault::is_on(Fault::UnlinkedBlocksAreForgotten);
            return;
        }
        data.between = if fault::is_on(Fault::BetweenIsNotKept) { 0 } else { between };
        let defined = self.blocks.interval(number).definitions.variables;
        if begun == NONE {
            let depth = self.blocks.interval(up).depth + 1;
            let interval = self.blocks.interval_mut(number);
            interval.depth = depth;
            interval.link(up, between, defined);
        } else {
            self.blocks.interval_mut(number).link(up, between, defined);
            self.path.lift_barrier(&self.blocks, block);
        }
    }

    /// The nearest block that dominates all sources of edges from above, and what is written below it.
    ///
    /// Edges from blocks begun later are back edges: they have to come from below the block itself.
    fn climb_to_dominator(&mut self, block: Block) -> Option<(u32, u64)> {
        let own = 64 + 8 * self.blocks.incoming_range(block).len();
        let spare = 4 * self.intervals.num_begun as usize;
        let mut budget = own + spare - self.intervals.excess;
        let dominator = self.climb_within(block, &mut budget);
        self.intervals.excess = spare - spare.min(budget);
        dominator
    }

    #[inline(always)]
    fn climb_within(&mut self, block: Block, budget: &mut usize) -> Option<(u32, u64)> {
        self.intervals.visit += if fault::is_on(Fault::VisitsShareANumber) { 0 } else { 1 };
        let visit = self.intervals.visit;
        let begun = self.blocks.interval(block.index() as u32).begun;
        let (mut common, mut common_begun, mut between) = (NONE, NONE, 0);
        for place in self.blocks.incoming_range(block).rev() {
            let mut at = self.blocks.incoming_edge(place).source.index() as u32;
            let mut at_begun = self.blocks.interval(at).begun;
            if at_begun >= begun {
                let in_loop = self.climb_to_header(block, at, budget)?;
                between |= if fault::is_on(Fault::MasksForgetTheLoop) { 0 } else { in_loop };
                continue;
            }
            if common == NONE {
                (common, common_begun) = (at, at_begun);
            }
            while common != at {
                if common_begun > at_begun {
                    (common, common_begun) = self.climb_past(common, visit, &mut between)?;
                } else if self.blocks.interval(at).visited == visit {
                    // An earlier climb has come past here.
                    break;
                } else {
                    (at, at_begun) = self.climb_past(at, visit, &mut between)?;
                }
                if *budget == 0 && fault::is_on(Fault::TheBudgetIsNoLimit) {
                    break;
                }
                *budget = budget.checked_sub(1)?;
            }
        }
        (common != NONE).then_some((common, between))
    }

    /// The block above and when it was begun; what is written below it is added to `between`.
    #[inline]
    fn climb_past(&mut self, at: u32, visit: u32, between: &mut u64) -> Option<(u32, u32)> {
        let interval = self.blocks.interval_mut(at);
        interval.visited = visit;
        *between |= if fault::is_on(Fault::MasksForgetTheSides) { 0 } else { interval.written };
        let up = interval.up;
        if up == NONE { None } else { Some((up, self.blocks.interval(up).begun)) }
    }

    /// What is written in the loop, as far as the back edge from that block makes it one.
    ///
    /// Blocks from which a long climb has come to a header count as that header from then on: what is written in
    /// its loop is written in every loop around it.
    fn climb_to_header(&mut self, header: Block, from: u32, budget: &mut usize) -> Option<u64> {
        let begun = self.blocks.interval(header.index() as u32).begun;
        let (mut at, mut between, mut num_steps) = (from, 0, 0);
        while at as usize != header.index() {
            if at == NONE || self.blocks.interval(at).begun < begun || num_steps > *budget {
                *budget = budget.saturating_sub(num_steps);
                return if fault::is_on(Fault::IrreducibleLoopsAreLinked) { Some(between) } else { None };
            }
            num_steps += 1;
            let (next, written) = self.towards_header(at);
            between |= written;
            at = next;
        }
        if num_steps > SHORT_CLIMB {
            // Each block is brought in once, and ways from header to header are made short: O(log n), amortized.
            let mut at = from;
            while at as usize != header.index() {
                let (next, _) = self.towards_header(at);
                self.blocks.get_mut(Block::new(at as usize)).counts_as = header.index() as u32;
                at = next;
            }
        }
        Some(between | self.blocks.interval(at).written)
    }

    /// Where a climb to a header goes on, and what is written below.
    #[inline]
    fn towards_header(&self, at: u32) -> (u32, u64) {
        let counts_as = self.blocks.get(Block::new(at as usize)).counts_as;
        if counts_as != NONE {
            // The header is climbed past next, and with it what is written in its loop.
            let is_passed = fault::is_on(Fault::LoopsCountForNothing);
            return (if is_passed { self.blocks.interval(counts_as).up } else { counts_as }, 0);
        }
        let interval = self.blocks.interval(at);
        (interval.up, interval.written)
    }
}
