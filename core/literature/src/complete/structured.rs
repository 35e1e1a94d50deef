//! One pass over structured programs (Brandis and Moessenboeck 1994).
//!
//! Loops get a phi at their header for each variable they write; where ways
//! meet again, a variable that was written on one of them gets a phi. Blocks
//! are visited once, in an order in which all ways forward come first.
//!
//! A program is structured if its graph is reducible: it can then be written
//! with conditionals, loops and exits from blocks around them (Ramsey 2022).
//! Gotos into a loop cannot be written so, and are refused.
//!
//! # Complexity
//! O(*n* + *e*), plus for each write the loops around it, plus at each join what is written and merged in the blocks
//! between it and its immediate dominator; a join after a join looks at the same blocks again.
//!
//! # Departures
//! The paper works on syntax; here loops and joins are read off the graph. What
//! a loop writes is what its blocks write from which control can come back to
//! the header.

use super::accesses::{Accesses, ByVariable};
use super::rename::rename;
use super::solution::{Placed, Solution, by_block};
use super::{Budget, Constructor, Graph, Unsolved};
use alloc::vec::Vec;
use ssaphire_graph::{Block, IdMap, LoopForest, PackedOption, Variable};

/// One pass, then renaming.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Structured;

impl Constructor for Structured {
    fn solve(&self, graph: &Graph, accesses: &Accesses, budget: &mut Budget) -> Result<Solution, Unsolved> {
        rename(graph, accesses, place(graph, accesses, budget)?, budget)
    }
}

/// Places phis in one pass.
fn place(graph: &Graph, accesses: &Accesses, budget: &mut Budget) -> Result<Vec<Placed>, Unsolved> {
    let loops = LoopForest::new(&graph.cfg, &graph.tree);
    if let Some(header) = loops.headers().find(|&header| loops.is_irreducible(header)) {
        return Err(Unsolved::Irreducible { block: header });
    }
    let num_blocks = graph.cfg.num_blocks();
    let mut pass = Pass {
        graph,
        accesses,
        merged: IdMap::filled(num_blocks, Vec::new()),
        passed: IdMap::filled(num_blocks, PackedOption::NONE),
        has_phi: IdMap::filled(accesses.num_variables(), PackedOption::NONE),
    };
    pass.merge_in_loops(&loops, budget)?;
    for block in graph.tree.order().rpo() {
        pass.merge_ways(block, budget)?;
    }
    let blocks = graph.cfg.blocks();
    let phis = blocks.flat_map(|block| pass.merged[block].iter().map(move |&variable| Placed { block, variable }));
    let mut phis: Vec<Placed> = phis.collect();
    phis.sort_unstable_by_key(|phi| (phi.variable, phi.block));
    Ok(by_block(num_blocks, &phis))
}

struct Pass<'a> {
    graph: &'a Graph,
    accesses: &'a Accesses,
    /// By block: the variables with a phi.
    merged: IdMap<Block, Vec<Variable>>,
    /// By block: the last join whose ways it was found on.
    passed: IdMap<Block, PackedOption<Block>>,
    /// By variable: the last join where it was given a phi.
    has_phi: IdMap<Variable, PackedOption<Block>>,
}

impl Pass<'_> {
    /// Phis at headers for the variables that loops write.
    fn merge_in_loops(&mut self, loops: &LoopForest, budget: &mut Budget) -> Result<(), Unsolved> {
        let lists = ByVariable::new(self.graph, self.accesses);
        let mut last = IdMap::filled(self.graph.cfg.num_blocks(), PackedOption::NONE);
        for variable in (0..self.accesses.num_variables()).map(Variable::new) {
            for &block in lists.writes(variable) {
                let mut around = loops.innermost(block);
                while let Some(header) = around.filter(|&header| last[header] != variable.into()) {
                    budget.spend(1)?;
                    last[header] = variable.into();
                    self.merged[header].push(variable);
                    around = loops.parent(header);
                }
            }
        }
        Ok(())
    }

    /// Phis at a join for the variables that are written or merged on a way to it from its immediate dominator.
    fn merge_ways(&mut self, join: Block, budget: &mut Budget) -> Result<(), Unsolved> {
        let graph = self.graph;
        let Some(idom) = graph.tree.idom(join).filter(|_| graph.cfg.incoming(join).len() > 1) else { return Ok(()) };
        let mut phis = core::mem::take(&mut self.merged[join]);
        phis.iter().for_each(|&variable| self.has_phi[variable] = join.into());
        for &edge in graph.cfg.incoming(join) {
            // Ways back need nothing: what the loop writes has a phi.
            let is_forward = |&source: &Block| graph.tree.is_reachable(source) && !graph.tree.dominates(join, source);
            let mut at = Some(graph.cfg.source(edge)).filter(is_forward);
            while let Some(block) = at.filter(|&block| block != idom && self.passed[block] != join.into()) {
                self.passed[block] = join.into();
                let written = self.accesses.writes(block).map(|(_, variable)| variable);
                let before = phis.len();
                for variable in written.chain(self.merged[block].iter().copied()) {
                    if self.has_phi[variable].replace(join) != join.into() {
                        phis.push(variable);
                    }
                }
                budget.spend(1 + (phis.len() - before) as u64)?;
                at = graph.tree.idom(block);
            }
        }
        self.merged[join] = phis;
        Ok(())
    }
}
