//! What a trace is replayed through.

use crate::replay::{CraneliftReplay, Decoder, EngineReplay, Floor, WholeReplay};
use crate::trace::{FunctionTrace, Trace};
use ssaphire::Builder;
use ssaphire_literature::Engine;
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
    /// An engine that decides at the end, on a complete function.
    Whole(Engine),
    /// `cranelift-frontend`.
    Cranelift,
    /// `cranelift-frontend` without reads and writes of variables.
    Skeleton,
}

impl Subject {
    /// All subjects, in the order of the tables.
    pub fn all() -> Vec<Self> {
        let engines = Engine::ALL.iter().copied().map(Self::Engine);
        let whole = Engine::AT_THE_END.iter().copied().map(Self::Whole);
        let others = [Self::Cranelift, Self::Skeleton];
        [Self::Decode, Self::Floor].into_iter().chain(engines).chain(whole).chain(others).collect()
    }

    /// The subject's name, as on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Decode => "decode",
            Self::Floor => "floor",
            Self::Engine(engine) => engine.name(),
            Self::Whole(engine) => name_of_whole(engine),
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
            Self::Engine(Engine::Auto) => Replayer::Auto(Box::new(EngineReplay::through(Builder::default()))),
            Self::Engine(engine) => Replayer::Engine(Box::new(EngineReplay::new(engine))),
            Self::Whole(engine) => Replayer::Whole(Box::new(WholeReplay::new(engine))),
            Self::Cranelift => Replayer::Cranelift(Box::default()),
            Self::Skeleton => Replayer::Skeleton(Box::default()),
        }
    }
}

/// The name of an engine that solves a complete function.
const fn name_of_whole(engine: Engine) -> &'static str {
    match engine {
        Engine::Cytron => "whole-cytron",
        Engine::SemiPruned => "whole-semi-pruned",
        Engine::Pruned => "whole-pruned",
        Engine::SreedharGao => "whole-sreedhar-gao",
        Engine::AycockHorspool => "whole-aycock-horspool",
        Engine::AllLocals => "whole-all-locals",
        Engine::Structured => "whole-structured",
        Engine::Functional => "whole-functional",
        Engine::React => "whole-react",
        _ => "whole",
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
    /// See [`Subject::Engine`]: the default one.
    Auto(Box<EngineReplay<Builder>>),
    /// See [`Subject::Engine`].
    Engine(Box<EngineReplay>),
    /// See [`Subject::Whole`].
    Whole(Box<WholeReplay>),
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
            Self::Auto(engine) => each(trace, |function| {
                black_box(engine.replay(function));
            }),
            Self::Engine(engine) => each(trace, |function| {
                black_box(engine.replay(function));
            }),
            Self::Whole(whole) => each(trace, |function| {
                black_box(whole.replay(function));
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

#[cfg(test)]
mod tests {
    use super::Subject;

    #[test]
    fn subjects_are_found_by_their_names() {
        for subject in Subject::all() {
            assert_eq!(Subject::from_name(subject.name()), Some(subject), "{subject}");
            if let Subject::Whole(engine) = subject {
                assert_eq!(subject.name(), format!("whole-{engine}"));
            }
        }
    }
}
