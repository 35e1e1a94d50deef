//! Ids of the nodes of the dominator tree.

use ssaphire_graph::internal_id;

internal_id!(
    /// A node of the dominator tree, with its row of cells. Nodes are numbered in the order in which they are created.
    ///
    /// The known dominators of a node have smaller ids. A block without a node of its own uses the node of its
    /// dominator.
    pub(crate) NodeId, "node"
);

impl NodeId {
    /// The node that is created first.
    pub(super) const FIRST: Self = Self(0);
    /// Greater than the id of any node: the dominator of a root.
    pub(super) const LAST: Self = Self((1 << 31) - 1);
}
