//! A function as text.

use super::expr::Expr;

/// A function that has been written, apart from what its place makes of it.
#[derive(Clone, Debug, Default)]
pub(super) struct FunctionText {
    /// What stands between the parentheses.
    pub(super) params: String,
    /// The statements, in braces.
    pub(super) body: String,
    /// What it returns, if it does nothing else.
    pub(super) result: Option<Expr>,
    /// All of it, if it is as it stands in the source.
    pub(super) verbatim: Option<String>,
    /// The statements without braces, at the top of a file, and whether they declare variables of their own.
    pub(super) lines: Option<(String, bool)>,
    /// Whether its code is strict only where the code around is, since its parameters go with no directive.
    pub(super) needs_strict_place: bool,
}
