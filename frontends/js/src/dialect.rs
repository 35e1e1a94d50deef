//! The dialect: operations of JavaScript with SSA operands.
//!
//! Statements, compound expressions and patterns are gone: each operation takes
//! values, computed in the order that the language prescribes, and performs one
//! step of its semantics. [`Opcode`] lists them.
//!
//! A text spells an operation by its name, its immediates, its arguments and, after `to`, its targets:
//!
//! | text | in JavaScript |
//! |---|---|
//! | `%3 = get "length" %a.0` | `a.length` |
//! | `%4 = call_this %3, %a.0, 1, "x"` | `a.f(1, "x")`, where `%3` is `a.f` |
//! | `%4 = call_this %3, %a.0 to block2, block7` | the same inside of a `try`, whose handler is `block7` |
//! | `%5 = call [ 1 ] %f.0, %a.0` | `f(...a)` |
//! | `%6 = object [ value "x" computed spread ] 1, %k.0, 2, %o.0` | `{x: 1, [k]: 2, ...o}` |
//! | `%a, %b = destructure [ array default value rest value end ] %xs.0, 1` | `[a = 1, ...b] = xs` |
//! | `branch %c.0 to block1, block2` | `if`, loops, `? :`, `&&` |
//! | `switch [ 1 "a" ] %v.0 to block1, block2, block3` | `switch` on constants; the last target is the default |
//!
//! An operation that may throw inside of a `try` ends its block and has two
//! targets: the next block, and the handler, which begins with `catch`.
//!
//! In JSON, immediates are `name`, `index`, `spread`, `first` and `second`, or `list`, which is spelled as in texts.

mod constant;
mod name;
mod op;
mod opcode;
mod syntax;

pub use constant::Constant;
pub use name::{JsString, Name};
pub use op::{Element, Immediates, Method, Op, PatternPart, TemplatePart};
pub use opcode::{Effect, Form, Opcode};

use crate::evaluate::{chosen_slot, evaluate};
use ssaphire_ir::json::Fields;
use ssaphire_ir::text::{InstParser, InstPrinter, SyntaxError};
use ssaphire_ir::{Control, Count, Properties, Semantics, Shape, Storage, Syntax};
use std::fmt;

/// The dialect of JavaScript functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Js;

/// The type of a value, which only determines how the value may be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Type {
    /// A value of the language.
    #[default]
    Any,
    /// A cell, by number: each variable of a function that closures capture has a type of its own, which no phi has.
    Cell(u32),
    /// An iterator with its `next` method, or the state of a `for-in`: invisible to the program.
    Iterator,
}

impl Syntax for Js {
    const NAME: &'static str = "js";
    const DEFAULT_TYPE: &'static str = "any";
    type Op = Op;
    type Type = Type;
    type Constant = Constant;

    fn jump() -> Op {
        Opcode::Jump.into()
    }

    fn is_terminator(op: &Op) -> bool {
        op.opcode.is_terminator()
    }

    fn shape(op: &Op) -> Shape {
        let (least, more, results) = op.opcode.counts();
        let args = match &op.immediates {
            Immediates::Pattern(parts) => {
                Count::Exactly(least + parts.iter().map(PatternPart::num_args).sum::<usize>())
            }
            _ if more => Count::AtLeast(least),
            _ => Count::Exactly(least),
        };
        let targets = match op.opcode {
            Opcode::Jump => Count::Exactly(1),
            Opcode::Branch | Opcode::BranchNullish => Count::Exactly(2),
            Opcode::Switch => Count::AtLeast(1),
            Opcode::Throw | Opcode::ThrowError => Count::Between(0, 1),
            Opcode::Return | Opcode::Unreachable => Count::Exactly(0),
            _ if op.opcode.may_throw() => Count::Between(0, 2),
            _ => Count::Exactly(0),
        };
        let results = match &op.immediates {
            Immediates::Pattern(parts) => parts.iter().filter(|part| **part == PatternPart::Value).count(),
            _ => results,
        };
        Shape { args, results: Count::Exactly(results), targets }
    }

    fn constant_type(_: &Constant) -> Type {
        Type::Any
    }

    fn op_name(op: &Op) -> &str {
        op.opcode.name()
    }

    fn op_fields(op: &Op, out: &mut Fields<'_>) -> fmt::Result {
        syntax::write_fields(&op.immediates, out)
    }

    fn constant_fields(constant: &Constant, out: &mut Fields<'_>) -> fmt::Result {
        out.text("value", |out| constant.print(out))
    }

    fn print_inst(op: &Op, out: &mut InstPrinter<'_>) -> fmt::Result {
        syntax::print(op, out)
    }

    fn parse_inst(name: &str, input: &mut InstParser<'_, '_>) -> Result<Op, SyntaxError> {
        syntax::parse(name, input)
    }

    fn print_type(ty: &Type, out: &mut dyn fmt::Write) -> fmt::Result {
        match ty {
            Type::Any => Ok(()),
            Type::Cell(number) => write!(out, "cell.{number}"),
            Type::Iterator => out.write_str("iterator"),
        }
    }

    fn parse_type(word: &str) -> Option<Type> {
        match word {
            "iterator" => Some(Type::Iterator),
            _ => word.strip_prefix("cell.")?.parse().ok().map(Type::Cell),
        }
    }

    fn print_constant(constant: &Constant, out: &mut dyn fmt::Write) -> fmt::Result {
        constant.print(out)
    }

    fn parse_constant(token: &str) -> Option<Constant> {
        Constant::parse(token)
    }
}

impl Semantics for Js {
    #[inline]
    fn properties(op: &Op) -> Properties {
        let properties = op.opcode.properties();
        match &op.immediates {
            Immediates::Layout(_) | Immediates::Strings(_) => of_literal(op, properties),
            _ => properties,
        }
    }

    fn evaluate(op: &Op, args: &[Constant]) -> Option<Constant> {
        evaluate(op, args)
    }

    fn chosen_slot(op: &Op, args: &[Constant], num_targets: usize) -> Option<u32> {
        chosen_slot(op, args, num_targets)
    }

    fn branches_on_negation(branch: &Op, negation: &Op) -> bool {
        branch.opcode == Opcode::Branch && negation.opcode == Opcode::Not
    }

    fn control(op: &Op) -> Control {
        match op.opcode {
            Opcode::Call | Opcode::CallThis => Control::Call,
            Opcode::Return => Control::Return,
            _ => Control::Other,
        }
    }
}

impl Storage for Js {
    fn begins_handler(op: &Op) -> bool {
        op.opcode == Opcode::Catch
    }
}

/// An object or array literal is pure, unless it spreads and so runs code of the program.
fn of_literal(op: &Op, properties: Properties) -> Properties {
    let has_effect = match &op.immediates {
        Immediates::Layout(elements) if op.opcode != Opcode::Jsx => {
            elements.iter().any(|element| matches!(element, Element::Spread | Element::Computed))
        }
        Immediates::Strings(parts) if op.opcode == Opcode::Template => parts.len() > 1,
        _ => properties.has_effect,
    };
    Properties { has_effect, may_throw: has_effect && properties.may_throw, ..properties }
}
