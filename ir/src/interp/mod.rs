//! Runs a function in variable form, in SSA form, or mixed.
//!
//! The interpreter implements blocks, edges, phis, copies, variables and calls;
//! a [`Machine`] implements the operations of a dialect. Two forms of one
//! function behave the same by construction:
//!
//! * All phis of a block read their operands before any of them is written.
//! * A variable that was not written is [`Content::Undefined`], like an
//!   undefined value. Copies and phis propagate it; the effect of an operation
//!   on it is defined by the machine.
//!   operation makes of it is the machine's to say.
//! * A *step* is one operation. Copies and phis are free, so both forms run
//!   out of steps at the same operation.
//!
//! The use of a value before its definition was executed is a different case,
//! [`TrapKind::NotDefined`]: no function in SSA form does it.
//!
//! Calls push a frame on a list; native recursion plays no part.

mod run;

pub use run::Interpreter;

use crate::dialect::Syntax;
use ssaphire_graph::{Block, Value};
use std::fmt;

/// The content of a variable or a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Content<V> {
    /// Undefined: no write reached it.
    Undefined,
    /// A defined content.
    Known(V),
}

impl<V> Content<V> {
    /// The content, if it is defined.
    pub fn known(self) -> Option<V> {
        match self {
            Self::Undefined => None,
            Self::Known(content) => Some(content),
        }
    }
}

impl<V: fmt::Display> fmt::Display for Content<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undefined => f.write_str("undef"),
            Self::Known(content) => content.fmt(f),
        }
    }
}

/// The semantics of the operations of a dialect, and the state they act on.
pub trait Machine<D: Syntax> {
    /// The content of a value at run time.
    type Content: Clone;

    /// The content of a constant.
    fn constant(&mut self, constant: &D::Constant) -> Self::Content;

    /// Executes an operation.
    ///
    /// `results` is empty at first. For [`Flow::Next`] and [`Flow::Slot`], fill it with the results of the operation
    /// (with `Slot`, they are written in the successor); for [`Flow::Return`], with the contents to return; for
    /// [`Flow::Call`], with the arguments.
    ///
    /// # Errors
    /// If the operation cannot be executed.
    fn execute(
        &mut self,
        op: &D::Op,
        args: &[Content<Self::Content>],
        shape: Arity,
        results: &mut Vec<Content<Self::Content>>,
    ) -> Result<Flow, TrapKind>;

    /// Called before each operation, with its function and position.
    ///
    /// For observers of a run; it cannot influence it.
    fn at(&mut self, function: usize, block: Block, index: usize) {
        let _ = (function, block, index);
    }

    /// The flow after the callee of the instruction has thrown: to a slot, or out of this function, too.
    ///
    /// `heads` has for each slot the first operation of its target, for dialects whose handlers declare what they
    /// catch.
    fn handler(&mut self, op: &D::Op, shape: Arity, heads: &[Option<&D::Op>]) -> Option<u32> {
        let _ = (op, heads);
        (shape.targets > 1).then_some(1)
    }
}

/// The numbers of results and targets of the current instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arity {
    /// Number of results.
    pub results: usize,
    /// Number of targets.
    pub targets: usize,
}

/// The flow of control after an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// To the next instruction; after a terminator, along slot 0.
    Next,
    /// Along the edge at this slot.
    Slot(u32),
    /// Back to the caller.
    Return,
    /// Into the function with this number; its returned contents are the results.
    Call(usize),
    /// To the handler of the nearest caller that has one.
    Throw,
}

/// The limits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Number of operations.
    pub steps: u64,
    /// Number of active calls.
    pub frames: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: 1_000_000, frames: 10_000 }
    }
}

/// The reason why a run ended before it returned, and the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trap {
    /// The reason.
    pub kind: TrapKind,
    /// The number of the function.
    pub function: usize,
    /// The block.
    pub block: Block,
    /// The position of the instruction.
    pub index: usize,
}

/// The reason why a run ended before it returned.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TrapKind {
    /// More operations than allowed.
    OutOfSteps {
        /// The number allowed.
        limit: u64,
    },
    /// More nested calls than allowed.
    TooManyFrames {
        /// The number allowed.
        limit: usize,
    },
    /// A value used before its definition was executed: not SSA form.
    NotDefined(Value),
    /// An operation that requires a defined argument got an undefined one.
    Undefined,
    /// A division by zero.
    DivisionByZero,
    /// Control reached an unreachable instruction.
    Unreachable,
    /// The input has ended.
    EndOfInput,
    /// A call with the wrong number of arguments.
    ArgumentCount {
        /// The number of parameters.
        wanted: usize,
        /// The number of arguments.
        given: usize,
    },
    /// Fewer results than an instruction expects.
    ResultCount {
        /// The number expected.
        wanted: usize,
        /// The actual number.
        given: usize,
    },
    /// An exception that no handler caught.
    Uncaught,
    /// The function violates the rules of [`Function::check_form`](crate::Function::check_form).
    Malformed,
    /// Something only the dialect knows.
    Dialect(String),
}

impl fmt::Display for TrapKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfSteps { limit } => write!(f, "more than {limit} steps"),
            Self::TooManyFrames { limit } => write!(f, "more than {limit} nested calls"),
            Self::NotDefined(value) => write!(f, "{value}: used before it was defined"),
            Self::Undefined => f.write_str("depends on an undefined value"),
            Self::DivisionByZero => f.write_str("division by zero"),
            Self::Unreachable => f.write_str("reached `unreachable`"),
            Self::EndOfInput => f.write_str("end of input"),
            Self::ArgumentCount { wanted, given } => {
                write!(f, "wrong number of arguments: expected {wanted}, got {given}")
            }
            Self::ResultCount { wanted, given } => write!(f, "wrong number of results: expected {wanted}, got {given}"),
            Self::Uncaught => f.write_str("uncaught exception"),
            Self::Malformed => f.write_str("malformed function"),
            Self::Dialect(message) => f.write_str(message),
        }
    }
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "function {}, {}, instruction {}: {}", self.function, self.block, self.index, self.kind)
    }
}

impl std::error::Error for TrapKind {}

impl std::error::Error for Trap {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.kind)
    }
}
