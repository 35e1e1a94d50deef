//! The functional construction of Ullrich 2013, section 4: an executable specification.
//!
//! | thesis | here |
//! |---|---|
//! | `phiDefNodes-aux`, all paths | [`AllPaths`] |
//! | its equivalent by depth-first search (section 7) | [`DepthFirst`] |
//! | `lookupDef` | `look_up` |
//! | `uses'`, `phis'` | `solve` |
//!
//! A phi is placed in every join from which a read can be reached without passing
//! a write: the form is pruned, but far from minimal.
//!
//! # Complexity
//! Literal: exponential in the joins (Fig. 11), since a block is visited once for each path that leads from it to a
//! read. By depth-first search: for each variable O(reads + live blocks and their incoming edges). Each look-up
//! takes O(blocks up to the next join or write).
//!
//! # Departures
//! Paths are walked with a list of steps, not by recursion.
//! The thesis demands that no block reads and writes the same variable: here a
//! read looks from the top of its block, as if the block were split there.
//! The search visits each block once for all reads of a variable, where the thesis
//! begins anew for each block that reads it.
//! The phi without operands at the entry is what the variable holds on entry.
//! Edges from unreachable blocks are no predecessors.

use super::accesses::{Accesses, ByVariable};
use super::solution::{Definition, Numbering, Placed, Solution, by_block};
use super::{Budget, Constructor, Graph, Unsolved};
use alloc::vec::Vec;
use ssaphire_graph::{Block, IdLists, IdMap, PackedOption, Variable};

/// By depth-first search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Functional;

impl Constructor for Functional {
    fn solve(&self, graph: &Graph, accesses: &Accesses, budget: &mut Budget) -> Result<Solution, Unsolved> {
        solve(graph, accesses, &mut DepthFirst::new(graph), budget)
    }
}

/// As the thesis writes it first: all paths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FunctionalLiteral;

impl Constructor for FunctionalLiteral {
    fn solve(&self, graph: &Graph, accesses: &Accesses, budget: &mut Budget) -> Result<Solution, Unsolved> {
        solve(graph, accesses, &mut AllPaths::new(graph), budget)
    }
}

/// How blocks are visited for `phiDefNodes`.
trait Visit {
    /// Visits what leads to the tops of the blocks `from` without a write: each join among them, and the entry, goes to
    /// `phi_def_nodes`, once or more often.
    ///
    /// # Errors
    /// If the budget is used up.
    fn visit(
        &mut self,
        preds: &Predecessors<'_>,
        from: &[Block],
        is_written: impl Fn(Block) -> bool,
        phi_def_nodes: &mut Vec<Block>,
        budget: &mut Budget,
    ) -> Result<(), Unsolved>;
}

/// The reachable sources of the incoming edges, by edge.
struct Predecessors<'g> {
    graph: &'g Graph,
}

impl<'g> Predecessors<'g> {
    fn of(&self, block: Block) -> impl DoubleEndedIterator<Item = Block> + use<'g> {
        let graph = self.graph;
        let sources = graph.cfg.incoming(block).iter().map(|&edge| graph.cfg.source(edge));
        sources.filter(|&source| graph.tree.is_reachable(source))
    }

    /// The only one, if there is one and no other.
    fn only(&self, block: Block) -> Option<Block> {
        let mut preds = self.of(block);
        preds.next().filter(|_| preds.next().is_none())
    }
}

/// As the thesis writes it: the list of unvisited blocks is that of the path.
struct AllPaths {
    /// By block: whether it is on the path at hand.
    is_on_path: IdMap<Block, bool>,
}

impl AllPaths {
    fn new(graph: &Graph) -> Self {
        Self { is_on_path: IdMap::filled(graph.cfg.num_blocks(), false) }
    }
}

enum Step {
    Enter(Block),
    Leave(Block),
}

impl Visit for AllPaths {
    fn visit(
        &mut self,
        preds: &Predecessors<'_>,
        from: &[Block],
        is_written: impl Fn(Block) -> bool,
        phi_def_nodes: &mut Vec<Block>,
        budget: &mut Budget,
    ) -> Result<(), Unsolved> {
        for &first in from {
            // Of the block that reads, only the top is visited: its writes come later.
            let mut steps = alloc::vec![Step::Enter(first)];
            let mut is_first = true;
            while let Some(step) = steps.pop() {
                let block = match step {
                    Step::Leave(block) => {
                        self.is_on_path[block] = false;
                        continue;
                    }
                    Step::Enter(block) => block,
                };
                budget.spend(1)?;
                let is_top = core::mem::replace(&mut is_first, false);
                if self.is_on_path[block] || (is_written(block) && !is_top) {
                    continue;
                }
                self.is_on_path[block] = true;
                steps.push(Step::Leave(block));
                if preds.only(block).is_none() {
                    phi_def_nodes.push(block);
                }
                steps.extend(preds.of(block).rev().map(Step::Enter));
            }
        }
        Ok(())
    }
}

/// Each block once for a variable.
struct DepthFirst {
    /// By block: the last variable it was visited for.
    visited: IdMap<Block, u32>,
    search: u32,
    work: Vec<Block>,
}

impl DepthFirst {
    fn new(graph: &Graph) -> Self {
        Self { visited: IdMap::filled(graph.cfg.num_blocks(), 0), search: 0, work: Vec::new() }
    }
}

