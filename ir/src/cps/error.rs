//! Why a function has no form as continuations.

use crate::form::FormError;
use ssaphire_graph::{Block, Value};
use std::fmt;

/// Why a function is not in the SSA form that continuations are made of.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotSsa {
    /// Instructions read or write variables.
    HasVariables,
    /// The function breaks a rule of the data structure: the first one.
    Form(FormError),
    /// The entry has a phi, which has no operand for the way into the function.
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
                write!(f, "{phi}: phi in {entry}, which is entered without an operand for it")
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
