//! `ssaphire build --via-memory` and `--emit memory`: what mem2reg makes of a slot for each variable.

use super::{Answer, Plan, Worker, wrong};
use crate::arguments::{BuildArguments, Emit};
use crate::diagnostic::{Failure, counted};
use crate::judge::judge_over_memory;
use crate::source::{Promoted, Translated, Untranslated};
use ssaphire_ir::memory::{Agreement, Promotion};
use std::ops::AddAssign;

/// Whether functions are made over memory.
///
/// # Errors
/// If an option applies to direct construction only.
pub(super) fn is_wanted(arguments: &BuildArguments, emit: Emit) -> Result<bool, Failure> {
    let name = match emit {
        _ if arguments.via_memory => "--via-memory",
        Emit::Memory => "--emit memory",
        _ => return Ok(false),
    };
    if let Some(other) = arguments.engine.given() {
        return Err(wrong(format!("`{other}` applies to direct construction only and conflicts with `{name}`")));
    }
    if emit == Emit::Cert {
        return Err(wrong(
            "`--emit cert`: certificates come from direct construction, so it conflicts with `--via-memory`",
        ));
    }
    Ok(true)
}

/// What became of functions made over memory.
#[derive(Default)]
pub(super) struct Tally {
    promotion: Promotion,
    same: u64,
    refined: u64,
    needless: u64,
}

impl Worker<'_> {
    /// Makes a function over memory, and judges it beside `direct`.
    pub(super) fn build_over_memory(
        &mut self,
        index: usize,
        direct: Translated,
        plan: &Plan,
    ) -> Result<Answer, Untranslated> {
        let promoted = self.translator.over_memory(index)?;
        let written = if plan.writing.emit == Emit::Memory { &promoted.slots } else { &promoted.function };
        let (dialect, size, warnings) = (written.dialect(), written.size(), direct.warnings);
        let mut answer = Answer { is_built: true, dialect, size, warnings, ..Answer::default() };
        if plan.is_judged {
            let (judgement, agreement) =
                judge_over_memory(&mut self.inspector, &promoted, &*direct.function, &mut self.ssa);
            answer.refusals = judgement.refusals.iter().map(ToString::to_string).collect();
            answer.over_memory.same = u64::from(agreement == Some(Agreement::Same));
            answer.over_memory.refined = u64::from(agreement == Some(Agreement::Refines));
            answer.over_memory.needless = judgement.needless.redundant + judgement.needless.dead;
        }
        let result = written.emit(plan.writing, &mut answer.text);
        answer.failure = result.err().map(|reason| (reason.to_string(), None));
        let Promoted { promotion, .. } = promoted;
        answer.over_memory.promotion = promotion;
        Ok(answer)
    }
}

impl Tally {
    /// What the judge found beside accepting.
    pub(super) fn agreement(&self) -> String {
        let Self { same, refined, needless, .. } = self;
        let phis = counted(*needless, "needless phi");
        format!("beside direct construction: {same} the same, {refined} with values for undefined ones, {phis}")
    }

    /// What `mem2reg` did.
    pub(super) fn counters(&self) -> String {
        let Promotion { promoted, unused, single_store, single_block, general, .. } = self.promotion;
        let Promotion { accesses, early_loads, phis_placed, phis_folded, .. } = self.promotion;
        let [slots, phis] = [(promoted, "slot"), (phis_placed, "phi")].map(|(count, of)| counted(count as u64, of));
        format!(
            "{slots}: {unused} unused, {single_store} with one store, {single_block} of one block, {general} others\n\
             {accesses} loads and stores, {early_loads} of them early; {phis} placed, {phis_folded} folded"
        )
    }
}

impl AddAssign<&Self> for Tally {
    fn add_assign(&mut self, other: &Self) {
        self.promotion += &other.promotion;
        self.same += other.same;
        self.refined += other.refined;
        self.needless += other.needless;
    }
}
