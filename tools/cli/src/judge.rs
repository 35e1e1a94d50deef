//! The judgement of one function: everything `core/check` has to say about it.

use crate::built::Built;
use serde_json::{Value as Json, json};
use ssaphire::Certified;
use ssaphire::check::quality::QualityCheck;
use ssaphire::check::{Judge, Mode, Program, Rules, Violation, certificate};
use ssaphire_ir::FormError;
use std::fmt;

/// What is asked of a result besides being right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demands {
    /// What undefined values may have become.
    pub(crate) mode: Mode,
    /// Whether redundant phis are refused, or only counted.
    pub(crate) irredundant: bool,
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
    /// Phis that belong to redundant sets, trivial ones included.
    pub(crate) redundant: u64,
    /// Phis that no instruction needs.
    pub(crate) dead: u64,
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

impl Bench {
    /// Judges `function`, which `ssa` has built: sound by its certificate, valid, irredundant where demanded, pruned.
    pub(crate) fn judge(&mut self, function: &dyn Built, ssa: &mut Certified, demands: Demands) -> Judgement {
        let mut judgement = Judgement::default();
        match ssa.certify(&mut self.program) {
            Ok(()) => {
                let verdict = self.judge.judge(&self.program, demands.mode);
                judgement.refusals.extend(verdict.violations.iter().map(Refusal::of_certificate));
            }
            Err(error) => {
                let message = error.to_string();
                judgement.refusals.push(Refusal { rule: "no-certificate", subject: "certificate", message });
            }
        }
        judgement.refusals.extend(function.broken_rules(&mut self.rules));
        for violation in function.needless_phis(&mut self.quality) {
            let is_dead = matches!(violation, Violation::DeadPhi { .. });
            *if is_dead { &mut judgement.dead } else { &mut judgement.redundant } += 1;
            if is_dead || demands.irredundant {
                judgement.refusals.push(Refusal::of_result(violation));
            }
        }
        judgement
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
        ssa.certify(&mut self.program).map_err(|error| error.to_string())?;
        certificate::write_program(out, name, &self.program).map_err(|error| error.to_string())
    }
}
