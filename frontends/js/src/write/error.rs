//! Programs that cannot be written.

use crate::dialect::Name;
use crate::program::FunctionId;
use crate::source::{SourceErrors, Span};

use ssaphire::graph::CfgError;
use ssaphire_ir::LeaveError;
use std::fmt;

/// The reason why a program cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteError {
    /// The offending function.
    pub function: FunctionId,
    /// Its span.
    pub span: Span,
    /// The construct that cannot be written.
    pub what: Unwritable,
}

/// A construct that cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unwritable {
    /// A function that is not in SSA form.
    Form(LeaveError),
    /// A graph that violates its contract.
    Cfg(CfgError),
    /// An operation with invalid operands, by name.
    Op(String),
    /// A function that does not exist, or whose text is not available yet.
    Function(FunctionId),
    /// A closure whose captured variables are not cells, or not always the same ones.
    Capture,
    /// A cell, by its variable's name, that is recreated in a loop and used outside of it.
    Cell(String),
    /// A function with a `use strict` directive that would need parameters that allow none.
    Strict,
    /// The value of a field, which takes its name from a computed key, and is computed by statements.
    FieldName,
    /// A function of TypeScript that must be written as it stands, with its types.
    Types,
    /// The text that was written is another program. This is an error of this crate, not of the program.
    Mismatch(Mismatch),
}

/// How a text differs from the program that it was written for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mismatch {
    /// It is no program.
    Syntax(SourceErrors),
    /// A function has another kind or other parameters, or is not there.
    Function,
    /// A name has another meaning in a function.
    Name(Name),
    /// It imports or exports something else.
    Module,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "function {} at byte {}: ", self.function.0, self.span.start)?;
        match &self.what {
            Unwritable::Form(error) => error.fmt(f),
            Unwritable::Cfg(error) => error.fmt(f),
            Unwritable::Op(op) => write!(f, "{op}: invalid operands"),
            Unwritable::Function(function) => {
                write!(f, "function {}: does not exist, or its text is not available yet", function.0)
            }
            Unwritable::Capture => {
                f.write_str("a closure captures a value that is not a cell, or not always the same cell")
            }
            Unwritable::Cell(name) => write!(f, "the cell of {name}: created in a loop and used outside of it"),
            Unwritable::Types => f.write_str(
                "a direct eval or a with statement in TypeScript: the function would be written with its types",
            ),
            Unwritable::FieldName => {
                f.write_str("the value of a field whose computed key is its name needs statements")
            }
            Unwritable::Strict => f.write_str("a strict function whose parameter list would not allow its directive"),
            Unwritable::Mismatch(mismatch) => write!(f, "internal error: what was written {mismatch}"),
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(errors) => write!(f, "does not parse: {errors}"),
            Self::Function => f.write_str("has another function in its place"),
            Self::Name(name) => write!(f, "has another meaning for the name {name}"),
            Self::Module => f.write_str("imports or exports something else"),
        }
    }
}

impl std::error::Error for WriteError {}
