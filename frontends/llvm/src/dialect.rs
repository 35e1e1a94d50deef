//! The dialect: an operation is the text of an LLVM instruction with holes for its operands.
//!
//! Names of local values are arguments and labels are targets; everything else
//! stays text: types, flags, constants, globals, attributes and metadata. Only
//! the operand of a store and those of phis are arguments when they are
//! constants, too, because a promoted slot has them as its value.
//!
//! | LLVM | here |
//! |---|---|
//! | `%5 = add nsw i32 %x, 1` | `%5 = add "nsw i32 {}, 1" %x` |
//! | `br i1 %c, label %a, label %b` | `br "i1 {}, label {b}, label {b}" %c to a, b` |
//! | `store i32 0, ptr %p, align 4` | `store "i32 {}, ptr {}, align 4" 0, %p` |
//! | `%r = invoke i32 @f() to label %a unwind label %b` | `%r = result "invoke i32 @f() to label {b} unwind label {b}"`, then `edges to a, b` |
//!
//! A terminator with a result is two instructions, because LLVM lets other edges enter the block in which the result is
//! first available.

mod kind;
mod op;
mod properties;

pub use op::{Constant, Op, Type};

pub(crate) use kind::{Access, Kind};

use ssaphire_ir::json::Fields;
use ssaphire_ir::text::{InstParser, InstPrinter, SyntaxError, SyntaxErrorKind, quote_string, unquote_string};
use ssaphire_ir::{Control, Count, Properties, Semantics, Shape, Storage, Syntax};
use std::fmt;

/// The dialect of LLVM functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Llvm;

/// The name of the terminator whose edges belong to the instruction before it.
pub(crate) const EDGES: &str = "edges";

/// The word before the text of such an instruction.
pub(crate) const RESULT: &str = "result";

/// The word before the flags of a phi, where two functions are compared.
pub(crate) const FLAGS: &str = "phi-flags";

impl Syntax for Llvm {
    const NAME: &'static str = "llvm";
    type Op = Op;
    type Type = Type;
    type Constant = Constant;

    fn jump() -> Op {
        Op::new("br label {b}")
    }

    fn is_terminator(op: &Op) -> bool {
        op.kind().is_terminator()
    }

    fn shape(op: &Op) -> Shape {
        let (args, targets) = op.counts();
        let targets = match op.kind() {
            Kind::Edges => Count::AtLeast(1),
            kind if kind.is_terminator() => Count::Exactly(targets),
            _ => Count::Exactly(0),
        };
        Shape { args: Count::Exactly(args), results: Count::Between(0, 1), targets }
    }

    fn constant_type(_: &Constant) -> Type {
        Type::default()
    }

    fn op_name(op: &Op) -> &str {
        op.name()
    }

    fn op_fields(op: &Op, out: &mut Fields<'_>) -> fmt::Result {
        out.string("text", op.text())
    }

    fn constant_fields(constant: &Constant, out: &mut Fields<'_>) -> fmt::Result {
        out.string("value", constant.text())
    }

    fn print_inst(op: &Op, out: &mut InstPrinter<'_>) -> fmt::Result {
        out.name(op.name())?;
        if !op.rest().is_empty() {
            fmt::Write::write_str(out, " ")?;
            out.string(op.rest())?;
        }
        if out.is_in_cps() {
            return out.call_operands();
        }
        let (args, targets) = (out.num_args(), out.num_targets());
        if args > 0 {
            fmt::Write::write_str(out, " ")?;
            out.args(0..args)?;
        }
        if targets > 0 {
            fmt::Write::write_str(out, " to ")?;
            out.targets(0..targets)?;
        }
        if args + targets == 0 && op.rest().is_empty() && out.num_results() > 0 {
            // Without the parentheses this would be a copy from a variable.
            fmt::Write::write_str(out, "()")?;
        }
        Ok(())
    }

    fn parse_inst(name: &str, input: &mut InstParser<'_, '_>) -> Result<Op, SyntaxError> {
        let rest = match input.peek() {
            Some(token) if token.starts_with('"') => input.string()?,
            _ => String::new(),
        };
        let op = Op::joined(name, &rest);
        if input.eat("(") {
            input.expect(")")?;
        } else if !input.is_at_end() {
            if input.peek() != Some("to") {
                input.args()?;
            }
            if input.eat("to") {
                input.targets()?;
            }
        }
        if input.args_so_far().len() == op.counts().0 {
            return Ok(op);
        }
        Err(input.error(SyntaxErrorKind::Expected("as many arguments as the text has holes")))
    }

    fn print_type(ty: &Type, out: &mut dyn fmt::Write) -> fmt::Result {
        if is_word(ty.text()) { out.write_str(ty.text()) } else { quote_string(ty.text(), '"', out) }
    }

    fn parse_type(word: &str) -> Option<Type> {
        let text = if word.starts_with('"') { unquote_string(word)? } else { word.to_owned() };
        Some(Type::new(&text))
    }

    fn print_constant(constant: &Constant, out: &mut dyn fmt::Write) -> fmt::Result {
        match constant.text() {
            text if is_number(text) || WORDS.contains(&text) => out.write_str(text),
            text => quote_string(text, '"', out),
        }
    }

    fn parse_constant(token: &str) -> Option<Constant> {
        if token.starts_with('"') {
            return unquote_string(token).map(|text| Constant::new(&text));
        }
        (is_number(token) || WORDS.contains(&token)).then(|| Constant::new(token))
    }

    fn callee(op: &Op) -> Option<&str> {
        op.callee()
    }
}

/// Constants that are written as words.
const WORDS: [&str; 5] = ["true", "false", "null", "poison", "zeroinitializer"];

fn is_word(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(is_part)
}

/// Whether the text is an integer in decimal.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

impl Semantics for Llvm {
    #[inline]
    fn properties(op: &Op) -> Properties {
        properties::of(op.kind())
    }

    fn chosen_slot(op: &Op, args: &[Constant], _: usize) -> Option<u32> {
        match (op.kind(), args) {
            (Kind::Branch, [condition]) => match condition.text() {
                "true" | "1" | "-1" => Some(0),
                "false" | "0" => Some(1),
                _ => None,
            },
            _ => None,
        }
    }

    fn control(op: &Op) -> Control {
        match op.kind() {
            Kind::Return => Control::Return,
            _ => Control::Other,
        }
    }
}

impl Storage for Llvm {
    fn begins_handler(op: &Op) -> bool {
        op.kind() == Kind::Pad
    }
}
