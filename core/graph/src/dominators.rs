//! Dominators: the blocks that every path from the entry to a block passes.
//!
//! All methods number the reachable blocks by depth-first preorder and answer
//! with one number per block, its immediate dominator; [`DominatorTree`] lays
//! the tree out for queries in constant time.
//!
//! | paper | here |
//! |---|---|
//! | Lengauer and Tarjan 1979, depth-first numbering | [`Order`] |
//! | there, semidominators, `LINK` and `EVAL` (simple version) | `link_eval` |
//! | there, buckets and implicit idoms | `lengauer_tarjan` |
//! | Georgiadis 2005, Semi-NCA | `semi_nca` |
//! | Cooper, Harvey and Kennedy 2001, Fig. 3 | `iterative` |
//!
//! # Complexity
//! Memory is O(*n*) in all cases. Time is O(*e* log *n*), except for the
//! iterative [`Method`].
//! Rebuilding in the memory of a graph at least as large allocates nothing.
//!
//! # Departures
//! No method recurses. Blocks without a path from the entry are left out of
//! all computations: the papers suppose that there are none. Edges to the
//! entry, self-loops and repeated edges change nothing and are passed over.

mod immediate;
mod iterative;
mod lengauer_tarjan;
mod link_eval;
mod semi_nca;
mod tree;

pub use immediate::{ImmediateDominators, Method};
pub use tree::DominatorTree;

#[cfg(doc)]
use crate::Order;
