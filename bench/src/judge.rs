//! Every replayed function before the judge: is it right, irredundant and pruned?

use crate::replay::EngineReplay;
use crate::trace::Trace;
use ssaphire::Certified;
use ssaphire::check::quality::QualityCheck;
use ssaphire::check::{Judge, Mode, Program};
use ssaphire_literature::{AnyBuilder, Engine};
use std::fmt;

/// A function that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The function, counted from 0.
    pub function: usize,
    /// The engine that built it.
    pub engine: Engine,
    /// Why it was refused: the first reason.
    pub reason: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "function {}, {}: {}", self.function, self.engine, self.reason)
    }
}

/// Builds the functions of the trace with `engine` and judges each result by its certificate, and by its phis.
pub fn refusals(engine: Engine, trace: &Trace) -> Vec<Refusal> {
    let mut replay = EngineReplay::through(Certified::with_builder(AnyBuilder::new(engine)));
    let mut bench = Bench::default();
    let mut found = Vec::new();
    for (number, function) in trace.functions().enumerate() {
        replay.replay(function);
        if let Some(reason) = bench.reason(replay.construction_mut()) {
            found.push(Refusal { function: number, engine, reason });
        }
    }
    found
}

/// The memory of judging.
#[derive(Default)]
struct Bench {
    program: Program,
    judge: Judge,
    quality: QualityCheck,
}

impl Bench {
    /// Why the function that was built is refused.
    fn reason(&mut self, built: &mut Certified<AnyBuilder>) -> Option<String> {
        if let Err(error) = built.certify(&mut self.program) {
            return Some(error.to_string());
        }
        let verdict = self.judge.judge(&self.program, Mode::Exact);
        let wrong = verdict.violations.first().map(ToString::to_string);
        wrong.or_else(|| self.quality.findings(&self.program).first().map(ToString::to_string))
    }
}
