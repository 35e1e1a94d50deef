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
use ssaphire::{
    EdgeError, EntryError, FinishError, IdError, InitialError, ReadError, ReplaceError, SealError, WriteError,
};
use std::fmt;

/// The reason why a function could not be built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// A variable's initial value was refused.
    Initial(InitialError),
    /// A read was refused.
    Read(ReadError),
    /// A write was refused.
    Write(WriteError),
    /// An edge was refused.
    Edge(EdgeError),
    /// A block could not be sealed.
    Seal(SealError),
    /// The entry could not be chosen.
    Entry(EntryError),
    /// The end was refused.
    Finish(FinishError),
    /// The graph of the function violates its contract.
    Cfg(CfgError),
    /// The number of a value is too large.
    Id(IdError),
    /// A folded value could not be replaced.
    Replace(ReplaceError),
    /// An access or an instruction was added without a current block.
    NoCurrentBlock,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Initial(error) => error.fmt(f),
            Self::Read(error) => error.fmt(f),
            Self::Write(error) => error.fmt(f),
            Self::Edge(error) => error.fmt(f),
            Self::Seal(error) => error.fmt(f),
            Self::Entry(error) => error.fmt(f),
            Self::Finish(error) => error.fmt(f),
            Self::Cfg(error) => error.fmt(f),
            Self::Id(error) => error.fmt(f),
            Self::Replace(error) => error.fmt(f),
            Self::NoCurrentBlock => f.write_str("an instruction comes after a terminator and before the next block"),
        }
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Initial(error) => error.source(),
            Self::Read(error) => error.source(),
            Self::Write(error) => error.source(),
            Self::Edge(error) => error.source(),
            Self::Seal(error) => error.source(),
            Self::Entry(error) => error.source(),
            Self::Finish(error) => error.source(),
            Self::Cfg(error) => error.source(),
            Self::Id(error) => error.source(),
            Self::Replace(error) => error.source(),
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

from_errors!(
    Initial(InitialError),
    Read(ReadError),
    Write(WriteError),
    Edge(EdgeError),
    Seal(SealError),
    Entry(EntryError),
    Finish(FinishError),
    Cfg(CfgError),
    Id(IdError),
    Replace(ReplaceError)
);
