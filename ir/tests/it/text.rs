//! Texts of several functions, and of a dialect with types and immediates.

use crate::support::check_spellings;
use crate::support::json_form::json_says;
use ssaphire_ir::json::Fields;
use ssaphire_ir::text::{InstParser, InstPrinter, SyntaxError, parse, parse_all};
use ssaphire_ir::{Basic, Count, Function, Shape, Syntax};
use std::fmt;

#[track_caller]
fn read<D: Syntax>(text: &str) -> Function<D> {
    match parse(text) {
        Ok(function) => function,
        Err(errors) => panic!("{errors}"),
    }
}

/// The text prints as itself.
#[track_caller]
fn check_in<D: Syntax>(text: &str) {
    let function = read::<D>(text);
    assert_eq!(function.check_form(), []);
    let printed = function.to_string();
    assert_eq!(printed, text);
    check_spellings(&function);
    json_says(&function);
}

#[test]
fn a_declared_variable_needs_no_access() {
    let function: Function<Basic> = read("func f() {\nvar unused\nblock0:\n  return\n}\n");
    assert_eq!(function.num_variables(), 1);
}

#[test]
fn several_functions_stand_in_one_text() {
    let text = "; two\nfunc f() {\na:\n  return\n}\n\nfunc g() {\na:\n  return ; done\n}\n; end\n";
    let functions = parse_all::<Basic>(text).expect("two functions");
    assert_eq!(functions.iter().map(Function::name).collect::<Vec<_>>(), ["f", "g"]);
}

/// A dialect with types, constants of several kinds, and operations with immediates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Typed;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Type {
    #[default]
    Any,
    Int,
    Text,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Constant {
    Null,
    Float(u64),
    Text(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Op {
    Load { offset: u32 },
    Property(String),
    Jump,
    Return,
}

impl Syntax for Typed {
    const NAME: &'static str = "typed";
    type Op = Op;
    type Type = Type;
    type Constant = Constant;

    fn jump() -> Op {
        Op::Jump
    }

    fn is_terminator(op: &Op) -> bool {
        matches!(op, Op::Jump | Op::Return)
    }

    fn shape(op: &Op) -> Shape {
        match op {
            Op::Load { .. } | Op::Property(_) => Shape::plain(1, 1),
            Op::Jump => Shape { targets: Count::Exactly(1), ..Shape::plain(0, 0) },
            Op::Return => Shape { args: Count::Between(0, 2), ..Shape::plain(0, 0) },
        }
    }

    fn constant_type(constant: &Constant) -> Type {
        if matches!(constant, Constant::Text(_)) { Type::Text } else { Type::Any }
    }

    fn op_name(op: &Op) -> &str {
        match op {
            Op::Load { .. } => "i32.load",
            Op::Property(_) => "property",
            Op::Jump => "jump",
            Op::Return => "return",
        }
    }

    fn op_fields(op: &Op, out: &mut Fields<'_>) -> fmt::Result {
        match op {
            Op::Load { offset } => out.integer("offset", *offset),
            Op::Property(name) => out.string("name", name),
            Op::Jump | Op::Return => Ok(()),
        }
    }

    fn constant_fields(constant: &Constant, out: &mut Fields<'_>) -> fmt::Result {
        match constant {
            Constant::Null => out.null("null"),
            Constant::Float(bits) => out.integer("bits", *bits),
            Constant::Text(text) => out.string("text", text),
        }
    }

    fn print_inst(op: &Op, out: &mut InstPrinter<'_>) -> fmt::Result {
        use fmt::Write;
        match op {
            Op::Load { offset } => {
                write!(out, "i32.load offset={offset} ")?;
                out.arg(0)
            }
            Op::Property(name) => {
                out.write_str("property ")?;
                out.arg(0)?;
                out.write_str(", ")?;
                out.string(name)
            }
            Op::Jump => out.plain("jump"),
            Op::Return => out.plain("return"),
        }
    }

    fn parse_inst(name: &str, input: &mut InstParser<'_, '_>) -> Result<Op, SyntaxError> {
        match name {
            "i32.load" => {
                input.expect("offset")?;
                input.expect("=")?;
                let offset = input.number()?;
                input.arg()?;
                Ok(Op::Load { offset })
            }
            "property" => {
                input.arg()?;
                input.expect(",")?;
                Ok(Op::Property(input.string()?))
            }
            "jump" => input.plain(0, 1).map(|()| Op::Jump),
            "return" => input.args().map(|()| Op::Return),
            _ => Err(input.unknown_op()),
        }
    }

    fn print_type(ty: &Type, out: &mut dyn fmt::Write) -> fmt::Result {
        out.write_str(if *ty == Type::Int { "int" } else { "text" })
    }

    fn parse_type(word: &str) -> Option<Type> {
        match word {
            "int" => Some(Type::Int),
            "text" => Some(Type::Text),
            _ => None,
        }
    }

    fn print_constant(constant: &Constant, out: &mut dyn fmt::Write) -> fmt::Result {
        match constant {
            Constant::Null => out.write_str("null"),
            Constant::Float(bits) => write!(out, "{:?}", f64::from_bits(*bits)),
            Constant::Text(text) => ssaphire_ir::text::quote_string(text, '"', out),
        }
    }

    fn parse_constant(token: &str) -> Option<Constant> {
        if token == "null" {
            return Some(Constant::Null);
        }
        let text = ssaphire_ir::text::unquote_string(token).filter(|_| token.starts_with('"')).map(Constant::Text);
        text.or_else(|| token.parse().ok().map(|float: f64| Constant::Float(float.to_bits())))
    }
}

#[test]
fn types_and_immediates_print_as_they_are_written() {
    check_in::<Typed>(
        "\
func f(x, %y.0: int, z = %y.1: _) {
var x, y: int
var z: text
var 'null'
block0:
  %9: int = i32.load offset=8 x
  %y.2: int = property \"a, \\\"b\\\"; c\", \"d\"
  'null' = null
  x = -1.5
  jump block1
block1: <- block0
  %11: text = phi \"t\"
  return undef.y, undef.z:int
}
",
    );
    check_in::<Typed>("func f(x: int) {\nblock0:\n  return x, undef:int\n}\n");
    check_in::<Typed>(
        "func f(x = %x.0: _) {\nvar x: int\nblock0:\n  return x\n}\n".replace("x = %x.0: _", "x: _").as_str(),
    );
}

#[test]
fn a_copy_is_no_terminator() {
    let function: Function<Basic> = read("func f(x) {\nblock0:\n  x = x\n  return x\n}\n");
    let first = function.block(function.entry()).insts().get(0);
    assert!(first.is_some_and(|inst| inst.targets.is_empty()));
}
