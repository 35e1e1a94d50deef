//! Random functions of the reference IR, by shape.
//!
//! A function is in variable form, and complete: copies, swaps, calls with
//! several results and with variables they may modify or use, prints; in one of
//! three, arrays too. The same shape, size and seed give the same function, on any
//! machine.
//!
//! Branches mostly depend on opaque calls, so that loops end at some time in
//! most runs; limit the steps nevertheless. [`maximal_ssa`] brings a function into
//! the largest SSA form.

mod body;
mod graph;
mod maximal;
mod rng;

pub use maximal::maximal_ssa;
pub use rng::Rng;

use ssaphire_ir::{Basic, Function};

/// What the control-flow graph of a random function looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Made of sequences, conditionals and loops.
    Structured,
    /// Any graph in which each cycle has a block that dominates it.
    Reducible,
    /// At least one loop with two entries, if there are three blocks; all blocks reachable.
    Irreducible,
    /// Some blocks are unreachable; they have edges among each other and into the rest.
    Unreachable,
    /// Many blocks have an edge to themselves.
    SelfLoops,
    /// Many terminators name a target more than once.
    RepeatedEdges,
    /// A single block; the size counts instructions.
    OneBlock,
    /// No block returns.
    NoExit,
    /// The entry has incoming edges.
    EntryLoop,
    /// Some terminators are calls with results and a handler.
    Exceptions,
}

impl Shape {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::Structured,
        Self::Reducible,
        Self::Irreducible,
        Self::Unreachable,
        Self::SelfLoops,
        Self::RepeatedEdges,
        Self::OneBlock,
        Self::NoExit,
        Self::EntryLoop,
        Self::Exceptions,
    ];
}

/// A random function of about `size` blocks, in variable form and canonical.
///
/// # Complexity
/// O(*n* + instructions), but for [`Shape::Reducible`], which walks dominators: O(*n d*).
pub fn generate(shape: Shape, size: usize, seed: u64) -> Function<Basic> {
    let mut rng = Rng::new(seed);
    let graph = graph::successors(shape, size.max(1), &mut rng);
    let insts = if shape == Shape::OneBlock { size } else { 4 };
    // Of another sequence, so that arrays change nothing in the functions without.
    let num_arrays = if Rng::new(!seed).chance(1, 3) { 2 } else { 0 };
    body::fill(shape, &graph, insts, num_arrays, &mut rng)
}
