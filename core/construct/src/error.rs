//! Calls out of order, as data: one narrow enum per call.
//!
//! Each call `try_x` returns one of these, and its twin `x` panics with its message. `finish`, `announce` and
//! `set_entry` have no twin: they return the error. A refused call has changed nothing, except that
//! [`Stopped::OutOfWork`] leaves a builder that only accepts `clear`.

mod contract;
mod unsealed;

pub use contract::ContractError;
pub use unsealed::UnsealedBlock;

use crate::calls::SsaBuilder;
use alloc::vec::Vec;
use core::fmt;
use ssaphire_graph::{Block, IdError, Value, Variable};

/// Returns the result, or panics at the caller's location with the builder's description of the error.
#[track_caller]
pub(crate) fn or_panic<T, E: fmt::Display>(builder: &(impl SsaBuilder + ?Sized), result: Result<T, E>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic_with(builder, &error),
    }
}

/// Out of line, so that the panicking calls are small enough to be inlined.
#[cold]
#[inline(never)]
#[track_caller]
fn panic_with(builder: &(impl SsaBuilder + ?Sized), error: &dyn fmt::Display) -> ! {
    panic!("{}", builder.describe(error))
}

/// Why a builder accepts only `clear`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stopped {
    /// `finish` has returned the result, or the host has refused it.
    Finished,
    /// An operation would have taken more steps than the work budget had left.
    OutOfWork {
        /// Steps allowed per function.
        limit: u64,
    },
    /// The engine does not support the function.
    Refused,
    /// The host broke its contract.
    Contract(ContractError),
    /// The phis would have more operands than can be numbered: 2^32 of them, in 16 GiB.
    TooManyOperands,
}

/// Why a block could not become the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EntryError {
    /// Blocks have been mentioned before.
    Late {
        /// The requested entry.
        entry: Block,
    },
    /// Edges of an announced graph enter its entry. Insert a block before it: see `WithPreEntry`.
    HasEdges {
        /// The entry.
        entry: Block,
    },
    /// An id is not below its [limit](crate::Options::ids).
    Id(IdError),
    /// The builder accepts only `clear`.
    Stopped(Stopped),
}

/// Why an initial value was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InitialError {
    /// The variable has been written in the entry, or looked up there, or found undefined in unreachable code.
    Late {
        /// The variable.
        variable: Variable,
    },
    /// The variable has an initial value already.
    Twice {
        /// The variable.
        variable: Variable,
    },
    /// An id is not below its [limit](crate::Options::ids).
    Id(IdError),
    /// The builder accepts only `clear`.
    Stopped(Stopped),
}

impl fmt::Display for InitialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Late { variable } => {
                write!(f, "{variable}: its initial value comes after an access in the entry")
            }
            Self::Twice { variable } => write!(f, "{variable}: has an initial value already"),
            Self::Id(error) => error.fmt(f),
            Self::Stopped(stopped) => stopped.fmt(f),
        }
    }
}

/// Why a write was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteError {
    /// The block is filled: its accesses are complete.
    Filled {
        /// The filled block.
        block: Block,
        /// The variable to be written.
        variable: Variable,
    },
    /// The write is on an edge that does not exist.
    NoSuchEdge {
        /// The block the edge would leave.
        block: Block,
        /// The slot it would leave by.
        slot: u32,
        /// The variable to be written.
        variable: Variable,
    },
    /// The write is on an edge whose target has, or may still get, other incoming edges.
    SharedSuccessor {
        /// The block with other incoming edges, or not sealed.
        block: Block,
        /// The variable to be written.
        variable: Variable,
    },
    /// The write is on an edge whose target has accesses already.
    SuccessorInUse {
        /// The block that has accesses.
        block: Block,
        /// The variable to be written.
        variable: Variable,
    },
    /// An id is not below its [limit](crate::Options::ids).
    Id(IdError),
    /// The builder accepts only `clear`.
    Stopped(Stopped),
}

/// Why a read was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadError {
    /// An id is not below its [limit](crate::Options::ids).
    Id(IdError),
    /// The builder accepts only `clear`.
    Stopped(Stopped),
}

