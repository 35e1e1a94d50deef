//! What a recording builder is told of operations.

use super::Applied;
#[cfg(doc)]
use super::FoldHost;
use ssaphire_graph::{Block, Operator, Value};

/// What a recording builder is told of an operation.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Note<'a> {
    /// An instruction computes `value`.
    Computed {
        /// The result.
        value: Value,
        /// The operator.
        operator: Operator,
        /// Its arguments.
        args: &'a [Value],
    },
    /// An instruction computes `value` from more than its arguments.
    Opaque {
        /// The result.
        value: Value,
        /// The operator.
        operator: Operator,
    },
    /// An operation gives `value`, which is there already.
    Folded {
        /// The result.
        value: Value,
        /// The operator.
        operator: Operator,
        /// Its arguments, as they were given. What they stand for at this time, the law is about.
        args: &'a [Value],
        /// By which law; `None` if `value` is computed by the same operator from the same arguments.
        law: Option<Law<'a>>,
    },
    /// An instruction has computed `old`, which is going to be replaced.
    FoldedLate {
        /// The result that is replaced.
        old: Value,
        /// By this value.
        new: Value,
        /// The arguments of the instruction, as they were given.
        args: &'a [Value],
        /// As for [`Note::Folded`].
        law: Option<Law<'a>>,
    },
    /// A branch leaves by one of its slots.
    Left {
        /// The operator.
        operator: Operator,
        /// Its arguments, as they were given.
        args: &'a [Value],
        /// Its targets, by slot. The block has been filled with one of them.
        targets: &'a [Block],
        /// By which law.
        law: Law<'a>,
    },
}

/// An instance of a law about operators.
#[derive(Clone, Copy)]
pub struct Law<'a> {
    /// The left side.
    pub applied: Applied<'a>,
    /// The right side.
    pub replacement: Replacement<'a>,
    /// Whether a value is a constant: the law may be about it alone.
    pub is_constant: &'a dyn Fn(Value) -> bool,
}

/// The right side of a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement<'a> {
    /// A value.
    Value(Value),
    /// An operator, applied to values.
    Operator(Operator, &'a [Value]),
    /// By which slot a branch leaves, of so many.
    Slot(u32, u32),
}
