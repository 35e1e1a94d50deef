//! Where phis are placed (Cytron et al. 1991, Fig. 11, and what came after).
//!
//! | placed | by | engine |
//! |---|---|---|
//! | at the iterated frontier of the writes | Cytron et al. 1991, section 5.1, explicit frontiers | `cytron` |
//! | there, for variables that a block reads before writing them | Briggs et al. 1998 | `semi-pruned` |
//! | there, where the variable is live | Choi et al. 1991, a heap as production compilers have it | `pruned` |
//! | the same | Sreedhar and Gao 1995, buckets by level | `sreedhar-gao` |
//!
//! # Complexity
//! `cytron`: O(*v* + size of the frontiers + for each variable the frontiers of the blocks that define it), which can
//! be quadratic in *n*. `semi-pruned`: O(*n* + *e*) at worst for each variable that counts, and less where few blocks
//! write it. `pruned`, `sreedhar-gao`: nothing for a variable that is read nowhere; otherwise the blocks that write it,
//! those where it is live, and their edges.
//!
//! # Departures
//! The paper counts the entry as a write of every variable. It has no incoming
//! edges here, so its frontier is empty, and it is left out.
//! Phis are placed in reachable blocks only.

use super::accesses::{Accesses, ByVariable};
use super::solution::{Placed, by_block};
use super::{Budget, Graph, Unsolved};
use crate::fault::{self, Fault};
use alloc::vec::Vec;
use ssaphire_graph::{Block, DominanceFrontiers, IdMap, IteratedFrontier, Queue, Variable};

/// Places phis at the iterated frontiers of the writes, by Fig. 11 over explicit frontiers.
pub(super) fn cytron(graph: &Graph, accesses: &Accesses, budget: &mut Budget) -> Result<Vec<Placed>, Unsolved> {
    let lists = ByVariable::new(graph, accesses);
    let frontiers = DominanceFrontiers::new(&graph.cfg, &graph.tree);
    budget.spend(frontiers.size() as u64)?;
    let none = u32::MAX;
    // The paper's Work and HasAlready: the variable for which a block was last put in the list, or given a phi.
    let (mut work, mut has_already) =
        (IdMap::filled(graph.cfg.num_blocks(), none), IdMap::filled(graph.cfg.num_blocks(), none));
    let (mut list, mut phis) = (Vec::new(), Vec::new());
    for variable in (0..accesses.num_variables()).map(Variable::new) {
        let stamp = variable.index() as u32;
        let first = phis.len();
        list.extend_from_slice(lists.writes(variable));
        list.iter().for_each(|&block| work[block] = stamp);
        while let Some(block) = list.pop() {
            let frontier = frontiers.of(block);
            budget.spend(1 + frontier.len() as u64)?;
            for &met in frontier {
                if has_already[met] == stamp || (fault::is_on(Fault::HasAlreadySurvives) && has_already[met] != none) {
                    continue;
                }
                has_already[met] = stamp;
                phis.push(Placed { block: met, variable });
                let was_listed = fault::is_on(Fault::WorkSurvives) && work[met] != none;
                if work[met] != stamp && !was_listed && !fault::is_on(Fault::FrontiersAreNotIterated) {
                    work[met] = stamp;
                    list.push(met);
                }
            }
        }
        phis[first..].sort_unstable();
    }
    Ok(by_block(graph.cfg.num_blocks(), phis))
}

/// The same places for variables that some block reads before it writes them; none for others.
pub(super) fn semi_pruned(graph: &Graph, accesses: &Accesses, budget: &mut Budget) -> Result<Vec<Placed>, Unsolved> {
    let lists = ByVariable::new(graph, accesses);
    let mut finder = IteratedFrontier::new();
    let mut phis = Vec::new();
    for variable in (0..accesses.num_variables()).map(Variable::new) {
        if lists.reads(variable).is_empty() && !fault::is_on(Fault::LocalsAreGlobals) {
            continue;
        }
        if fault::is_on(Fault::OneWriteNeedsNoPhi) && lists.writes(variable).len() < 2 {
            continue;
        }
        let frontier = finder.of(&graph.cfg, &graph.tree, lists.writes(variable));
        phis.extend(frontier.iter().map(|&block| Placed { block, variable }));
        budget.spend(lists.writes(variable).len() as u64 + finder.num_steps())?;
    }
    Ok(by_block(graph.cfg.num_blocks(), phis))
}

/// The places where the variable is also live on entry.
pub(super) fn pruned(
    graph: &Graph,
    accesses: &Accesses,
    queue: Queue,
    budget: &mut Budget,
) -> Result<Vec<Placed>, Unsolved> {
    let lists = ByVariable::new(graph, accesses);
    let mut finder = IteratedFrontier::with_queue(queue);
    let mut live = Live::new(graph);
    let mut phis = Vec::new();
    for variable in (0..accesses.num_variables()).map(Variable::new) {
        if lists.reads(variable).is_empty() || lists.writes(variable).is_empty() {
            continue;
        }
        live.find(graph, &lists, variable, budget)?;
        let stamp = variable.index() as u32;
        let is_live = |block: Block| live.live[block] == stamp;
        let frontier = finder.of_live(&graph.cfg, &graph.tree, lists.writes(variable), is_live);
        phis.extend(frontier.iter().map(|&block| Placed { block, variable }));
        budget.spend(lists.writes(variable).len() as u64 + finder.num_steps())?;
    }
    Ok(by_block(graph.cfg.num_blocks(), phis))
}

/// Where one variable after another is live on entry.
struct Live {
    /// By block: the last variable that is live there, and the last one written there.
    live: IdMap<Block, u32>,
    written: IdMap<Block, u32>,
    work: Vec<Block>,
}

impl Live {
    fn new(graph: &Graph) -> Self {
        let none = || IdMap::filled(graph.cfg.num_blocks(), u32::MAX);
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
        let stamp = variable.index() as u32;
        lists.writes(variable).iter().for_each(|&block| self.written[block] = stamp);
        self.work.extend_from_slice(lists.reads(variable));
        while let Some(block) = self.work.pop() {
            let was_live = fault::is_on(Fault::LiveBlocksStayLive) && self.live[block] != u32::MAX;
            if self.live[block] == stamp || was_live {
                continue;
            }
            if fault::is_on(Fault::WritersAreNotLive) && self.written[block] == stamp {
                continue;
            }
            self.live[block] = stamp;
            budget.spend(1 + graph.cfg.incoming(block).len() as u64)?;
            let sources = graph.cfg.incoming(block).iter().map(|&edge| graph.cfg.source(edge));
            let kills = |written: u32| match fault::is_on(Fault::WritersStayWriters) {
                true => written != u32::MAX,
                false => written == stamp && !fault::is_on(Fault::LivenessPassesWrites),
            };
            self.work.extend(sources.filter(|&source| !kills(self.written[source]) && self.live[source] != stamp));
        }
        Ok(())
    }
}
