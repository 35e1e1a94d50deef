//! A host that writes the result of each program down as a number.

use super::alphabet::Op;
use super::chunk::{Chunk, Step};
use super::graph::Blocks;
use super::telling::Layout;
use crate::Writes;
use ssaphire::{Block, PhiHost, Ssa, Uses, Value, Variable};

/// The result of one program: five bits for each read and for each operand, 0 where there is none.
pub(super) type Code = u128;

const BITS: usize = 5;
const PHI: usize = 11;
const UNDEFINED: usize = 21;
/// A phi in a block that may have none.
const MISPLACED: usize = 31;

/// What came of the programs of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    /// By program, its result.
    pub(super) codes: Vec<Code>,
    /// By variable, the blocks with a phi.
    pub(super) placement: Vec<Blocks>,
    /// Something that no number can say, if there is such a thing.
    pub(super) complaint: Option<&'static str>,
}

/// What a value is: five bits, and the program it belongs to.
#[derive(Clone, Copy, Debug)]
struct Origin {
    program: usize,
    code: usize,
}

#[derive(Clone, Copy, Debug)]
struct Found {
    program: usize,
    position: usize,
    value: Value,
}

/// What a [`SmallHost`] leaves to the next one.
#[derive(Debug, Default)]
pub(super) struct Memory {
    origins: Vec<Origin>,
    reads: Vec<Found>,
    pub(super) outcome: Outcome,
}

/// A host for the programs of a chunk.
#[derive(Debug)]
pub(super) struct SmallHost<'a> {
    chunk: &'a Chunk,
    layout: &'a Layout,
    memory: Memory,
}

impl<'a> SmallHost<'a> {
    pub(super) fn new(chunk: &'a Chunk, layout: &'a Layout, mut memory: Memory) -> Self {
        memory.origins.clear();
        memory.reads.clear();
        let Outcome { codes, placement, complaint } = &mut memory.outcome;
        codes.clear();
        codes.resize(chunk.programs.len(), 0);
        placement.clear();
        placement.resize(chunk.num_variables(), 0);
        *complaint = None;
        Self { chunk, layout, memory }
    }

    pub(super) fn into_memory(self) -> Memory {
        self.memory
    }

    /// The value that `step` of `block` writes.
    pub(super) fn write(&mut self, block: usize, step: &Step) -> Value {
        self.value(step.program, 1 + 2 * block + step.place)
    }

    /// Hears what `step` of `block` found.
    pub(super) fn hear(&mut self, block: usize, step: &Step, value: Value) {
        if let Op::Use(_) = step.op {
            self.memory.reads.push(Found { program: step.program, position: 2 * block + step.place, value });
        }
    }

    fn value(&mut self, program: usize, code: usize) -> Value {
        self.memory.origins.push(Origin { program, code });
        Value::new(self.memory.origins.len() - 1)
    }
}

/// Writes that `value` stands at a position of a program's result.
fn note(outcome: &mut Outcome, origins: &[Origin], program: usize, position: usize, value: Value) {
    let origin = origins[value.index()];
    if origin.program != program {
        outcome.complaint = Some("a value of another program");
    }
    if outcome.codes[program] >> (BITS * position) & 31 != 0 {
        outcome.complaint = Some("two phis for a variable in a block");
    }
    outcome.codes[program] |= (origin.code as Code) << (BITS * position);
}

impl PhiHost for SmallHost<'_> {
    fn new_phi(&mut self, block: Block, variable: Variable) -> Value {
        let width = self.chunk.width;
        let place = block.index() * width + variable.index() % width;
        let code = if block.index() < self.chunk.num_blocks { PHI + place } else { MISPLACED };
        self.value(variable.index() / width, code)
    }

    fn undefined(&mut self, variable: Variable) -> Value {
        self.value(variable.index() / self.chunk.width, UNDEFINED + variable.index() % self.chunk.width)
    }

    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        if !self.chunk.has_copies {
            return Uses::EveryRead;
        }
        // What a copy finds is not used by itself.
        self.memory.reads.iter().for_each(|found| visit(found.value));
        Uses::Visited
    }
}

impl Writes for SmallHost<'_> {
    fn write_result(&mut self, result: &Ssa<'_>) {
        let Ssa { phis, stands_for, .. } = result;
        let Memory { origins, reads, outcome } = &mut self.memory;
        let width = self.chunk.width;
        for &Found { program, position, value } in reads.iter() {
            note(outcome, origins, program, position, stands_for.resolve(value));
        }
        for phi in phis.iter() {
            if phi.block.index() >= self.chunk.num_blocks {
                outcome.complaint = Some("a phi where there is one incoming edge");
                continue;
            }
            outcome.placement[phi.variable.index()] |= 1 << phi.block.index();
            let (program, variable) = (phi.variable.index() / width, phi.variable.index() % width);
            for operand in phi.edge_operands() {
                let edge = 2 * self.layout.source(operand.source) + operand.slot as usize;
                let position = 2 * self.chunk.num_blocks + edge * width + variable;
                note(outcome, origins, program, position, operand.value);
            }
        }
    }
}
