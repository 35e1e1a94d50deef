//! A recorder for users of the library: what a [`Builder`](ssaphire::Builder) is asked becomes a trace.

use super::{Calls, Trace, TraceWriter, Type};
use ssaphire::{Block, Event, Observer, Reason, Stopped, Value, Variable};
use std::fmt;

/// Why a function cannot be written as a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordError {
    /// A variable was read at the end of a filled block.
    ReadAfterEnd {
        /// The block.
        block: Block,
        /// The variable.
        variable: Variable,
    },
    /// The host replaced a value.
    Replaced {
        /// The value.
        value: Value,
    },
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReadAfterEnd { block, variable } => write!(f, "{variable}: read in {block} after its terminator"),
            Self::Replaced { value } => write!(f, "{value}: replaced by the host"),
        }
    }
}

impl std::error::Error for RecordError {}

/// Records each function that a builder finishes.
///
/// Give it to [`Builder::with_observer`](ssaphire::Builder::with_observer), build, and take the trace.
/// What the host was asked for and site numbers are left out; late edges
/// are told with the terminator, initial values as writes in the entry.
/// Blocks keep their order; the entry becomes block 0, and ids that no call
/// named are closed up. A function that was cleared before it was finished is
/// dropped by [`forget_function`](Self::forget_function) only.
#[derive(Debug, Default)]
pub struct Recorder {
    writer: TraceWriter,
    steps: Vec<Step>,
    /// Targets of each block, by block.
    targets: Vec<Vec<Block>>,
    blocks: Vec<BlockState>,
    entry: Option<Block>,
    initial: Vec<(Variable, Value)>,
    types: Vec<Type>,
    num_variables: usize,
    /// Why the function cannot be written.
    refused: Option<RecordError>,
    /// Functions that could not be written.
    errors: Vec<(usize, RecordError)>,
    num_functions: usize,
}

/// A call, in the order of calls.
#[derive(Clone, Copy, Debug)]
enum Step {
    Read(Block, Variable, Value),
    Write(Block, Variable, Value),
    Fill(Block),
    Seal(Block),
}

#[derive(Clone, Copy, Debug, Default)]
struct BlockState {
    is_named: bool,
    is_filled: bool,
    is_sealed: bool,
}

impl Recorder {
    /// A recorder that has heard nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Says what type `variable` has, from now on and in all functions; `i32` where nothing is said.
    pub fn set_type(&mut self, variable: Variable, ty: Type) {
        if self.types.len() <= variable.index() {
            self.types.resize(variable.index() + 1, Type::default());
        }
        self.types[variable.index()] = ty;
    }

    /// Drops what was heard since the last function was finished.
    pub fn forget_function(&mut self) {
        self.steps.clear();
        self.targets.clear();
        self.blocks.clear();
        self.initial.clear();
        (self.entry, self.num_variables, self.refused) = (None, 0, None);
    }

    /// The trace of the functions that were finished, and those left out: their numbers, counted from 0, and why.
    pub fn into_trace(self) -> (Trace, Vec<(usize, RecordError)>) {
        (self.writer.into_trace(), self.errors)
    }

    fn end_function(&mut self) {
        match self.refused {
            Some(error) => self.errors.push((self.num_functions, error)),
            None => self.write_function(),
        }
        self.num_functions += 1;
        self.forget_function();
    }

    fn name(&mut self, block: Block) -> &mut BlockState {
        let len = self.blocks.len().max(block.index() + 1);
        self.blocks.resize(len, BlockState::default());
        self.targets.resize(len, Vec::new());
        let state = &mut self.blocks[block.index()];
        state.is_named = true;
        state
    }

    fn access(&mut self, block: Block, variable: Variable) {
        self.num_variables = self.num_variables.max(variable.index() + 1);
        if self.name(block).is_filled {
            self.refused.get_or_insert(RecordError::ReadAfterEnd { block, variable });
        }
    }

    fn write_function(&mut self) {
        let entry = self.entry.unwrap_or(Block::new(0));
        self.name(entry);
        let entry_is_sealed = self.blocks[entry.index()].is_sealed;
        let types = (0..self.num_variables).map(|index| self.types.get(index).copied().unwrap_or_default()).collect();
        let numbers = self.number_blocks(entry);
        let mut function = FunctionWriter { out: &mut self.writer, numbers, types, values: Vec::new(), current: None };
        function.begin();
        for &(variable, value) in &self.initial {
            function.write(entry, variable, value);
        }
        if !entry_is_sealed {
            function.out.seal(0);
        }
        for &step in &self.steps {
            match step {
                Step::Read(block, variable, value) => function.read(block, variable, value),
                Step::Write(block, variable, value) => function.write(block, variable, value),
                Step::Fill(block) => function.fill(block, &self.targets[block.index()]),
                Step::Seal(block) => function.out.seal(function.numbers[block.index()]),
            }
        }
        self.writer.end_function();
    }

