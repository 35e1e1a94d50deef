//! The dialect: operators of WebAssembly with SSA operands.
//!
//! There are no locals, no operand stack, no structured control, and no
//! operators that only move values. The other operators keep their names:
//!
//! | text | operator |
//! |---|---|
//! | `%x.1 = i32.add %y.0, 1` | any that computes; constants are values |
//! | `%7: i64 = i64.load offset=8 %p.0` | an access; `memory=1` and `align=1` where they are not the default |
//! | `%7 = call 5 "f"(%x.0)` | `call`; the name is a comment, the number counts |
//! | `%7 = call 5 "f"(%x.0) to block2, block9` | the same in a `try_table` or `try`: `block9` is a handler |
//! | `%7 = catch 3`, `%7, %8: ref.exn = catch_ref 3`, `catch_all` | what a handler receives, in its first block |
//! | `throw_ref(%8)` | `throw_ref`, and the `rethrow` of a legacy `try` |
//! | `%7 = resume 4(%k.0) to block2, block8, block9` | `resume`: `block8` is where its `(on $tag $label)` begins |
//! | `%7, %8: ref.4 = suspended 3` | the suspended computation, in the first block of an `on` |
//! | `struct.atomic.get acqrel 2 0 %r.0` | an atomic operation that acquires and releases |
//! | `jump block1` | `br`, and the implicit edges of structured control |
//! | `br_if %c.0, block1, block2` | `br_if` and `if`: to the first unless the condition is 0 |
//! | `br_table %i.0, [block1, block2], block3` | `br_table` |
//! | `%7: ref.func = br_on_null %r.0, block1, block2` | not null to the first, refined; null to the second |
//! | `%7: ref.5 = br_on_cast ref.any ref.5 %r.0, block1, block2` | cast to the first, refined; the rest to the second |
//! | `return %x.0`, `unreachable`, `return_call 5(%x.0)`, `throw 3(%x.0)` | the same |
//!
//! For branches on references, the first target is the one where the type of
//! the reference is refined: `br_on_non_null` and `br_on_cast` jump there;
//! `br_on_null` and `br_on_cast_fail` fall through to it. The same is true of
//! their forms with a descriptor.
//!
//! In JSON, immediates are `index` or `indices`; `function` and `name`; `lane` or `lanes`; `memory`, `offset` and
//! `align`, null where it is the natural one; `heap`; `from` and `to`. A constant is its `type` and its `value`,
//! `bits` in hexadecimal digits, or the heap type of which it is `null`.

mod constant;
mod identities;
mod op;
mod opcode;
mod syntax;
mod types;

pub use constant::Constant;
pub(crate) use constant::{NAN_32, NAN_64};
pub use op::{FunctionName, Immediates, Memory, Op};
pub(crate) use op::{immediates, operation};
pub use opcode::Opcode;
pub use types::Type;

use crate::machine;
use ssaphire_ir::json::Fields;
use ssaphire_ir::text::{InstParser, InstPrinter, SyntaxError};
use ssaphire_ir::{Control, Count, Properties, Semantics, Shape, Storage, Syntax};
use std::fmt;

/// The dialect of WebAssembly functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wasm;

impl Syntax for Wasm {
    const NAME: &'static str = "wasm";
    const DEFAULT_TYPE: &'static str = "i32";
    type Op = Op;
    type Type = Type;
    type Constant = Constant;

    fn jump() -> Op {
        Opcode::Br.into()
    }

    fn is_terminator(op: &Op) -> bool {
        op.opcode.is_terminator()
    }

    fn shape(op: &Op) -> Shape {
        shape(op.opcode)
    }

    fn is_subtype(sub: &Type, of: &Type) -> bool {
        types::is_subtype(sub.0, of.0)
    }

    fn constant_type(constant: &Constant) -> Type {
        constant.ty()
    }

    fn op_name(op: &Op) -> &str {
        op.opcode.name()
    }

    fn op_fields(op: &Op, out: &mut Fields<'_>) -> fmt::Result {
        syntax::write_fields(&op.immediates, out)
    }

    fn constant_fields(constant: &Constant, out: &mut Fields<'_>) -> fmt::Result {
        constant.write_fields(out)
    }

    fn print_inst(op: &Op, out: &mut InstPrinter<'_>) -> fmt::Result {
        syntax::print(op, out)
    }

    fn parse_inst(name: &str, input: &mut InstParser<'_, '_>) -> Result<Op, SyntaxError> {
        syntax::parse(name, input)
    }

