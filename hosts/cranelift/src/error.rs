//! Errors, with their places.

use crate::Variable;
use crate::host::MAX_PARAMS;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use cranelift_codegen::ir::{Block, SourceLoc, Value};
use ssaphire::check::Violation;
use ssaphire::{CallError, CertifyError};

/// The reason why a variable could not be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UseVariableError {
    /// The variable has not been declared.
    UsedBeforeDeclared(Variable),
}

impl fmt::Display for UseVariableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::UsedBeforeDeclared(variable) = self;
        write!(f, "{variable}: used before it was declared")
    }
}

impl Error for UseVariableError {}

/// The reason why a variable could not be defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefVariableError {
    /// The type of the value is not the declared type of the variable.
    TypeMismatch(Variable, Value),
    /// The variable has not been declared.
    DefinedBeforeDeclared(Variable),
}

impl fmt::Display for DefVariableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TypeMismatch(variable, value) => write!(f, "{variable}: {value} has another type than the variable"),
            Self::DefinedBeforeDeclared(variable) => write!(f, "{variable}: defined before it was declared"),
        }
    }
}

impl Error for DefVariableError {}

/// A use of a variable that is undefined on some path to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UndefinedUse {
    /// The variable.
    pub variable: Variable,
    /// Where it is used.
    pub block: Block,
    /// The source location of the builder at the use.
    pub srcloc: SourceLoc,
    /// Whether the variable is undefined on every path to the use, not just on some.
    pub is_always: bool,
}

impl fmt::Display for UndefinedUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variable, block, srcloc, is_always } = self;
        let verb = if *is_always { "is" } else { "may be" };
        write!(f, "{variable}: {verb} undefined where {block} uses it")?;
        if srcloc.is_default() { Ok(()) } else { write!(f, " at {srcloc}") }
    }
}

/// The reason why a function could not be finalized. The function must not be used then.
#[derive(Debug)]
#[non_exhaustive]
pub enum FinalizeError {
    /// A call was refused: a branch to a block that must not have another incoming edge, a block sealed twice, blocks
    /// that are unsealed or unfilled at the end.
    Call(CallError),
    /// A block would have more parameters than Cranelift can number.
    Parameters {
        /// The block.
        block: Block,
        /// The number of parameters.
        count: usize,
    },
    /// Uses of variables that may be undefined, in program order.
    Undefined(Vec<UndefinedUse>),
    /// The judge refuses the result: the builder, or this crate, is wrong. Only after
    /// [`set_judging`](crate::FunctionBuilderContext::set_judging).
    Refused(Vec<Violation>),
    /// The function is to be judged, but has no certificate.
    NotCertified(CertifyError),
}

impl fmt::Display for FinalizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(error) => error.fmt(f),
            Self::Parameters { block, count } => {
                write!(f, "{block}: {count} parameters, but the limit is {MAX_PARAMS}")
            }
            Self::Undefined(uses) => {
                let lines: Vec<String> = uses.iter().map(ToString::to_string).collect();
                f.write_str(&lines.join("\n"))
            }
            Self::Refused(violations) => {
                let reasons: Vec<String> = violations.iter().map(ToString::to_string).collect();
                write!(f, "the judge refuses the SSA form: {}", reasons.join("; "))
            }
            Self::NotCertified(error) => write!(f, "the SSA form cannot be judged: {error}"),
        }
    }
}

impl Error for FinalizeError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Call(error) => error.source(),
            Self::NotCertified(error) => error.source(),
            Self::Parameters { .. } | Self::Undefined(_) | Self::Refused(_) => None,
        }
    }
}
