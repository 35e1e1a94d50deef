//! Constructors that take a complete function.
//!
//! | engine | paper | here |
//! |---|---|---|
//! | `cytron` | Cytron et al. 1991 | `cytron`, then `rename` |
//! | `semi-pruned` | Briggs et al. 1998 | `semi_pruned`, then `rename` |
//! | `pruned`, `sreedhar-gao` | Choi et al. 1991; Sreedhar and Gao 1995 | `pruned`, then `rename` |
//! | `structured` | Brandis and Moessenboeck 1994 | `structured`, then `rename` |
//! | `aycock-horspool`, `all-locals` | Aycock and Horspool 2000; Click and Paleczny 1995 | `maximal`, `rules` |
//! | `functional`, `functional-literal` | Ullrich 2013 | `functional` |
//! | `react` | React Compiler | `react` |
//!
//! All of them read the [`Accesses`] that are left once each block has answered
//! its local reads. They place phis and compute the reaching definitions of the
//! remaining reads; the caller assigns values.
//!
//! # Departures
//! Local reads and writes are settled before, where the papers' renaming goes
//! through all statements: blocks, phis and reads are the same. The entry counts
//! as a block that answers all of its reads, since no edges enter it.

mod accesses;
mod cytron;
mod functional;
mod maximal;
mod pruned;
mod react;
mod rename;
mod rules;
mod semi_pruned;
mod solution;
mod structured;
#[cfg(test)]
mod tests;

pub(crate) use accesses::Accesses;
pub(crate) use cytron::Cytron;
pub(crate) use functional::{Functional, FunctionalLiteral};
pub(crate) use maximal::{AllLocals, AycockHorspool};
pub(crate) use pruned::{Pruned, SreedharGao};
pub(crate) use react::React;
pub(crate) use semi_pruned::SemiPruned;
pub(crate) use solution::{Found, Placed, Solution};
pub(crate) use structured::Structured;

use core::fmt;
use ssaphire_graph::{Block, DominatorTree, FlatCfg};

/// A graph with its analyses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub(crate) cfg: FlatCfg,
    pub(crate) tree: DominatorTree,
}

/// The reason why there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unsolved {
    /// The work budget is used up.
    OutOfWork,
    /// The program is not structured: a loop can be entered elsewhere than at this block.
    Irreducible { block: Block },
    /// There are more phis and operands than can be numbered.
    TooManyPhis { phis: u64, operands: u64 },
}

/// Steps that are left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    left: u64,
    given: u64,
}

impl Budget {
    pub(crate) fn new(steps: u64) -> Self {
        Self { left: steps, given: steps }
    }

    fn spend(&mut self, steps: u64) -> Result<(), Unsolved> {
        self.left = self.left.checked_sub(steps).ok_or(Unsolved::OutOfWork)?;
        Ok(())
    }

    pub(crate) fn spent(&self) -> u64 {
        self.given - self.left
    }
}

/// A constructor for complete functions: places phis and finds the reaching definitions of reads.
pub(crate) trait Constructor: fmt::Debug + Sync {
    /// The placed phis, and the reaching definitions of the non-local reads. The entry has no incoming edges.
    ///
    /// # Errors
    /// If the budget is used up, or there is no form for the function.
    fn solve(&self, graph: &Graph, accesses: &Accesses, budget: &mut Budget) -> Result<Solution, Unsolved>;
}
