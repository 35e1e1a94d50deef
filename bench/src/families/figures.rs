//! What is measured of one member of a family, and how a run hands it to the run that started it.

use super::{Member, build, build_with_cranelift};
use crate::figures::figures;
use crate::measure::{self, Memory};
use ssaphire_literature::Engine;
use std::time::Duration;

/// Who builds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Our builder, with that engine.
    Engine(Engine),
    /// `cranelift-frontend`.
    Cranelift,
}

impl Subject {
    /// Its name, as in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Engine(engine) => engine.name(),
            Self::Cranelift => "cranelift",
        }
    }

    /// The engine, if it is one of ours.
    pub fn engine(self) -> Option<Engine> {
        if let Self::Engine(engine) = self { Some(engine) } else { None }
    }

    /// The subject of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        if name == Self::Cranelift.name() { Some(Self::Cranelift) } else { name.parse().ok().map(Self::Engine) }
    }
}

figures! {
    /// What is measured and counted; what a builder does not count is 0.
    Figures:
    /// Nanoseconds of the fastest run.
    time,
    /// The most bytes of heap held at a time; 0 where they are not counted.
    peak,
    /// Allocations, and changes of size; 0 where they are not counted.
    allocations,
    /// Phis made, or block parameters that are left.
    phis_made,
    /// Phis made in unsealed blocks.
    incomplete_phis,
    /// Phis in the result, or block parameters that are left.
    phis_kept,
    /// Operands of the phis in the result.
    operands_kept,
    /// Steps that count against the work budget.
    work,
    /// Blocks passed by lookups.
    lookup_steps,
    /// Joins entered by lookups.
    joins_entered,
    /// Operands looked at for trivial phis.
    operands_scanned
}

/// Runs that are short are repeated for so long: the first one pays for what is there afterwards.
pub const PATIENCE: Duration = Duration::from_millis(200);

/// Builds a member of a family, more than once if that is fast, with a new builder each time.
pub fn measure(subject: Subject, member: Member) -> Figures {
    let mut figures = Figures::default();
    let mut spent = Duration::ZERO;
    let mut fastest = Duration::MAX;
    while spent < PATIENCE {
        let ((result, memory), time) = measure::time(|| measure::memory(|| built(subject, member)));
        spent += time;
        fastest = fastest.min(time);
        figures = result;
        if let Some(Memory { peak, allocations }) = memory {
            (figures.peak, figures.allocations) = (peak, allocations);
        }
    }
    figures.time = fastest.as_nanos() as u64;
    figures
}

fn built(subject: Subject, member: Member) -> Figures {
    let Subject::Engine(engine) = subject else {
        let params = build_with_cranelift(|calls| member.emit(calls));
        return Figures { phis_made: params, phis_kept: params, ..Figures::default() };
    };
    let stats = build(engine, |calls| member.emit(calls)).stats;
    Figures {
        phis_made: stats.phis_made,
        incomplete_phis: stats.incomplete_phis,
        phis_kept: stats.phis_kept,
        operands_kept: stats.operands_kept,
        work: stats.work,
        lookup_steps: stats.lookup_steps,
        joins_entered: stats.joins_entered,
        operands_scanned: stats.operands_scanned,
        ..Figures::default()
    }
}
