//! The errors of locations and moves.

use crate::violation::Violation;
use core::fmt;
use ssaphire_graph::{Block, InsertionPoint, Value, Variable};

/// A violation in the locations of a function, or in the moves between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum LocationViolation {
    /// The function breaks the rules of SSA form.
    Form(Violation),
    /// A value that is defined, or arrives, in a block has no location.
    NoLocation {
        /// The block.
        block: Block,
        /// The value.
        value: Value,
    },
    /// A move names a value that has a location.
    NotConstant {
        /// The place of the move.
        point: InsertionPoint,
        /// The value.
        value: Value,
    },
    /// The location of a used value has another content.
    Use {
        /// The block.
        block: Block,
        /// The index of the use among the events of the block.
        event: usize,
        /// The value.
        value: Value,
        /// Its location.
        location: u32,
        /// Its content: the first value with that content; `None` if that is not known.
        holds: Option<Value>,
    },
    /// The location of a value that is live at the top of a block has another content when control arrives.
    Arrival {
        /// The block.
        block: Block,
        /// The block that control comes from; none at the entry.
        from: Option<Block>,
        /// The value.
        value: Value,
        /// Its location.
        location: u32,
        /// Its content.
        holds: Option<Value>,
    },
    /// Two values that are defined at once have one location.
    Shared {
        /// The block.
        block: Block,
        /// The one whose content the location has.
        first: Value,
        /// The other one.
        second: Value,
        /// Their location.
        location: u32,
    },
    /// Two values that must be in the storage of one variable have different locations.
    Storage {
        /// The variable.
        variable: Variable,
        /// One of the values.
        value: Value,
        /// The other one.
        other: Value,
    },
}

impl fmt::Display for LocationViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Form(violation) => violation.fmt(f),
            Self::NoLocation { block, value } => write!(f, "{block}: {value} has no location"),
            Self::NotConstant { point, value } => {
                write!(f, "{point}: a move names {value}, which has a location")
            }
            Self::Use { block, event, value, location, holds } => {
                write!(f, "{block}: event {event} uses {value}, but location {location} holds ")?;
                write_held(f, holds)
            }
            Self::Arrival { block, from, value, location, holds } => {
                write!(f, "{block}: {value} is live")?;
                if let Some(from) = from {
                    write!(f, " on the edge from {from}")?;
                }
                write!(f, ", but location {location} holds ")?;
                write_held(f, holds)
            }
            Self::Shared { block, first, second, location } => {
                write!(f, "{block}: {first} and {second} are defined simultaneously, both at location {location}")
            }
            Self::Storage { variable, value, other } => {
                write!(f, "{value} and {other} have different locations, but share the storage of {variable}")
            }
        }
    }
}

fn write_held(f: &mut fmt::Formatter<'_>, holds: Option<Value>) -> fmt::Result {
    match holds {
        Some(value) => write!(f, "{value}"),
        None => f.write_str("an unknown value"),
    }
}
