//! The dominator tree of the blocks begun so far, and the variables written along it.
//!
//! A block is *linked* below its nearest dominator when all its edges are
//! known; until then it is a root. Blocks that are reached only through a root are
//! below it. Each block has a mask of the variables that may be written from below its dominator
//! to its own end. So the climb from a block's sources to where they meet finds
//! the variables that are written between its dominator and its top. Any other variable has
//! the same reaching definition at the top as at the end of the dominator; a variable that is
//! written in between is merged at the top.
//!
//! A join merges a variable exactly if it is written in between: such a write
//! does not strictly dominate the join, so the join is in its iterated dominance
//! frontier (Cytron et al. 1991, Lemma 4 and Theorem 2, applied to a path from
//! the write to the join).
//!
//! # Complexity
//! Climbs take O(1) single steps for each block and edge. Beyond that they
//! jump: each block gets, once one is needed, a dominator to jump to, such
//! that any dominator is reached in few [jumps](super::jumps) and steps.
//! A block is not linked if that takes more than [`Thresholds::link_steps_per_block`]: O(*n* + *e*) in any case.
//!
//! # Departures
//! Not in Braun et al. 2013. Sreedhar and Gao 1995 find frontiers on the tree of a
//! finished graph; here the tree grows as blocks are filled and sealed.

use super::bloom::VariableMask;
use super::climber::{Climber, Step};
use super::jumps::Jump;
use super::order::Order;
use crate::thresholds::Thresholds;
use alloc::vec::Vec;
use ssaphire_graph::{Block, Id, IdMap, PackedOption};

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The variables that may be written between the dominator and the top of the block, once it is linked.
    between: VariableMask,
    /// The variables that may be written from below the dominator to the end of the block.
    pub(super) written: VariableMask,
    /// Its dominator; [`Order::LAST`] of a root, which is not in the table.
    pub(super) up: Order,
    block: Block,
    /// The last climb that passed.
    pub(super) visited: u32,
    /// One more than the number of the lookup's frame for this block; 0 if there is none.
    mark: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) thresholds: Thresholds,
    pub(super) nodes: IdMap<Order, Node>,
    /// Edges into sealed joins.
    num_edges: usize,
    num_climbs: u32,
    /// For each climb, the single-entry loop header that it linked, if any; shorter than `num_climbs`.
    single_entry_headers: Vec<PackedOption<Order>>,
    /// The jumps of the blocks begun first; empty until a climb needs jumps.
    pub(super) jumps: Vec<Jump>,
    pub(super) needs_jumps: bool,
    /// By late block, one such that all blocks between that block and its dominator were begun before. [`Order::FIRST`] for
    /// a block that is not late.
    ///
    /// A block is *late* if it was linked after it was begun: control may come round to it from blocks begun after it.
    loop_ends: IdMap<Order, Order>,
    /// Steps of climbs so far.
    pub(super) num_steps: u64,
}

/// Where the sources of a block meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// Their nearest common dominator; none if the block itself dominates all of them.
    pub(super) dominator: Option<Order>,
    /// The variables that may be written between it and the top of the block.
    pub(super) between: VariableMask,
    /// All blocks in between were begun before this one; [`Order::LAST`] if the climb took no jumps and has not
    /// looked.
    pub(super) end: Order,
    /// Whether the dominator may not be the nearest one: no edge comes from a block that was begun earlier.
    pub(super) may_be_too_high: bool,
}

/// Why it is not known where sources meet: a climb ended at a root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocked;

impl Tree {
    pub(super) fn new(thresholds: Thresholds) -> Self {
        Self {
            thresholds,
            nodes: IdMap::new(),
            num_edges: 0,
            num_climbs: 0,
            single_entry_headers: Vec::new(),
            jumps: Vec::new(),
            needs_jumps: false,
            loop_ends: IdMap::new(),
            num_steps: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        (self.num_edges, self.num_climbs) = (0, 0);
        self.single_entry_headers.clear();
        self.jumps.clear();
        self.needs_jumps = false;
        self.loop_ends.clear();
        self.num_steps = 0;
    }

    /// Number of blocks begun.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub(super) fn block(&self, order: Order) -> Block {
        self.nodes[order].block
    }

