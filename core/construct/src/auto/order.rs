//! Blocks by the order in which they are begun.

use ssaphire_graph::internal_id;

internal_id!(
    /// A block by its place in the order in which blocks are given a row of cells.
    ///
    /// A block's dominators that are known have been given theirs before it. One without a row of its own goes by the
    /// name of the dominator whose row it shares.
    pub(crate) Order, "row"
);

impl Order {
    /// The block that is begun first.
    pub(super) const FIRST: Self = Self(0);
    /// No block is begun as late as that: what is above a root.
    pub(super) const LAST: Self = Self((1 << 31) - 1);
}
