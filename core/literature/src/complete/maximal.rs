//! Phis for all variables first; needless ones are removed afterwards.
//!
//! | engine | phis at first | by |
//! |---|---|---|
//! | `aycock-horspool` | for each variable in each block | Aycock and Horspool 2000 |
//! | `all-locals` | for each variable at each join | Click and Paleczny 1995 |
//!
//! On reducible graphs both end with the minimal form; phis that nothing reads stay.
//!
//! # Complexity
//! O(*v*·*n*) phis and O(*v*·*e*) operands, in time and memory, and `rules` beyond that.
//!
//! # Departures
//! The entry has no phis: it has no incoming edges.
//! Click and Paleczny remove needless phis while they parse, as nodes are
//! hashed; here the same rules are applied once all operands are known.

use super::accesses::Accesses;
use super::rename::rename;
use super::solution::{Numbering, Placed, Solution};
use super::{Budget, Constructor, Graph, Unsolved, rules};
use alloc::vec::Vec;
use ssaphire_graph::Block;

/// Phis for each variable in each block, then the two rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AycockHorspool;

impl Constructor for AycockHorspool {
    fn solve(&self, graph: &Graph, accesses: &Accesses, budget: &mut Budget) -> Result<Solution, Unsolved> {
        maximal(graph, accesses, budget, 1)
    }
}

/// Phis for each variable at each join, then the two rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AllLocals;

impl Constructor for AllLocals {
    fn solve(&self, graph: &Graph, accesses: &Accesses, budget: &mut Budget) -> Result<Solution, Unsolved> {
        maximal(graph, accesses, budget, 2)
    }
}

/// Phis in reachable blocks with at least this number of incoming edges.
fn maximal(graph: &Graph, accesses: &Accesses, budget: &mut Budget, least_edges: usize) -> Result<Solution, Unsolved> {
    let has_phis = |&block: &Block| graph.tree.is_reachable(block) && graph.cfg.incoming(block).len() >= least_edges;
    let blocks: Vec<Block> = graph.cfg.blocks().filter(has_phis).collect();
    let num_edges: u64 = blocks.iter().map(|&block| graph.cfg.incoming(block).len() as u64).sum();
    let variables = accesses.variables();
    let num_variables = variables.len() as u64;
    let (num_phis, num_operands) =
        (num_variables.saturating_mul(blocks.len() as u64), num_variables.saturating_mul(num_edges));
    budget.spend(num_operands)?;
    if !Numbering::new(accesses).has_room_for(num_phis, num_operands) {
        return Err(Unsolved::TooManyPhis { phis: num_phis, operands: num_operands });
    }
    let phis = blocks.iter().flat_map(|&block| variables.iter().map(move |&variable| Placed { block, variable }));
    let mut solution = rename(graph, accesses, phis.collect(), budget)?;
    rules::apply(&mut solution, budget)?;
    Ok(solution)
}
