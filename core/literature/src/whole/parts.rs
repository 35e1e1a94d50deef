//! The work shared out by variable, and put together again.

use super::{Answers, Function, SolveError};
use crate::complete::{Accesses, Found, Placed, Solution};
use crate::engine::Engine;
use alloc::vec::Vec;
use ssaphire_graph::Variable;

/// The answers for one part of the variables: see [`Function::solve_part`].
#[derive(Clone, Debug)]
pub struct Part {
    solution: Solution,
    /// By read and by write of the part: its number in the function.
    reads: Vec<u32>,
    writes: Vec<u32>,
}

impl Function {
    /// The answers for every `count`-th variable, beginning with number `part`, computed with `engine`.
    ///
    /// All parts from 0 to `count` go to [`merge`](Self::merge). They need nothing of each other, so that
    /// each may be found by a thread of its own.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    ///
    /// # Complexity
    /// That of the engine on the accesses to the part's variables, plus O(*n* + *e* + *a* + *v*).
    ///
    /// # Panics
    /// If `count` is 0.
    pub fn solve_part(&self, engine: Engine, part: usize, count: usize) -> Result<Part, SolveError> {
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        let mut accesses = Accesses::default();
        accesses.begin(self.accesses.num_variables());
        let is_of_part = |variable: Variable| variable.index() % count == part;
        for block in self.graph.cfg.blocks() {
            for (number, variable) in self.accesses.reads(block).filter(|&(_, variable)| is_of_part(variable)) {
                accesses.read(variable);
                reads.push(number);
            }
            for (number, variable) in self.accesses.writes(block).filter(|&(_, variable)| is_of_part(variable)) {
                accesses.write(variable);
                writes.push(number);
            }
            accesses.end_block();
        }
        let solution = self.decide(engine, &accesses, u64::MAX)?;
        Ok(Part { solution, reads, writes })
    }

    /// The answers for all accesses, from all parts: the same as from [`solve`](Self::solve).
    ///
    /// # Complexity
    /// O(*n* + *a* + *v* + operands + *p* log *p*).
    pub fn merge(&self, parts: &[Part]) -> Answers {
        let mut order: Vec<(Placed, usize, u32)> = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            order.extend((0..).zip(&part.solution.phis).map(|(phi, &placed)| (placed, number, phi)));
        }
        order.sort_unstable();
        let mut new_numbers: Vec<Vec<u32>> =
            parts.iter().map(|part| alloc::vec![0; part.solution.phis.len()]).collect();
        for (new, &(_, part, phi)) in (0..).zip(&order) {
            new_numbers[part][phi as usize] = new;
        }
        let phis = order.iter().map(|&(placed, ..)| placed).collect();
        let mut merged = Solution::new(&self.graph, &self.accesses, phis);
        let numbering = merged.numbering;
        for (part, new_number) in parts.iter().zip(&new_numbers) {
            let renumbered = |definition| match part.solution.numbering.found(definition) {
                Found::Write(write) => numbering.write(part.writes[write as usize]),
                Found::Entry(variable) => numbering.entry(variable),
                Found::Phi(phi) => numbering.phi(new_number[phi as usize]),
                Found::Nothing => definition,
            };
            for (&read, &found) in part.reads.iter().zip(&part.solution.reads) {
                merged.reads[read as usize] = renumbered(found);
            }
            for (phi, &new) in (0..).zip(new_number) {
                let found: Vec<_> = part.solution.operands(phi).iter().map(|&operand| renumbered(operand)).collect();
                merged.set_operands(new, &found);
            }
        }
        merged.num_placed = parts.iter().map(|part| part.solution.num_placed).sum();
        Answers::new(self, &merged)
    }
}
