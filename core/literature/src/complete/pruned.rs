//! The pruned form (Choi et al. 1991): phis at the iterated frontiers of the writes where the variable is live; then
//! renaming.
//!
//! | engine | iterated frontiers |
//! |---|---|
//! | `pruned` | by a heap of blocks by level, as production compilers have it |
//! | `sreedhar-gao` | Sreedhar and Gao 1995: by buckets, in linear time |
//!
//! # Complexity
//! Nothing for a variable that is read nowhere; otherwise the blocks that write it, those where it is live, and their
//! edges.
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
use ssaphire_graph::{Block, IdMap, IteratedFrontier, PackedOption, Queue, Variable};

/// Frontiers found with a heap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pruned;

impl Constructor for Pruned {
    fn solve(&self, graph: &Graph, accesses: &Accesses, budget: &mut Budget) -> Result<Solution, Unsolved> {
        rename(graph, accesses, place(graph, accesses, Queue::Heap, budget)?, budget)
    }
}

/// Frontiers found with buckets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SreedharGao;

impl Constructor for SreedharGao {
    fn solve(&self, graph: &Graph, accesses: &Accesses, budget: &mut Budget) -> Result<Solution, Unsolved> {
        rename(graph, accesses, place(graph, accesses, Queue::Buckets, budget)?, budget)
    }
}

/// The iterated frontiers of the writes, where the variable is live on entry.
fn place(graph: &Graph, accesses: &Accesses, queue: Queue, budget: &mut Budget) -> Result<Vec<Placed>, Unsolved> {
    let lists = ByVariable::new(graph, accesses);
    let mut finder = IteratedFrontier::with_queue(queue);
    let mut live = Live::new(graph);
    let mut phis = Vec::new();
    for variable in (0..accesses.num_variables()).map(Variable::new) {
        if lists.reads(variable).is_empty() || lists.writes(variable).is_empty() {
            continue;
        }
        live.find(graph, &lists, variable, budget)?;
        let is_live = |block: Block| live.live[block] == variable.into();
        let frontier = finder.of_live(&graph.cfg, &graph.tree, lists.writes(variable), is_live);
        phis.extend(frontier.iter().map(|&block| Placed { block, variable }));
        budget.spend(lists.writes(variable).len() as u64 + finder.num_steps())?;
    }
    Ok(by_block(graph.cfg.num_blocks(), &phis))
}

/// Where one variable after another is live on entry.
struct Live {
    /// By block: the last variable that is live there, and the last one written there.
    live: IdMap<Block, PackedOption<Variable>>,
    written: IdMap<Block, PackedOption<Variable>>,
    work: Vec<Block>,
}

impl Live {
    fn new(graph: &Graph) -> Self {
        let none = || IdMap::filled(graph.cfg.num_blocks(), PackedOption::NONE);
        Self { live: none(), written: none(), work: Vec::new() }
    }

    /// Goes backwards from the reads, and stops at writes.
    fn find(
        &mut self,
        graph: &Graph,
        lists: &ByVariable,
        variable: Variable,
        budget: &mut Budget,
    ) -> Result<(), Unsolved> {
        let found = variable.into();
        lists.writes(variable).iter().for_each(|&block| self.written[block] = found);
        self.work.extend_from_slice(lists.reads(variable));
        while let Some(block) = self.work.pop() {
            if self.live[block].replace(variable) == found {
                continue;
            }
            budget.spend(1 + graph.cfg.incoming(block).len() as u64)?;
            let sources = graph.cfg.incoming(block).iter().map(|&edge| graph.cfg.source(edge));
            self.work.extend(sources.filter(|&source| self.written[source] != found && self.live[source] != found));
        }
        Ok(())
    }
}
