//! The reasons why a function has no form as continuations.

use crate::form::FormError;
use ssaphire_graph::{Block, Value};
use std::fmt;

/// The reason why a function is not in the SSA form that continuations are made from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotSsa {
    /// Instructions read or write variables.
    HasVariables,
    /// The function violates a rule of the data structure: the first violation.
    Form(FormError),
    /// The entry has a phi, which has no operand for control entering the function.
    PhiInEntry {
        /// The entry.
        entry: Block,
        /// The phi.
        phi: Value,
    },
}

impl fmt::Display for NotSsa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HasVariables => f.write_str("not in SSA form: instructions read or write variables"),
            Self::Form(error) => error.fmt(f),
            Self::PhiInEntry { entry, phi } => {
                write!(f, "{phi}: phi in the entry {entry}, where control enters without an edge")
            }
        }
    }
}

impl std::error::Error for NotSsa {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Form(error) => error.source(),
            Self::HasVariables | Self::PhiInEntry { .. } => None,
        }
    }
}