/// Why an edge or a terminator was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EdgeError {
    /// The edge would enter a block that is sealed.
    IntoSealed {
        /// The block the edge would leave.
        from: Block,
        /// The sealed block.
        to: Block,
    },
    /// The edge would enter the entry. Insert a block before it: see `WithPreEntry`.
    IntoEntry {
        /// The block the edge would leave.
        from: Block,
        /// The entry.
        entry: Block,
    },
    /// The block has a terminator already.
    Filled {
        /// The filled block.
        block: Block,
    },
    /// A late edge would leave a block that is not filled.
    NotFilled {
        /// The block that is not filled.
        from: Block,
        /// The block the edge would enter.
        to: Block,
    },
    /// The target would get more incoming edges than expected.
    Unexpected {
        /// The block the edge would leave.
        from: Block,
        /// The block that expects fewer edges.
        to: Block,
        /// Number of edges expected.
        expected: u32,
    },
    /// The edge to redirect does not exist.
    NoSuchEdge {
        /// The block it would leave.
        from: Block,
        /// Its position in the terminator.
        slot: u32,
    },
    /// The edge to redirect has a target that is sealed or filled, or has accesses.
    InUse {
        /// The block the edge leaves.
        from: Block,
        /// The block it enters.
        to: Block,
    },
    /// The whole graph was announced, and the block has other targets there.
    NotAnnounced {
        /// The block with other targets.
        block: Block,
    },
    /// An id is not below its [limit](crate::Options::ids).
    Id(IdError),
    /// The builder accepts only `clear`.
    Stopped(Stopped),
}

/// Why a block could not be sealed, or an announcement about its edges was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SealError {
    /// The block is sealed already.
    Sealed {
        /// The sealed block.
        block: Block,
    },
    /// The block already has more incoming edges than the number to expect.
    TooManyEdges {
        /// The block with edges.
        block: Block,
        /// Number of edges expected.
        expected: u32,
        /// Number of edges so far.
        given: u32,
    },
    /// The block has fewer incoming edges than expected.
    TooFewEdges {
        /// The block that waits for edges.
        block: Block,
        /// Number of edges expected.
        expected: u32,
        /// Number of edges so far.
        given: u32,
    },
    /// The whole graph was announced, and the block has another number of incoming edges there.
    Announced {
        /// The block.
        block: Block,
        /// Number of its incoming edges in the announced graph.
        edges: u32,
    },
    /// An id is not below its [limit](crate::Options::ids).
    Id(IdError),
    /// The builder accepts only `clear`.
    Stopped(Stopped),
}

/// Why one value could not be replaced by another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReplaceError {
    /// The value is a phi of this builder, or forwarded to one: only values that the host wrote can be replaced.
    Phi {
        /// The phi.
        value: Value,
    },
    /// The value is that of an undefined variable.
    Undefined {
        /// The undefined value.
        value: Value,
    },
    /// An id is not below its [limit](crate::Options::ids).
    Id(IdError),
    /// The builder accepts only `clear`.
    Stopped(Stopped),
}

/// Why a function could not be finished.
///
/// If blocks are unsealed or unfilled, the host has not been called. In any case
/// it has not received a result, unless it refused it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FinishError {
    /// Blocks are not sealed or not filled.
    Unfinished {
        /// The blocks that are not sealed, in id order.
        unsealed: Vec<UnsealedBlock>,
        /// The blocks that are not filled, in id order.
        unfilled: Vec<Block>,
    },
    /// The engine accepts only structured programs (`structured`), and a loop can be entered other than at its header.
    Irreducible {
        /// The block that identifies the loop.
        block: Block,
    },
    /// The constructor places more phis than can be numbered (`aycock-horspool`, `all-locals`).
    TooManyPhis {
        /// Number of phis.
        phis: u64,
        /// Number of their operands.
        operands: u64,
    },
    /// The builder accepts only `clear`.
    Stopped(Stopped),
}

macro_rules! from_stopped {
    ($($error:ident),*) => {$(
        impl From<Stopped> for $error {
            fn from(stopped: Stopped) -> Self {
                Self::Stopped(stopped)
            }
        }

        impl core::error::Error for $error {
            fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
                // This error's message is that of `Stopped` or `IdError`, so its source is theirs.
                if let Self::Stopped(stopped) = self { stopped.source() } else { None }
            }
        }
    )*};
}

from_stopped!(InitialError, EntryError, WriteError, ReadError, EdgeError, SealError, ReplaceError, FinishError);

macro_rules! from_id_error {
    ($($error:ident),*) => {$(
        impl From<IdError> for $error {
            fn from(error: IdError) -> Self {
                Self::Id(error)
            }
        }
    )*};
}

from_id_error!(InitialError, EntryError, WriteError, ReadError, EdgeError, SealError, ReplaceError);

