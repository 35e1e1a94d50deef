//! All small functions: their graphs, what their blocks do, where their phis belong, and what every engine makes of them.
//!
//! A [`Space`] names a set of small functions and the ways in which they are
//! told to a builder; [`Census`] goes through one graph of it after another.
//! Accesses of different variables never meet unless variables are copied, so
//! what the blocks may do to one variable is enough, and many such *programs*
//! share a function: each has a variable of its own, or two.

mod alphabet;
mod census;
mod chunk;
mod code;
mod graph;
mod placement;
mod space;
mod telling;

pub use alphabet::{Alphabet, Content, Op};
pub use census::{Census, Counts, Finding, Share, Survey};
pub use chunk::{Chunk, Step};
pub use graph::{Blocks, GraphCounts, SmallGraph, members, permutations, small_graphs, wide_graphs};
pub use placement::Frontiers;
pub use space::{Orders, Programs, Space};
pub use telling::Telling;
