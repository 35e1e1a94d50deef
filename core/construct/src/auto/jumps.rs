//! Jumps up the dominator tree, as in a skip list (Pugh 1990).
//!
//! Each block has a rank, *k* with probability 2^-(*k* + 1), and jumps to its nearest dominator of higher rank: any dominator
//! is reached in O(log *n*) jumps and steps, or a few more, whatever the order in which blocks were linked. With each jump
//! goes what is written on the way.
//!
//! A jump is made as long as it can be when it is used: where it ended at a root that has been linked since, it goes
//! on. All of this takes O(*n* log *n*) steps, as each goes over dominators of lower rank.
//!
//! # Departures
//! A skip list has a pointer for each rank up to a node's own; here a block has one, the longest. Ranks are a hash of the
//! order in which blocks are begun, not random: what is built, and how much work it takes, is the same in each run.

use super::bloom::VariableMask;
use super::dominators::{Node, Tree};
use super::order::Order;
use ssaphire_graph::{Id, IdMap, PackedOption, Variable};

/// A block's dominator further up, and what is written on the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump {
    pub(super) to: PackedOption<Order>,
    rank: u32,
    /// What is written between both ends, in neither of them.
    pub(super) written: VariableMask,
    /// What comes round to the top of the block, or to the tops passed.
    comes_round: VariableMask,
    /// The last of the [ends](Tree::round_end) of these: control comes round from blocks begun before it.
    round_end: Order,
}

impl Jump {
    /// The jump that goes on from the end of this one, where `over` is written, as that block's jump does.
    #[inline]
    fn and(self, over: VariableMask, next: Self) -> Self {
        let mut both = Self { to: next.to, round_end: self.round_end.max(next.round_end), ..self };
        both.written.add(over);
        both.written.add(next.written);
        both.comes_round.add(next.comes_round);
        both
    }
}

/// Where a leap ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leap {
    pub(super) top: Order,
    /// Whether the variable may be written on a way from the block back to its top.
    pub(super) comes_round: bool,
    /// Jumps and steps.
    pub(super) num_steps: u64,
}

/// The jump of the block, as long as it can be by now; with it, how many others were gone over to find that out.
///
/// What is dominated for the time being, by [`Tree::set_dominator`], has no jump: no jump leads over it.
#[inline]
pub(super) fn longest(jumps: &mut [Jump], nodes: &IdMap<Order, Node>, order: Order) -> (Jump, u64) {
    let mut jump = jumps[order.index()];
    let mut num_steps = 0;
    while let Some(to) = jump.to.expand() {
        let next = jumps[to.index()];
        if next.rank > jump.rank || next.to.is_none() {
            break;
        }
        jump = jump.and(nodes[to].written, next);
        num_steps += 1;
    }
    if num_steps > 0 {
        jumps[order.index()] = jump;
    }
    (jump, num_steps)
}

/// *k* with probability 2^-(*k* + 1).
fn rank_of(order: Order) -> u32 {
    // The finalizer of splitmix64: orders of one shape, such as all even ones, have ranks as others have.
    let mut hash = (order.index() as u64).wrapping_add(0x9e37_79b9_7f4a_7c15);
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (hash ^ (hash >> 31)).trailing_zeros()
}

impl Tree {
    /// The dominator that the block jumps to, if it has one that is known; there are jumps.
    #[inline]
    pub(super) fn jump_from(&mut self, order: Order) -> Option<Order> {
        let (jump, num_steps) = longest(&mut self.jumps, &self.nodes, order);
        self.num_steps += num_steps;
        jump.to.expand()
    }

    /// The highest dominator of the block, or the block, that was begun after `since`; the first on the way to whose top
    /// the variable may come round.
    ///
    /// The variable has no definition in blocks begun after `since` up to this one, and `next` is the first begun after it that
    /// has one, or [`Order::LAST`]. So nothing comes round from blocks begun before `next`, whatever else is
    /// written there: tops of loops that were complete before are passed together, however many there are.
    pub(super) fn leap(
        &mut self,
        order: Order,
        since: Option<Order>,
        variable: Variable,
        next: impl Fn() -> Order,
    ) -> Leap {
        let is_after = |order: Order| since.is_none_or(|since| order > since);
        let may_come_from = |end: Order| end == Order::LAST || next() < end;
        let (mut top, mut num_steps) = (order, 0);
        loop {
            let (jump, num_longer) = longest(&mut self.jumps, &self.nodes, top);
            num_steps += 1 + num_longer;
            if !(jump.comes_round.may_have(variable) && may_come_from(jump.round_end)) {
                if let Some(to) = jump.to.expand().filter(|&to| is_after(to)) {
                    top = to;
                    continue;
                }
            }
            let may_come_round = self.late.contains(top) && self.between(top).may_have(variable);
            let comes_round = may_come_round && may_come_from(self.round_end(top));
            match self.dominator(top) {
                Some(up) if !comes_round && is_after(up) => top = up,
                _ => return Leap { top, comes_round, num_steps },
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
            let jump = self.step_up(order);
            self.jumps.push(jump);
        }
    }

    /// The shortest jump of a block: to its dominator.
    pub(super) fn step_up(&self, order: Order) -> Jump {
        // A variable that the block itself writes has a definition there, so no leap passes the block.
        let (comes_round, round_end) = match self.late.contains(order) {
            true => (self.between(order), self.round_end(order)),
            false => (VariableMask::EMPTY, Order::FIRST),
        };
        let (to, rank, written) = (self.dominator(order).into(), rank_of(order), VariableMask::EMPTY);
        Jump { to, rank, written, comes_round, round_end }
    }
}
