//! The types, and where operations want which.

use super::Op;

/// The type of a value or a variable: a class of storage, too, which it never shares with the other one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// A number, `i64`: what goes without saying.
    #[default]
    Number,
    /// An array: a number for each `i64`, or nothing.
    Array,
}

impl Type {
    /// Its name in the text format, where the type of numbers is not written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Array => "array",
        }
    }
}

/// The type of argument number `index`, where the operation says.
pub(super) fn of_arg(op: &Op, index: usize) -> Option<Type> {
    match op {
        Op::Access | Op::Update if index == 0 => Some(Type::Array),
        // Whoever is called, or shows something, takes both.
        Op::Call(_) | Op::Print | Op::Return => None,
        _ => Some(Type::Number),
    }
}

/// The type of the result, where the operation says.
pub(super) fn of_result(op: &Op) -> Option<Type> {
    match op {
        Op::Update | Op::HiddenUpdate => Some(Type::Array),
        Op::Unary(_) | Op::Binary(_) | Op::Access | Op::Read => Some(Type::Number),
        _ => None,
    }
}
