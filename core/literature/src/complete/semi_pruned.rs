//! The semi-pruned form (Briggs et al. 1998): phis at the iterated frontiers of the writes, for variables that some block
//! reads before it writes them; then renaming.
//!
//! # Complexity
//! O(*n* + *e*) at worst for each variable that counts, and less where few blocks write it.
//!
//! # Departures
//! The paper counts the entry as a write of every variable. It has no incoming
//! edges here, so its frontier is empty, and it is left out.
//! Phis are placed in reachable blocks only.

use super::accesses::{Accesses, ByVariable};
use super::rename::rename;
use super::solution::{Placed, Solution, by_block};
use super::{Budget, Constructor, Graph, Unsolved};
use alloc::vec::Vec;
use ssaphire_graph::{IteratedFrontier, Variable};

/// Phis for variables that some block reads before it writes them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SemiPruned;

impl Constructor for SemiPruned {
    fn solve(&self, graph: &Graph, accesses: &Accesses, budget: &mut Budget) -> Result<Solution, Unsolved> {
        rename(graph, accesses, place(graph, accesses, budget)?, budget)
    }
}

/// The iterated frontiers of the writes, for variables that some block reads before it writes them; none for others.
fn place(graph: &Graph, accesses: &Accesses, budget: &mut Budget) -> Result<Vec<Placed>, Unsolved> {
    let lists = ByVariable::new(graph, accesses);
    let mut finder = IteratedFrontier::new();
    let mut phis = Vec::new();
    for variable in (0..accesses.num_variables()).map(Variable::new) {
        if lists.reads(variable).is_empty() {
            continue;
        }
        let frontier = finder.of(&graph.cfg, &graph.tree, lists.writes(variable));
        phis.extend(frontier.iter().map(|&block| Placed { block, variable }));
        budget.spend(lists.writes(variable).len() as u64 + finder.num_steps())?;
    }
    Ok(by_block(graph.cfg.num_blocks(), &phis))
}
