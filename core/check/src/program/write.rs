//! How a program is written, and put in order at the end.

use super::{NONE, Program, ProgramEvent, ProgramPhi, Rank, Row};
use core::fmt;
use ssaphire_graph::{Block, Value, Variable};

/// Why a [`Program`] cannot be: its blocks are not numbered from 0 without a gap, or one is written twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProgramError {
    /// The entry was not written.
    NoEntry {
        /// The block named as entry.
        entry: Block,
    },
    /// A block was written twice.
    BlockTwice {
        /// The block.
        block: Block,
    },
    /// A block was not written, but one with a greater id was.
    BlockMissing {
        /// The first such block.
        block: Block,
    },
    /// A phi or an event was written before the first block.
    OutsideBlock,
    /// There are more edges, operands or events than 32 bits can count.
    TooLarge,
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoEntry { entry } => write!(f, "{entry}: named as entry, but missing"),
            Self::BlockTwice { block } => write!(f, "{block}: given twice"),
            Self::BlockMissing { block } => {
                write!(f, "{block}: missing, though a block with a greater number is given")
            }
            Self::OutsideBlock => write!(f, "a phi or an event stands before the first block"),
            Self::TooLarge => write!(f, "more edges, operands or events than 32 bits can count"),
        }
    }
}

impl core::error::Error for ProgramError {}

/// Writes a [`Program`], in the order of a certificate.
///
/// Blocks may come in any order; phis and events belong to the last one begun.
/// A writer that is dropped without [`ProgramWriter::finish`] leaves a program
/// without blocks.
#[derive(Debug)]
pub struct ProgramWriter<'a> {
    program: &'a mut Program,
    outside: bool,
    finished: bool,
}

impl<'a> ProgramWriter<'a> {
    pub(super) fn new(program: &'a mut Program) -> Self {
        Self { program, outside: false, finished: false }
    }

    /// Adds a value that is bound before the entry.
    pub fn global(&mut self, value: Value) {
        self.mention(value);
        self.program.globals.push(value);
    }

    /// Adds a distinguished undefined value, which is bound before the entry too.
    pub fn undefined(&mut self, value: Value) {
        self.mention(value);
        self.program.undefined.push(value);
    }

    /// Says what `variable` holds at the entry.
    pub fn initial(&mut self, variable: Variable, value: Value) {
        self.mention_variable(variable);
        self.mention(value);
        self.program.initial.push((variable, value));
    }

    /// Gives `value` a number, to prove minimality.
    pub fn number(&mut self, value: Value, number: u32) {
        self.mention(value);
        self.program.numbers.push((value, number));
    }

    /// Gives a phi a rank, to prove prunedness.
    pub fn rank(&mut self, rank: Rank) {
        self.mention(rank.phi);
        if let Some(user) = rank.user {
            self.mention(user);
        }
        self.program.ranks.push(rank);
    }

    /// Names another entry.
    pub fn entry(&mut self, entry: Block) {
        self.program.entry = entry;
    }

    /// Begins `block`, with the sources of its incoming edges by operand index.
    pub fn block(&mut self, block: Block, incoming: impl IntoIterator<Item = Block>) {
        let program = &mut *self.program;
        // A count that does not fit is refused by `finish`, before anything is read back.
        let row = Row {
            incoming: program.incoming.len() as u32,
            phis: program.phis.len() as u32,
            events: program.events.len() as u32,
        };
        program.rows.push(row);
        program.row_of.push(block.index() as u32);
        program.incoming.extend(incoming);
    }

    /// Adds one more incoming edge to the block just begun.
    pub fn incoming(&mut self, source: Block) {
        if self.last_block().is_some() {
            self.program.incoming.push(source);
        }
    }

    /// Adds a phi to the block, with its operands by incoming edge.
    pub fn phi(&mut self, value: Value, operands: impl IntoIterator<Item = Value>) {
        let Some(block) = self.last_block() else { return };
        self.mention(value);
        let start = self.program.operands.len() as u32;
        self.program.phis.push(ProgramPhi { value, block, start, len: 0 });
        for operand in operands {
            self.operand(operand);
        }
    }

    /// Adds one more operand to the phi just added.
    pub fn operand(&mut self, operand: Value) {
        self.mention(operand);
        match self.program.phis.last_mut() {
            Some(phi) => phi.len += 1,
            None => self.outside = true,
        }
        self.program.operands.push(operand);
    }

    /// Adds an event to the block.
    pub fn event(&mut self, event: ProgramEvent) {
        if self.last_block().is_none() {
            return;
        }
        match event {
            ProgramEvent::Def { variable, value } | ProgramEvent::Use { variable, value } => {
                self.mention_variable(variable);
                self.mention(value);
            }
            ProgramEvent::Copy { dst, src } => {
                self.mention_variable(dst);
                self.mention_variable(src);
            }
        }
        self.program.events.push(event);
    }

