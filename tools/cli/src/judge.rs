//! The judgement of one function, whatever its dialect.

use crate::built::Built;
use crate::construction::CertifiedBuilder;
use crate::source::{Folded, Promoted};
use serde_json::{Value as Json, json};
use ssaphire::check::{Mode, certificate};
use ssaphire_ir::judge::{Inspector, Needless, Unproved};
use ssaphire_ir::memory::Agreement;
use ssaphire_ir::passes::{Pass, PassOptions, PhiTags};

pub(crate) use ssaphire_ir::judge::{Demands, Judgement, Refusal};

/// A refusal as an object for machines.
pub(crate) fn to_json(refusal: &Refusal) -> Json {
    json!({ "rule": refusal.rule, "subject": refusal.subject, "message": refusal.message })
}

/// What a result has to be, whatever it is used for: right. It may have phis that it does not need.
pub(crate) const SOUND: Demands = Demands { mode: Mode::Exact, irredundant: false, pruned: false };

/// Judges a function that `ssa` has just built: why it is refused, if it is. Laws that folding relied on are looked at.
pub(crate) fn refusals(
    inspector: &mut Inspector,
    function: &dyn Built,
    folded: Option<&dyn Folded>,
    ssa: &mut CertifiedBuilder,
    demands: Demands,
) -> Vec<Refusal> {
    let mut refusals = function.refusals(inspector, ssa, demands);
    if let Some(folded) = folded {
        refusals.extend(folded.judge_equations(inspector.program_mut()));
    }
    refusals
}

/// Why a function is refused after a pass that was to leave its graph, and left it, and is not proven to do the same.
///
/// These passes do nothing that the proof does not know. Of others, no more than the form is checked.
pub(crate) fn refusal_of_pass(pass: Pass, options: PassOptions, proof: Result<(), Unproved>) -> Option<Refusal> {
    let is_known = match pass {
        Pass::Constants | Pass::Copies | Pass::LoopInvariants | Pass::DeadCode | Pass::RedundantPhis | Pass::Unused => {
            true
        }
        Pass::ValueNumbering => options.phi_tags == PhiTags::Block,
        _ => false,
    };
    let unproved = proof.err().filter(|unproved| is_known && unproved.is_refutation())?;
    Some(Refusal { rule: "not-equivalent", subject: "result", message: unproved.to_string() })
}

/// Judges what was made over memory, beside `direct`, which `ssa` has built: that has to be sound by its certificate,
/// both forms of the other valid, and what it does has to be the same. How they agree is said, too.
pub(crate) fn judge_over_memory(
    inspector: &mut Inspector,
    promoted: &Promoted,
    direct: &dyn Built,
    ssa: &mut CertifiedBuilder,
) -> (Judgement, Option<Agreement>) {
    let mut refusals = inspector.judge_soundness(ssa);
    refusals.extend(promoted.slots.broken_rules(inspector));
    refusals.extend(promoted.function.broken_rules(inspector));
    // What is no SSA form is not compared.
    let agreement = if refusals.is_empty() { direct.agreement(&*promoted.function) } else { None };
    if let Some(Agreement::Differs(disagreement)) = agreement {
        refusals.push(Refusal::of_difference("direct construction", &disagreement));
    }
    let needless: Needless = promoted.function.needless(inspector);
    (Judgement { refusals, needless }, agreement)
}

/// Writes the certificate of what `ssa` has built.
///
/// # Errors
/// If the function does not fit the form of certificates.
pub(crate) fn write_certificate(
    inspector: &mut Inspector,
    name: &str,
    ssa: &mut CertifiedBuilder,
    folded: Option<&dyn Folded>,
    out: &mut String,
) -> Result<(), String> {
    // What is not minimal or not pruned is certified without that claim.
    let _ = ssa.certify_ranked(inspector.program_mut()).map_err(|error| error.to_string())?;
    if let Some(folded) = folded {
        folded.name_operators(inspector.program_mut());
    }
    certificate::write_program(out, name, inspector.program_mut()).map_err(|error| error.to_string())
}