impl Visit for DepthFirst {
    fn visit(
        &mut self,
        preds: &Predecessors<'_>,
        from: &[Block],
        is_written: impl Fn(Block) -> bool,
        phi_def_nodes: &mut Vec<Block>,
        budget: &mut Budget,
    ) -> Result<(), Unsolved> {
        self.search += 1;
        self.work.extend_from_slice(from);
        while let Some(block) = self.work.pop() {
            budget.spend(1)?;
            if core::mem::replace(&mut self.visited[block], self.search) == self.search {
                continue;
            }
            if preds.only(block).is_none() {
                phi_def_nodes.push(block);
            }
            self.work.extend(preds.of(block).filter(|&pred| !is_written(pred)));
        }
        Ok(())
    }
}

/// Places phis, then looks up operands and reads.
fn solve(
    graph: &Graph,
    accesses: &Accesses,
    visit: &mut impl Visit,
    budget: &mut Budget,
) -> Result<Solution, Unsolved> {
    let phis = phi_def_nodes(graph, accesses, visit, budget)?;
    let mut solution = Solution::new(graph, accesses, phis);
    let blocks = || graph.cfg.blocks().filter(|&block| graph.tree.is_reachable(block));
    let len = accesses.num_variables();
    let (mut reads, mut writes, mut phis) = (IdLists::new(), IdLists::new(), IdLists::new());
    reads.rebuild(len, blocks().flat_map(|block| accesses.reads(block).map(move |(read, x)| (x, (block, read)))));
    writes.rebuild(len, blocks().flat_map(|block| accesses.writes(block).map(move |(write, x)| (x, (block, write)))));
    phis.rebuild(len, (0..).zip(&solution.phis).map(|(phi, at)| (at.variable, (at.block, phi))));
    let mut definitions = Definitions::new(graph, solution.numbering);
    for variable in (0..len).map(Variable::new) {
        definitions.begin(variable, writes.of(variable), phis.of(variable));
        for &(block, read) in reads.of(variable) {
            solution.reads[read as usize] = definitions.look_up_from_top(block, budget)?;
        }
        for &(block, phi) in phis.of(variable) {
            for (place, &edge) in solution.operand_range(phi).zip(graph.cfg.incoming(block)) {
                let source = graph.cfg.source(edge);
                if graph.tree.is_reachable(source) {
                    solution.operands[place] = definitions.look_up(source, budget)?;
                }
            }
        }
    }
    Ok(solution)
}

/// Where one variable after another is defined.
struct Definitions<'g> {
    preds: Predecessors<'g>,
    numbering: Numbering,
    variable: Variable,
    /// By block: the last variable written there, and what its write defines.
    simple: IdMap<Block, (PackedOption<Variable>, Definition)>,
    /// By block: the last variable with a phi there, and that.
    phi: IdMap<Block, (PackedOption<Variable>, Definition)>,
}

impl<'g> Definitions<'g> {
    fn new(graph: &'g Graph, numbering: Numbering) -> Self {
        let none = || IdMap::filled(graph.cfg.num_blocks(), (PackedOption::NONE, Numbering::NOTHING));
        Self { preds: Predecessors { graph }, numbering, variable: Variable::new(0), simple: none(), phi: none() }
    }

    fn begin(&mut self, variable: Variable, writes: &[(Block, u32)], phis: &[(Block, u32)]) {
        self.variable = variable;
        writes.iter().for_each(|&(block, write)| self.simple[block] = (variable.into(), self.numbering.write(write)));
        phis.iter().for_each(|&(block, phi)| self.phi[block] = (variable.into(), self.numbering.phi(phi)));
    }

    /// `lookupDef`: the definition of the variable at the end of the block.
    fn look_up(&self, block: Block, budget: &mut Budget) -> Result<Definition, Unsolved> {
        let mut at = block;
        loop {
            budget.spend(1)?;
            let (written, simple) = self.simple[at];
            if written == self.variable.into() {
                return Ok(simple);
            }
            match self.preds.only(at) {
                Some(pred) => at = pred,
                None => return Ok(self.phi_def(at)),
            }
        }
    }

    /// The definition of the variable at the top of the block.
    fn look_up_from_top(&self, block: Block, budget: &mut Budget) -> Result<Definition, Unsolved> {
        match self.preds.only(block) {
            Some(pred) => self.look_up(pred, budget),
            None => Ok(self.phi_def(block)),
        }
    }

    /// What the variable holds at the top of a join or the entry.
    fn phi_def(&self, block: Block) -> Definition {
        match self.phi[block] {
            (variable, phi) if variable == self.variable.into() => phi,
            _ => self.numbering.entry(self.variable),
        }
    }
}

fn phi_def_nodes(
    graph: &Graph,
    accesses: &Accesses,
    visit: &mut impl Visit,
    budget: &mut Budget,
) -> Result<Vec<Placed>, Unsolved> {
    let lists = ByVariable::new(graph, accesses);
    let mut written = IdMap::filled(graph.cfg.num_blocks(), PackedOption::NONE);
    let (mut nodes, mut phis) = (Vec::new(), Vec::new());
    for variable in (0..accesses.num_variables()).map(Variable::new) {
        lists.writes(variable).iter().for_each(|&block| written[block] = variable.into());
        let is_written = |block: Block| written[block] == variable.into();
        visit.visit(&Predecessors { graph }, lists.reads(variable), is_written, &mut nodes, budget)?;
        nodes.sort_unstable();
        nodes.dedup();
        let placed = nodes.drain(..).filter(|&block| block != graph.cfg.entry());
        phis.extend(placed.map(|block| Placed { block, variable }));
    }
    Ok(by_block(graph.cfg.num_blocks(), &phis))
}
