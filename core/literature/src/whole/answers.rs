//! The reaching definitions of accesses and operands.

use super::Function;
use super::locals::{Local, Write};
use crate::complete::{Found, Solution};
use alloc::vec::Vec;
use core::ops::Range;
use ssaphire_graph::{Block, Variable};

/// The reaching definition of a read or an operand. Copies are looked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// The value made by a write.
    Write {
        /// Its block.
        block: Block,
        /// Its position among the accesses of the block; [`Access::Tuple`](ssaphire_graph::Access::Tuple) is not counted.
        index: u32,
    },
    /// The content of the variable on entry.
    Entry(Variable),
    /// The phi of that number.
    Phi(u32),
    /// Nothing: no path from the entry leads there.
    Nothing,
}

/// The block and variable of a phi.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct PlacedPhi {
    /// Its block.
    pub block: Block,
    /// Its variable.
    pub variable: Variable,
}

/// The placed phis, and the reaching definitions of reads and operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answers {
    phis: Vec<PlacedPhi>,
    /// By phi, where its operands begin; and one more.
    first_operand: Vec<u32>,
    operands: Vec<Answer>,
    /// By block, its first access; and one more.
    start: Vec<u32>,
    /// By access; `None` for writes.
    reads: Vec<Option<Answer>>,
    num_placed: u64,
}

impl Answers {
    /// Phis by block, then variable: phi number `i` is the one at `i`.
    pub fn phis(&self) -> &[PlacedPhi] {
        &self.phis
    }

    /// The operands of a phi, by incoming edge; none if there is no such phi.
    pub fn operands(&self, phi: u32) -> &[Answer] {
        let ends = self.first_operand.get(phi as usize..phi as usize + 2);
        ends.map_or(&[], |ends| &self.operands[ends[0] as usize..ends[1] as usize])
    }

    /// The reaching definition of access number `index` of `block`, if it is a read or copy.
    ///
    /// [`Access::Tuple`](ssaphire_graph::Access::Tuple) is not counted.
    pub fn read(&self, block: Block, index: usize) -> Option<Answer> {
        let range = self.range(block)?;
        self.reads[range].get(index).copied().flatten()
    }

    /// Phis the engine placed at first, those included that it removed itself.
    pub fn num_placed(&self) -> u64 {
        self.num_placed
    }

    fn range(&self, block: Block) -> Option<Range<usize>> {
        let ends = self.start.get(block.index()..block.index() + 2)?;
        Some(ends[0] as usize..ends[1] as usize)
    }

    pub(super) fn new(function: &Function, solution: &Solution) -> Self {
        let contents = Contents::new(function, solution);
        let phis = (0..solution.phis.len() as u32).map(|phi| solution.operands(phi));
        let mut first_operand = alloc::vec![0];
        let mut operands = Vec::new();
        for of_phi in phis {
            operands.extend(of_phi.iter().map(|&operand| contents.of(solution.numbering.found(operand))));
            first_operand.push(operands.len() as u32);
        }
        let mut start = alloc::vec![0];
        let mut reads = Vec::new();
        for block in function.graph.cfg.blocks() {
            for index in 0..function.locals.range(block).len() {
                let found = function.locals.found(block, index).filter(|&found| found != Local::No);
                reads.push(found.map(|found| contents.of_local(found, solution)));
            }
            start.push(reads.len() as u32);
        }
        let placed = solution.phis.iter().map(|phi| PlacedPhi { block: phi.block, variable: phi.variable });
        Self { phis: placed.collect(), first_operand, operands, start, reads, num_placed: solution.num_placed }
    }
}

/// The definition that each write gives its variable: its own value, or the copied one.
struct Contents<'f> {
    function: &'f Function,
    /// By write.
    written: Vec<Answer>,
}

impl<'f> Contents<'f> {
    /// Follows copies of copies. Where they lead in a circle, nothing ever enters it: that is unreachable code.
    fn new(function: &'f Function, solution: &Solution) -> Self {
        let writes = &function.locals.writes;
        let mut written: Vec<Option<Answer>> = alloc::vec![None; writes.len()];
        let mut chain = Vec::new();
        for first in 0..writes.len() as u32 {
            let mut at = first;
            let content = loop {
                if let Some(content) = written[at as usize] {
                    break content;
                }
                let Write { source, .. } = writes[at as usize];
                chain.push(at);
                let Some(source) = source else { break function.locals.site(at) };
                match Step::from_copy(function, solution, source) {
                    Step::Answer(content) => break content,
                    Step::Write(_) if chain.len() > writes.len() => break Answer::Nothing,
                    Step::Write(write) => at = write,
                }
            };
            chain.drain(..).for_each(|write| written[write as usize] = Some(content));
        }
        let written = written.into_iter().map(|content| content.unwrap_or(Answer::Nothing));
        Self { function, written: written.collect() }
    }

    fn of(&self, found: Found) -> Answer {
        match found {
            Found::Write(write) => self.written[self.function.locals.last_writes[write as usize] as usize],
            Found::Entry(variable) => Answer::Entry(variable),
            Found::Phi(phi) => Answer::Phi(phi),
            Found::Nothing => Answer::Nothing,
        }
    }

    fn of_local(&self, local: Local, solution: &Solution) -> Answer {
        match local {
            Local::No => Answer::Nothing,
            Local::Write(write) => self.written[write as usize],
            Local::Exposed(read) => self.of(solution.numbering.found(solution.reads[read as usize])),
        }
    }
}

/// The definition of the source of a copy.
enum Step {
    /// Its content.
    Answer(Answer),
    /// Another write, which defines its content.
    Write(u32),
}

impl Step {
    fn from_copy(function: &Function, solution: &Solution, source: Local) -> Self {
        match source {
            Local::No => Self::Answer(Answer::Nothing),
            Local::Write(write) => Self::Write(write),
            Local::Exposed(read) => match solution.numbering.found(solution.reads[read as usize]) {
                Found::Write(write) => Self::Write(function.locals.last_writes[write as usize]),
                Found::Entry(variable) => Self::Answer(Answer::Entry(variable)),
                Found::Phi(phi) => Self::Answer(Answer::Phi(phi)),
                Found::Nothing => Self::Answer(Answer::Nothing),
            },
        }
    }
}