    /// Ends the content.
    ///
    /// # Errors
    /// If the blocks are not `0..n`, each written once. The program is then without blocks.
    pub fn finish(mut self) -> Result<(), ProgramError> {
        if self.outside {
            return Err(ProgramError::OutsideBlock);
        }
        self.program.link()?;
        self.finished = true;
        Ok(())
    }

    /// One more than the greatest id of a value or a variable so far.
    pub(crate) fn num_ids(&self) -> usize {
        self.program.num_values.max(self.program.num_variables)
    }

    fn last_block(&mut self) -> Option<Block> {
        let last = self.program.row_of.last();
        self.outside |= last.is_none();
        last.map(|&block| Block::new(block as usize))
    }

    fn mention(&mut self, value: Value) {
        self.program.num_values = self.program.num_values.max(value.index() + 1);
    }

    fn mention_variable(&mut self, variable: Variable) {
        self.program.num_variables = self.program.num_variables.max(variable.index() + 1);
    }
}

impl Drop for ProgramWriter<'_> {
    fn drop(&mut self) {
        if !self.finished {
            self.program.clear();
        }
    }
}

impl Program {
    /// Claims minimality, by these numbers; what was claimed before is dropped.
    ///
    /// None at all is no claim. So somebody who was given a program can prove it minimal.
    pub fn set_numbers(&mut self, numbers: impl IntoIterator<Item = (Value, u32)>) {
        self.numbers.clear();
        self.numbers.extend(numbers);
        let last = self.numbers.iter().map(|(value, _)| value.index() + 1).max();
        self.num_values = self.num_values.max(last.unwrap_or(0));
    }

    /// Claims prunedness, by these ranks; what was claimed before is dropped. None at all is no claim.
    pub fn set_ranks(&mut self, ranks: impl IntoIterator<Item = Rank>) {
        self.ranks.clear();
        self.ranks.extend(ranks);
        let last = self.ranks.iter().map(|rank| rank.phi.max(rank.user.unwrap_or(rank.phi)).index() + 1).max();
        self.num_values = self.num_values.max(last.unwrap_or(0));
    }

    /// Puts the written rows in order of block, and finds what follows from them.
    fn link(&mut self) -> Result<(), ProgramError> {
        let lengths = [self.incoming.len(), self.operands.len(), self.events.len(), self.row_of.len()];
        if lengths.iter().any(|&len| len >= NONE as usize) {
            return Err(ProgramError::TooLarge);
        }
        self.order_rows()?;
        if self.entry.index() >= self.row_of.len() {
            return Err(ProgramError::NoEntry { entry: self.entry });
        }
        self.is_global.resize(self.num_values, false);
        for value in self.globals.iter().chain(&self.undefined) {
            self.is_global[value.index()] = true;
        }
        self.phi_of.resize(self.num_values, NONE);
        for (index, phi) in self.phis.iter().enumerate().rev() {
            self.phi_of[phi.value.index()] = index as u32;
        }
        self.link_outgoing();
        Ok(())
    }

    /// While writing, `row_of` lists the blocks of the rows; afterwards the rows of the blocks.
    fn order_rows(&mut self) -> Result<(), ProgramError> {
        let end = Row {
            incoming: self.incoming.len() as u32,
            phis: self.phis.len() as u32,
            events: self.events.len() as u32,
        };
        self.rows.push(end);
        let num_blocks = self.row_of.len();
        if self.row_of.iter().enumerate().all(|(row, &block)| row == block as usize) {
            return Ok(());
        }
        let mut row_of = alloc::vec![NONE; num_blocks];
        for (row, &block) in self.row_of.iter().enumerate() {
            match row_of.get_mut(block as usize) {
                Some(place) if *place == NONE => *place = row as u32,
                Some(_) => return Err(ProgramError::BlockTwice { block: Block::new(block as usize) }),
                // More ids than rows, so one below is missing, unless one was written twice.
                None => {}
            }
        }
        match row_of.iter().position(|&row| row == NONE) {
            Some(missing) => Err(ProgramError::BlockMissing { block: Block::new(missing) }),
            None => {
                self.row_of = row_of;
                Ok(())
            }
        }
    }

    fn link_outgoing(&mut self) {
        let num_blocks = self.row_of.len();
        self.outgoing_start.resize(num_blocks + 2, 0);
        for source in &self.incoming {
            if source.index() < num_blocks {
                self.outgoing_start[source.index() + 2] += 1;
            }
        }
        for index in 2..num_blocks + 2 {
            self.outgoing_start[index] += self.outgoing_start[index - 1];
        }
        self.outgoing.resize(self.outgoing_start[num_blocks + 1] as usize, self.entry);
        for target in (0..num_blocks).map(Block::new) {
            let row = self.row_of[target.index()] as usize;
            for edge in self.rows[row].incoming..self.rows[row + 1].incoming {
                let source = self.incoming[edge as usize].index();
                if source < num_blocks {
                    // Each start was kept one place further on, and becomes an end here.
                    let place = &mut self.outgoing_start[source + 1];
                    self.outgoing[*place as usize] = target;
                    *place += 1;
                }
            }
        }
    }
}
