//! Jumps up the dominator tree: any dominator is reached in O(log *n*) jumps and steps (Myers 1983).
//!
//! A block jumps to its dominator, or where the jump of that one and the next are as long, as far as both:
//! so depths are halved as digits are carried in a skew-binary number.
//!
//! # Departures
//! Myers' lists do not change. Here a root may be linked later: what jumps to it goes on from there, by the root's own jump.
//! With each jump goes what is written on the way.

use super::bloom::VariableMask;
use super::dominators::Tree;
use super::order::Order;
use ssaphire_graph::{Id, PackedOption, Variable};

/// A block's dominator further up, and what is written on the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump {
    pub(super) to: PackedOption<Order>,
    depth: u32,
    /// What is written between both ends, in neither of them.
    pub(super) written: VariableMask,
    /// What comes round to the top of the block, or to the tops passed.
    comes_round: VariableMask,
}

/// Where a leap ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leap {
    pub(super) top: Order,
    /// Whether the variable may be written on a way from the block back to its top.
    pub(super) comes_round: bool,
}

impl Tree {
    /// The dominator that the block jumps to, if it has one that is known.
    #[inline]
    pub(super) fn jump_to(&self, order: Order) -> Option<Order> {
        self.jumps.get(order.index())?.to.expand()
    }

    /// The highest dominator of the block, or the block, that was begun after `since`; the first on the way to whose top
    /// the variable may come round.
    ///
    /// `has_definition(after, end)` says whether the variable has a definition in a block that was begun after `after` and
    /// before `end`: without one, nothing comes round.
    pub(super) fn leap(
        &self,
        order: Order,
        since: Option<Order>,
        variable: Variable,
        has_definition: impl Fn(Order, Order) -> bool,
    ) -> Leap {
        let is_after = |order: Order| since.is_none_or(|since| order > since);
        let mut top = order;
        loop {
            let jump = &self.jumps[top.index()];
            if !jump.comes_round.may_have(variable) {
                if let Some(to) = jump.to.expand().filter(|&to| is_after(to)) {
                    top = to;
                    continue;
                }
            }
            let may_come_round = self.late.contains(top) && self.between(top).may_have(variable);
            let comes_round = may_come_round && {
                let end = self.round_end(top);
                end == Order::LAST || has_definition(top, end)
            };
            match self.dominator(top) {
                Some(up) if !comes_round && is_after(up) => top = up,
                _ => return Leap { top, comes_round },
            }
        }
    }

    /// Whether the variable, if the block does not write it, holds at its end what it holds in its dominator.
    pub(super) fn is_passed_by(&self, order: Order, variable: Variable) -> bool {
        !self.between(order).may_have(variable)
    }

    /// From here on each block has its jump.
    pub(super) fn need_jumps(&mut self) {
        self.needs_jumps = true;
        self.extend_jumps();
    }

    pub(super) fn extend_jumps(&mut self) {
        for order in (self.jumps.len()..self.nodes.len()).map(Order::new) {
            let jump = self.jump_of(order);
            self.jumps.push(jump);
        }
    }

    /// The jump of a block whose dominators have theirs.
    pub(super) fn jump_of(&self, order: Order) -> Jump {
        // A variable that the block itself writes has a definition there, so no leap passes the block.
        let comes_round = if self.late.contains(order) { self.between(order) } else { VariableMask::EMPTY };
        let Some(up) = self.dominator(order) else {
            return Jump { to: PackedOption::NONE, depth: 0, written: VariableMask::EMPTY, comes_round };
        };
        let first = self.jumps[up.index()];
        let mut jump = Jump { to: up.into(), depth: first.depth + 1, written: VariableMask::EMPTY, comes_round };
        if let Some(over) = first.to.expand() {
            let second = self.jumps[over.index()];
            if let Some(far) = second.to.expand() {
                let length = second.depth.wrapping_sub(self.jumps[far.index()].depth);
                if first.depth.wrapping_sub(second.depth) == length {
                    jump.to = far.into();
                    for written in [self.nodes[up].written, first.written, self.nodes[over].written, second.written] {
                        jump.written.add(written);
                    }
                    jump.comes_round.add(first.comes_round);
                    jump.comes_round.add(second.comes_round);
                }
            }
        }
        jump
    }
}
