//! The interface of a dialect: operations, types, constants, and their syntax.
//!
//! Blocks, edges, variables, values, phis and copies are common to all
//! dialects; all computation belongs to the dialect. A dialect is an empty type
//! that names its parts and answers questions about them.
//!
//! The interface is split into three traits: [`Syntax`] for the text form,
//! [`Semantics`] for passes, and [`Storage`] for leaving SSA form. With a single
//! trait, a dialect that is only printed would have to describe traps and
//! undefined values, and it would be unclear which default serves which feature.
//! Functions require only the traits they use; [`Dialect`] combines all three.
//!
//! The yes-or-no questions of passes are the fields of [`Properties`], because
//! they are about one operation and depend on each other: a dialect answers
//! them with one `match`, which reads as the table of its operations, or with a
//! table. They are fields, not bits of a number: of an inlined `match`, what
//! remains is what the caller reads, and of a table, one load.

mod semantics;
mod storage;
mod syntax;

pub use semantics::{Control, Properties, Semantics};
pub use storage::Storage;
pub use syntax::{Count, Shape, Syntax};

/// The operations of one kind of function: a front end's, or [`Basic`](crate::Basic).
///
/// Implement its three parts; a type with all of them is a dialect.
///
/// | for | implement | which requires |
/// |---|---|---|
/// | text, JSON, DOT, analyses, [`to_ssa`](crate::to_ssa) | [`Syntax`] | names, shapes, printing and parsing |
/// | types checked by parsers | | [`checks_types`](Syntax::checks_types), [`arg_type`](Syntax::arg_type), [`result_type`](Syntax::result_type) |
/// | [memory form](crate::memory) and `mem2reg` | | [`is_subtype`](Syntax::is_subtype), if types have subtypes |
/// | the [interpreter](crate::interp) | a [`Machine`](crate::interp::Machine) | one function that executes an operation |
/// | [passes](crate::passes), [`FunctionBuilder`](crate::FunctionBuilder) | [`Semantics`] | [`properties`](Semantics::properties) |
/// | constants folded by passes and [while building](crate::fold) | | [`evaluate`](Semantics::evaluate), [`chosen_slot`](Semantics::chosen_slot) |
/// | algebraic identities | | [`identities`](Semantics::identities), [`op_named`](Semantics::op_named) |
/// | [continuations](crate::cps) | | [`control`](Semantics::control); [`callee`](Syntax::callee) and [`sign`](Syntax::sign) for how they print |
/// | [`leave_ssa`](crate::leave_ssa()) | [`Storage`] | nothing, unless the dialect has handlers or updates in place |
///
/// # Examples
/// A dialect with one operation that computes: its text first, then what passes need.
/// ```
/// use ssaphire_ir::json::Fields;
/// use ssaphire_ir::passes::{self, PhiTags};
/// use ssaphire_ir::text::{self, InstParser, InstPrinter, SyntaxError};
/// use ssaphire_ir::{Count, Function, Properties, Semantics, Shape, Syntax};
/// use std::fmt;
///
/// #[derive(Clone, Copy, Debug, PartialEq, Eq)]
/// struct Words;
///
/// #[derive(Clone, Debug, PartialEq, Eq, Hash)]
/// enum Op {
///     Join,
///     Jump,
///     Return,
/// }
///
/// impl Syntax for Words {
///     const NAME: &'static str = "words";
///     type Op = Op;
///     type Type = (); // All values have the default type, which is not printed.
///     type Constant = char;
///
///     fn jump() -> Op {
///         Op::Jump
///     }
///
///     fn is_terminator(op: &Op) -> bool {
///         matches!(op, Op::Jump | Op::Return)
///     }
///
///     fn shape(op: &Op) -> Shape {
///         match op {
///             Op::Join => Shape::plain(2, 1),
///             Op::Jump => Shape { targets: Count::Exactly(1), ..Shape::plain(0, 0) },
///             Op::Return => Shape { args: Count::AtLeast(0), ..Shape::plain(0, 0) },
///         }
///     }
///
///     fn constant_type(_: &char) {}
///
///     fn op_name(op: &Op) -> &str {
///         match op {
///             Op::Join => "join",
///             Op::Jump => "jump",
///             Op::Return => "return",
///         }
///     }
///
///     fn op_fields(_: &Op, _: &mut Fields<'_>) -> fmt::Result {
///         Ok(()) // No operation has immediates.
///     }
///
///     fn constant_fields(letter: &char, out: &mut Fields<'_>) -> fmt::Result {
///         out.string("letter", letter.encode_utf8(&mut [0; 4]))
///     }
///
///     fn print_inst(op: &Op, out: &mut InstPrinter<'_>) -> fmt::Result {
///         out.plain(Self::op_name(op))
///     }
///
///     fn parse_inst(name: &str, input: &mut InstParser<'_, '_>) -> Result<Op, SyntaxError> {
///         match name {
///             "join" => input.plain(2, 0).map(|()| Op::Join),
///             "jump" => input.plain(0, 1).map(|()| Op::Jump),
///             "return" => input.args().map(|()| Op::Return),
///             _ => Err(input.unknown_op()),
///         }
///     }
///
///     fn print_type((): &(), _: &mut dyn fmt::Write) -> fmt::Result {
///         Ok(())
///     }
///
///     fn parse_type(_: &str) -> Option<()> {
///         None
///     }
///
///     fn print_constant(letter: &char, out: &mut dyn fmt::Write) -> fmt::Result {
///         write!(out, "\"{letter}\"")
///     }
///
///     fn parse_constant(token: &str) -> Option<char> {
///         token.strip_prefix('"')?.strip_suffix('"')?.parse().ok()
///     }
/// }
///
/// let source = "\
/// func f(%x.0) {
/// block0:
///   %y.0 = join %x.0, \"a\"
///   %z.0 = join %x.0, \"a\"
///   return %y.0, %z.0
/// }
/// ";
/// let mut function: Function<Words> = text::parse(source)?;
/// assert_eq!(function.to_string(), source);
///
/// impl Semantics for Words {
///     fn properties(op: &Op) -> Properties {
///         match op {
///             Op::Join => Properties::COMPUTES,
///             Op::Jump => Properties::BRANCHES,
///             Op::Return => Properties::KEPT,
///         }
///     }
/// }
///
/// passes::number_values(&mut function, PhiTags::default())?;
/// let block = function.block(function.entry());
/// assert_eq!(block.insts().len(), 2, "the two words are one");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Dialect: Syntax + Semantics + Storage {}

impl<D: Syntax + Semantics + Storage> Dialect for D {}
