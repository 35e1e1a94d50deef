//! What it takes to judge a member of a family.

use super::ours::build_through;
use super::{Member, build};
use crate::figures::figures;
use crate::measure;
use ssaphire::Certified;
use ssaphire::check::{Judge, Mode, Program, ProgramEvent, Validator};
use ssaphire_literature::{AnyBuilder, Engine};
use std::time::Duration;

figures! {
    /// What is measured and counted; times are nanoseconds of the fastest run.
    Judged:
    /// To build, without a journal.
    build,
    /// To make the certificate.
    certify,
    /// To judge it.
    judge,
    /// Reads that are claimed.
    claims,
    /// Operands of the phis.
    operands,
    /// Obligations that the claims come to.
    obligations,
    /// Blocks, edges, events and operands of the certificate.
    size
}

impl Judged {
    /// Claims, and operands of phis: what the time of judging is divided by.
    pub fn claimed(&self) -> u64 {
        self.claims + self.operands
    }

    fn counted(program: &Program) -> Self {
        let mut counts = Self::default();
        for block in program.blocks() {
            let events = program.event_list(block);
            let operands: usize = program.phi_list(block).iter().map(|&phi| program.operand_list(phi).len()).sum();
            counts.claims += events.iter().filter(|event| matches!(event, ProgramEvent::Use { .. })).count() as u64;
            counts.operands += operands as u64;
            counts.size += (1 + program.incoming(block).len() + events.len() + operands) as u64;
        }
        counts
    }
}

/// Builds a member of a family, and judges it by its certificate: again and again for `patience`, each time in new memory.
///
/// # Panics
/// If the judge refuses what was built.
pub fn judge(engine: Engine, member: Member, patience: Duration) -> Judged {
    let mut spent = Duration::ZERO;
    let mut fastest = [Duration::MAX; 3];
    let program = loop {
        let (_, built) = measure::time(|| build(engine, |calls| member.emit(calls)));
        let recorded = Certified::with_builder(AnyBuilder::new(engine));
        let (mut recorded, _) = build_through(recorded, |calls| member.emit(calls));
        let mut program = Program::new();
        let (result, certified) = measure::time(|| recorded.certify(&mut program));
        result.unwrap_or_else(|error| panic!("{error}"));
        drop(recorded);
        let (verdict, judged) = measure::time(|| Judge::new().judge(&program, Mode::Exact));
        assert!(verdict.is_accepted(), "{member}, {engine}: {:?}", verdict.violations.first());
        for (fastest, time) in fastest.iter_mut().zip([built, certified, judged]) {
            *fastest = time.min(*fastest);
            spent += time;
        }
        if spent >= patience {
            break program;
        }
    };
    let mut validator = Validator::new();
    assert_eq!(validator.validate(&program, Mode::Exact), Ok(()));
    let [build, certify, judge] = fastest.map(|time| time.as_nanos() as u64);
    Judged { build, certify, judge, obligations: validator.num_obligations() as u64, ..Judged::counted(&program) }
}

/// Builds a member of a family, makes its certificate and judges it so many times in one memory, and does nothing else.
///
/// # Panics
/// If the judge refuses what was built.
pub fn judge_times(engine: Engine, member: Member, times: usize) {
    let recorded = Certified::with_builder(AnyBuilder::new(engine));
    let (mut recorded, _) = build_through(recorded, |calls| member.emit(calls));
    let (mut program, mut judge) = (Program::new(), Judge::new());
    for _ in 0..times {
        recorded.certify(&mut program).unwrap_or_else(|error| panic!("{error}"));
        assert!(judge.judge(&program, Mode::Exact).is_accepted(), "{member}, {engine}");
    }
}
