//! What an engine may take for a function.
//!
//! Some engines of the literature state every variable at every block. On a function of a few hundred
//! thousand blocks that is more memory than a machine has, for a result that the other engines
//! give as well. So each engine gets steps by the size of the function.

use crate::construction::{CertifiedBuilder, Construction};
use crate::source::{Translator, Untranslated};
use ssaphire::SsaBuilder;

/// Steps that any function may take.
const SMALL: u64 = 20_000_000;

/// Steps for each access, edge and operand of the function, beyond [`SMALL`].
const PER_UNIT: u64 = 24;

/// A function of more units is forgotten before the next engine builds it: no two engines keep its memory.
const LARGE: u64 = 50_000;

/// What a function may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    /// Steps of one engine.
    pub(super) steps: u64,
    /// Whether its memory is freed.
    pub(super) is_large: bool,
}

impl Limit {
    /// Frees the memory that a large function took.
    pub(super) fn free(self, ssa: &mut CertifiedBuilder, construction: &Construction) {
        if self.is_large {
            *ssa = construction.builder();
        }
    }
}

/// Measures functions, by building them once with the default engine.
#[derive(Default)]
pub(super) struct Budget {
    ssa: Option<CertifiedBuilder>,
}

impl Budget {
    /// What the function of that number may take.
    ///
    /// # Errors
    /// If it cannot be translated.
    pub(super) fn of_function(&mut self, translator: &mut dyn Translator, index: usize) -> Result<Limit, Untranslated> {
        let ssa = self.ssa.get_or_insert_with(|| {
            let mut ssa = Construction::default().builder();
            ssa.set_recording(false);
            ssa
        });
        let size = translator.build(index, ssa)?.function.size();
        let stats = ssa.stats();
        let units = stats.reads + stats.writes + stats.operands_kept + size.blocks;
        let limit = Limit { steps: SMALL.saturating_add(PER_UNIT * units), is_large: units > LARGE };
        if limit.is_large {
            self.ssa = None;
        }
        Ok(limit)
    }
}