    fn print_type(ty: &Type, out: &mut dyn fmt::Write) -> fmt::Result {
        types::print_type(ty.0, out)
    }

    fn parse_type(word: &str) -> Option<Type> {
        types::parse_type(word).map(Type)
    }

    fn print_constant(constant: &Constant, out: &mut dyn fmt::Write) -> fmt::Result {
        constant.print(out)
    }

    fn parse_constant(token: &str) -> Option<Constant> {
        Constant::parse(token)
    }
}

impl Semantics for Wasm {
    fn properties(op: &Op) -> Properties {
        op.opcode.properties()
    }

    /// Folds numbers exactly as the machine computes them: a computed NaN is the canonical NaN.
    fn evaluate(op: &Op, args: &[Constant]) -> Option<Constant> {
        machine::evaluate(op.opcode, args)
    }

    fn chosen_slot(op: &Op, args: &[Constant], num_targets: usize) -> Option<u32> {
        let last = u32::try_from(num_targets).ok()?.checked_sub(1)?;
        match (op.opcode, args) {
            (Opcode::Br, []) => Some(0),
            (Opcode::BrIf, &[Constant::I32(condition)]) => Some(u32::from(condition == 0)),
            (Opcode::BrTable, &[Constant::I32(chosen)]) => Some((chosen as u32).min(last)),
            _ => None,
        }
    }

    fn branches_on_negation(branch: &Op, negation: &Op) -> bool {
        (branch.opcode, negation.opcode) == (Opcode::BrIf, Opcode::I32Eqz)
    }

    fn identities() -> &'static str {
        identities::all()
    }

    fn index(op: &Op) -> Option<usize> {
        (op.immediates == Immediates::None).then_some(op.opcode as usize)
    }

    fn known_as(op: &Op) -> Option<Op> {
        let is_narrow = matches!(
            op.opcode,
            Opcode::I32Load8U | Opcode::I32Load16U | Opcode::I64Load8U | Opcode::I64Load16U | Opcode::I64Load32U
        );
        is_narrow.then(|| op.opcode.into())
    }

    fn op_named(name: &str) -> Option<Op> {
        Opcode::from_name(name).map(Op::from)
    }

    fn control(op: &Op) -> Control {
        match op.opcode {
            Opcode::Call | Opcode::CallIndirect | Opcode::CallRef => Control::Call,
            Opcode::Return => Control::Return,
            _ => Control::Other,
        }
    }
}

impl Storage for Wasm {
    fn begins_handler(op: &Op) -> bool {
        matches!(op.opcode, Opcode::Catch | Opcode::CatchRef | Opcode::CatchAll | Opcode::CatchAllRef)
    }
}

fn shape(opcode: Opcode) -> Shape {
    let (any, none) = (Count::AtLeast(0), Count::Exactly(0));
    let exactly = Count::Exactly;
    let shape = |args, results, targets| Shape { args, results, targets };
    match opcode {
        Opcode::Br => shape(none, none, exactly(1)),
        Opcode::BrIf => shape(exactly(1), none, exactly(2)),
        Opcode::BrTable => shape(exactly(1), none, Count::AtLeast(1)),
        _ if opcode.compares_descriptor() => shape(exactly(2), exactly(1), exactly(2)),
        _ if opcode.is_reference_branch() => shape(exactly(1), exactly(1), exactly(2)),
        Opcode::Return | Opcode::ReturnCall => shape(any, none, none),
        Opcode::ReturnCallIndirect | Opcode::ReturnCallRef => shape(Count::AtLeast(1), none, none),
        Opcode::Call | Opcode::Suspend => shape(any, any, any),
        Opcode::CallIndirect | Opcode::CallRef | Opcode::Switch => shape(Count::AtLeast(1), any, any),
        _ if opcode.resumes() => shape(Count::AtLeast(1), any, any),
        Opcode::Throw => shape(any, none, any),
        Opcode::ThrowRef => shape(exactly(1), none, any),
        Opcode::Catch | Opcode::Suspended => shape(none, any, none),
        Opcode::CatchRef => shape(none, Count::AtLeast(1), none),
        Opcode::CatchAll => shape(none, none, none),
        Opcode::StructNew | Opcode::ArrayNewFixed => shape(any, exactly(1), none),
        _ => match opcode.arity() {
            Some((args, results)) => Shape::plain(args, results),
            None => shape(any, any, none),
        },
    }
}
