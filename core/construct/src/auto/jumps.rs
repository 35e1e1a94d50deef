//! Jumps up the dominator tree: any dominator is reached in few jumps and steps.
//!
//! The blocks below a root form a tree that grows by leaves. There a block jumps to its dominator; or, where the jump
//! of its dominator is as long as the next one, as far as both together: jumps double as digits are carried in a
//! skew-binary number, and O(log *n*) jumps and steps lead to any dominator (Myers 1983).
//!
//! The root itself may be linked later, to a block of another such tree. From then on it jumps to the root of that, and
//! further: each has a rank, *k* with probability 2^-(*k* + 1), and jumps to the nearest of higher rank, as in a skip list
//! (Pugh 1990); O(log^2 *n*) jumps and steps lead to any of them. A jump is made as long as it can be when it is used: where
//! it ended at a root that has been linked since, it goes on. This takes O(*n* log *n*) steps in all, as each jump goes over
//! roots of lower rank.
//!
//! Each jump has the mask of the variables written on the way.
//!
//! # Departures
//! A node of a skip list has a pointer for each rank up to its own; here it has one, the longest. Ranks are a hash of the
//! order in which blocks are begun, not random: the result, and the number of steps, are the same in each run.

use super::bloom::VariableMask;
use super::dominators::{Node, Tree};
use super::order::Order;
use ssaphire_graph::{Id, IdMap, PackedOption, Variable};

/// A dominator of a block further up, and the variables written on the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump {
    pub(super) to: PackedOption<Order>,
    /// Number of dominators up to the nearest that was begun as a root; 0 for a block that was begun as one.
    depth: u32,
    /// The variables written between both ends, in neither of them.
    pub(super) written: VariableMask,
    /// The variables whose writes come round to the top of the block, or to one of the tops passed.
    loop_writes: VariableMask,
    /// The last of the [ends](Tree::loop_end) of these: control comes round from blocks begun before it.
    pub(super) loop_end: Order,
}

impl Jump {
    /// This jump and `next`, which begins where this one ends, as one; `over` is the mask of the block between them.
    #[inline]
    fn and(self, over: VariableMask, next: Self) -> Self {
        let mut both = Self { to: next.to, loop_end: self.loop_end.max(next.loop_end), ..self };
        both.written.add(over);
        both.written.add(next.written);
        both.loop_writes.add(next.loop_writes);
        both
    }
}

/// Where a leap ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leap {
    pub(super) top: Order,
    /// Whether the variable may be written on a path from the block back to its top.
    pub(super) is_written_in_loop: bool,
    /// Jumps and steps.
    pub(super) num_steps: u64,
}

/// The jump of the block, as long as it can be by now, and the number of other jumps that were added to make it so.
///
/// A block with a provisional dominator ([`Tree::set_dominator`]) has no jump, so no jump leads over it.
#[inline]
pub(super) fn longest(jumps: &mut [Jump], nodes: &IdMap<Order, Node>, order: Order) -> (Jump, u64) {
    let jump = jumps[order.index()];
    match jump.depth {
        0 => longest_of_root(jumps, nodes, order),
        _ => (jump, 0),
    }
}

