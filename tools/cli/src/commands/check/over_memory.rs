//! `ssaphire check --via-memory`: the line of mem2reg.

use super::Answer;
use crate::construction::{CertifiedBuilder, Construction};
use crate::judge::judge_over_memory;
use crate::source::{Translator, Untranslated};
use ssaphire_ir::judge::Inspector;
use ssaphire_ir::memory::Agreement;
use std::time::Instant;

/// What the line is called.
pub(super) const NAME: &str = "mem2reg";

/// Makes functions over memory, and directly by the default engine: the results are compared.
pub(super) struct OverMemory {
    direct: CertifiedBuilder,
}

impl OverMemory {
    pub(super) fn new() -> Self {
        Self { direct: Construction::default().builder() }
    }

    /// What becomes of the function; the time is that of the way over memory alone.
    pub(super) fn check(
        &mut self,
        index: usize,
        translator: &mut dyn Translator,
        inspector: &mut Inspector,
    ) -> Result<Answer, Untranslated> {
        let start = Instant::now();
        let promoted = translator.over_memory(index)?;
        let time = start.elapsed();
        let direct = translator.build(index, &mut self.direct)?.function;
        let (judgement, agreement) = judge_over_memory(inspector, &promoted, &*direct, &mut self.direct);
        Ok(Answer {
            made: promoted.promotion.phis_placed as u64,
            kept: promoted.function.size().phis,
            judgement,
            is_different: agreement != Some(Agreement::Same),
            is_refined: agreement == Some(Agreement::Refines),
            time,
        })
    }
}
