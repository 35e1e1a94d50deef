//! Texts in, texts out.

use crate::support::check_spellings;
use crate::support::json_form::json_says;
use ssaphire_ir::json::Fields;
use ssaphire_ir::text::{
    InstParser, InstPrinter, NameStyle, PhiStyle, PrintOptions, SyntaxError, parse, parse_all, to_string,
};
use ssaphire_ir::{Basic, Count, Function, Shape, Syntax, dot};
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

#[track_caller]
fn check(text: &str) {
    check_in::<Basic>(text);
}

#[test]
fn the_variable_form_prints_as_it_is_written() {
    check(
        "\
func sum(n) {
block0:
  i = 0
  s = 0
  jump block1
block1:
  c = lt i, n
  branch c, block2, block3
block2:
  s = add s, i
  i = add i, 1
  jump block1
block3:
  return s
}
",
    );
}

const SUM: &str = "\
func sum(%n.0) {
block0:
  jump block1
block1: <- block0, block2
  %i.0 = phi 0, %i.1
  %s.0 = phi 0, %s.1
  %c.0 = lt %i.0, %n.0
  branch %c.0, block2, block3
block2:
  %s.1 = add %s.0, %i.0
  %i.1 = add %i.0, 1
  jump block1
block3:
  return %s.0
}
";

#[test]
fn the_ssa_form_prints_as_it_is_written() {
    check(SUM);
}

#[test]
fn every_operation_prints_as_it_is_written() {
    check(
        "\
func all(x, %y.0, z = %y.1) {
start:
  x, z = z, x
  r, x, z = call f(x, -1) modifies x, maybe z, uses y, uses r
  call 'a b'()
  q = read()
  print
  print x, undef, undef.x
  y = lnot x
  switch y, [next, block4, next], next
next:
  w = call f() to start_2, block4
start_2:
  return x, w
block3:
  switch z, [], next
block4:
  unreachable
}
",
    );
}

#[test]
fn repeated_edges_name_their_slots() {
    check(
        "\
func edges() {
block0:
  switch 1, [join, other, join], join
other:
  jump join
join: <- block0.0, other, block0.2, block0.3
  %4 = phi 1, 2, 3, 4
  return %4
}
",
    );
}

#[test]
fn an_order_of_edges_that_is_not_the_usual_one_is_kept() {
    check("func f() {\na:\n  branch 1, b, c\nb:\n  jump c\nc: <- b, a\n  return\n}\n");
    check("func f() {\nentry: b\na:\n  jump a\nb:\n  jump a\n}\n");
    check("func f() {\n'x.0':\n  branch 1, b, 'c d'\nb:\n  jump 'c d'\n'c d': <- b, 'x.0'\n  return\n}\n");
    check("func f() {\n'x.y':\n  branch 1, b, b\nb: <- 'x.y'.0, 'x.y'.1\n  %p.0 = phi 1, 2\n  return %p.0\n}\n");
}

#[test]
fn odd_names_are_quoted() {
    check("func 'a.b'('it\\'s', 'undef', '7') {\n'x y':\n  'a.b' = add 'it\\'s', '7'\n  jump 'x y'\n}\n");
    check("func f(%'7'.0, %'a b'.0) {\nblock0:\n  return %'7'.0, %'a b'.0, undef.'a b'\n}\n");
}

#[test]
fn variables_are_declared_where_the_text_would_not_say_it_all() {
    // `b` is read before it is first written, `a` never written.
    check("func f() {\nvar b, a\nblock0:\n  print b, a\n  b = 1\n  return\n}\n");
    let function: Function<Basic> = read("func f() {\nvar unused\nblock0:\n  return\n}\n");
    assert_eq!(function.num_variables(), 1);
}

#[test]
fn several_functions_stand_in_one_text() {
    let text = "; two\nfunc f() {\na:\n  return\n}\n\nfunc g() {\na:\n  return ; done\n}\n; end\n";
    let functions = parse_all::<Basic>(text).expect("two functions");
    assert_eq!(functions.iter().map(Function::name).collect::<Vec<_>>(), ["f", "g"]);
}

#[test]
fn phis_are_spelled_as_block_parameters() {
    let options = PrintOptions { phis: PhiStyle::Params, names: NameStyle::SsaVal };
    let expected = "\
func sum(v0) {
block0:
  jump block1(0, 0)
block1(v3, v4):
  v5 = lt v3, v0
  branch v5, block2, block3
block2:
  v6 = add v4, v3
  v7 = add v3, 1
  jump block1(v7, v6)
block3:
  return v4
}
";
    assert_eq!(to_string(&read::<Basic>(SUM), options), expected);
}

#[test]
fn phis_are_spelled_as_upsilons_with_the_slot_of_a_critical_edge() {
    let text = "\
func f(%c.0) {
block0:
  branch %c.0, block1, block1
block1: <- block0.0, block0.1
  %0 = phi 1, 2
  return %0
}
";
    let expected = "\
func f(%0) {
block0:
  upsilon %3 = 1 on slot 0
  upsilon %3 = 2 on slot 1
  branch %0, block1, block1
block1:
  %3 = phi()
  return %3
}
";
    let options = PrintOptions { phis: PhiStyle::Upsilon, names: NameStyle::Index };
    assert_eq!(to_string(&read::<Basic>(text), options), expected);
}

#[test]
fn dot_escapes_what_it_shows() {
    let dot = dot::to_dot(&read::<Basic>("func f('a\"\\\\') {\nb:\n  branch 'a\"\\\\', b, c\nc:\n  return\n}\n"));
    let expected = "digraph \"f\" {
  node [shape=box, fontname=monospace];
  b0 [label=\"b:\\l  branch 'a\\\"\\\\\\\\', b, c\\l\", penwidth=2];
  b1 [label=\"c:\\l  return\\l\"];
  b0 -> b0 [label=\"0\"];
  b0 -> b1 [label=\"1\"];
}
";
    assert_eq!(dot, expected);
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
fn copies_of_values_and_variables_may_mix() {
    check("func f(x) {\nblock0:\n  %x.1 = x\n  x, %2 = %x.1, x\n  return %2\n}\n");
    let function: Function<Basic> = read("func f(x) {\nblock0:\n  x = x\n  return x\n}\n");
    let first = function.block(function.entry()).insts().get(0);
    assert!(first.is_some_and(|inst| inst.targets.is_empty()));
}
