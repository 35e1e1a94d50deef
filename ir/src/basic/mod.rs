//! The dialect of hand-written graphs and small imperative programs.
//!
//! Values are numbers, `i64`, and [arrays](Type::Array) of numbers. Arithmetic
//! wraps around; a shift takes its amount modulo 64; division by zero traps.
//! Comparisons and logical operators yield 0 or 1, and treat everything except
//! 0 as true. There is no `const`: constants are values, used directly as
//! operands.
//!
//! | text | op |
//! |---|---|
//! | `x = add a, b` | [`Op::Binary`], one of [`BinaryOp::ALL`] |
//! | `x = neg a` | [`Op::Unary`], one of [`UnaryOp::ALL`] |
//! | `x = access a, i` | [`Op::Access`]: the element of the array `a` at the index `i` |
//! | `b = update a, i, x` | [`Op::Update`]: another array, with `x` at `i` and the other elements of `a` |
//! | `b = hidden_update i, x` | [`Op::HiddenUpdate`]: stores `x` at `i` in the storage of `b`, whatever it contained |
//! | `x = read()` | [`Op::Read`]: the next number of the input |
//! | `print a, b` | [`Op::Print`] |
//! | `r, x, y = call f(a) modifies x, maybe y, uses z` | [`Op::Call`] |
//! | `r = call f(a) to B, H` | the same in a protected region: `B` without, `H` with an exception |
//! | `jump B` | [`Op::Jump`] |
//! | `branch c, B, C` | [`Op::Branch`]: to `B` unless `c` is 0 |
//! | `switch x, [B, C], D` | [`Op::Switch`]: 0 to `B`, 1 to `C`, anything else to `D` |
//! | `return a, b` | [`Op::Return`] |
//! | `unreachable` | [`Op::Unreachable`]: traps |

mod array;
mod datum;
mod machine;
mod ops;
mod syntax;
mod types;

pub use array::Array;
pub use datum::Datum;
pub use machine::{BasicMachine, Behavior, Observation, behavior, behavior_of};
pub use ops::{BinaryOp, Call, Op, UnaryOp};
pub use types::Type;

use crate::dialect::{Control, Count, Properties, Semantics, Shape, Storage, Syntax};
use crate::json::Fields;
use crate::text::{InstParser, InstPrinter, SyntaxError};
use std::fmt;

/// The dialect of hand-written graphs and small imperative programs: numbers and arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Basic;

impl Syntax for Basic {
    const NAME: &'static str = "basic";
    const DEFAULT_TYPE: &'static str = "int";
    type Op = Op;
    type Type = Type;
    type Constant = i64;

    fn is_terminator(op: &Op) -> bool {
        matches!(op, Op::Jump | Op::Branch | Op::Switch | Op::Return | Op::Unreachable)
    }

    fn jump() -> Op {
        Op::Jump
    }

    fn callee(op: &Op) -> Option<&str> {
        match op {
            Op::Call(call) => Some(&call.callee),
            _ => None,
        }
    }