    #[inline]
    pub(super) fn dominator(&self, order: Order) -> Option<Order> {
        let up = self.nodes[order].up;
        if up == Order::LAST { None } else { Some(up) }
    }

    #[inline]
    pub(super) fn written(&self, order: Order) -> VariableMask {
        self.nodes[order].written
    }

    /// The variables that may be written between the dominator and the top of the block.
    #[inline]
    pub(super) fn between(&self, order: Order) -> VariableMask {
        self.nodes[order].between
    }

    #[inline]
    pub(super) fn add_written(&mut self, order: Order, written: VariableMask) {
        self.nodes[order].written.add(written);
    }

    #[inline]
    pub(super) fn mark_mut(&mut self, order: Order) -> &mut u32 {
        &mut self.nodes[order].mark
    }

    #[inline]
    pub(super) fn mark(&self, order: Order) -> u32 {
        self.nodes[order].mark
    }

    /// Adds the edges of a join that is going to be linked to the budget of steps.
    #[inline]
    pub(super) fn expect_climbs(&mut self, num_edges: usize) {
        self.num_edges += num_edges;
    }

    /// Begins a block whose dominator is not known.
    pub(super) fn begin_root(&mut self, block: Block) {
        self.push(block, Order::LAST, VariableMask::EMPTY);
    }

    /// Begins a block below its dominator.
    #[inline]
    pub(super) fn begin_below(&mut self, block: Block, up: Order, between: VariableMask) {
        self.push(block, up, between);
    }

    #[inline]
    fn push(&mut self, block: Block, up: Order, between: VariableMask) {
        // A block that is begun has written nothing yet: its mask has only the variables written above its top.
        self.nodes.push(Node { between, written: between, up, block, visited: 0, mark: 0 });
        // Climbs by jumps look up every block that they pass, so the table never lacks one.
        if self.needs_jumps {
            self.extend_jumps();
        }
    }

    /// Links a block that was begun.
    pub(super) fn link(&mut self, order: Order, up: Order, Meeting { between, end, .. }: Meeting) {
        debug_assert!(up < order, "{up} is begun before {order}, which it dominates");
        let node = &mut self.nodes[order];
        (node.up, node.between) = (up, between);
        // A climb that passes the block goes on at `up`, so the mask of the block needs the variables written on the
        // way from there, too.
        node.written.add(between);
        // A climb without jumps has no end. But a path from `up` leads through blocks whose predecessors are known,
        // which are filled and so begun: none of them is begun later than now.
        let begun = Order::new(self.nodes.len());
        self.loop_ends.grow_to(order, Order::FIRST);
        self.loop_ends[order] = end.min(begun);
        // Jumps of the blocks below lead at most to this one while it is a root, so they stay right; its own led
        // nowhere.
        if order.index() < self.jumps.len() {
            self.jumps[order.index()] = self.jump_of_root(order);
        }
    }

    /// All blocks from which control comes round to this one were begun before the one returned: [`Order::FIRST`] if
    /// none of them was begun after this block.
    #[inline]
    pub(super) fn loop_end(&self, order: Order) -> Order {
        self.loop_ends.get(order).copied().unwrap_or(Order::FIRST)
    }

    /// Makes `up` the provisional dominator of the block, or makes the block a root again.
    pub(super) fn set_dominator(&mut self, order: Order, up: Option<Order>) {
        self.nodes[order].up = up.unwrap_or(Order::LAST);
    }

