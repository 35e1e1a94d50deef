//! Traces: the calls that compilers made of their builders, to be replayed through any builder.
//!
//! A trace is one flat list of words, so that reading it costs next to nothing
//! beside what is measured. [`FunctionTrace::replay`] hands the calls of one
//! function to whoever takes them ([`Calls`]).

mod calls;
mod check;
mod recorder;
#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;
pub mod text;
pub mod words;
mod write;

pub use calls::{Calls, NUMBER_LIMIT};
pub use check::Misuse;
pub use recorder::{RecordError, Recorder};
pub use write::TraceWriter;

use std::ops::{AddAssign, Range};

/// The type of a variable or value, where the builder that is replayed wants to know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Type {
    /// A 32-bit integer.
    #[default]
    I32,
    /// A 64-bit integer, or a reference.
    I64,
    /// A 32-bit float.
    F32,
    /// A 64-bit float.
    F64,
    /// A vector of 128 bits.
    V128,
}

impl Type {
    /// All types; the position of each is its number.
    pub const ALL: [Self; 5] = [Self::I32, Self::I64, Self::F32, Self::F64, Self::V128];

    /// The type's name in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::V128 => "v128",
        }
    }

    /// The type with that number.
    #[inline]
    pub const fn from_number(number: u32) -> Option<Self> {
        if (number as usize) < Self::ALL.len() { Some(Self::ALL[number as usize]) } else { None }
    }
}

/// How much of what a trace has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Functions.
    pub functions: u64,
    /// Blocks.
    pub blocks: u64,
    /// Variables.
    pub variables: u64,
    /// Values: fresh ones, and one per read.
    pub values: u64,
    /// Writes of variables.
    pub writes: u64,
    /// Reads of variables.
    pub reads: u64,
    /// Edges, repeated ones counted each time.
    pub edges: u64,
    /// Calls, those that make a fresh value left out: figures are given per event.
    pub events: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.functions += other.functions;
        self.blocks += other.blocks;
        self.variables += other.variables;
        self.values += other.values;
        self.writes += other.writes;
        self.reads += other.reads;
        self.edges += other.edges;
        self.events += other.events;
    }
}

/// The calls of many functions, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    words: Vec<u32>,
    /// Types of the variables, function after function.
    types: Vec<Type>,
    functions: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    words: Range<usize>,
    types: Range<usize>,
    counts: Counts,
}

impl Trace {
    /// Number of functions.
    pub fn len(&self) -> usize {
        self.functions.len()
    }

    /// Whether there is no function.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// The functions, in the order in which they were recorded.
    pub fn functions(&self) -> impl ExactSizeIterator<Item = FunctionTrace<'_>> {
        self.functions.iter().map(|entry| FunctionTrace {
            words: &self.words[entry.words.clone()],
            types: &self.types[entry.types.clone()],
            counts: &entry.counts,
        })
    }

    /// What all functions have together.
    pub fn counts(&self) -> Counts {
        let mut sum = Counts::default();
        self.functions.iter().for_each(|entry| sum += entry.counts);
        sum
    }
}

/// The calls of one function.
#[derive(Clone, Copy, Debug)]
pub struct FunctionTrace<'a> {
    words: &'a [u32],
    types: &'a [Type],
    counts: &'a Counts,
}

impl<'a> FunctionTrace<'a> {
    /// The types of its variables.
    pub fn types(&self) -> &'a [Type] {
        self.types
    }

    /// What it has.
    pub fn counts(&self) -> &'a Counts {
        self.counts
    }

    /// Makes the calls, in order.
    #[inline(always)]
    pub fn replay(&self, calls: &mut impl Calls) {
        calls::replay(self.words, calls);
    }
}
