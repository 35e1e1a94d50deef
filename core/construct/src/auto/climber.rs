//! A climb up the dominator tree: one step, and the variables written in the blocks that it passes.

use super::bloom::VariableMask;
use super::dominators::Node;
use super::jumps::{self, Jump};
use super::node_id::NodeId;
use ssaphire_graph::{Id, IdMap, PackedOption};

/// The result of one step up.
pub(super) enum Step {
    To(NodeId),
    /// The block was passed before.
    Seen,
    /// The block is a root.
    Blocked,
}

/// A climb in progress.
pub(super) struct Climber<'a> {
    nodes: &'a mut IdMap<NodeId, Node>,
    single_entry_headers: &'a [PackedOption<NodeId>],
    jumps: &'a mut [Jump],
    loop_ends: &'a IdMap<NodeId, NodeId>,
    number: u32,
    /// The variables written in the blocks passed.
    pub(super) written: VariableMask,
    /// The last of the [ends](super::dominators::Tree::loop_end) of the blocks passed, if the climb takes jumps.
    end: NodeId,
    pub(super) num_steps: u32,
}

impl<'a> Climber<'a> {
    /// The climb of this number, with jumps if there are any.
    #[inline(always)]
    pub(super) fn new(
        nodes: &'a mut IdMap<NodeId, Node>,
        single_entry_headers: &'a [PackedOption<NodeId>],
        jumps: &'a mut [Jump],
        loop_ends: &'a IdMap<NodeId, NodeId>,
        number: u32,
    ) -> Self {
        let (written, end) = (VariableMask::EMPTY, NodeId::FIRST);
        Self { nodes, single_entry_headers, jumps, loop_ends, number, written, end, num_steps: 0 }
    }

    /// A bound such that all nodes between the block and the dominator where these sources meet are older; for a climb
    /// that takes jumps.
    pub(super) fn end_of(&self, sources: &[NodeId]) -> NodeId {
        sources.iter().max().map_or(NodeId::LAST, |last| self.end.max(NodeId::new(last.index() + 1)))
    }

    /// Passes the block; with `JUMPS`, also blocks above it, but none above `floor`.
    #[inline(always)]
    pub(super) fn pass<const JUMPS: bool>(&mut self, node: NodeId, floor: NodeId) -> Step {
        let data = &mut self.nodes[node];
        if data.visited == self.number {
            return Step::Seen;
        }
        data.visited = self.number;
        let up = data.up;
        // A root may still be linked: the sources may meet above it.
        if up == NodeId::LAST {
            return Step::Blocked;
        }
        self.num_steps += 1;
        self.written.add(data.written);
        if JUMPS {
            // Making jumps longer is not counted as steps of the climb: it takes O(*n* log *n*) in all.
            let (jump, _) = jumps::longest(self.jumps, self.nodes, node);
            if let Some(to) = jump.to.expand().filter(|&to| to >= floor) {
                // The jump's mask leaves out both ends: this block has been counted above, and the other one is
                // passed next, or is where the climb ends.
                self.written.add(jump.written);
                self.end = self.end.max(jump.loop_end);
                return Step::To(to);
            }
            self.end = self.end.max(self.loop_ends.get(node).copied().unwrap_or(NodeId::FIRST));
        }
        Step::To(up)
    }

    /// Passes a node that may be in the loop of `header`; an inner loop that is closed is passed in one step, up to its
    /// header.
    ///
    /// Variables written in such a loop count as written in its header, which dominates all of it. If `header` closes
    /// a loop around that one, the next climb passes from the node to `header` in one step.
    #[inline(always)]
    pub(super) fn come_round<const JUMPS: bool>(&mut self, node: NodeId, header: NodeId) -> Step {
        let visited = &mut self.nodes[node].visited;
        let header_passed =
            self.single_entry_headers.get(visited.wrapping_sub(1) as usize).and_then(|inner| inner.expand());
        // Of the nodes passed by that climb, `inner` dominates those newer than it; the others lie above. An `inner`
        // older than `header` may lie above `header`, so it is not reached in one step; and while `header` itself is
        // not linked, its mask lacks the writes of its own loop.
        match header_passed.filter(|&inner| inner > header && inner < node) {
            Some(inner) => {
                *visited = self.number;
                self.num_steps += 1;
                Step::To(inner)
            }
            None => self.pass::<JUMPS>(node, header),
        }
    }
}
