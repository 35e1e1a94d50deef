//! The judgement of one function: everything `core/check` has to say about it.

use crate::built::Built;
use crate::source::Promoted;
use serde_json::{Value as Json, json};
use ssaphire::check::quality::QualityCheck;
use ssaphire::check::{Judge, Mode, Program, Rules, Verdict, Violation, certificate};
use ssaphire::{Certified, Options, Ranked};
use ssaphire_ir::FormError;
use ssaphire_ir::memory::Agreement;
use std::fmt;

/// What is asked of a result besides being right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demands {
    /// What undefined values may have become.
    pub(crate) mode: Mode,
    /// Whether redundant phis are refused, or only counted.
    pub(crate) irredundant: bool,
    /// Whether dead phis are.
    pub(crate) pruned: bool,
}

impl Demands {
    /// What results made with these options promise.
    pub(crate) const fn of(mode: Mode, options: &Options) -> Self {
        let Options { minimize, engine, .. } = *options;
        Self { mode, irredundant: minimize, pruned: minimize || !engine.decides_at_end() }
    }
}

/// The memory of judging, for many functions in turn.
#[derive(Default)]
pub(crate) struct Bench {
    program: Program,
    judge: Judge,
    rules: Rules,
    quality: QualityCheck,
}

/// What was found about one function.
#[derive(Default)]
pub(crate) struct Judgement {
    /// Why it is refused; accepted if there is nothing.
    pub(crate) refusals: Vec<Refusal>,
    /// Phis it does not need.
    pub(crate) needless: Needless,
}

/// Phis that a result does not need.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Needless {
    /// Phis that belong to redundant sets, trivial ones included.
    pub(crate) redundant: u64,
    /// Phis that no instruction needs.
    pub(crate) dead: u64,
}

impl Needless {
    fn count(violations: &[Violation]) -> Self {
        let dead = violations.iter().filter(|violation| is_dead(violation)).count() as u64;
        Self { redundant: violations.len() as u64 - dead, dead }
    }
}

fn is_dead(violation: &Violation) -> bool {
    matches!(violation, Violation::DeadPhi { .. })
}

/// A reason to refuse a result.
pub(crate) struct Refusal {
    /// The broken rule, by its short name.
    pub(crate) rule: &'static str,
    /// Whether it names things as the certificate does, or as the result.
    pub(crate) subject: &'static str,
    /// What is wrong.
    pub(crate) message: String,
}

impl Refusal {
    /// A broken rule of SSA form in a result.
    pub(crate) fn of_result(violation: &Violation) -> Self {
        Self { rule: violation.rule(), subject: "result", message: violation.to_string() }
    }

    /// A broken rule of functions in a result.
    pub(crate) fn of_form(error: &FormError) -> Self {
        Self { rule: "form", subject: "result", message: error.to_string() }
    }

    /// Something wrong with a certificate.
    pub(crate) fn of_certificate(violation: &Violation) -> Self {
        Self { rule: violation.rule(), subject: "certificate", message: violation.to_string() }
    }

    /// Something that another result of the same function has not.
    pub(crate) fn of_difference(maker: &str, difference: &dyn fmt::Display) -> Self {
        Self { rule: "differs", subject: "result", message: format!("not that of {maker}: {difference}") }
    }

    /// A certificate that is not there, or that lacks a proof, and why.
    fn without_proof(rule: &'static str, reason: &dyn fmt::Display) -> Self {
        Self { rule, subject: "certificate", message: reason.to_string() }
    }

    /// As an object for machines.
    pub(crate) fn to_json(&self) -> Json {
        json!({ "rule": self.rule, "subject": self.subject, "message": self.message })
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]: {}", self.subject, self.rule, self.message)
    }
}

