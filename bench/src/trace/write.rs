//! Writing a trace, call by call.

use super::calls::{
    BRANCH, Calls, FRESH, JUMP, LEAVE, NEW_BLOCK, NUMBER_LIMIT, READ, SEAL, SWITCH, TABLE, WRITE, word,
};
use super::{Counts, Entry, Trace, Type};

/// Writes a trace, function after function.
///
/// The calls are those of [`Calls`], by the same names; they are written as
/// they come, and [`Trace::check`] says whether they can be replayed.
///
/// # Panics
/// If a number does not fit into the 28 bits that a word has for it.
#[derive(Debug, Default)]
pub struct TraceWriter {
    trace: Trace,
    /// What the function that is being written has so far.
    counts: Counts,
}

impl TraceWriter {
    /// A writer of an empty trace.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a variable to the function: its number.
    pub fn variable(&mut self, ty: Type) -> u32 {
        self.trace.types.push(ty);
        self.counts.variables += 1;
        (self.counts.variables - 1) as u32
    }

    /// [`Calls::new_block`]: the block's number.
    pub fn block(&mut self) -> u32 {
        self.new_block();
        (self.counts.blocks - 1) as u32
    }

    /// [`Calls::fresh`]: the value's number.
    pub fn fresh_value(&mut self, ty: Type) -> u32 {
        self.fresh(ty);
        (self.counts.values - 1) as u32
    }

    /// [`Calls::read`]: the value's number.
    pub fn read_value(&mut self, variable: u32) -> u32 {
        self.read(variable);
        (self.counts.values - 1) as u32
    }

    /// Ends the function; what follows belongs to the next.
    pub fn end_function(&mut self) {
        let last = self.trace.functions.last();
        let (first_word, first_type) = last.map_or((0, 0), |entry| (entry.words.end, entry.types.end));
        let (words, types) = (first_word..self.trace.words.len(), first_type..self.trace.types.len());
        let counts = Counts { functions: 1, ..std::mem::take(&mut self.counts) };
        self.trace.functions.push(Entry { words, types, counts });
    }

    /// The trace of the functions that were ended.
    pub fn into_trace(mut self) -> Trace {
        let last = self.trace.functions.last();
        let (words, types) = last.map_or((0, 0), |entry| (entry.words.end, entry.types.end));
        self.trace.words.truncate(words);
        self.trace.types.truncate(types);
        self.trace
    }

    fn event(&mut self, op: u32, number: u32) {
        self.counts.events += 1;
        self.push(op, number);
    }

    fn push(&mut self, op: u32, number: u32) {
        assert!(number < NUMBER_LIMIT, "{number} does not fit into a word of a trace");
        self.trace.words.push(word(op, number));
    }
}

impl Calls for TraceWriter {
    fn new_block(&mut self) {
        self.counts.blocks += 1;
        self.event(NEW_BLOCK, 0);
    }

    fn switch_to(&mut self, block: u32) {
        self.event(SWITCH, block);
    }

    fn seal(&mut self, block: u32) {
        self.event(SEAL, block);
    }

    fn fresh(&mut self, ty: Type) {
        self.counts.values += 1;
        self.push(FRESH, ty as u32);
    }

    fn read(&mut self, variable: u32) {
        self.counts.values += 1;
        self.counts.reads += 1;
        self.event(READ, variable);
    }

    fn write(&mut self, variable: u32, value: u32) {
        self.counts.writes += 1;
        self.event(WRITE, variable);
        self.trace.words.push(value);
    }

    fn jump(&mut self, target: u32) {
        self.counts.edges += 1;
        self.event(JUMP, target);
    }

    fn branch(&mut self, [first, second]: [u32; 2]) {
        self.counts.edges += 2;
        self.event(BRANCH, first);
        self.trace.words.push(second);
    }

    fn table(&mut self, targets: &[u32]) {
        self.counts.edges += targets.len() as u64;
        self.event(TABLE, targets.len() as u32);
        self.trace.words.extend_from_slice(targets);
    }

    fn leave(&mut self) {
        self.event(LEAVE, 0);
    }
}
