//! The differences of two functions.

use core::fmt;
use ssaphire_graph::{Block, Value, ValueEvent};

/// A difference between two functions other than names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difference {
    /// They have different numbers of blocks.
    NumBlocks {
        /// Number of blocks of the first function.
        first: usize,
        /// Number of blocks of the second function.
        second: usize,
    },
    /// Control enters at different blocks.
    Entry {
        /// The entry of the first function.
        first: Block,
        /// The entry of the second function.
        second: Block,
    },
    /// A block's outgoing edges are others, or in another order.
    Successors {
        /// The block.
        block: Block,
    },
    /// A block's incoming edges are others, or in another order.
    Predecessors {
        /// The block.
        block: Block,
    },
    /// A block has different numbers of events.
    NumEvents {
        /// The block.
        block: Block,
        /// Number of events in the first function.
        first: usize,
        /// Number of events in the second function.
        second: usize,
    },
    /// One function has a definition where the other one has a use.
    Events {
        /// The block of both.
        block: Block,
        /// The index of both among the events of the block.
        index: usize,
        /// The event of the first function.
        first: ValueEvent,
        /// The event of the second function.
        second: ValueEvent,
    },
    /// A block has different numbers of phis.
    NumPhis {
        /// The block.
        block: Block,
        /// Number of phis in the first function.
        first: usize,
        /// Number of phis in the second function.
        second: usize,
    },
    /// Corresponding phis have different numbers of operands.
    NumOperands {
        /// The block of both.
        block: Block,
        /// The phi of the first function.
        first: Value,
        /// The phi of the second function.
        second: Value,
    },
    /// Two values at the same place do not correspond: they are of different kinds, or one of them
    /// corresponds to another value already.
    Values {
        /// Their place, in terms of the first function.
        place: Place,
        /// The value of the first function.
        first: Value,
        /// The value of the second function.
        second: Value,
    },
    /// The other function has no phi to match a dead phi.
    DeadPhi {
        /// The block of the phi.
        block: Block,
        /// The phi, of the first function.
        first: Value,
    },
}

/// The place of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// Among the globals.
    Global {
        /// Its position.
        index: usize,
    },
    /// In an event.
    ValueEvent {
        /// The block of the event.
        block: Block,
        /// The index of the event in its block.
        index: usize,
    },
    /// As an operand.
    Operand {
        /// The block of the phi.
        block: Block,
        /// The phi.
        phi: Value,
        /// The index of the operand: that of the incoming edge.
        index: usize,
    },
    /// Among the dead phis of a block.
    DeadPhi {
        /// The block.
        block: Block,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Global { index } => write!(f, "global {index}"),
            Self::ValueEvent { block, index } => write!(f, "event {index} of {block}"),
            Self::Operand { block, phi, index } => write!(f, "operand {index} of {phi} in {block}"),
            Self::DeadPhi { block } => write!(f, "the dead phis of {block}"),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NumBlocks { first, second } => write!(f, "{first} blocks in one function, {second} in the other"),
            Self::Entry { first, second } => write!(f, "{first}: the entry of one function, {second} of the other"),
            Self::Successors { block } => write!(f, "{block}: the outgoing edges differ"),
            Self::Predecessors { block } => write!(f, "{block}: the incoming edges differ"),
            Self::NumEvents { block, first, second } => {
                write!(f, "{block}: {first} events in one function, {second} in the other")
            }
            Self::Events { block, index, first, second } => {
                let name = |event: &ValueEvent| if matches!(event, ValueEvent::Def(_)) { "definition" } else { "use" };
                write!(f, "{block}: event {index} is a {} in one function, ", name(first))?;
                write!(f, "a {} in the other", name(second))
            }
            Self::NumPhis { block, first, second } => {
                write!(f, "{block}: {first} phis in one function, {second} in the other")
            }
            Self::NumOperands { block, first, second } => {
                write!(f, "{first}: a phi in {block} with another number of operands than {second}")
            }
            Self::Values { place, first, second } => {
                write!(f, "{first}: does not correspond to {second}, at {place}")
            }
            Self::DeadPhi { block, first } => write!(f, "{first}: a dead phi in {block} that matches no other"),
        }
    }
}

impl core::error::Error for Difference {}
