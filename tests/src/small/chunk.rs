//! Programs that share a function.

use super::alphabet::{Alphabet, Op};
use super::graph::Blocks;
use ssaphire::{Access, Variable};

/// What the blocks of one function do: several programs, each with variables of its own.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// Number of blocks of each program.
    pub num_blocks: usize,
    /// Number of variables of each program.
    pub width: usize,
    /// Variables are copied.
    pub has_copies: bool,
    /// A block reads and then writes.
    pub has_use_def: bool,
    /// Numbers of the programs.
    pub programs: Vec<u64>,
    steps: Vec<Vec<Step>>,
    masks: Vec<Masks>,
}

/// One access of a function.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Which program of the chunk it belongs to.
    pub program: usize,
    /// Its position in the block's content.
    pub place: usize,
    /// What is done.
    pub op: Op,
    /// The first variable of the program.
    first: usize,
}

/// What blocks do to one variable.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Masks {
    /// Blocks that write it.
    pub(super) writes: Blocks,
    /// Blocks that read what it holds at their top.
    pub(super) reads: Blocks,
}

impl Step {
    /// A variable of the step's program.
    pub fn variable(&self, variable: u8) -> Variable {
        Variable::new(self.first + variable as usize)
    }

    /// The step as an access of the function.
    pub fn access(&self) -> Access {
        match self.op {
            Op::Def(variable) => Access::Write(self.variable(variable)),
            Op::Use(variable) => Access::Read(self.variable(variable)),
            Op::Copy(dst, src) => Access::Copy(self.variable(dst), self.variable(src)),
        }
    }
}

impl Chunk {
    /// The function of these programs.
    pub fn new(alphabet: &Alphabet, num_blocks: usize, programs: Vec<u64>) -> Self {
        let width = alphabet.num_variables;
        let mut chunk = Self {
            num_blocks,
            width,
            has_copies: alphabet.has_copies(),
            has_use_def: programs.iter().any(|&program| alphabet.has_use_def(program, num_blocks)),
            steps: vec![Vec::new(); num_blocks],
            masks: vec![Masks::default(); programs.len() * width],
            programs,
        };
        for program in 0..chunk.programs.len() {
            for block in 0..num_blocks {
                let content = alphabet.content(chunk.programs[program], block);
                for (place, &op) in content.iter().enumerate() {
                    chunk.push(block, Step { program, place, op, first: program * width });
                }
            }
        }
        chunk
    }

    fn push(&mut self, block: usize, step: Step) {
        if let Some(read) = step.op.read() {
            let masks = &mut self.masks[step.first + read as usize];
            masks.reads |= (1 << block) & !masks.writes;
        }
        if let Some(written) = step.op.written() {
            self.masks[step.first + written as usize].writes |= 1 << block;
        }
        self.steps[block].push(step);
    }

    /// The accesses of `block`, program by program.
    pub fn steps(&self, block: usize) -> &[Step] {
        &self.steps[block]
    }

    /// Number of variables.
    pub fn num_variables(&self) -> usize {
        self.masks.len()
    }

    /// By variable, what blocks do to it.
    pub(super) fn masks(&self) -> &[Masks] {
        &self.masks
    }
}
