//! What a trace is replayed through.

use crate::replay::{Decoder, Floor};
use crate::trace::Trace;
use std::fmt;
use std::hint::black_box;

/// What a trace is replayed through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Nothing: the trace is read.
    Decode,
    /// One table of what variables hold, without control flow.
    Floor,
}

impl Subject {
    /// All subjects, in the order of the tables.
    pub fn all() -> Vec<Self> {
        vec![Self::Decode, Self::Floor]
    }

    /// The subject's name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Decode => "decode",
            Self::Floor => "floor",
        }
    }

    /// Replays the trace `runs` times in one memory, then calls `after` each time.
    pub fn replay(self, trace: &Trace, runs: usize, mut after: impl FnMut()) {
        let mut one: Box<dyn FnMut()> = match self {
            Self::Decode => {
                let mut decoder = Decoder::default();
                Box::new(move || trace.functions().for_each(|function| drop(black_box(decoder.replay(function)))))
            }
            Self::Floor => {
                let mut floor = Floor::default();
                Box::new(move || trace.functions().for_each(|function| drop(black_box(floor.replay(function)))))
            }
        };
        for _ in 0..runs {
            one();
            after();
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
