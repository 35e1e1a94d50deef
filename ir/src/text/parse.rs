//! Parsing.
//!
//! A function is read in passes over its lines: first the labels and the
//! declared variables, which may be mentioned before their lines, then the head
//! and the blocks. Checks that need the whole function come last.

use super::error::SyntaxErrors;
use super::outline::{FunctionText, Outline};
use crate::dialect::Syntax;
use crate::function::Function;

/// Parses a text that contains a single function; the result is canonical.
///
/// Its values need not keep the rules of SSA form: [`FunctionText::parse_valid`] asks for that.
///
/// # Errors
/// All that is wrong with the text, up to [`SyntaxErrors::LIMIT`]; never a panic.
///
/// # Complexity
/// Linear in the length of the text, but for sorting edges and hashing names.
pub fn parse<D: Syntax>(text: &str) -> Result<Function<D>, SyntaxErrors> {
    Outline::new(text)?.only_function()?.parse()
}

/// Parses a text that contains any number of functions, all of one dialect.
///
/// # Errors
/// As [`parse`], for the first function with errors.
pub fn parse_all<D: Syntax>(text: &str) -> Result<Vec<Function<D>>, SyntaxErrors> {
    Outline::new(text)?.functions().map(|function: FunctionText<'_>| function.parse()).collect()
}
