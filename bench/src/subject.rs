//! What a trace is replayed through.

use crate::replay::{CraneliftReplay, Decoder, EngineReplay, Floor};
use crate::trace::{FunctionTrace, Trace};
use ssaphire::Engine;
use std::fmt;
use std::hint::black_box;

/// What a trace is replayed through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Nothing: the trace is read.
    Decode,
    /// One table of what variables hold, without control flow.
    Floor,
    /// The library.
    Engine(Engine),
    /// `cranelift-frontend`.
    Cranelift,
    /// `cranelift-frontend` without reads and writes of variables.
    Skeleton,
}

impl Subject {
    /// All subjects, in the order of the tables.
    pub fn all() -> Vec<Self> {
        let engines = Engine::ALL.into_iter().map(Self::Engine);
        [Self::Decode, Self::Floor].into_iter().chain(engines).chain([Self::Cranelift, Self::Skeleton]).collect()
    }

    /// The subject's name, as on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Decode => "decode",
            Self::Floor => "floor",
            Self::Engine(engine) => engine.name(),
            Self::Cranelift => "cranelift",
            Self::Skeleton => "skeleton",
        }
    }

    /// The subject of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|subject| subject.name() == name)
    }

    /// A memory to replay in, again and again.
    pub fn start(self) -> Replayer {
        match self {
            Self::Decode => Replayer::Decode(Decoder::default()),
            Self::Floor => Replayer::Floor(Floor::default()),
            Self::Engine(engine) => Replayer::Engine(Box::new(EngineReplay::new(engine))),
            Self::Cranelift => Replayer::Cranelift(Box::default()),
            Self::Skeleton => Replayer::Skeleton(Box::default()),
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A subject and its memory.
pub enum Replayer {
    /// See [`Subject::Decode`].
    Decode(Decoder),
    /// See [`Subject::Floor`].
    Floor(Floor),
    /// See [`Subject::Engine`].
    Engine(Box<EngineReplay>),
    /// See [`Subject::Cranelift`].
    Cranelift(Box<CraneliftReplay>),
    /// See [`Subject::Skeleton`].
    Skeleton(Box<CraneliftReplay>),
}

impl Replayer {
    /// Replays all functions of the trace, one after the other.
    pub fn replay(&mut self, trace: &Trace) {
        match self {
            Self::Decode(decoder) => each(trace, |function| {
                black_box(decoder.replay(function));
            }),
            Self::Floor(floor) => each(trace, |function| {
                black_box(floor.replay(function));
            }),
            Self::Engine(engine) => each(trace, |function| {
                black_box(engine.replay(function));
            }),
            Self::Cranelift(cranelift) => each(trace, |function| cranelift.replay(function)),
            Self::Skeleton(cranelift) => each(trace, |function| cranelift.skeleton(function)),
        }
    }
}

fn each(trace: &Trace, mut replay: impl FnMut(FunctionTrace<'_>)) {
    for function in trace.functions() {
        replay(function);
    }
}
