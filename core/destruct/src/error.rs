//! Why a function cannot leave SSA form.

use core::fmt;
use ssaphire_graph::{Block, CfgError, IncomingEdge, Value, Variable};

/// Why a function cannot leave SSA form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DestructError {
    /// The graph breaks its contract.
    Cfg(CfgError),
    /// With a block for each edge that is split, there are more blocks than ids.
    TooManyBlocks,
    /// There are more names, one for each value and for each end of a copy, than numbers for them.
    TooManyNames,
    /// A phi has fewer operands than its block has incoming edges.
    MissingOperand {
        /// The block.
        block: Block,
        /// The phi.
        phi: Value,
    },
    /// A value is named that does not exist.
    NoSuchValue {
        /// The value.
        value: Value,
        /// Number of values in the function.
        num_values: usize,
    },
    /// A value is used where it is not defined on every path.
    NotDefined {
        /// The value.
        value: Value,
        /// The block of the use.
        block: Block,
    },
    /// Two edges from one block to another one that cannot be split have different operands for a phi.
    CannotSplit {
        /// The later one of the two.
        edge: IncomingEdge,
    },
    /// Two values that must share the storage of a variable are live at once.
    Storage {
        /// The variable.
        variable: Variable,
        /// One of its values: the one that is defined first.
        value: Value,
        /// The other one.
        other: Value,
    },
}

impl fmt::Display for DestructError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cfg(error) => error.fmt(f),
            Self::TooManyBlocks => {
                f.write_str("the graph: splitting its critical edges takes more blocks than there are ids")
            }
            Self::TooManyNames => f.write_str("the function: it has too many values and copies"),
            Self::MissingOperand { block, phi } => {
                write!(f, "{block}: {phi} has fewer operands than the block has incoming edges")
            }
            Self::NoSuchValue { value, num_values } => {
                write!(f, "{value}: does not exist in a function of {num_values} values")
            }
            Self::NotDefined { value, block } => write!(f, "{block}: uses {value}, which is not defined on every path"),
            Self::CannotSplit { edge } => {
                write!(
                    f,
                    "{}: the edge at slot {} needs copies of its own, but cannot be split",
                    edge.source, edge.slot
                )
            }
            Self::Storage { variable, value, other } => {
                write!(f, "{value} and {other} are live at once, but share the storage of {variable}")
            }
        }
    }
}

impl core::error::Error for DestructError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Cfg(error) => error.source(),
            _ => None,
        }
    }
}

impl From<CfgError> for DestructError {
    fn from(error: CfgError) -> Self {
        Self::Cfg(error)
    }
}