impl core::error::Error for Stopped {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        if let Self::Contract(error) = self { error.source() } else { None }
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finished => f.write_str("the function is finished, and the builder not cleared"),
            Self::OutOfWork { limit } => write!(f, "the work budget of {limit} steps is used up"),
            Self::Refused => f.write_str("the engine refused the function, and the builder was not cleared"),
            Self::TooManyOperands => f.write_str("the phis of one function have more than 4294967295 operands"),
            Self::Contract(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for EntryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Late { entry } => write!(f, "{entry}: named as entry after other calls"),
            Self::HasEdges { entry } => {
                write!(f, "{entry}: edges of the graph announced enter the entry, which needs a block in front of it")
            }
            Self::Id(error) => error.fmt(f),
            Self::Stopped(stopped) => stopped.fmt(f),
        }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Filled { block, variable } => write!(f, "{block}: {variable} is written after the block was filled"),
            Self::NoSuchEdge { block, slot, variable } => {
                write!(f, "{block}: {variable} is written on the edge of slot {slot}, which the block does not have")
            }
            Self::SharedSuccessor { block, variable } => write!(
                f,
                "{block}: {variable} is written on its incoming edge, but the block is not sealed with that edge alone"
            ),
            Self::SuccessorInUse { block, variable } => {
                write!(f, "{block}: {variable} is written on its incoming edge, but the block has accesses already")
            }
            Self::Id(error) => error.fmt(f),
            Self::Stopped(stopped) => stopped.fmt(f),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(error) => error.fmt(f),
            Self::Stopped(stopped) => stopped.fmt(f),
        }
    }
}

impl fmt::Display for EdgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IntoSealed { from, to } => write!(f, "{to}: an edge from {from} is added after the block was sealed"),
            Self::IntoEntry { from, entry } => {
                write!(f, "{entry}: an edge from {from} enters the entry, which needs a block in front of it")
            }
            Self::Filled { block } => write!(f, "{block}: terminated twice"),
            Self::NotFilled { from, to } => write!(f, "{from}: an edge to {to} leaves before the block is filled"),
            Self::Unexpected { from, to, expected } => {
                write!(f, "{to}: an edge from {from} is one more than the {expected} expected")
            }
            Self::NoSuchEdge { from, slot } => write!(f, "{from}: no edge leaves by slot {slot}"),
            Self::InUse { from, to } => {
                write!(f, "{to}: an edge from {from} leads elsewhere after the block was sealed or in use")
            }
            Self::NotAnnounced { block } => write!(f, "{block}: its targets are not those of the graph announced"),
            Self::Id(error) => error.fmt(f),
            Self::Stopped(stopped) => stopped.fmt(f),
        }
    }
}

impl fmt::Display for SealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sealed { block } => write!(f, "{block}: sealed already"),
            Self::TooManyEdges { block, expected, given } => {
                write!(f, "{block}: expected to have {expected} incoming edges, but has {given}")
            }
            Self::TooFewEdges { block, expected, given } => {
                write!(f, "{block}: sealed with {given} of {expected} expected incoming edges")
            }
            Self::Announced { block, edges } => {
                write!(f, "{block}: has {edges} incoming edges in the graph announced")
            }
            Self::Id(error) => error.fmt(f),
            Self::Stopped(stopped) => stopped.fmt(f),
        }
    }
}

impl fmt::Display for ReplaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Phi { value } => write!(f, "{value}: replaced by the host, but it is a phi of the builder"),
            Self::Undefined { value } => write!(f, "{value}: replaced by the host, but it is an undefined value"),
            Self::Id(error) => error.fmt(f),
            Self::Stopped(stopped) => stopped.fmt(f),
        }
    }
}

impl fmt::Display for FinishError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unfinished { unsealed, unfilled } => unfinished(f, unsealed, unfilled),
            Self::Irreducible { block } => {
                write!(f, "{block}: its loop can be entered elsewhere: the program is not structured")
            }
            Self::TooManyPhis { phis, operands } => {
                write!(f, "{phis} phis with {operands} operands are more than can be numbered")
            }
            Self::Stopped(stopped) => stopped.fmt(f),
        }
    }
}

fn unfinished(f: &mut fmt::Formatter<'_>, unsealed: &[UnsealedBlock], unfilled: &[Block]) -> fmt::Result {
    let mut separator = "";
    for block in unsealed {
        write!(f, "{separator}{block}")?;
        separator = "; ";
    }
    for block in unfilled {
        write!(f, "{separator}{block}: never terminated")?;
        separator = "; ";
    }
    Ok(())
}