    fn sign(op: &Op) -> Option<&'static str> {
        match op {
            Op::Binary(op) => Some(op.sign()),
            _ => None,
        }
    }

    fn shape(op: &Op) -> Shape {
        let ends = |args, targets| Shape { args, results: Count::Exactly(0), targets };
        match op {
            Op::Unary(_) => Shape::plain(1, 1),
            Op::Binary(_) | Op::Access | Op::HiddenUpdate => Shape::plain(2, 1),
            Op::Update => Shape::plain(3, 1),
            Op::Read => Shape::plain(0, 1),
            Op::Print | Op::Return => ends(Count::AtLeast(0), Count::Exactly(0)),
            Op::Call(call) => Shape {
                args: Count::AtLeast((call.maybe + call.uses) as usize),
                results: Count::AtLeast((call.must + call.maybe) as usize),
                targets: Count::AtLeast(0),
            },
            Op::Jump => ends(Count::Exactly(0), Count::Exactly(1)),
            Op::Branch => ends(Count::Exactly(1), Count::Exactly(2)),
            Op::Switch => ends(Count::Exactly(1), Count::AtLeast(1)),
            Op::Unreachable => ends(Count::Exactly(0), Count::Exactly(0)),
        }
    }

    fn checks_types() -> bool {
        true
    }

    fn arg_type(op: &Op, index: usize) -> Option<Type> {
        types::of_arg(op, index)
    }

    fn result_type(op: &Op, _: usize) -> Option<Type> {
        types::of_result(op)
    }

    fn constant_type(_: &i64) -> Type {
        Type::Number
    }

    fn op_name(op: &Op) -> &str {
        op.name()
    }

    fn op_fields(op: &Op, out: &mut Fields<'_>) -> fmt::Result {
        let Op::Call(Call { callee, must, maybe, uses }) = op else { return Ok(()) };
        out.string("callee", callee)?;
        out.integer("modifies", *must)?;
        out.integer("maybe", *maybe)?;
        out.integer("uses", *uses)
    }

    fn constant_fields(constant: &i64, out: &mut Fields<'_>) -> fmt::Result {
        out.integer("value", *constant)
    }

    fn print_inst(op: &Op, out: &mut InstPrinter<'_>) -> fmt::Result {
        syntax::print(op, out)
    }

    fn parse_inst(name: &str, input: &mut InstParser<'_, '_>) -> Result<Op, SyntaxError> {
        syntax::parse(name, input)
    }

    fn print_type(ty: &Type, out: &mut dyn fmt::Write) -> fmt::Result {
        out.write_str(ty.name())
    }

    fn parse_type(word: &str) -> Option<Type> {
        // The default type is not printed.
        (word == Type::Array.name()).then_some(Type::Array)
    }

    fn print_constant(constant: &i64, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{constant}")
    }

    fn parse_constant(token: &str) -> Option<i64> {
        token.parse().ok()
    }
}

impl Semantics for Basic {
    #[inline]
    fn properties(op: &Op) -> Properties {
        match op {
            // A division may trap, and traps are observable.
            Op::Binary(BinaryOp::Div | BinaryOp::Rem) => Properties { has_effect: true, ..Properties::COMPUTES },
            Op::Unary(_) | Op::Binary(_) | Op::Update => Properties::COMPUTES,
            // The element may not have been stored.
            Op::Access => Properties { makes_undefined: true, ..Properties::COMPUTES },
            // Two of them change different storage.
            Op::HiddenUpdate => Properties::REMOVABLE,
            Op::Call(_) => Properties { may_throw: true, ..Properties::KEPT },
            Op::Print | Op::Read | Op::Return | Op::Unreachable => Properties::KEPT,
            Op::Jump => Properties::BRANCHES,
            Op::Branch | Op::Switch => Properties { needs_defined: true, ..Properties::BRANCHES },
        }
    }

    fn evaluate(op: &Op, args: &[i64]) -> Option<i64> {
        match (op, args) {
            (Op::Unary(op), &[x]) => Some(op.apply(x)),
            (Op::Binary(op), &[x, y]) => op.apply(x, y),
            _ => None,
        }
    }

    fn chosen_slot(op: &Op, args: &[i64], num_targets: usize) -> Option<u32> {
        op.chosen_slot(args, num_targets)
    }

    fn branches_on_negation(branch: &Op, negation: &Op) -> bool {
        matches!((branch, negation), (Op::Branch, Op::Unary(UnaryOp::LogicalNot)))
    }

    fn identities() -> &'static str {
        include_str!("identities.txt")
    }

    fn op_named(name: &str) -> Option<Op> {
        match name {
            "access" => Some(Op::Access),
            "update" => Some(Op::Update),
            _ => {
                let unary = UnaryOp::from_name(name).map(Op::Unary);
                unary.or_else(|| BinaryOp::from_name(name).map(Op::Binary))
            }
        }
    }

    fn control(op: &Op) -> Control {
        match op {
            Op::Call(_) => Control::Call,
            Op::Return => Control::Return,
            _ => Control::Other,
        }
    }
}

impl Storage for Basic {
    fn tied(op: &Op) -> Option<(usize, usize)> {
        matches!(op, Op::Update).then_some((0, 0))
    }

    fn shares_storage(op: &Op) -> bool {
        matches!(op, Op::HiddenUpdate)
    }
}
