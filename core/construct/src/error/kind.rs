//! The reasons for which a builder refuses calls, and the sentence for each.

use super::{Call, Stopped, UnsealedBlock};
use alloc::vec::Vec;
use core::fmt;
use ssaphire_graph::{Block, IdError, Value};

/// Why a call was refused; [`Call`] has its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallErrorKind {
    /// The call comes too late. `set_entry` and `announce`: blocks have been mentioned before. `set_initial`: the variable
    /// has been written in the entry, or looked up there, or found undefined in unreachable code.
    Late,
    /// The variable has an initial value already.
    Twice,
    /// The block has its terminator: its accesses are complete.
    Filled,
    /// The block has no terminator yet, and the call needs a filled block.
    NotFilled,
    /// The block has no edge with this slot.
    NoSuchEdge,
    /// The write is on an edge whose target has, or may still get, other incoming edges.
    SharedSuccessor {
        /// The block with other incoming edges, or not sealed.
        block: Block,
    },
    /// The write is on an edge whose target has accesses already.
    SuccessorInUse {
        /// The block that has accesses.
        block: Block,
    },
    /// An edge would enter a block that is sealed.
    IntoSealed {
        /// The sealed block.
        to: Block,
    },
    /// An edge would enter the entry. Insert a block before it: see `WithPreEntry`.
    IntoEntry {
        /// The entry.
        entry: Block,
    },
    /// The edge to redirect has a target that is sealed or filled, or has accesses.
    InUse {
        /// The block that the edge enters.
        to: Block,
    },
    /// The graph was announced, and the block has other targets there.
    NotAnnounced,
    /// The block is sealed already.
    Sealed {
        /// The sealed block.
        block: Block,
    },
    /// The block has fewer incoming edges than in the announced graph.
    TooFewEdges {
        /// The block that waits for edges.
        block: Block,
        /// Number of edges in the announced graph.
        expected: u32,
        /// Number of edges so far.
        given: u32,
    },
    /// The value to replace is a phi of this builder, or forwarded to one: only values that the host wrote can be replaced.
    ReplacedPhi {
        /// The phi.
        phi: Value,
    },
    /// The value to replace is that of an undefined variable, or forwarded to one.
    ReplacedUndefined {
        /// The undefined value.
        value: Value,
    },
    /// Blocks are not sealed or not filled. The builder still accepts calls, and the host has not been called.
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
    /// An id is not below its [limit](crate::Options::ids).
    Id(IdError),
    /// The builder accepts only `clear`.
    Stopped(Stopped),
}

impl From<Stopped> for CallErrorKind {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl From<IdError> for CallErrorKind {
    fn from(error: IdError) -> Self {
        Self::Id(error)
    }
}

impl CallErrorKind {
    /// Writes the sentence for a refusal of `call`.
    pub(super) fn describe(&self, call: Call, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unfinished { unsealed, unfilled } => unfinished(f, unsealed, unfilled),
            Self::Irreducible { block } => {
                write!(f, "{block}: its loop has a second entry, so the control flow is not structured")
            }
            Self::TooManyPhis { phis, operands } => {
                write!(f, "{phis} phis with {operands} operands exceed the limit of 32-bit numbers")
            }
            Self::Sealed { block } => write!(f, "{block}: already sealed"),
            Self::TooFewEdges { block, expected, given } => {
                write!(f, "{block}: sealed with {given} of {expected} expected incoming edges")
            }
            Self::ReplacedPhi { phi } => write!(f, "{phi}: cannot be replaced, because it is a phi of the builder"),
            Self::ReplacedUndefined { value } => {
                write!(f, "{value}: cannot be replaced, because it is an undefined value")
            }
            Self::Id(error) => write!(f, "{error}"),
            Self::Stopped(stopped) => write!(f, "{stopped}"),
            _ => self.describe_access(call, f),
        }
    }

    fn describe_access(&self, call: Call, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, call) {
            (Self::Late, Call::SetInitial { variable }) => {
                write!(f, "{variable}: its initial value is set after an access in the entry")
            }
            (Self::Twice, Call::SetInitial { variable }) => write!(f, "{variable}: already has an initial value"),
            (Self::Filled, Call::Write { block, variable }) => {
                write!(f, "{block}: {variable} is written after the block was filled")
            }
            (Self::Filled, Call::Read { block, variable }) => {
                write!(f, "{block}: {variable} is read after the block was filled")
            }
            (Self::NotFilled, Call::ReadAtEnd { block, variable }) => {
                write!(f, "{block}: {variable} is read at the end of the block, which is not filled")
            }
            (Self::NoSuchEdge, Call::WriteOnEdge { from, slot, variable }) => {
                write!(f, "{from}: {variable} is written on the edge at slot {slot}, which does not exist")
            }
            (&Self::SharedSuccessor { block }, Call::WriteOnEdge { variable, .. }) => write!(
                f,
                "{block}: {variable} is written on its incoming edge, but the block is not sealed with this edge as its only one"
            ),
            (&Self::SuccessorInUse { block }, Call::WriteOnEdge { variable, .. }) => {
                write!(
                    f,
                    "{block}: {variable} is written on its incoming edge, but the block has already been accessed"
                )
            }
            _ => self.describe_edge(call, f),
        }
    }

    fn describe_edge(&self, call: Call, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, call) {
            (Self::Late, Call::SetEntry { entry } | Call::Announce { entry }) => {
                write!(f, "{entry}: set as the entry after other calls")
            }
            (&Self::IntoEntry { entry }, Call::Announce { .. }) => {
                write!(f, "{entry}: edges of the announced graph enter the entry: insert a block before it")
            }
            (Self::Filled, Call::Terminate { block }) => write!(f, "{block}: terminated twice"),
            (Self::NotFilled, Call::AddEdge { from, to }) => {
                write!(f, "{from}: an edge to {to} leaves before the block is filled")
            }
            (Self::NoSuchEdge, Call::RedirectEdge { from, slot, .. }) => {
                write!(f, "{from}: has no edge at slot {slot}")
            }
            (
                &(Self::IntoSealed { to } | Self::IntoEntry { entry: to } | Self::InUse { to }),
                Call::Terminate { block: from } | Call::AddEdge { from, .. } | Call::RedirectEdge { from, .. },
            ) => match self {
                Self::IntoSealed { .. } => write!(f, "{to}: an edge from {from} is added after the block was sealed"),
                Self::InUse { .. } => {
                    write!(f, "{to}: an edge from {from} is redirected after the block was sealed, filled or accessed")
                }
                _ => write!(f, "{to}: an edge from {from} enters the entry: insert a block before it"),
            },
            (
                Self::NotAnnounced,
                Call::Terminate { block } | Call::AddEdge { from: block, .. } | Call::RedirectEdge { from: block, .. },
            ) => write!(f, "{block}: its targets differ from those of the announced graph"),
            // No builder of this project refuses any other call for any other reason.
            _ => write!(f, "{call:?} was refused: {self:?}"),
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
