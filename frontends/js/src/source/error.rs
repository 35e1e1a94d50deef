//! Syntax errors, with their places.

use super::Span;
use std::fmt;

/// The reason why a source cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceError {
    /// The description of the error.
    pub message: String,
    /// The place; empty at the beginning of the source if there is none.
    pub span: Span,
}

/// The errors of a source, in source order. There is at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceErrors(pub Vec<SourceError>);

impl fmt::Display for SourceErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            let line = if index == 0 { "" } else { "\n" };
            write!(f, "{line}{}: {}", error.span.start, error.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for SourceErrors {}

impl SourceErrors {
    pub(super) fn one(message: impl Into<String>, span: Span) -> Self {
        Self(vec![SourceError { message: message.into(), span }])
    }
}
