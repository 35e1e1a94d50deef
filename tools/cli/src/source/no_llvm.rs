//! In place of [`llvm`](super::llvm) where the command is built without LLVM IR: refusals.

use super::ssa::Held;
use super::{ComparedFunction, Source};
use crate::diagnostic::Diagnostic;
use ssaphire_ir::text::{FunctionText, SyntaxErrors};

const REMEDY: &str = "requires the feature `llvm`: cargo build --package ssaphire-cli --features llvm";

pub(super) fn load(name: &str, _: Vec<u8>, _: bool, _: Option<u32>) -> Result<Box<dyn Source>, Vec<Diagnostic>> {
    Err(vec![Diagnostic::of_input(name, format!("LLVM IR {REMEDY}"))])
}

/// Refuses the function: its dialect is one that the feature would add.
pub(super) fn read(text: &FunctionText<'_>, _: u64) -> Result<Box<dyn Held>, SyntaxErrors> {
    let name = text.dialect().unwrap_or("llvm");
    Err(text.refused_dialect(format!("dialect `{name}` {REMEDY}")))
}

/// Refuses to compare files.
pub(crate) fn compare_promotion(
    name: &str,
    _: [&str; 2],
    _: Option<u32>,
    _: usize,
    _: bool,
) -> Result<Vec<ComparedFunction>, Diagnostic> {
    Err(Diagnostic::of_input(name, format!("LLVM IR {REMEDY}")))
}
