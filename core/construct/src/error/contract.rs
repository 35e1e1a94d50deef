//! Hosts that break their contract.

use core::fmt;
use ssaphire_graph::{Block, IdError, Value, Variable};

/// How a host broke the contract of [`PhiHost`](crate::PhiHost).
///
/// The check that values are fresh runs in debug builds, and in all builds if the host is a [`Strict`](crate::Strict).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContractError {
    /// `new_phi` returned a value that is in use: see [`PhiHost::new_phi`](crate::PhiHost::new_phi).
    PhiInUse {
        /// The value.
        value: Value,
        /// The block of the phi.
        block: Block,
        /// The variable of the phi.
        variable: Variable,
    },
    /// `undefined` returned a value that is in use and not known to be available from the entry: see
    /// [`PhiHost::undefined`](crate::PhiHost::undefined).
    UndefinedInUse {
        /// The value.
        value: Value,
        /// The undefined variable.
        variable: Variable,
    },
    /// `new_phi` or `undefined` returned a value that is not below the limit.
    Id(IdError),
}

impl core::error::Error for ContractError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        if let Self::Id(error) = self { Some(error) } else { None }
    }
}

impl From<IdError> for ContractError {
    fn from(error: IdError) -> Self {
        Self::Id(error)
    }
}

impl fmt::Display for ContractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PhiInUse { value, block, variable } => {
                write!(f, "{value}: returned by the host as the phi of {variable} in {block}, but it is already in use")
            }
            Self::UndefinedInUse { value, variable } => {
                write!(f, "{value}: returned by the host for the undefined {variable}, but it is already in use ")?;
                f.write_str("and was not declared as global")
            }
            Self::Id(error) => write!(f, "{error} (returned by the host)"),
        }
    }
}
