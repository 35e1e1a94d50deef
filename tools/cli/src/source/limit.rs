//! Limits of the SSA form of one function: a few kilobytes of text can need gigabytes of phis.

use super::Untranslated;
use crate::construction::CertifiedBuilder;
use ssaphire::{SsaBuilder, Stopped};
use ssaphire_ir::source::{Source, Span};
use ssaphire_ir::{BuildError, Dialect, Function};
use ssaphire_wasm::TextPlace;

/// Operands that the phis of a function may have.
const OPERANDS: u64 = 1 << 22;

/// Steps of construction that any function may take, and those for each of its instructions and edges.
const STEPS: u64 = 1 << 25;
const STEPS_PER_ITEM: u64 = 128;

/// Builds `function`, which begins at `byte`, unless that takes too many steps or makes too many phi operands.
///
/// A work limit that the user has given replaces both limits.
pub(super) fn build_within_limit<D: Dialect>(
    function: &Function<D>,
    byte: u64,
    ssa: &mut CertifiedBuilder,
    build: impl FnOnce(&mut CertifiedBuilder) -> Result<Function<D>, BuildError>,
) -> Result<Function<D>, Untranslated> {
    if ssa.options().work_limit.is_some() {
        return build(ssa).map_err(Untranslated::because);
    }
    let blocks = function.blocks().map(|block| function.block(block));
    let num_items: usize = blocks.map(|block| block.insts().len() + block.incoming().len()).sum();
    let max_steps = STEPS + STEPS_PER_ITEM * num_items as u64;
    ssa.set_work_limit(Some(max_steps));
    let built = build(ssa);
    let is_out_of_work = matches!(ssa.stopped(), Some(Stopped::OutOfWork { .. }));
    ssa.set_work_limit(None);
    let refused = |reason| Untranslated { reason, byte: Some(byte) };
    match built {
        Err(_) if is_out_of_work => {
            Err(refused(format!("its SSA form takes more than {max_steps} steps; set `--work-limit` to allow more")))
        }
        Err(error) => Err(Untranslated::because(error)),
        Ok(_) if ssa.stats().operands_kept > OPERANDS => {
            Err(refused(format!("the phis of its SSA form have too many operands: the limit is {OPERANDS}")))
        }
        Ok(function) => Ok(function),
    }
}

/// The place of a byte of `text`.
pub(super) fn place_of_byte(text: &str, byte: u64) -> TextPlace {
    let start = byte as u32;
    let place = Source::new(text).place(Span { start, end: start });
    TextPlace { line: place.line, column: place.column, source: place.excerpt }
}
