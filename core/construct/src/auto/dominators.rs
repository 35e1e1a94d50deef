//! The dominator tree of the blocks that are begun, while they come, and what is written along it.
//!
//! A block is *linked* below its nearest dominator when all its edges are
//! known; until then it is a root. All that is reached through a root alone is
//! below it. With each block goes what may be written from below its dominator
//! to its own end. So the climb from a block's sources to where they meet tells
//! what is written between its dominator and its top: a variable that is not
//! holds at the top what it holds at the end of the dominator, and any other
//! is merged there.
//!
//! A join merges a variable exactly if it is written in between: such a write
//! does not strictly dominate the join, so the join is in its iterated dominance
//! frontier (Cytron et al. 1991, Lemma 4 and Theorem 2, applied to a path from
//! the write to the join).
//!
//! # Complexity
//! Climbs take O(1) steps one by one for each block and edge. Beyond that they
//! jump: each block has, if it is ever needed, a dominator to jump to, such
//! that any dominator is reached in few [jumps](super::jumps) and steps.
//! What takes more than [`Thresholds::link_steps_per_block`] all the same is not linked: O(*n* + *e*) in any case.
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
    /// What may be written between the dominator and the top of the block, once it is linked.
    between: VariableMask,
    /// What may be written from below the dominator to the end of the block.
    pub(super) written: VariableMask,
    /// Its dominator; [`Order::LAST`] of a root, which is not in the table.
    pub(super) up: Order,
    block: Block,
    /// The last climb that passed.
    pub(super) visited: u32,
    /// One more than the number of the lookup's frame that is under way here; 0 where there is none.
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
    /// Jumps of the blocks begun first, as far as somebody needed them.
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
    /// What may be written between it and the top of the block.
    pub(super) between: VariableMask,
    /// All blocks in between were begun before this one; [`Order::LAST`] if the climb took no jumps, and did not ask.
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

    /// What may be written between the dominator and the top of the block.
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

    /// Takes note that a join with so many edges is to be linked.
    #[inline]
    pub(super) fn expect_climbs(&mut self, num_edges: usize) {
        self.num_edges += num_edges;
    }

    /// Begins a block, which has no dominator that is known.
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
        self.nodes.push(Node { between, written: between, up, block, visited: 0, mark: 0 });
        if self.needs_jumps {
            self.extend_jumps();
        }
    }

    /// Links a block that was begun.
    pub(super) fn link(&mut self, order: Order, up: Order, Meeting { between, end, .. }: Meeting) {
        debug_assert!(up < order, "{up} is begun before {order}, which it dominates");
        let node = &mut self.nodes[order];
        (node.up, node.between) = (up, between);
        node.written.add(between);
        let begun = Order::new(self.nodes.len());
        self.loop_ends.grow_to(order, Order::FIRST);
        self.loop_ends[order] = end.min(begun);
        if order.index() < self.jumps.len() {
            self.jumps[order.index()] = self.jump_of_root(order);
        }
    }

    /// Control comes round to the block from blocks begun before the one returned: [`Order::FIRST`] if none come after the
    /// block itself.
    #[inline]
    pub(super) fn loop_end(&self, order: Order) -> Order {
        self.loop_ends.get(order).copied().unwrap_or(Order::FIRST)
    }

    /// Lets the block be dominated by `up` for the time being, or be a root again.
    pub(super) fn set_dominator(&mut self, order: Order, up: Option<Order>) {
        self.nodes[order].up = up.unwrap_or(Order::LAST);
    }

    /// The root of the tree that the block is in, or `stop` if that is met before; also while blocks have dominators for the
    /// time being.
    pub(super) fn root(&mut self, order: Order, stop: Option<Order>) -> Order {
        let (mut at, mut num_steps) = (order, 0);
        while let Some(up) = self.dominator(at).filter(|_| Some(at) != stop) {
            num_steps += 1;
            if num_steps >= self.thresholds.climb_steps {
                self.need_jumps();
            }
            self.num_steps += 1;
            // Dominators are begun first: from before `stop` on it is not met any more.
            let floor = stop.filter(|&stop| stop < at).unwrap_or(Order::FIRST);
            let jump = if self.needs_jumps { self.jump_from(at).map(|(to, _)| to) } else { None };
            at = jump.filter(|&to| to >= floor).unwrap_or(up);
        }
        at
    }

    /// Where sources meet: those of a block that was begun as `own`, or was not.
    #[inline(always)]
    pub(super) fn meet(&mut self, sources: &[Order], own: Option<Order>) -> Result<Meeting, Blocked> {
        if self.needs_jumps {
            return self.meet_by_jumps(sources, own);
        }
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

    /// Steps that are left of so many for each block and edge so far.
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
            Climb::Blocked | Climb::TooFar => Err(Blocked),
        }
    }

    /// Climbs from each source to where it meets those before.
    ///
    /// A climb that comes to a block passed before need not go on: what is above has been counted, and its end is known.
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

    /// Notes that the climb has come round to a header: what is written in the header itself.
    fn close_loop(&mut self, header: Order, is_entered_elsewhere: bool) -> VariableMask {
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
        let end = others.iter().try_for_each(|&source| {
            let mut at = source;
            while at != common {
                // What is above a root is not in the table.
                let Some(node) = self.nodes.get_mut(at.max(common)) else { return Err(Climb::Blocked) };
                if node.visited == number {
                    // A climb before came by here, so that it goes on to what is common.
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
