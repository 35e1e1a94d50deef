//! What is accepted.

/// What a parser accepts. The default is everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Only the language of the thesis: `skip`, assignments, `if`, `while`, and expressions without calls,
    /// input and bit operators. Default: no.
    pub strict: bool,
}

impl Options {
    /// Only the language of the thesis.
    pub fn strict() -> Self {
        Self { strict: true }
    }
}
