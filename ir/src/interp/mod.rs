//! Running a function, in variable form, in SSA form, or mixed.
//!
//! The interpreter knows blocks, edges, phis, copies, variables and calls; a
//! [`Machine`] knows what the operations of a dialect do. Two forms of one
//! function behave the same by construction:
//!
//! * All phis of a block read their operands before any of them is written.
//! * A variable that was not written is [`Content::Undefined`], like an
//!   undefined value. Copies and phis pass this on without a word; what an
//!   operation makes of it is the machine's to say.
//! * A *step* is one operation. Copies and phis are free, so both forms run
//!   out of steps at the same operation.
//!
//! A value that is used before its definition was executed is
//! [`TrapKind::NotDefined`], which is something else: no function in SSA form
//! does it.
//!
//! Calls push a frame on a list; native recursion plays no part.

mod run;

pub use run::Interpreter;

use crate::dialect::Dialect;
use ssaphire_graph::{Block, Value};
use std::fmt;

/// What a variable or a value holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Content<V> {
    /// Nothing: no write reached it.
    Undefined,
    /// This.
    Known(V),
}

impl<V> Content<V> {
    /// What is known, if it is.
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

/// What the operations of a dialect do, and the state they do it to.
pub trait Machine<D: Dialect> {
    /// What a value can hold at run time.
    type Content: Clone;

    /// What a constant holds.
    fn constant(&mut self, constant: &D::Constant) -> Self::Content;

    /// Executes an operation.
    ///
    /// `results` comes empty. It takes the results of the operation for
    /// [`Flow::Next`] and [`Flow::Slot`] (those are then written in the
    /// successor), the contents to return for [`Flow::Return`], and the
    /// arguments to pass for [`Flow::Call`].
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

    /// Hears which operation of which function comes next.
    ///
    /// For those who watch a run; it has no say in it.
    fn at(&mut self, function: usize, block: Block, index: usize) {
        let _ = (function, block, index);
    }

    /// Where control goes when what the instruction called has thrown: a slot, or out of this function too.
    ///
    /// `heads` has for each slot the operation that its target begins with,
    /// for dialects whose handlers say what they catch.
    fn handler(&mut self, op: &D::Op, shape: Arity, heads: &[Option<&D::Op>]) -> Option<usize> {
        let _ = (op, heads);
        (shape.targets > 1).then_some(1)
    }
}

/// How many results and targets the instruction at hand has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arity {
    /// Number of results.
    pub results: usize,
    /// Number of targets.
    pub targets: usize,
}

/// Where control goes after an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// To the next instruction; after a terminator, by its slot 0.
    Next,
    /// Along the edge at this slot.
    Slot(usize),
    /// Back to the caller.
    Return,
    /// Into the function with this number; what it returns are the results.
    Call(usize),
    /// To the handler of the nearest caller that has one.
    Throw,
}

/// How long a run may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Number of operations.
    pub steps: u64,
    /// Number of calls that have not returned.
    pub frames: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: 1_000_000, frames: 10_000 }
    }
}

/// Why a run ended before it returned, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trap {
    /// Why.
    pub kind: TrapKind,
    /// The number of the function.
    pub function: usize,
    /// The block.
    pub block: Block,
    /// The position of the instruction.
    pub index: usize,
}

/// Why a run ended before it returned.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TrapKind {
    /// More operations than allowed.
    OutOfSteps {
        /// So many were.
        limit: u64,
    },
    /// More calls inside each other than allowed.
    TooManyFrames {
        /// So many were.
        limit: usize,
    },
    /// A value used before its definition was executed: not SSA form.
    NotDefined(Value),
    /// An operation that has to know what it is given was given nothing.
    Undefined,
    /// A division by zero.
    DivisionByZero,
    /// An instruction that is never executed, was.
    Unreachable,
    /// The input has ended.
    EndOfInput,
    /// A call with another number of arguments than there are parameters.
    ArgumentCount {
        /// So many parameters there are.
        wanted: usize,
        /// So many arguments were passed.
        given: usize,
    },
    /// Fewer results than an instruction wants.
    ResultCount {
        /// So many it wants.
        wanted: usize,
        /// So many there are.
        given: usize,
    },
    /// Thrown, and nothing caught it.
    Uncaught,
    /// The function is not put together as it must be: see [`Function::check_form`](crate::Function::check_form).
    Malformed,
    /// Something only the dialect knows.
    Dialect(String),
}

impl fmt::Display for TrapKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfSteps { limit } => write!(f, "more than {limit} steps"),
            Self::TooManyFrames { limit } => write!(f, "more than {limit} calls inside each other"),
            Self::NotDefined(value) => write!(f, "{value}: used before it was defined"),
            Self::Undefined => f.write_str("needs to know what is undefined"),
            Self::DivisionByZero => f.write_str("division by zero"),
            Self::Unreachable => f.write_str("reached what is unreachable"),
            Self::EndOfInput => f.write_str("end of input"),
            Self::ArgumentCount { wanted, given } => write!(f, "{given} arguments for {wanted} parameters"),
            Self::ResultCount { wanted, given } => write!(f, "{given} results where {wanted} are wanted"),
            Self::Uncaught => f.write_str("thrown, and nothing caught it"),
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
