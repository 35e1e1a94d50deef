//! Local numbering: the reads that blocks answer by themselves, and the remaining ones.

use super::answers::Answer;
use crate::complete::Accesses;
use alloc::vec::Vec;
use core::ops::Range;
use ssaphire_graph::{Access, Block, IdError, IdLimits, IdMap, PackedOption, Variable, VariableForm, at_once};

/// The reaching definition of a read, as far as its block determines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Local {
    /// No read: a write.
    No,
    /// The write of that number.
    Write(u32),
    /// What the variable holds at the top of the block: the read of that number among those left.
    Exposed(u32),
}

/// One write: its position, and the access that it copies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Write {
    pub(super) block: Block,
    pub(super) index: u32,
    /// For a copy, what its source finds: if a write of the block, then none that copies.
    pub(super) source: Option<Local>,
}

/// The accesses of all blocks, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Locals {
    /// By block, its first access; and one more.
    start: Vec<u32>,
    /// By access: its reaching definition.
    found: Vec<Local>,
    /// All writes, in order.
    pub(super) writes: Vec<Write>,
    /// By write among those left (the last of a variable in a block): its number among all.
    pub(super) last_writes: Vec<u32>,
    /// By read among those left: block and variable.
    pub(super) exposed: Vec<(Block, Variable)>,
}

impl Locals {
    /// Where the accesses of the block are.
    pub(super) fn range(&self, block: Block) -> Range<usize> {
        match self.start.get(block.index()..block.index() + 2) {
            Some(ends) => ends[0] as usize..ends[1] as usize,
            None => 0..0,
        }
    }

    /// The reaching definition of access number `index` of the block.
    pub(super) fn found(&self, block: Block, index: usize) -> Option<Local> {
        self.found[self.range(block)].get(index).copied()
    }

    /// The position of the write of that number.
    pub(super) fn site(&self, write: u32) -> Answer {
        let Write { block, index, .. } = self.writes[write as usize];
        Answer::Write { block, index }
    }
}

/// The current definitions in the block at hand, by variable.
#[derive(Clone, Copy, Debug)]
struct Holds {
    block: PackedOption<Block>,
    local: Local,
}

impl Holds {
    const NOTHING: Self = Self { block: PackedOption::NONE, local: Local::No };
}

struct Numberer {
    holds: IdMap<Variable, Holds>,
    accesses: Accesses,
    locals: Locals,
    block: Block,
    /// Variables that the block writes, in the order of their first writes.
    written: Vec<Variable>,
    /// Accesses that happen at once.
    together: Vec<Access>,
}

/// Numbers the accesses of `form`: what is left of them, and what each of them finds.
pub(super) fn number(
    form: &impl VariableForm,
    num_blocks: usize,
    limits: &IdLimits,
) -> Result<(Accesses, Locals), IdError> {
    let mut accesses = Accesses::default();
    accesses.begin(form.num_variables());
    let holds = IdMap::filled(form.num_variables(), Holds::NOTHING);
    let (locals, block) = (Locals { start: alloc::vec![0], ..Locals::default() }, Block::new(0));
    let (written, together) = (Vec::new(), Vec::new());
    let mut numberer = Numberer { holds, accesses, locals, block, written, together };
    for block in (0..num_blocks).map(Block::new) {
        numberer.fill(form, block, limits)?;
    }
    Ok((numberer.accesses, numberer.locals))
}

/// Variables that the form did not count may be accessed, too.
fn check(access: Access, limits: &IdLimits) -> Result<(), IdError> {
    match access {
        Access::Read(variable) | Access::Write(variable) => limits.check_variable(variable),
        Access::Copy(to, from) => limits.check_variable(to).and_then(|()| limits.check_variable(from)),
        Access::Tuple(_) => Ok(()),
    }
}

impl Numberer {
    fn fill(&mut self, form: &impl VariableForm, block: Block, limits: &IdLimits) -> Result<(), IdError> {
        self.block = block;
        let mut together = core::mem::take(&mut self.together);
        for (access, is_last) in at_once(form.accesses(block)) {
            check(access, limits)?;
            together.push(access);
            if is_last {
                self.at_once(&together);
                together.clear();
            }
        }
        self.together = together;
        self.leave_last_writes();
        self.accesses.end_block();
        self.locals.start.push(self.locals.found.len() as u32);
        Ok(())
    }

    /// What the block leaves in the variables it writes.
    fn leave_last_writes(&mut self) {
        let mut written = core::mem::take(&mut self.written);
        for variable in written.drain(..) {
            let Local::Write(write) = self.holds[variable].local else { continue };
            if !self.holds_again(variable, write) {
                self.accesses.write(variable);
                self.locals.last_writes.push(write);
            }
        }
        self.written = written;
    }

    /// Whether the last write of the variable gives it back what it held at the top of the block: that is none.
    fn holds_again(&self, variable: Variable, write: u32) -> bool {
        matches!(self.locals.writes[write as usize].source, Some(Local::Exposed(read)) if self.locals.exposed[read as usize].1 == variable)
    }

    /// All reads, then all writes.
    fn at_once(&mut self, tuple: &[Access]) {
        let first = self.locals.found.len();
        for &access in tuple {
            let found = match access {
                Access::Read(variable) | Access::Copy(_, variable) => self.read(variable),
                Access::Write(_) | Access::Tuple(_) => Local::No,
            };
            self.locals.found.push(found);
        }
        for (place, &access) in (first..).zip(tuple) {
            match access {
                Access::Write(variable) => self.write(variable, place, None),
                Access::Copy(variable, _) => self.write(variable, place, Some(self.locals.found[place])),
                Access::Read(_) | Access::Tuple(_) => {}
            }
        }
    }

    fn read(&mut self, variable: Variable) -> Local {
        self.holds.grow_to(variable, Holds::NOTHING);
        let block = self.block.into();
        if self.holds[variable].block != block {
            let local = Local::Exposed(self.locals.exposed.len() as u32);
            self.accesses.read(variable);
            self.locals.exposed.push((self.block, variable));
            self.holds[variable] = Holds { block, local };
        }
        self.holds[variable].local
    }

    fn write(&mut self, variable: Variable, place: usize, source: Option<Local>) {
        self.holds.grow_to(variable, Holds::NOTHING);
        let block = self.block.into();
        let before = self.holds[variable];
        if before.block != block || !matches!(before.local, Local::Write(_)) {
            self.written.push(variable);
        }
        // A copy of a copy is a copy of what that one copies.
        let source = match source {
            Some(Local::Write(copied)) => self.locals.writes[copied as usize].source.or(source),
            _ => source,
        };
        let first = self.locals.start[self.block.index()] as usize;
        let write = Write { block: self.block, index: (place - first) as u32, source };
        self.holds[variable] = Holds { block, local: Local::Write(self.locals.writes.len() as u32) };
        self.locals.writes.push(write);
    }
}