/// What the certificate had to prove, and does not claim.
fn unproved(verdict: &Verdict, ranked: &Ranked, demands: Demands) -> impl Iterator<Item = Refusal> + use<> {
    let minimal = ranked.minimal.err().filter(|_| demands.irredundant && verdict.minimal.is_none());
    let pruned = ranked.pruned.err().filter(|_| demands.pruned && verdict.pruned.is_none());
    let minimal = minimal.map(|error| Refusal::without_proof("not-minimal", &error));
    minimal.into_iter().chain(pruned.map(|error| Refusal::without_proof("not-pruned", &error)))
}

impl Bench {
    /// Judges `function`, which `ssa` has built: sound by its certificate, irredundant and pruned where demanded, and
    /// by a look at the function itself, which has to be valid.
    pub(crate) fn judge(&mut self, function: &dyn Built, ssa: &mut Certified, demands: Demands) -> Judgement {
        let mut judgement = Judgement::default();
        match ssa.certify_ranked(&mut self.program) {
            Ok(ranked) => {
                let verdict = self.judge.judge(&self.program, demands.mode);
                judgement.refusals.extend(verdict.violations.iter().map(Refusal::of_certificate));
                judgement.refusals.extend(unproved(&verdict, &ranked, demands));
            }
            Err(error) => judgement.refusals.push(Refusal::without_proof("no-certificate", &error)),
        }
        judgement.refusals.extend(function.broken_rules(&mut self.rules));
        let needless = function.needless_phis(&mut self.quality);
        judgement.needless = Needless::count(needless);
        let is_refused = |violation: &&Violation| if is_dead(violation) { demands.pruned } else { demands.irredundant };
        let refused = needless.iter().filter(is_refused);
        judgement.refusals.extend(refused.map(Refusal::of_result));
        judgement
    }

    /// Judges what was made over memory, beside `direct`, which `ssa` has built: that has to be sound by its certificate,
    /// both forms of the other valid, and what it does has to be the same. How they agree is said, too.
    pub(crate) fn judge_over_memory(
        &mut self,
        promoted: &Promoted,
        direct: &dyn Built,
        ssa: &mut Certified,
    ) -> (Judgement, Option<Agreement>) {
        let mut refusals = Vec::new();
        match ssa.certify(&mut self.program) {
            Ok(()) => {
                let violations = self.judge.judge(&self.program, Mode::Exact).violations;
                refusals.extend(violations.iter().map(Refusal::of_certificate));
            }
            Err(error) => refusals.push(Refusal::without_proof("no-certificate", &error)),
        }
        refusals.extend(promoted.slots.broken_rules(&mut self.rules));
        refusals.extend(promoted.function.broken_rules(&mut self.rules));
        // What is no SSA form is not compared.
        let agreement = if refusals.is_empty() { direct.agreement(&*promoted.function) } else { None };
        if let Some(Agreement::Differs(disagreement)) = agreement {
            refusals.push(Refusal::of_difference("direct construction", &disagreement));
        }
        let needless = Needless::count(promoted.function.needless_phis(&mut self.quality));
        (Judgement { refusals, needless }, agreement)
    }

    /// The program to be judged next, to be read into.
    pub(crate) fn program_mut(&mut self) -> &mut Program {
        &mut self.program
    }

    /// Judges the program read, and looks for phis it does not need.
    pub(crate) fn judge_program(&mut self, mode: Mode) -> (Verdict, Option<Needless>) {
        let verdict = self.judge.judge(&self.program, mode);
        let is_form = verdict.structurally_valid;
        let needless = is_form.then(|| Needless::count(self.quality.findings(&self.program)));
        (verdict, needless)
    }

    /// Writes the certificate of what `ssa` has built.
    ///
    /// # Errors
    /// If the function does not fit the form of certificates.
    pub(crate) fn write_certificate(
        &mut self,
        name: &str,
        ssa: &mut Certified,
        out: &mut String,
    ) -> Result<(), String> {
        // What is not minimal or not pruned is certified without that claim.
        let _ = ssa.certify_ranked(&mut self.program).map_err(|error| error.to_string())?;
        certificate::write_program(out, name, &self.program).map_err(|error| error.to_string())
    }
}
