//! The operations, and the results of the pure ones.

use crate::UnknownName;
use std::str::FromStr;

/// An operation of [`Basic`](super::Basic).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A number computed from one number.
    Unary(UnaryOp),
    /// A number computed from two numbers.
    Binary(BinaryOp),
    /// The element of an array at an index.
    Access,
    /// The array with an element stored; operands are the array, the index and the element.
    Update,
    /// The array in the storage of the result after an element is stored there; operands are the index and the element.
    ///
    /// It has no operand for the previous contents of the storage, so no other element may be read.
    HiddenUpdate,
    /// A call of a function of which only the effect on variables is known.
    Call(Call),
    /// Prints its arguments.
    Print,
    /// The next number of the input.
    Read,
    /// Jumps to its only target.
    Jump,
    /// Branches to its first target, or to its second if its argument is 0.
    Branch,
    /// Branches to the target with the argument's number, or to the last one.
    Switch,
    /// Returns its arguments.
    Return,
    /// Never executed, according to the program.
    Unreachable,
}

impl Op {
    /// Its name in the text format.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Unary(op) => op.name(),
            Self::Binary(op) => op.name(),
            Self::Access => "access",
            Self::Update => "update",
            Self::HiddenUpdate => "hidden_update",
            Self::Call(_) => "call",
            Self::Print => "print",
            Self::Read => "read",
            Self::Jump => "jump",
            Self::Branch => "branch",
            Self::Switch => "switch",
            Self::Return => "return",
            Self::Unreachable => "unreachable",
        }
    }

    /// The slot that a branch takes for these arguments, if it has `num_targets` targets.
    pub(super) fn chosen_slot(&self, args: &[i64], num_targets: usize) -> Option<u32> {
        let last = u32::try_from(num_targets).ok()?.checked_sub(1)?;
        match (self, args) {
            (Self::Jump, []) => Some(0),
            (Self::Branch, &[condition]) => Some(u32::from(condition == 0)),
            (Self::Switch, &[chosen]) => Some(u32::try_from(chosen).map_or(last, |chosen| chosen.min(last))),
            _ => None,
        }
    }
}

/// An opaque call, and which of its arguments and results belong to variables it accesses.
///
/// Arguments: the explicit ones, then the old contents of the variables it may modify, then the variables it may use.
/// Results: the returned ones, then the variables it certainly modifies, then the new contents of those it may modify.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// The name of the called function.
    pub callee: String,
    /// The number of variables it certainly modifies.
    pub must: u32,
    /// The number of variables it may modify.
    pub maybe: u32,
    /// The number of variables it may use.
    pub uses: u32,
}

impl Call {
    /// A call that accesses no variable.
    pub fn new(callee: impl Into<String>) -> Self {
        Self { callee: callee.into(), must: 0, maybe: 0, uses: 0 }
    }
}

macro_rules! operators {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)+
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its name in the text format.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }

            /// The operator with this name.
            ///
            /// Parsers call this for words that may be no operators. For input use `FromStr`, whose error says more.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|op| op.name() == name)
            }
        }

        impl FromStr for $name {
            type Err = UnknownName;

            fn from_str(name: &str) -> Result<Self, UnknownName> {
                let names = Self::ALL.iter().map(|op| op.name());
                Self::from_name(name).ok_or_else(|| UnknownName::new("operator", name, names))
            }
        }
    };
}

operators! {
    /// An operator on one number.
    UnaryOp {
        /// Its negative, wrapping around.
        Neg = "neg",
        /// All bits flipped.
        Not = "not",
        /// 1 for 0, and 0 for anything else.
        LogicalNot = "lnot",
    }
}

operators! {
    /// An operator on two numbers.
    BinaryOp {
        /// The sum, wrapping around.
        Add = "add",
        /// The difference, wrapping around.
        Sub = "sub",
        /// The product, wrapping around.
        Mul = "mul",
        /// The quotient rounded towards zero, wrapping around; traps on zero.
        Div = "div",
        /// The remainder of that division; traps on zero.
        Rem = "rem",
        /// Bits in both.
        And = "and",
        /// Bits in either.
        Or = "or",
        /// Bits in one only.
        Xor = "xor",
        /// Shifted left.
        Shl = "shl",
        /// Shifted right, keeping the sign.
        Shr = "shr",
        /// Whether they are equal.
        Eq = "eq",
        /// Whether they differ.
        Ne = "ne",
        /// Whether the first is less.
        Lt = "lt",
        /// Whether the first is less or equal.
        Le = "le",
        /// Whether the first is greater.
        Gt = "gt",
        /// Whether the first is greater or equal.
        Ge = "ge",
        /// Whether neither is 0.
        LogicalAnd = "land",
        /// Whether one is not 0.
        LogicalOr = "lor",
    }
}

impl UnaryOp {
    /// The result for `x`.
    pub const fn apply(self, x: i64) -> i64 {
        match self {
            Self::Neg => x.wrapping_neg(),
            Self::Not => !x,
            Self::LogicalNot => (x == 0) as i64,
        }
    }
}

impl BinaryOp {
    /// The infix spelling of the operator.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
            Self::LogicalAnd => "&&",
            Self::LogicalOr => "||",
        }
    }

    /// The result for `x` and `y`, or `None` for a division by zero.
    pub const fn apply(self, x: i64, y: i64) -> Option<i64> {
        Some(match self {
            Self::Div | Self::Rem if y == 0 => return None,
            Self::Add => x.wrapping_add(y),
            Self::Sub => x.wrapping_sub(y),
            Self::Mul => x.wrapping_mul(y),
            Self::Div => x.wrapping_div(y),
            Self::Rem => x.wrapping_rem(y),
            Self::And => x & y,
            Self::Or => x | y,
            Self::Xor => x ^ y,
            Self::Shl => x.wrapping_shl(y as u32),
            Self::Shr => x.wrapping_shr(y as u32),
            Self::Eq => (x == y) as i64,
            Self::Ne => (x != y) as i64,
            Self::Lt => (x < y) as i64,
            Self::Le => (x <= y) as i64,
            Self::Gt => (x > y) as i64,
            Self::Ge => (x >= y) as i64,
            Self::LogicalAnd => (x != 0 && y != 0) as i64,
            Self::LogicalOr => (x != 0 || y != 0) as i64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_wraps_around_and_only_division_by_zero_has_no_answer() {
        assert_eq!(BinaryOp::Add.apply(i64::MAX, 1), Some(i64::MIN));
        assert_eq!(BinaryOp::Div.apply(i64::MIN, -1), Some(i64::MIN));
        assert_eq!(BinaryOp::Rem.apply(i64::MIN, -1), Some(0));
        assert_eq!(BinaryOp::Shl.apply(1, 65), Some(2));
        assert_eq!(BinaryOp::Shr.apply(-8, -63), Some(-4));
        for &op in BinaryOp::ALL {
            assert_eq!(op.apply(7, 0).is_none(), matches!(op, BinaryOp::Div | BinaryOp::Rem), "{}", op.name());
        }
    }

    #[test]
    fn names_lead_back_to_their_operators() {
        assert!(BinaryOp::ALL.iter().all(|&op| BinaryOp::from_name(op.name()) == Some(op)));
        assert!(UnaryOp::ALL.iter().all(|&op| op.name().parse() == Ok(op)));
        let error = "inv".parse::<UnaryOp>().unwrap_err();
        assert_eq!(error.to_string(), "\"inv\": unknown operator; choose one of neg, not, lnot");
    }
}
