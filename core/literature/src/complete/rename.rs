//! Renaming, after phi placement: the reaching definition of each read and operand (Cytron et al. 1991, section 5.2,
//! Fig. 12).
//!
//! The dominator tree is walked from the entry. Per variable the walk knows the
//! definition that holds; what a block changes is undone when its subtree is left.
//!
//! # Complexity
//! O(*n* + *e* + reads + writes + operands), and memory for one definition per variable and the changes on one path.
//!
//! # Departures
//! The paper keeps a stack per variable and recurses; here one log of changes
//! serves all variables, and steps wait in a list. Operands on edges from
//! unreachable blocks, and reads there, find nothing.

use super::accesses::Accesses;
use super::solution::{Definition, Placed, Solution};
use super::{Budget, Graph, Unsolved};
use alloc::vec::Vec;
use ssaphire_graph::{Block, Variable};

enum Step {
    Enter(Block),
    /// Undoes the changes but so many.
    Leave(usize),
}

/// What holds on the way down, and how to undo it.
struct Walk {
    /// By variable.
    holds: Vec<Definition>,
    /// The previous definition for each change.
    undo: Vec<(Variable, Definition)>,
}

impl Walk {
    fn change(&mut self, variable: Variable, to: Definition) {
        let before = core::mem::replace(&mut self.holds[variable.index()], to);
        self.undo.push((variable, before));
    }

    fn leave(&mut self, left: usize) {
        for (variable, before) in self.undo.drain(left..).rev() {
            self.holds[variable.index()] = before;
        }
    }
}

/// Finds operands and reads, given the places of the phis, which come by block, then variable.
pub(super) fn rename(
    graph: &Graph,
    accesses: &Accesses,
    phis: Vec<Placed>,
    budget: &mut Budget,
) -> Result<Solution, Unsolved> {
    let mut solution = Solution::new(graph, accesses, phis);
    let entries = (0..accesses.num_variables()).map(|index| solution.numbering.entry(Variable::new(index)));
    let mut walk = Walk { holds: entries.collect(), undo: Vec::new() };
    let mut steps = alloc::vec![Step::Enter(graph.cfg.entry())];
    while let Some(step) = steps.pop() {
        match step {
            Step::Leave(left) => walk.leave(left),
            Step::Enter(block) => {
                steps.push(Step::Leave(walk.undo.len()));
                enter(graph, accesses, block, &mut solution, &mut walk, budget)?;
                steps.extend(graph.tree.children(block).iter().rev().map(|&child| Step::Enter(child)));
            }
        }
    }
    Ok(solution)
}

fn enter(
    graph: &Graph,
    accesses: &Accesses,
    block: Block,
    solution: &mut Solution,
    walk: &mut Walk,
    budget: &mut Budget,
) -> Result<(), Unsolved> {
    for phi in solution.phis_of(block) {
        walk.change(solution.phis[phi as usize].variable, solution.numbering.phi(phi));
    }
    for (read, variable) in accesses.reads(block) {
        solution.reads[read as usize] = walk.holds[variable.index()];
    }
    for (write, variable) in accesses.writes(block) {
        walk.change(variable, solution.numbering.write(write));
    }
    let num_operands = fill_operands(graph, block, solution, walk);
    budget.spend(1 + num_operands)
}

/// Gives the phis in the targets of the block what holds at its end: how many operands these are.
fn fill_operands(graph: &Graph, block: Block, solution: &mut Solution, walk: &Walk) -> u64 {
    let mut num_operands = 0;
    for edge in graph.cfg.outgoing(block) {
        let phis = solution.phis_of(graph.cfg.target(edge));
        num_operands += phis.len() as u64;
        for phi in phis {
            let place = solution.operand_range(phi).start + graph.cfg.operand_index(edge);
            solution.operands[place] = walk.holds[solution.phis[phi as usize].variable.index()];
        }
    }
    num_operands
}
