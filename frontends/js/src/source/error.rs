//! Syntax errors, with their places.

use super::Span;
use std::fmt;

/// Why a source cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceError {
    /// What is wrong.
    pub message: String,
    /// Where; empty at the beginning if it is nowhere.
    pub span: Span,
}

/// All errors of a source, in its order. There is at least one.
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