    /// The number of each block in the trace: the entry first, then those that were named, by id.
    fn number_blocks(&self, entry: Block) -> Vec<u32> {
        let mut next = 0;
        let number = |(index, state): (usize, &BlockState)| {
            next += u32::from(state.is_named && index != entry.index());
            if index == entry.index() { 0 } else { next }
        };
        self.blocks.iter().enumerate().map(number).collect()
    }
}

impl Observer for Recorder {
    fn event(&mut self, event: Event) {
        match event {
            Event::Entry { block } => self.entry = Some(block),
            Event::EdgeAdded { from, to, .. } => {
                self.name(to);
                self.name(from);
                self.targets[from.index()].push(to);
            }
            Event::EdgeRedirected { from, slot, to, .. } => {
                self.name(to);
                self.targets[from.index()][slot as usize] = to;
            }
            Event::Filled { block } => {
                self.name(block).is_filled = true;
                self.steps.push(Step::Fill(block));
            }
            Event::Sealed { block } => {
                self.name(block).is_sealed = true;
                self.steps.push(Step::Seal(block));
            }
            Event::Write { block, variable, value } => {
                self.access(block, variable);
                self.steps.push(Step::Write(block, variable, value));
            }
            Event::Read { block, variable, value, .. } => {
                self.access(block, variable);
                self.steps.push(Step::Read(block, variable, value));
            }
            Event::Initial { variable, value } => {
                self.num_variables = self.num_variables.max(variable.index() + 1);
                self.initial.push((variable, value));
            }
            Event::Forwarded { from, reason: Reason::Replaced, .. } => {
                self.refused.get_or_insert(RecordError::Replaced { value: from });
            }
            Event::Stopped { why: Stopped::Finished } => self.end_function(),
            _ => {}
        }
    }
}

/// One function on its way into the trace.
struct FunctionWriter<'a> {
    out: &'a mut TraceWriter,
    /// By block, its number.
    numbers: Vec<u32>,
    /// By variable.
    types: Vec<Type>,
    /// By value, the number of the call that last gave it.
    values: Vec<Option<u32>>,
    current: Option<Block>,
}

impl FunctionWriter<'_> {
    fn begin(&mut self) {
        for &ty in &self.types {
            self.out.variable(ty);
        }
        let num_blocks = self.numbers.iter().max().map_or(0, |&last| last + 1);
        for _ in 0..num_blocks {
            self.out.new_block();
        }
        self.out.switch_to(0);
    }

    fn go_to(&mut self, block: Block) {
        if self.current != Some(block) {
            // The entry is where the function begins.
            if self.current.is_some() || self.numbers[block.index()] != 0 {
                self.out.switch_to(self.numbers[block.index()]);
            }
            self.current = Some(block);
        }
    }

    fn read(&mut self, block: Block, variable: Variable, value: Value) {
        self.go_to(block);
        let number = self.out.read_value(variable.index() as u32);
        *self.number_of(value) = Some(number);
    }

    fn write(&mut self, block: Block, variable: Variable, value: Value) {
        self.go_to(block);
        let number = match *self.number_of(value) {
            Some(number) => number,
            None => {
                let number = self.out.fresh_value(self.types[variable.index()]);
                *self.number_of(value) = Some(number);
                number
            }
        };
        self.out.write(variable.index() as u32, number);
    }

    fn fill(&mut self, block: Block, targets: &[Block]) {
        self.go_to(block);
        let numbers: Vec<u32> = targets.iter().map(|target| self.numbers[target.index()]).collect();
        match *numbers {
            [] => self.out.leave(),
            [target] => self.out.jump(target),
            [first, second] => self.out.branch([first, second]),
            _ => self.out.table(&numbers),
        }
    }

    fn number_of(&mut self, value: Value) -> &mut Option<u32> {
        if self.values.len() <= value.index() {
            self.values.resize(value.index() + 1, None);
        }
        &mut self.values[value.index()]
    }
}

#[cfg(test)]
mod tests;