    /// The root of the tree that the block is in, or `stop` if that is met before; also while blocks have provisional
    /// dominators.
    pub(super) fn root(&mut self, order: Order, stop: Option<Order>) -> Order {
        let (mut at, mut num_steps) = (order, 0);
        while let Some(up) = self.dominator(at).filter(|_| Some(at) != stop) {
            num_steps += 1;
            if num_steps >= self.thresholds.climb_steps {
                self.need_jumps();
            }
            self.num_steps += 1;
            // Dominators are begun first, so `stop` is not met any more from a block that was begun before it.
            let floor = stop.filter(|&stop| stop < at).unwrap_or(Order::FIRST);
            let jump = if self.needs_jumps { self.jump_from(at).map(|(to, _)| to) } else { None };
            at = jump.filter(|&to| to >= floor).unwrap_or(up);
        }
        at
    }

    /// Where the sources of a block meet; `own` is the block itself, if it was begun.
    #[inline(always)]
    pub(super) fn meet(&mut self, sources: &[Order], own: Option<Order>) -> Result<Meeting, Blocked> {
        if self.needs_jumps {
            return self.meet_by_jumps(sources, own);
        }
        // Steps that short climbs have left pay for long ones: climbs without jumps take linear time in all, and each
        // may take `climb_steps` beyond that.
        let Thresholds { climb_steps, climb_steps_per_block, .. } = self.thresholds;
        let limit = climb_steps.saturating_add(self.steps_left(climb_steps_per_block));
        let climb = match own {
            None => self.climb_from_above(sources, limit),
            Some(_) => self.climb_around(sources, own, limit),
        };
        match climb {
            Climb::Met(meeting) => Ok(meeting),
            Climb::Blocked => Err(Blocked),
            Climb::TooFar => {
                self.need_jumps();
                self.meet_by_jumps(sources, own)
            }
        }
    }

    /// The number of steps left of a budget of `each` for each block and edge so far.
    #[inline]
    fn steps_left(&self, each: u32) -> u32 {
        let paid = u64::from(each) * (self.nodes.len() + self.num_edges) as u64;
        paid.saturating_sub(self.num_steps).min(1 << 30) as u32
    }

    /// Whether the step budget for linking is exhausted; then only climbs of few steps are tried.
    pub(super) fn is_exhausted(&self) -> bool {
        self.steps_left(self.thresholds.link_steps_per_block) == 0
    }

    #[inline(never)]
    fn climb_around(&mut self, sources: &[Order], own: Option<Order>, limit: u32) -> Climb {
        self.climb::<false>(sources, own, limit)
    }

    #[inline(never)]
    fn meet_by_jumps(&mut self, sources: &[Order], own: Option<Order>) -> Result<Meeting, Blocked> {
        let Thresholds { climb_steps, link_steps_per_block, .. } = self.thresholds;
        let limit = climb_steps.saturating_add(self.steps_left(link_steps_per_block));
        match self.climb::<true>(sources, own, limit) {
            Climb::Met(meeting) => Ok(meeting),
            // A climb that goes too far has used all steps up: the caller finds the budget exhausted, and lets the
            // block stay a root.
            Climb::Blocked | Climb::TooFar => Err(Blocked),
        }
    }

