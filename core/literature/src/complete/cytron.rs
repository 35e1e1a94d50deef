//! The minimal form (Cytron et al. 1991): phis at the iterated frontiers of the writes, by Fig. 11 over explicit
//! frontiers; then renaming, Fig. 12.
//!
//! # Complexity
//! O(*v* + size of the frontiers + for each variable the frontiers of the blocks that define it), which can be quadratic
//! in *n*.
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
use ssaphire_graph::{DominanceFrontiers, IdMap, PackedOption, Variable};

/// Fig. 11, then Fig. 12.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cytron;

impl Constructor for Cytron {
    fn solve(&self, graph: &Graph, accesses: &Accesses, budget: &mut Budget) -> Result<Solution, Unsolved> {
        rename(graph, accesses, place(graph, accesses, budget)?, budget)
    }
}

/// Places phis at the iterated frontiers of the writes, by Fig. 11 over explicit frontiers.
fn place(graph: &Graph, accesses: &Accesses, budget: &mut Budget) -> Result<Vec<Placed>, Unsolved> {
    let lists = ByVariable::new(graph, accesses);
    let frontiers = DominanceFrontiers::new(&graph.cfg, &graph.tree);
    budget.spend(frontiers.size() as u64)?;
    let none = || IdMap::filled(graph.cfg.num_blocks(), PackedOption::NONE);
    // The paper's Work and HasAlready: the variable for which a block was last put in the list, or given a phi.
    let (mut work, mut has_already) = (none(), none());
    let (mut list, mut phis) = (Vec::new(), Vec::new());
    for variable in (0..accesses.num_variables()).map(Variable::new) {
        let first = phis.len();
        list.extend_from_slice(lists.writes(variable));
        list.iter().for_each(|&block| work[block] = variable.into());
        while let Some(block) = list.pop() {
            let frontier = frontiers.of(block);
            budget.spend(1 + frontier.len() as u64)?;
            for &met in frontier {
                if has_already[met].replace(variable) == variable.into() {
                    continue;
                }
                phis.push(Placed { block: met, variable });
                if work[met].replace(variable) != variable.into() {
                    list.push(met);
                }
            }
        }
        phis[first..].sort_unstable();
    }
    Ok(by_block(graph.cfg.num_blocks(), &phis))
}
