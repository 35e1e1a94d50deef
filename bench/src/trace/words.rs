//! Traces as files of words, which a profiled program loads without much work.
//!
//! For files between two runs of the same program: the form may change with
//! any version of it. The text form ([`super::text`]) is the one to exchange.

use super::calls::{self, Calls};
use super::{Counts, Entry, Misuse, Trace, Type};
use std::fmt;

/// What such a file begins with; the last byte is the version.
pub const MAGIC: [u8; 8] = *b"ssaword\x01";

/// Why a file of words cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WordsError {
    /// It does not begin with [`MAGIC`].
    NotWords,
    /// It is shorter or longer than it says.
    Length,
    /// It names a type that there is not.
    UnknownType {
        /// Its number.
        number: u32,
    },
    /// A call cannot be made.
    Misuse {
        /// The function, counted from 0.
        function: usize,
        /// Why.
        misuse: Misuse,
    },
}

impl fmt::Display for WordsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotWords => f.write_str("not a trace in words of this version"),
            Self::Length => f.write_str("shorter or longer than it says"),
            Self::UnknownType { number } => write!(f, "type {number}: there is no such type"),
            Self::Misuse { function, misuse } => write!(f, "function {function}: {misuse}"),
        }
    }
}

impl std::error::Error for WordsError {}

/// The trace as bytes: [`MAGIC`], then little-endian words.
///
/// These are the number of functions, then for each its numbers of types and
/// of words, then all types, then all words.
pub fn to_bytes(trace: &Trace) -> Vec<u8> {
    let lengths = |entry: &Entry| [entry.types.len() as u32, entry.words.len() as u32];
    let mut bytes = Vec::with_capacity(12 + 8 * trace.functions.len() + 4 * (trace.types.len() + trace.words.len()));
    bytes.extend(MAGIC);
    let mut push = |word: u32| bytes.extend(word.to_le_bytes());
    push(trace.functions.len() as u32);
    trace.functions.iter().flat_map(lengths).for_each(&mut push);
    trace.types.iter().for_each(|&ty| push(ty as u32));
    trace.words.iter().copied().for_each(&mut push);
    bytes
}

/// The trace in `bytes`, checked.
///
/// # Errors
/// If it is none, or its calls cannot be made.
pub fn from_bytes(bytes: &[u8]) -> Result<Trace, WordsError> {
    let bytes = bytes.strip_prefix(&MAGIC).ok_or(WordsError::NotWords)?;
    let (words, rest) = bytes.as_chunks::<4>();
    let mut words = words.iter().map(|&word| u32::from_le_bytes(word));
    let num_functions = words.next().ok_or(WordsError::Length)? as usize;
    if !rest.is_empty() || words.len() / 2 < num_functions {
        return Err(WordsError::Length);
    }
    let mut trace = Trace::default();
    let (mut num_types, mut num_words) = (0, 0);
    for _ in 0..num_functions {
        let mut range = |from: &mut usize| {
            let start = *from;
            *from += words.next().unwrap_or(0) as usize;
            start..*from
        };
        let (types, words) = (range(&mut num_types), range(&mut num_words));
        trace.functions.push(Entry { words, types, counts: Counts::default() });
    }
    if words.len() != num_types + num_words {
        return Err(WordsError::Length);
    }
    for number in words.by_ref().take(num_types) {
        trace.types.push(Type::from_number(number).ok_or(WordsError::UnknownType { number })?);
    }
    trace.words = words.collect();
    count(&mut trace)?;
    trace.check().map_err(|(function, misuse)| WordsError::Misuse { function, misuse })?;
    Ok(trace)
}

/// Counts what the functions have; refuses words that stand for no call.
fn count(trace: &mut Trace) -> Result<(), WordsError> {
    for entry in &mut trace.functions {
        let mut counter = Counter::default();
        let words = &trace.words[entry.words.clone()];
        calls::replay(words, &mut counter);
        if counter.num_words != words.len() {
            return Err(WordsError::Length);
        }
        entry.counts = Counts { functions: 1, variables: entry.types.len() as u64, ..counter.counts };
    }
    Ok(())
}

/// Counts calls, and the words they took.
#[derive(Default)]
struct Counter {
    counts: Counts,
    num_words: usize,
}

impl Counter {
    fn event(&mut self, num_words: usize) {
        self.counts.events += 1;
        self.num_words += num_words;
    }
}

impl Calls for Counter {
    fn new_block(&mut self) {
        self.counts.blocks += 1;
        self.event(1);
    }

    fn switch_to(&mut self, _: u32) {
        self.event(1);
    }

    fn seal(&mut self, _: u32) {
        self.event(1);
    }

    fn fresh(&mut self, _: Type) {
        self.counts.values += 1;
        self.num_words += 1;
    }

    fn read(&mut self, _: u32) {
        self.counts.values += 1;
        self.counts.reads += 1;
        self.event(1);
    }

    fn write(&mut self, _: u32, _: u32) {
        self.counts.writes += 1;
        self.event(2);
    }

    fn jump(&mut self, _: u32) {
        self.counts.edges += 1;
        self.event(1);
    }

    fn branch(&mut self, _: [u32; 2]) {
        self.counts.edges += 2;
        self.event(2);
    }

    fn table(&mut self, targets: &[u32]) {
        self.counts.edges += targets.len() as u64;
        self.event(1 + targets.len());
    }

    fn leave(&mut self) {
        self.event(1);
    }
}
