//! Options of the parser.

/// The language that a parser accepts. By default, all of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Whether to accept only the language of the thesis: `skip`, assignments, `if`, `while`, and expressions without
    /// calls, input and bit operators. Default: no.
    pub strict: bool,
}

impl Options {
    /// Only the language of the thesis.
    pub fn strict() -> Self {
        Self { strict: true }
    }
}
