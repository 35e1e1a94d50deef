//! Writing a program, and putting it in order at the end.

#[cfg(doc)]
use super::Application;
use super::fold::{Equation, EquationId, Grounds};
use super::{Program, ProgramEvent, ProgramPhi, Rank, Row};
use core::fmt;
use ssaphire_graph::{Block, Id, IdMap, Operator, PackedOption, Value, Variable};

/// The reason why a [`Program`] is malformed, such as a gap in the numbers of its blocks.
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
    /// There are the program has more edges, operands or events than 32 bits can count.
    TooLarge,
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoEntry { entry } => write!(f, "{entry}: is the entry, but does not exist"),
            Self::BlockTwice { block } => write!(f, "{block}: given twice"),
            Self::BlockMissing { block } => {
                write!(f, "{block}: missing, although a block with a higher number exists")
            }
            Self::OutsideBlock => write!(f, "a phi or an event comes before the first block"),
            Self::TooLarge => write!(f, "the program has more edges, operands or events than 32 bits can count"),
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

    /// Sets the value that `variable` holds at the entry.
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
            applications: program.folding.applications.len() as u32,
        };
        program.rows.push(row);
        program.written.push(block);
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
        self.program.phis.push(ProgramPhi { value, block, start, len: 0, is_dropped: false });
        for operand in operands {
            self.operand(operand);
        }
    }

    /// Adds a phi to the block that is only evidence: see [`ProgramPhi::is_dropped`].
    pub fn dropped_phi(&mut self, value: Value, operands: impl IntoIterator<Item = Value>) {
        self.phi(value, operands);
        if let (false, Some(phi)) = (self.outside, self.program.phis.values_mut().next_back()) {
            phi.is_dropped = true;
            self.program.num_dropped += 1;
        }
    }

    /// Adds one more operand to the phi just added.
    pub fn operand(&mut self, operand: Value) {
        self.mention(operand);
        match self.program.phis.values_mut().next_back() {
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

    /// Adds an application to the block, with its arguments: `operator` gives `value`, or, without one, is a branch
    /// that takes the slot of one of the [targets](Self::target).
    ///
    /// After a [computed](Grounds::Computed) one, add the event that defines its value.
    pub fn application(
        &mut self,
        operator: Operator,
        value: Option<Value>,
        grounds: Grounds,
        args: impl IntoIterator<Item = Value>,
    ) {
        if self.last_block().is_none() {
            return;
        }
        let first = self.program.rows.last().map_or(0, |row| row.events as usize);
        let position = self.program.events.len() - first;
        self.program.folding.push(operator, value, grounds, position as u32);
        if let Some(value) = value {
            self.mention(value);
        }
        args.into_iter().for_each(|arg| self.argument(arg));
    }

    /// Sets the previous value of the result of the application just added, which was [folded
    /// later](Application::late).
    pub fn late(&mut self, name: Value) {
        self.mention(name);
        self.program.folding.name_last(name);
    }

    /// Adds one more argument to the application just added.
    pub fn argument(&mut self, arg: Value) {
        self.mention(arg);
        self.program.folding.push_arg(arg);
    }

    /// Adds one more target to the application just added, a branch: the block that its next slot enters.
    pub fn target(&mut self, target: Block) {
        self.program.folding.push_target(target);
    }

    /// Adds an equation, for applications to rely on. Equations are numbered from 0 in the order of these calls.
    pub fn equation(&mut self, equation: Equation) -> EquationId {
        for symbol in equation.left.iter().chain(&equation.right) {
            if let super::Symbol::Global(value) = *symbol {
                self.mention(value);
            }
        }
        let equations = &mut self.program.folding.equations;
        equations.push(equation);
        EquationId::new(equations.len() - 1)
    }

    /// Names an operator: see [`Program::name_operator`].
    pub fn name_operator(&mut self, operator: Operator, name: &str) {
        self.program.name_operator(operator, name);
    }

    /// Names a global: see [`Program::name_global`].
    pub fn name_global(&mut self, value: Value, name: &str) {
        self.mention(value);
        self.program.name_global(value, name);
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
        let last = self.program.written.values().next_back().copied();
        self.outside |= last.is_none();
        last
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
        // A half-written program must not be judged; one without blocks is refused.
        if !self.finished {
            self.program.clear();
        }
    }
}

impl Program {
    /// Claims minimality with these numbers, in place of earlier ones.
    ///
    /// No numbers are no claim. With this call, the receiver of a program can prove it minimal.
    pub fn set_numbers(&mut self, numbers: impl IntoIterator<Item = (Value, u32)>) {
        self.numbers.clear();
        self.numbers.extend(numbers);
        let last = self.numbers.iter().map(|(value, _)| value.index() + 1).max();
        // Tables by value are not made longer: they are read with `get`, and have no entries for new values.
        self.num_values = self.num_values.max(last.unwrap_or(0));
    }

    /// Claims prunedness with these ranks, in place of earlier ones. No ranks are no claim.
    pub fn set_ranks(&mut self, ranks: impl IntoIterator<Item = Rank>) {
        self.ranks.clear();
        self.ranks.extend(ranks);
        let last = self.ranks.iter().map(|rank| rank.phi.max(rank.user.unwrap_or(rank.phi)).index() + 1).max();
        self.num_values = self.num_values.max(last.unwrap_or(0));
    }

    /// Puts the written rows in order of block, and derives the tables that depend on them.
    fn link(&mut self) -> Result<(), ProgramError> {
        let lengths = [self.incoming.len(), self.operands.len(), self.events.len(), self.written.len()];
        if self.folding.is_too_large() || lengths.iter().any(|&len| u32::try_from(len).is_err()) {
            return Err(ProgramError::TooLarge);
        }
        self.order_rows()?;
        // Blocks are numbered from 0 without a gap by now, so this finds whether the entry is one of them.
        if self.entry.index() >= self.row_of.len() {
            return Err(ProgramError::NoEntry { entry: self.entry });
        }
        self.is_global.resize(self.num_values, false);
        for value in self.globals.iter().chain(&self.undefined) {
            self.is_global[value.index()] = true;
        }
        self.phi_of.reset(self.num_values, PackedOption::NONE);
        // From the last one on, so that of phis with one value the first one stays: the second one is refused, as its
        // value is defined twice.
        for (number, phi) in self.phis.iter().rev() {
            self.phi_of[phi.value] = number.into();
        }
        self.link_outgoing();
        Ok(())
    }

    /// Finds the row of each block.
    fn order_rows(&mut self) -> Result<(), ProgramError> {
        let end = Row {
            incoming: self.incoming.len() as u32,
            phis: self.phis.len() as u32,
            events: self.events.len() as u32,
            applications: self.folding.applications.len() as u32,
        };
        // With this row, each block's lists end where those of the next row begin.
        self.rows.push(end);
        if self.written.iter().all(|(row, &block)| row.index() == block.index()) {
            self.row_of.extend(self.written.keys());
            return Ok(());
        }
        let mut row_of = IdMap::filled(self.written.len(), PackedOption::NONE);
        for (row, &block) in self.written.iter() {
            match row_of.get_mut(block) {
                Some(place) if place.is_none() => *place = row.into(),
                Some(_) => return Err(ProgramError::BlockTwice { block }),
                // More ids than rows, so one below is missing, unless one was written twice.
                None => {}
            }
        }
        for (block, row) in row_of.iter() {
            self.row_of.push(row.expand().ok_or(ProgramError::BlockMissing { block })?);
        }
        Ok(())
    }

    fn link_outgoing(&mut self) {
        let mut outgoing = core::mem::take(&mut self.outgoing);
        let (program, num_blocks) = (&*self, self.row_of.len());
        let into = |target: Block| program.incoming(target).iter().map(move |&source| (source, target));
        let edges = self.blocks().flat_map(into);
        // A source that does not exist is reported by the judge, and has no list here.
        outgoing.rebuild(num_blocks, edges.filter(|(source, _)| source.index() < num_blocks));
        self.outgoing = outgoing;
    }
}
