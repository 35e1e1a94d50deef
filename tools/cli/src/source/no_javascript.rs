//! In place of [`javascript`](super::javascript) where the command is built without JavaScript: refusals.

use super::Source;
use super::ssa::Held;
use crate::arguments::Warn;
use crate::diagnostic::Diagnostic;
use crate::language::Language;
use ssaphire_ir::text::{FunctionText, SyntaxErrors};

const REMEDY: &str = "requires the feature `js`: cargo build --package ssaphire-cli --features js";

pub(super) fn load(
    name: &str,
    language: Language,
    _: Vec<u8>,
    _: Option<Warn>,
) -> Result<Box<dyn Source>, Vec<Diagnostic>> {
    Err(vec![Diagnostic::of_input(name, format!("{language} {REMEDY}"))])
}

/// Refuses the function; its dialect may be one of those that the feature would add.
pub(super) fn read(text: &FunctionText<'_>, _: u64) -> Result<Box<dyn Held>, SyntaxErrors> {
    match text.dialect() {
        Some(name @ ("js" | "memory.js")) => Err(text.refused_dialect(format!("dialect `{name}` {REMEDY}"))),
        _ => Err(text.unknown_dialect()),
    }
}
