//! Constructors that look at a function as a whole.
//!
//! | engine | paper | here |
//! |---|---|---|
//! | `cytron`, `semi-pruned`, `pruned`, `sreedhar-gao` | Cytron et al. 1991 and after | `placement`, then `rename` |
//! | `structured` | Brandis and Moessenboeck 1994 | `structured`, then `rename` |
//! | `aycock-horspool`, `all-locals` | Aycock and Horspool 2000; Click and Paleczny 1995 | `maximal`, `rules` |
//! | `functional`, `functional-literal` | Ullrich 2013 | `functional` |
//! | `react` | React Compiler | `react` |
//!
//! All of them see what is left once each block has answered what it can by
//! itself: [`Accesses`]. They decide where phis stand and what the remaining
//! reads find; values are the business of who asked.
//!
//! # Departures
//! Local reads and writes are settled before, where the papers' renaming goes
//! through all statements: blocks, phis and reads are the same. The entry counts
//! as a block that answers all of its reads, since no edges enter it.

mod accesses;
mod functional;
mod maximal;
mod placement;
mod react;
mod rename;
mod rules;
mod solution;
mod structured;
#[cfg(test)]
mod tests;

pub(crate) use accesses::Accesses;
pub(crate) use solution::{Found, Placed, Solution};

use crate::fault;
use crate::options::Engine;
use ssaphire_graph::{Block, DominatorTree, FlatCfg, Queue};

/// A graph, and what is known of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub(crate) cfg: FlatCfg,
    pub(crate) tree: DominatorTree,
}

/// Why there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unsolved {
    /// The work budget is used up.
    OutOfWork,
    /// The program is not structured: a loop can be entered elsewhere than at this block.
    Irreducible { block: Block },
    /// There are no numbers for so many phis and operands.
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
        fault::check_work(self.spent());
        Ok(())
    }

    pub(crate) fn spent(&self) -> u64 {
        self.given - self.left
    }
}

/// Decides where phis stand and what reads find, by an engine that [decides at the end](Engine::decides_at_end).
///
/// The entry has no incoming edges.
pub(crate) fn solve(
    engine: Engine,
    graph: &Graph,
    accesses: &Accesses,
    budget: &mut Budget,
) -> Result<Solution, Unsolved> {
    debug_assert!(accesses.fits(graph), "accesses are told for each block");
    let phis = match engine {
        Engine::Cytron => placement::cytron(graph, accesses, budget)?,
        Engine::SemiPruned => placement::semi_pruned(graph, accesses, budget)?,
        Engine::Pruned => placement::pruned(graph, accesses, Queue::Heap, budget)?,
        Engine::SreedharGao => placement::pruned(graph, accesses, Queue::Buckets, budget)?,
        Engine::Structured => structured::place(graph, accesses, budget)?,
        Engine::AycockHorspool => return maximal::aycock_horspool(graph, accesses, budget),
        Engine::AllLocals => return maximal::all_locals(graph, accesses, budget),
        Engine::Functional => {
            return functional::solve(graph, accesses, &mut functional::DepthFirst::new(graph), budget);
        }
        Engine::FunctionalLiteral => {
            return functional::solve(graph, accesses, &mut functional::AllPaths::new(graph), budget);
        }
        Engine::React => return react::solve(graph, accesses, budget),
        Engine::Auto
        | Engine::Marker
        | Engine::Braun
        | Engine::BraunOperand
        | Engine::BraunWatched
        | Engine::Scc
        | Engine::Region => unreachable!("{engine} does not decide at the end"),
    };
    rename::rename(graph, accesses, phis, budget)
}
