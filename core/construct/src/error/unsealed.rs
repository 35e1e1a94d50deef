//! Blocks that wait for edges at the end.

use core::fmt;
use ssaphire_graph::Block;

/// A block that is not sealed when the function ends, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnsealedBlock {
    /// The block.
    pub block: Block,
    /// Incoming edges it has.
    pub edges: u32,
    /// Incoming edges that were announced for it, if any were.
    pub expected: Option<u32>,
    /// Variables whose value at its top depends on the missing edges.
    pub incomplete_phis: u32,
}

impl UnsealedBlock {
    /// A report on `block`, which has `edges` of the `expected` incoming edges.
    pub const fn new(block: Block, edges: u32, expected: Option<u32>, incomplete_phis: u32) -> Self {
        Self { block, edges, expected, incomplete_phis }
    }
}

impl fmt::Display for UnsealedBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: never sealed (", self.block)?;
        match self.expected {
            Some(expected) => write!(f, "{} of {expected} incoming edges", self.edges)?,
            None => write!(f, "incoming edges so far: {}", self.edges)?,
        }
        write!(f, ", incomplete phis: {})", self.incomplete_phis)
    }
}
