//! Unsupported operators and types, and the reasons why a function is not translated.

use crate::FrontError;
use std::fmt;

/// A construct that is not supported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotCovered {
    /// The name of the construct, mostly of an operator.
    pub name: String,
    /// Its byte offset in the module.
    pub offset: u64,
}

impl fmt::Display for NotCovered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: `{}` is not supported", self.offset, self.name)
    }
}

/// The reason why a function is not translated.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TranslateError {
    /// Its type, or the type of a local, is not supported.
    NotCovered(NotCovered),
    /// The bytes have changed since the module was validated.
    Module(String),
    /// The builder refuses the function.
    Builder(String),
    /// The judge refuses the SSA form that the builder made.
    Judge(String),
}

impl fmt::Display for TranslateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotCovered(what) => what.fmt(f),
            Self::Module(message) | Self::Builder(message) | Self::Judge(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for NotCovered {}

impl std::error::Error for TranslateError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        if let Self::NotCovered(what) = self { what.source() } else { None }
    }
}

impl From<wasmparser::Error> for TranslateError {
    fn from(error: wasmparser::Error) -> Self {
        Self::Module(error.to_string())
    }
}

impl From<FrontError> for TranslateError {
    fn from(error: FrontError) -> Self {
        match error {
            FrontError::Builder(message) => Self::Builder(message),
            FrontError::Judge(message) => Self::Judge(message),
        }
    }
}

pub(super) fn not_covered(name: impl Into<String>, offset: u64) -> TranslateError {
    TranslateError::NotCovered(NotCovered { name: name.into(), offset })
}
