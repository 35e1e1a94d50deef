//! What a replay made: phis and operands, summed over a trace.

use crate::replay::{CraneliftReplay, EngineReplay, Params};
use crate::trace::Trace;
use ssaphire::Stats;
use ssaphire_literature::Engine;

/// What an engine made of a trace.
pub fn of_engine(engine: Engine, trace: &Trace) -> Stats {
    let mut replay = EngineReplay::new(engine);
    let mut sum = Stats::default();
    for function in trace.functions() {
        sum += *replay.replay(function);
    }
    sum
}

/// What Cranelift made of a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CraneliftResult {
    /// After construction.
    pub built: Params,
    /// After its pass that removes constant phis.
    pub cleaned: Params,
}

/// Builds with Cranelift, then runs its pass that removes constant phis.
pub fn of_cranelift(trace: &Trace) -> CraneliftResult {
    let mut replay = CraneliftReplay::default();
    let mut sum = CraneliftResult::default();
    for function in trace.functions() {
        replay.replay(function);
        sum.built += replay.params();
        replay.remove_constant_phis();
        sum.cleaned += replay.params();
    }
    sum
}
