//! The irreducible regions found in a graph, and their treatment.

use alloc::vec::Vec;
use ssaphire_graph::Block;

/// The irreducible regions found in a graph, and their treatment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The irreducible regions, in the order in which they were handled. None if the graph is reducible.
    pub regions: Vec<Region>,
    /// How many blocks are executed in one more place, counted once for each such place.
    pub num_copies: usize,
    /// Whether blocks were to be copied and the limit left some region to be dispatched.
    pub limit_reached: bool,
    /// Elementary steps taken after the dominators and loops were known: edges looked at, entries of work lists,
    /// probes of searches.
    pub work: u64,
}

/// A maximal set of cycles that are entered in several places and lie in each other.
///
/// Copying may leave or make irreducible regions inside of one that was split: these are regions of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Region {
    /// The block of it that a depth-first walk meets first.
    pub header: Block,
    /// How many blocks it has, copies counted each.
    pub num_blocks: usize,
    /// How it was handled.
    pub handling: Handling,
}

/// How an irreducible region was handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Handling {
    /// A loop that begins with a fork on the dispatch variable.
    Dispatched {
        /// How many blocks the fork leads to.
        num_targets: usize,
    },
    /// Blocks of it were copied.
    Split {
        /// How many copies were made.
        num_copies: usize,
    },
}
