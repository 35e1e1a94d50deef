//! The types of the operands and results of operations.

use super::Op;

/// The type of a value or a variable. It is also a storage class, which the two types never share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// A number, `i64`: the default type.
    #[default]
    Number,
    /// An array: an element, which may be undefined, for each `i64`.
    Array,
}

impl Type {
    /// Its name in the text format; the number type is not printed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Array => "array",
        }
    }
}

/// The type of argument number `index`, if the operation fixes it.
pub(super) fn of_arg(op: &Op, index: usize) -> Option<Type> {
    match op {
        Op::Access | Op::Update if index == 0 => Some(Type::Array),
        // Calls, prints and returns take both types.
        Op::Call(_) | Op::Print | Op::Return => None,
        _ => Some(Type::Number),
    }
}

/// The type of the result, if the operation fixes it.
pub(super) fn of_result(op: &Op) -> Option<Type> {
    match op {
        Op::Update | Op::HiddenUpdate => Some(Type::Array),
        Op::Unary(_) | Op::Binary(_) | Op::Access | Op::Read => Some(Type::Number),
        _ => None,
    }
}
