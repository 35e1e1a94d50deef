//! What a recording builder is told of the folder's operations.

use ssaphire_graph::{Block, Operator, Value};

/// A note on an operation, for a recording builder.
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
    /// An operation gives `value`, which exists already.
    Folded {
        /// The result.
        value: Value,
        /// The operator.
        operator: Operator,
        /// Its arguments, as they were given. The law is about the values they resolve to at this time.
        args: &'a [Value],
        /// The law; `None` if the same operator computes `value` from the same arguments.
        law: Option<Law<'a>>,
    },
    /// An instruction has computed `old`, which is going to be replaced.
    FoldedLate {
        /// The result that is replaced.
        old: Value,
        /// Its replacement.
        new: Value,
        /// The arguments of the instruction, as they were given.
        args: &'a [Value],
        /// As for [`Note::Folded`].
        law: Option<Law<'a>>,
    },
    /// A branch on constants, which takes one of its slots.
    Left {
        /// The operator.
        operator: Operator,
        /// Its arguments, as they were given.
        args: &'a [Value],
        /// Its targets, by slot. The block has been filled with one of them.
        targets: &'a [Block],
        /// The law.
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
    /// Whether a value is a constant: the law may be about that constant alone.
    pub is_constant: &'a dyn Fn(Value) -> bool,
}

/// The right side of a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement<'a> {
    /// A value.
    Value(Value),
    /// An operator, applied to values.
    Operator(Operator, &'a [Value]),
    /// The slot that a branch takes, and its number of slots.
    Slot(u32, u32),
}

/// An operator applied to values, one of which may be seen through to the operator that computes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Applied<'a> {
    /// The operator.
    pub operator: Operator,
    /// Its arguments.
    pub args: &'a [Value],
    /// The index of the argument that is seen through, the operator that computes it, and the arguments of that
    /// operator: none, if it is [opaque](crate::fold::Folder::note_opaque).
    pub seen_through: Option<(usize, Operator, &'a [Value])>,
}
