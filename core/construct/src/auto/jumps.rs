//! Jumps up the dominator tree: any dominator is reached in few jumps and steps.
//!
//! The nodes below a root form a tree that grows by leaves. There a node jumps to its dominator; or, if the jump of its
//! dominator is as long as the next one, as far as both together: the lengths of jumps are the digits of a skew-binary
//! number, and O(log *n*) jumps and steps lead to any dominator (Myers 1983).
//!
//! The root itself may be linked later, to a node of another such tree. From then on it jumps to the root of that tree,
//! or further: each former root has a rank, *k* with probability 2^-(*k* + 1), and jumps to the nearest one of higher
//! rank, as in a skip list (Pugh 1990); O(log^2 *n*) jumps and steps lead to any of them. A jump is extended when it is
//! used: if it ends at a root that has been linked since, it continues from there. This takes O(*n* log *n*) steps in
//! all, as each jump passes roots of lower rank.
//!
//! Each jump has the mask of the variables written on the way.
//!
//! # Departures
//! A node of a skip list has a pointer for each rank up to its own; here it has one, the longest. Ranks are a hash of
//! the node's id, not random: the result, and the number of steps, are the same in each run.

use super::bloom::VariableMask;
use super::dominators::{Node, Tree};
use super::node_id::NodeId;
use ssaphire_graph::{Id, IdMap, PackedOption, Variable};

/// A dominator further up, and the variables written on the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump {
    pub(super) to: PackedOption<NodeId>,
    /// Number of dominators up to the nearest one that was created as a root; 0 for a node that was created as one.
    depth: u32,
    /// The variables written between both ends, in neither of them.
    pub(super) written: VariableMask,
    /// The variables whose writes reach the top of the node, or one of the tops passed, along a back edge.
    loop_writes: VariableMask,
    /// The greatest of the [ends](Tree::loop_end) of these: the sources of the back edges are older.
    pub(super) loop_end: NodeId,
}

impl Jump {
    /// This jump and `next`, which begins where this one ends, as one; `over` is the mask of the node between them.
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
    pub(super) top: NodeId,
    /// Whether the variable may be written on a path from the block back to its top.
    pub(super) is_written_in_loop: bool,
    /// Jumps and steps.
    pub(super) num_steps: u64,
}

/// The jump of the block, as long as it can be by now, and the number of other jumps that were added to make it so.
///
/// A block with a provisional dominator ([`Tree::set_dominator`]) has no jump, so no jump leads over it.
#[inline]
pub(super) fn longest(jumps: &mut [Jump], nodes: &IdMap<NodeId, Node>, node: NodeId) -> (Jump, u64) {
    let jump = jumps[node.index()];
    match jump.depth {
        0 => longest_of_root(jumps, nodes, node),
        _ => (jump, 0),
    }
}

#[inline(never)]
fn longest_of_root(jumps: &mut [Jump], nodes: &IdMap<NodeId, Node>, root: NodeId) -> (Jump, u64) {
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
fn rank_of(node: NodeId) -> u32 {
    // The finalizer of splitmix64: orders of one shape, such as all even ones, have ranks as others have.
    let mut hash = (node.index() as u64).wrapping_add(0x9e37_79b9_7f4a_7c15);
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (hash ^ (hash >> 31)).trailing_zeros()
}

impl Tree {
    /// The target of the block's jump, and the variables that may be written between the two; `None` for a root.
    ///
    /// [`need_jumps`](Self::need_jumps) must have been called.
    #[inline]
    pub(super) fn jump_from(&mut self, node: NodeId) -> Option<(NodeId, VariableMask)> {
        let (jump, num_steps) = longest(&mut self.jumps, &self.nodes, node);
        self.num_steps += num_steps;
        Some((jump.to.expand()?, jump.written))
    }

    /// The highest dominator of the node, or the node itself, that is newer than `since`; or the first one on the way
    /// whose top a write of the variable may reach along a back edge.
    ///
    /// The variable has no definition in nodes newer than `since`, up to this one, and `next` is the first newer node
    /// that writes the variable, or [`NodeId::LAST`]. So no write in a node older than `next` reaches a top on the way:
    /// the tops of loops that were complete before are passed together, however many there are. Nor is there a write
    /// between a dominator and a node below it if the dominator is not older than `latest_write`, the newest node that
    /// writes the variable.
    pub(super) fn leap(
        &mut self,
        node: NodeId,
        since: Option<NodeId>,
        variable: Variable,
        latest_write: Option<NodeId>,
        next: impl Fn() -> NodeId,
    ) -> Leap {
        let is_after = |node: NodeId| since.is_none_or(|since| node > since);
        let is_written_below = |up: Option<NodeId>| latest_write > up;
        // Nodes newer than `since`, up to `node`, have no definition, so only a write in a newer node can reach the
        // top along a back edge. That node is newer than `up`, which dominates it, and older than the end of the loop.
        let may_come_from = |end: NodeId, up| end > node && is_written_below(up) && next() < end;
        let (mut top, mut num_steps) = (node, 0);
        loop {
            let (jump, num_longer) = longest(&mut self.jumps, &self.nodes, top);
            num_steps += 1 + num_longer;
            let to = jump.to.expand();
            // The whole jump is taken only if no write reaches a top on the way along a back edge; else the leap
            // continues step by step, to find that top.
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
    pub(super) fn is_passed_by(&self, node: NodeId, variable: Variable) -> bool {
        !self.between(node).may_have(variable)
    }

    /// From here on, each node has its jump.
    pub(super) fn need_jumps(&mut self) {
        self.needs_jumps = true;
        self.extend_jumps();
    }

    pub(super) fn extend_jumps(&mut self) {
        // In the order of ids: the jump of a node is made of those of its dominators, which are older.
        for node in (self.jumps.len()..self.nodes.len()).map(NodeId::new) {
            // A node that is late was created as a root.
            let was_root = self.dominator(node).is_none() || self.loop_end(node) != NodeId::FIRST;
            self.jumps.push(if was_root { self.jump_of_root(node) } else { self.jump_of_leaf(node) });
        }
    }

    /// The jump of a node that was created as a root, or that may have back edges: to the next such node above.
    pub(super) fn jump_of_root(&self, node: NodeId) -> Jump {
        // A variable that the block itself writes has a definition there, so no leap passes the block.
        let (loop_writes, loop_end) = (self.between(node), self.loop_end(node));
        let (to, written) = (self.dominator(node).into(), VariableMask::EMPTY);
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

    /// The jump of a node that is created below a dominator.
    fn jump_of_leaf(&self, node: NodeId) -> Jump {
        let to = self.dominator(node);
        let (written, loop_writes, loop_end) = (VariableMask::EMPTY, VariableMask::EMPTY, NodeId::FIRST);
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
