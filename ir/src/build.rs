//! Construction of SSA form: from a front end, or from a function in variable form.
//!
//! [`FunctionBuilder`] is what a front end calls while it walks its syntax
//! tree or bytecode; [`to_ssa`] converts a complete function.
//! Both drive an `ssaphire` builder with a [`Function`](crate::Function) as its host.

mod convert;
mod fold_function;
mod folded;
mod function_builder;
mod host;

pub use convert::{to_ssa, to_ssa_in_order};
pub use fold_function::to_ssa_folded;
pub use function_builder::FunctionBuilder;
pub(crate) use host::Host;

use ssaphire::graph::CfgError;
use ssaphire::{CallError, IdError};
use std::fmt;

/// The reason why a function could not be built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// The builder refused a call.
    Call(CallError),
    /// The graph of the function violates its contract.
    Cfg(CfgError),
    /// The number of a value is too large.
    Id(IdError),
    /// An access or an instruction was added without a current block.
    NoCurrentBlock,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(error) => error.fmt(f),
            Self::Cfg(error) => error.fmt(f),
            Self::Id(error) => error.fmt(f),
            Self::NoCurrentBlock => f.write_str("an instruction comes after a terminator and before the next block"),
        }
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Call(error) => error.source(),
            Self::Cfg(error) => error.source(),
            Self::Id(error) => error.source(),
            Self::NoCurrentBlock => None,
        }
    }
}

macro_rules! from_errors {
    ($($variant:ident($error:ident)),*) => {$(
        impl From<$error> for BuildError {
            fn from(error: $error) -> Self {
                Self::$variant(error)
            }
        }
    )*};
}

from_errors!(Call(CallError), Cfg(CfgError), Id(IdError));
