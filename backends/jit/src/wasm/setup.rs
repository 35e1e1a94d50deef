//! The options of an instance, and the reasons why a run does not return.

use crate::{Error, Options};
use ssaphire_ir::interp::{Limits, TrapKind};
use ssaphire_wasm::{MissingImports, Pool, RunError as Refusal};
use std::fmt;

/// The time at which functions are compiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compile {
    /// All functions before the first call.
    #[default]
    AtOnce,
    /// Each function on its first call; with more than one thread, some of its callees, too. Calls take a little
    /// longer. An import need not exist until a function that uses it is called.
    WhenCalled,
}

/// The reason why a run did not return.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunError {
    /// It trapped.
    Trap {
        /// The reason.
        kind: TrapKind,
        /// The number of the function.
        function: u32,
    },
    /// The function could not be run, or the run could not continue.
    Refused(Refusal),
    /// The module has no machine code.
    Code(Error),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trap { kind, function } => write!(f, "function {function}: {kind}"),
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Code(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RunError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Trap { kind, .. } => Some(kind),
            Self::Refused(refusal) => refusal.source(),
            Self::Code(error) => error.source(),
        }
    }
}

impl From<Refusal> for RunError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Error> for RunError {
    fn from(error: Error) -> Self {
        Self::Code(error)
    }
}

/// The options of an instance.
#[derive(Debug, Default)]
pub struct Setup {
    /// The limits of runs, including that of the start function.
    pub limits: Limits,
    /// The options of code generation.
    pub options: Options,
    /// The treatment of imported memories, tables and globals that do not exist.
    pub missing: MissingImports,
    /// The time at which functions are compiled.
    pub compile: Compile,
    /// The threads that compile.
    pub pool: Pool,
}