    /// Climbs from each source to where it meets those before.
    ///
    /// A climb that comes to a block passed before need not go on: the blocks above are counted, and its end is known.
    /// Of two blocks, the one begun later cannot dominate the other, so it is the one that goes on. They meet in no
    /// block begun after the earlier one, so that one is the floor of its jumps.
    #[inline(always)]
    fn climb<const JUMPS: bool>(&mut self, sources: &[Order], own: Option<Order>, limit: u32) -> Climb {
        self.num_climbs += 1;
        let Self { nodes, single_entry_headers, jumps, loop_ends, num_steps, num_climbs: number, .. } = self;
        let jumps: &mut [Jump] = if JUMPS { jumps } else { &mut [] };
        let mut climber = Climber::new(nodes, single_entry_headers, jumps, loop_ends, *number);
        // Blocks from here on were begun later than the block, if that was begun at all.
        let header = own.unwrap_or(Order::LAST);
        let mut common: Option<Order> = None;
        let (mut is_blocked, mut has_back_edge, mut is_entered_elsewhere, mut may_be_too_high) =
            (false, false, false, true);
        'sources: for &source in sources {
            let mut at = source;
            // The nearest dominator lies above each source. If a source was begun before the block, so was that
            // dominator, and it is met; otherwise it may have been passed.
            may_be_too_high &= source >= header;
            while at > header {
                match climber.come_round::<JUMPS>(at, header) {
                    Step::To(up) => at = up,
                    Step::Seen => continue 'sources,
                    Step::Blocked => is_blocked = true,
                }
                if is_blocked || climber.num_steps > limit {
                    break 'sources;
                }
            }
            if at == header {
                has_back_edge = true;
                continue;
            }
            is_entered_elsewhere |= source > header;
            let mut met = common.unwrap_or(at);
            while met != at {
                let step = if at > met { climber.pass::<JUMPS>(at, met) } else { climber.pass::<JUMPS>(met, at) };
                match step {
                    Step::To(up) if at > met => at = up,
                    Step::To(up) => met = up,
                    // Only blocks below `common` have been passed, so `met` is still that.
                    Step::Seen => break,
                    Step::Blocked => is_blocked = true,
                }
                if is_blocked || climber.num_steps > limit {
                    break 'sources;
                }
            }
            common = Some(met);
        }
        *num_steps += u64::from(climber.num_steps);
        if climber.num_steps > limit {
            return Climb::TooFar;
        }
        if is_blocked {
            return Climb::Blocked;
        }
        let mut between = climber.written;
        let end = if JUMPS { climber.end_of(sources) } else { Order::LAST };
        if has_back_edge {
            between.add(self.close_loop(header, is_entered_elsewhere));
        }
        Climb::Met(Meeting { dominator: common, between, end, may_be_too_high: may_be_too_high && common.is_some() })
    }

    /// Notes that the climb has come round to a header. Returns the variables written in the header itself.
    fn close_loop(&mut self, header: Order, is_entered_elsewhere: bool) -> VariableMask {
        // A climb that comes in elsewhere has marked blocks that the header does not dominate, though they were begun
        // after it: a later climb may not leap from those to the header.
        if !is_entered_elsewhere {
            self.single_entry_headers.resize(self.num_climbs as usize - 1, PackedOption::NONE);
            self.single_entry_headers.push(header.into());
        }
        self.nodes[header].written
    }

    /// As [`climb`](Self::climb), for a block that was not begun: no source is below it.
    #[inline(always)]
    fn climb_from_above(&mut self, sources: &[Order], limit: u32) -> Climb {
        let Some((&first, others)) = sources.split_first() else { return Climb::Blocked };
        self.num_climbs += 1;
        let (number, mut steps_left) = (self.num_climbs, limit);
        let (mut common, mut written) = (first, VariableMask::EMPTY);
        // The block is not begun, so its dominators were all begun before it: the nearest one is found, and no back
        // edge has to be looked for.
        let end = others.iter().try_for_each(|&source| {
            let mut at = source;
            while at != common {
                // `Order::LAST`, which is above a root, is not in the table.
                let Some(node) = self.nodes.get_mut(at.max(common)) else { return Err(Climb::Blocked) };
                if node.visited == number {
                    // An earlier climb has passed this block, and has gone on from here to `common`.
                    break;
                }
                node.visited = number;
                written.add(node.written);
                if at > common {
                    at = node.up;
                } else {
                    common = node.up;
                }
                steps_left = steps_left.checked_sub(1).ok_or(Climb::TooFar)?;
            }
            Ok(())
        });
        self.num_steps += u64::from(limit - steps_left);
        match end {
            Ok(()) => Climb::Met(Meeting {
                dominator: Some(common),
                between: written,
                end: Order::LAST,
                may_be_too_high: false,
            }),
            Err(end) => end,
        }
    }
}

enum Climb {
    Met(Meeting),
    Blocked,
    TooFar,
}