#[inline(never)]
fn longest_of_root(jumps: &mut [Jump], nodes: &IdMap<Order, Node>, root: Order) -> (Jump, u64) {
    let (mut jump, mut num_steps) = (jumps[root.index()], 0);
    while let Some(to) = jump.to.expand() {
        let next = jumps[to.index()];
        // A root of higher rank ends the jump, so that short jumps remain: one that leads too far is of no use to a
        // climb.
        if next.to.is_none() || rank_of(to) > rank_of(root) {
            break;
        }
        jump = jump.and(nodes[to].written, next);
        num_steps += 1;
    }
    if num_steps > 0 {
        jumps[root.index()] = jump;
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
    /// The target of the block's jump, and the variables that may be written between the two; `None` for a root.
    ///
    /// [`need_jumps`](Self::need_jumps) must have been called.
    #[inline]
    pub(super) fn jump_from(&mut self, order: Order) -> Option<(Order, VariableMask)> {
        let (jump, num_steps) = longest(&mut self.jumps, &self.nodes, order);
        self.num_steps += num_steps;
        Some((jump.to.expand()?, jump.written))
    }

    /// The highest dominator of the block, or the block, that was begun after `since`; the first on the way to whose top
    /// the variable may come round.
    ///
    /// The variable has no definition in blocks begun after `since` up to this one, and `next` is the first begun after it that
    /// writes the variable, or [`Order::LAST`]. So nothing comes round from blocks begun before `next`, whatever else is
    /// written there: the tops of loops that were complete before are passed together, however many there are.
    /// Nor does anything come round between a dominator and a block below it if the dominator was not begun before
    /// `latest_write`, the last one of all blocks that write the variable.
    pub(super) fn leap(
        &mut self,
        order: Order,
        since: Option<Order>,
        variable: Variable,
        latest_write: Option<Order>,
        next: impl Fn() -> Order,
    ) -> Leap {
        let is_after = |order: Order| since.is_none_or(|since| order > since);
        let is_written_below = |up: Option<Order>| latest_write > up;
        // Blocks begun after `since` up to `order` have no definition, so only a write in a later block can come
        // round. That block was begun after `up`, which dominates it, and before the end of the loop.
        let may_come_from = |end: Order, up| end > order && is_written_below(up) && next() < end;
        let (mut top, mut num_steps) = (order, 0);
        loop {
            let (jump, num_longer) = longest(&mut self.jumps, &self.nodes, top);
            num_steps += 1 + num_longer;
            let to = jump.to.expand();
            // The whole jump is taken only if nothing comes round to any top on the way; else the leap goes on step
            // by step, to find that top.
            if !(jump.loop_writes.may_have(variable) && may_come_from(jump.loop_end, to)) {
                if let Some(to) = to.filter(|&to| is_after(to)) {
                    top = to;
                    continue;
                }
            }
            let up = self.dominator(top);
            let is_written_in_loop = self.between(top).may_have(variable) && may_come_from(self.loop_end(top), up);
            match up {
                Some(up) if !is_written_in_loop && is_after(up) => top = up,
                _ => return Leap { top, is_written_in_loop, num_steps },
            }
        }
    }

    /// Whether the variable has the same value at the end of the block as at the end of its dominator, unless the
    /// block writes it.
    pub(super) fn is_passed_by(&self, order: Order, variable: Variable) -> bool {
        !self.between(order).may_have(variable)
    }

    /// From here on each block has its jump.
    pub(super) fn need_jumps(&mut self) {
        self.needs_jumps = true;
        self.extend_jumps();
    }

    pub(super) fn extend_jumps(&mut self) {
        // In the order of beginning: the jump of a block is made of those of its dominators, which were begun before.
        for order in (self.jumps.len()..self.nodes.len()).map(Order::new) {
            // A block that is linked after it was begun was a root.
            let was_root = self.dominator(order).is_none() || self.loop_end(order) != Order::FIRST;
            self.jumps.push(if was_root { self.jump_of_root(order) } else { self.jump_of_leaf(order) });
        }
    }

    /// The jump of a block that was begun as a root, or to which control may come round: to the next one above.
    pub(super) fn jump_of_root(&self, order: Order) -> Jump {
        // A variable that the block itself writes has a definition there, so no leap passes the block.
        let (loop_writes, loop_end) = (self.between(order), self.loop_end(order));
        let (to, written) = (self.dominator(order).into(), VariableMask::EMPTY);
        let mut jump = Jump { to, depth: 0, written, loop_writes, loop_end };
        while let Some(to) = jump.to.expand() {
            let next = self.jumps[to.index()];
            if next.depth == 0 {
                break;
            }
            jump = jump.and(self.nodes[to].written, next);
        }
        jump
    }

    /// The jump of a block that is begun below a dominator.
    fn jump_of_leaf(&self, order: Order) -> Jump {
        let to = self.dominator(order);
        let (written, loop_writes, loop_end) = (VariableMask::EMPTY, VariableMask::EMPTY, Order::FIRST);
        let mut jump = Jump { to: to.into(), depth: 1, written, loop_writes, loop_end };
        let Some(up) = to else { return jump };
        let first = self.jumps[up.index()];
        jump.depth = first.depth + 1;
        // A jump that starts at a root changes when that root is linked, so no jump of a block below is made of it.
        if let Some(over) = first.to.expand().filter(|_| first.depth > 0) {
            let second = self.jumps[over.index()];
            if let Some(far) = second.to.expand().filter(|_| second.depth > 0) {
                if first.depth - second.depth == second.depth - self.jumps[far.index()].depth {
                    jump = jump.and(self.nodes[up].written, first).and(self.nodes[over].written, second);
                }
            }
        }
        jump
    }
}
