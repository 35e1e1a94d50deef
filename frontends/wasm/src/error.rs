//! Errors in a module, or in one of its functions.

use crate::text::{Located, TextPlace};
use ssaphire_ir::BuildError;
use std::fmt;

/// The reason why an input is not a valid module.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The text has a syntax error.
    Text {
        /// The description of the error.
        message: String,
        /// The place of the error.
        place: TextPlace,
    },
    /// The text is well-formed, but its module is not valid.
    Invalid {
        /// The description of the error.
        message: String,
        /// The place of the error.
        located: Located,
    },
    /// The bytes are not a valid module.
    Binary {
        /// The description of the error.
        message: String,
        /// Byte offset in the module.
        offset: u64,
    },
    /// The bytes are a component, which contains modules but is not one.
    Component,
}

impl From<wasmparser::Error> for Error {
    fn from(error: wasmparser::Error) -> Self {
        Self::Binary { message: error.message().to_owned(), offset: error.offset() }
    }
}

/// `Display` of an error in a text shows the line, with a caret below the column.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text { message, place } => {
                let TextPlace { line, column, .. } = place;
                write!(f, "{line}:{column}: {message}\n{place}")
            }
            Self::Invalid { message, located: Located { place, function } } => {
                let TextPlace { line, column, .. } = place;
                write!(f, "{line}:{column}: ")?;
                if let Some((index, name)) = function {
                    write!(f, "function {index} `{name}`: ")?;
                }
                write!(f, "{message}\n{place}")
            }
            Self::Binary { message, offset } => write!(f, "byte {offset:#x}: {message}"),
            Self::Component => f.write_str("this is a component, not a module"),
        }
    }
}

impl std::error::Error for Error {}

/// A function that could not be translated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionError {
    /// Its number among all functions of the module, imported ones included.
    pub index: u32,
    /// Its name.
    pub name: String,
    /// The reason.
    pub reason: Reason,
    /// Byte offset in the module of the offending operator, or of the function's body.
    pub offset: u64,
}

impl fmt::Display for FunctionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { index, name, reason, offset } = self;
        write!(f, "function {index} `{name}`: byte {offset:#x}: {reason}")
    }
}

impl std::error::Error for FunctionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.reason)
    }
}

impl std::error::Error for Reason {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        if let Self::Build(error) = self { error.source() } else { None }
    }
}

/// The reason why a function could not be translated.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The module does not define a function of this number.
    NotDefined,
    /// The body is not valid.
    Invalid(String),
    /// The translation does not support an operator.
    Unsupported {
        /// The name of the operator.
        operator: &'static str,
        /// The proposal of the operator, or of the feature that it uses here.
        proposal: &'static str,
    },
    /// The body is small, but its branches and handlers would exhaust the memory.
    TooManyEdges {
        /// The most values and handlers that the branches of one function may name.
        limit: u64,
    },
    /// The body is small, but the phis of its SSA form would exhaust the memory.
    TooManyOperands {
        /// The most operands that the phis of one function may have.
        limit: u64,
    },
    /// The construction of the SSA form takes more steps than a body of this size is allowed.
    TooManySteps {
        /// The most steps that the builder may take for this function.
        limit: u64,
    },
    /// The builder refused a call.
    Build(BuildError),
}

impl From<BuildError> for Reason {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}

impl From<wasmparser::Error> for Reason {
    fn from(error: wasmparser::Error) -> Self {
        Self::Invalid(error.message().to_owned())
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotDefined => f.write_str("the module defines no such function"),
            Self::Invalid(message) => f.write_str(message),
            Self::Unsupported { operator, proposal } => {
                write!(f, "`{operator}` of proposal {proposal} is not supported")
            }
            Self::TooManyEdges { limit } => {
                write!(f, "its branches and handlers carry too many values: the limit is {limit}")
            }
            Self::TooManyOperands { limit } => {
                write!(f, "the phis of its SSA form have too many operands: the limit is {limit}")
            }
            Self::TooManySteps { limit } => {
                write!(f, "its SSA form takes more than {limit} steps; set a work limit on the builder to allow more")
            }
            Self::Build(error) => error.fmt(f),
        }
    }
}
