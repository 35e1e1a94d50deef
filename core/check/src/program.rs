//! The content of one certificate, in flat arrays.
//!
//! The source half is a program over variables: blocks with their incoming
//! edges, and events in order. The claim half is a result in SSA form: phis,
//! and the value claimed for each definition and each use.

use alloc::vec::Vec;
use core::fmt;
use ssaphire_graph::{Access, Block, Cfg, Event, SsaForm, Value, Variable, VariableForm};

/// Marks a row or phi that does not exist.
const NONE: u32 = u32::MAX;

/// One event of a block, after its phis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProgramEvent {
    /// The variable is assigned `value`: a new result that is made here, or a global.
    Def {
        /// The variable assigned.
        variable: Variable,
        /// The value that is the result.
        value: Value,
    },
    /// The variable is read, and the read is claimed to give `value`.
    Use {
        /// The variable read.
        variable: Variable,
        /// The value claimed.
        value: Value,
    },
    /// `dst` is assigned what `src` holds.
    Copy {
        /// The variable assigned.
        dst: Variable,
        /// The variable read, about which nothing is claimed.
        src: Variable,
    },
}

/// One phi of a [`Program`].
#[derive(Clone, Copy, Debug)]
pub struct ProgramPhi {
    /// The value of the phi.
    pub value: Value,
    /// The block of the phi.
    pub block: Block,
    start: u32,
    len: u32,
}

/// Why a phi is said to be needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rank {
    /// The phi.
    pub phi: Value,
    /// Its rank: 0 for a phi with a use that is not a phi.
    pub rank: u32,
    /// A phi of smaller rank that has it as an operand, or `None` for rank 0.
    pub user: Option<Value>,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    incoming: u32,
    phis: u32,
    events: u32,
}

/// The content of one certificate: a source program and what is claimed of it.
///
/// Two programs are equal if they say the same, in the same order, of every
/// block. Everything is kept in arrays whose memory [`Program::rewrite`] uses
/// again.
///
/// As a [`Cfg`] its successors come by target, then operand index: the
/// predecessor lists alone are given. As a [`VariableForm`] it is the source
/// half alone, as an [`SsaForm`] the claim alone. A definition with a global is
/// no definition of that value, and a copy no event of the claim.
#[derive(Clone)]
pub struct Program {
    entry: Block,
    globals: Vec<Value>,
    undefined: Vec<Value>,
    initial: Vec<(Variable, Value)>,
    numbers: Vec<(Value, u32)>,
    ranks: Vec<Rank>,
    /// By order of writing, with one more row at the end.
    rows: Vec<Row>,
    row_of: Vec<u32>,
    incoming: Vec<Block>,
    phis: Vec<ProgramPhi>,
    operands: Vec<Value>,
    events: Vec<ProgramEvent>,
    phi_of: Vec<u32>,
    is_global: Vec<bool>,
    outgoing_start: Vec<u32>,
    outgoing: Vec<Block>,
    num_values: usize,
    num_variables: usize,
}

impl Program {
    /// A program without blocks, which is refused.
    pub fn new() -> Self {
        Self {
            entry: Block::new(0),
            globals: Vec::new(),
            undefined: Vec::new(),
            initial: Vec::new(),
            numbers: Vec::new(),
            ranks: Vec::new(),
            rows: Vec::new(),
            row_of: Vec::new(),
            incoming: Vec::new(),
            phis: Vec::new(),
            operands: Vec::new(),
            events: Vec::new(),
            phi_of: Vec::new(),
            is_global: Vec::new(),
            outgoing_start: Vec::new(),
            outgoing: Vec::new(),
            num_values: 0,
            num_variables: 0,
        }
    }

    /// Drops the content; keeps capacity.
    pub fn clear(&mut self) {
        self.entry = Block::new(0);
        self.globals.clear();
        self.undefined.clear();
        self.initial.clear();
        self.numbers.clear();
        self.ranks.clear();
        self.rows.clear();
        self.row_of.clear();
        self.incoming.clear();
        self.phis.clear();
        self.operands.clear();
        self.events.clear();
        self.phi_of.clear();
        self.is_global.clear();
        self.outgoing_start.clear();
        self.outgoing.clear();
        self.num_values = 0;
        self.num_variables = 0;
    }

