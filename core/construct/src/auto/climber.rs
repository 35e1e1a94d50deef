//! A climb up the dominator tree: one step, and the variables written in the blocks that it passes.

use super::bloom::VariableMask;
use super::dominators::Node;
use super::jumps::{self, Jump};
use super::order::Order;
use ssaphire_graph::{Id, IdMap, PackedOption};

/// The result of one step up.
pub(super) enum Step {
    To(Order),
    /// The block was passed before.
    Seen,
    /// The block is a root.
    Blocked,
}

/// A climb in progress.
pub(super) struct Climber<'a> {
    nodes: &'a mut IdMap<Order, Node>,
    single_entry_headers: &'a [PackedOption<Order>],
    jumps: &'a mut [Jump],
    loop_ends: &'a IdMap<Order, Order>,
    number: u32,
    /// The variables written in the blocks passed.
    pub(super) written: VariableMask,
    /// The last of the [ends](super::dominators::Tree::loop_end) of the blocks passed, if the climb takes jumps.
    end: Order,
    pub(super) num_steps: u32,
}

impl<'a> Climber<'a> {
    /// The climb of this number, with jumps if there are any.
    #[inline(always)]
    pub(super) fn new(
        nodes: &'a mut IdMap<Order, Node>,
        single_entry_headers: &'a [PackedOption<Order>],
        jumps: &'a mut [Jump],
        loop_ends: &'a IdMap<Order, Order>,
        number: u32,
    ) -> Self {
        let (written, end) = (VariableMask::EMPTY, Order::FIRST);
        Self { nodes, single_entry_headers, jumps, loop_ends, number, written, end, num_steps: 0 }
    }

    /// One such that all blocks between where these sources meet and their block were begun before it; for a climb that takes
    /// jumps.
    pub(super) fn end_of(&self, sources: &[Order]) -> Order {
        sources.iter().max().map_or(Order::LAST, |last| self.end.max(Order::new(last.index() + 1)))
    }

    /// Passes the block; with `JUMPS`, also blocks above it, but none above `floor`.
    #[inline(always)]
    pub(super) fn pass<const JUMPS: bool>(&mut self, order: Order, floor: Order) -> Step {
        let node = &mut self.nodes[order];
        if node.visited == self.number {
            return Step::Seen;
        }
        node.visited = self.number;
        let up = node.up;
        // A root may still be linked: the sources may meet above it.
        if up == Order::LAST {
            return Step::Blocked;
        }
        self.num_steps += 1;
        self.written.add(node.written);
        if JUMPS {
            // Making jumps longer is not counted as steps of the climb: it takes O(*n* log *n*) in all.
            let (jump, _) = jumps::longest(self.jumps, self.nodes, order);
            if let Some(to) = jump.to.expand().filter(|&to| to >= floor) {
                // The jump's mask leaves out both ends: this block has been counted above, and the other one is
                // passed next, or is where the climb ends.
                self.written.add(jump.written);
                self.end = self.end.max(jump.loop_end);
                return Step::To(to);
            }
            self.end = self.end.max(self.loop_ends.get(order).copied().unwrap_or(Order::FIRST));
        }
        Step::To(up)
    }

    /// Passes a block from which control may come round to `header`; a closed loop is passed at once, up to its
    /// header.
    ///
    /// Variables written in such a loop count as written in its header, which dominates all of it. If `header` closes
    /// a loop around that one, the next climb passes from the block to `header` at once.
    #[inline(always)]
    pub(super) fn come_round<const JUMPS: bool>(&mut self, order: Order, header: Order) -> Step {
        let visited = &mut self.nodes[order].visited;
        let header_passed =
            self.single_entry_headers.get(visited.wrapping_sub(1) as usize).and_then(|inner| inner.expand());
        // Of the blocks passed by that climb, `inner` dominates those begun after it; the others lie above. An
        // `inner` begun before `header` may lie above that, so it is not reached at once; and while `header` itself
        // is not linked, its mask lacks the writes of its own loop.
        match header_passed.filter(|&inner| inner > header && inner < order) {
            Some(inner) => {
                *visited = self.number;
                self.num_steps += 1;
                Step::To(inner)
            }
            None => self.pass::<JUMPS>(order, header),
        }
    }
}