    /// Starts a new content, in the memory there is.
    pub fn rewrite(&mut self, entry: Block) -> ProgramWriter<'_> {
        self.clear();
        self.entry = entry;
        ProgramWriter { program: self, outside: false, finished: false }
    }

    /// All blocks, in id order.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = Block> + ExactSizeIterator + use<> {
        (0..self.row_of.len()).map(Block::new)
    }

    /// Sources of the incoming edges of `block`, by operand index. A source may not exist: the judge looks.
    pub fn incoming(&self, block: Block) -> &[Block] {
        let row = self.row_of[block.index()] as usize;
        &self.incoming[self.rows[row].incoming as usize..self.rows[row + 1].incoming as usize]
    }

    /// The phis of `block`, in the order written.
    pub fn phi_list(&self, block: Block) -> &[ProgramPhi] {
        let row = self.row_of[block.index()] as usize;
        &self.phis[self.rows[row].phis as usize..self.rows[row + 1].phis as usize]
    }

    /// The operands of a phi of this program, by incoming edge.
    pub fn operand_list(&self, phi: ProgramPhi) -> &[Value] {
        &self.operands[phi.start as usize..(phi.start + phi.len) as usize]
    }

    /// The phi of `block` whose value is `value`: the first one written.
    pub fn phi_at(&self, block: Block, value: Value) -> Option<ProgramPhi> {
        let index = *self.phi_of.get(value.index())?;
        let phi = *self.phis.get(index as usize)?;
        if phi.block == block {
            return Some(phi);
        }
        // A value bound by two phis is refused; that the second one is found here is a courtesy.
        self.phi_list(block).iter().copied().find(|phi| phi.value == value)
    }

    /// The events of `block`, in order.
    pub fn event_list(&self, block: Block) -> &[ProgramEvent] {
        let row = self.row_of[block.index()] as usize;
        &self.events[self.rows[row].events as usize..self.rows[row + 1].events as usize]
    }

    /// Values that are bound before the entry: constants and parameters. Undefined values are not repeated here.
    pub fn global_list(&self) -> &[Value] {
        &self.globals
    }

    /// The distinguished undefined values, which are globals too.
    pub fn undefined_list(&self) -> &[Value] {
        &self.undefined
    }

    /// Whether `value` is bound before the entry.
    pub fn is_global(&self, value: Value) -> bool {
        self.is_global.get(value.index()).is_some_and(|&is_global| is_global)
    }

    /// What variables hold at the entry. One that is not named holds nothing there.
    pub fn initial_list(&self) -> &[(Variable, Value)] {
        &self.initial
    }

    /// The numbering that is claimed to prove minimality; empty if none is claimed.
    pub fn number_list(&self) -> &[(Value, u32)] {
        &self.numbers
    }

    /// The ranks that are claimed to prove prunedness; empty if none are claimed.
    pub fn rank_list(&self) -> &[Rank] {
        &self.ranks
    }

    /// Number of phis.
    pub fn num_phis(&self) -> usize {
        self.phis.len()
    }

    /// Number of events of all blocks.
    pub fn num_events(&self) -> usize {
        self.events.len()
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

impl Default for Program {
    fn default() -> Self {
        Self::new()
    }
}

impl PartialEq for Program {
    fn eq(&self, other: &Self) -> bool {
        let same_phi =
            |a: &ProgramPhi, b: &ProgramPhi| a.value == b.value && self.operand_list(*a) == other.operand_list(*b);
        self.entry == other.entry
            && self.globals == other.globals
            && self.undefined == other.undefined
            && self.initial == other.initial
            && self.numbers == other.numbers
            && self.ranks == other.ranks
            && self.row_of.len() == other.row_of.len()
            && self.blocks().all(|block| {
                let (phis, others) = (self.phi_list(block), other.phi_list(block));
                self.incoming(block) == other.incoming(block)
                    && self.event_list(block) == other.event_list(block)
                    && phis.len() == others.len()
                    && phis.iter().zip(others).all(|(a, b)| same_phi(a, b))
            })
    }
}

impl Eq for Program {}

impl Cfg for Program {
    fn num_blocks(&self) -> usize {
        self.row_of.len()
    }

    fn entry(&self) -> Block {
        self.entry
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        let (start, end) = (self.outgoing_start[block.index()], self.outgoing_start[block.index() + 1]);
        self.outgoing[start as usize..end as usize].iter().copied()
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.incoming(block).iter().copied()
    }
}

impl VariableForm for Program {
    fn num_variables(&self) -> usize {
        self.num_variables
    }

    fn accesses(&self, block: Block) -> impl Iterator<Item = Access> {
        self.event_list(block).iter().map(|&event| match event {
            ProgramEvent::Def { variable, .. } => Access::Write(variable),
            ProgramEvent::Use { variable, .. } => Access::Read(variable),
            ProgramEvent::Copy { dst, src } => Access::Copy(dst, src),
        })
    }
}

impl SsaForm for Program {
    fn num_values(&self) -> usize {
        self.num_values
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        self.globals.iter().chain(&self.undefined).copied()
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        self.phi_list(block).iter().map(|phi| phi.value)
    }

    fn operands(&self, block: Block, phi: Value) -> impl Iterator<Item = Value> {
        let phi = self.phi_at(block, phi);
        phi.map(|phi| self.operand_list(phi)).unwrap_or_default().iter().copied()
    }

    fn events(&self, block: Block) -> impl Iterator<Item = Event> {
        self.event_list(block).iter().filter_map(|&event| match event {
            ProgramEvent::Def { value, .. } => (!self.is_global(value)).then_some(Event::Def(value)),
            ProgramEvent::Use { value, .. } => Some(Event::Use(value)),
            ProgramEvent::Copy { .. } => None,
        })
    }
}

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

impl ProgramWriter<'_> {
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

    /// Adds a phi to the block, with its operands by incoming edge.
    pub fn phi(&mut self, value: Value, operands: impl IntoIterator<Item = Value>) {
        let Some(block) = self.last_block() else { return };
        self.mention(value);
        let start = self.program.operands.len();
        for operand in operands {
            self.mention(operand);
            self.program.operands.push(operand);
        }
        let len = (self.program.operands.len() - start) as u32;
        self.program.phis.push(ProgramPhi { value, block, start: start as u32, len });
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

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").field("entry", &self.entry).field("num_blocks", &self.row_of.len()).finish()
    }
}
