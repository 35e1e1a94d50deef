//! The first part of a dialect: its operations, types and constants, their shapes and their text.

use crate::json::Fields;
use crate::text::{InstParser, InstPrinter, SyntaxError};
use std::fmt::{self, Debug};
use std::hash::Hash;

/// The operations, types and constants of a dialect: their shapes and their text.
///
/// This is what a [`Function`](crate::Function) of the dialect needs, with its text, JSON, DOT and checks of
/// [form](crate::Function::check_form), and what SSA construction with [`to_ssa`](crate::to_ssa) needs.
/// [`Dialect`](super::Dialect) lists what the other parts add, with an example.
pub trait Syntax: Copy + Eq + Debug + 'static {
    /// The dialect's name, as JSON and the `dialect` lines of texts spell it: a word, perhaps with dots.
    const NAME: &'static str;

    /// The spelling of the default type where types are always written, such as in [continuations](crate::cps).
    const DEFAULT_TYPE: &'static str = "_";

    /// An operation with its immediates; operands, results and targets are the instruction's.
    type Op: Clone + Eq + Hash + Debug;

    /// The type of a value or variable. The default one is the type that is not printed.
    type Type: Clone + Eq + Hash + Debug + Default;

    /// The content of a constant. Floats are represented by their bits, because constants are interned.
    type Constant: Clone + Eq + Hash + Debug;

    /// The operation without operands that goes to its only target; new blocks end with it.
    fn jump() -> Self::Op;

    /// Whether `op` ends its block even without targets, such as a return.
    ///
    /// An instruction with targets is always a terminator.
    fn is_terminator(op: &Self::Op) -> bool;

    /// The numbers of arguments, results and targets of `op`.
    fn shape(op: &Self::Op) -> Shape;

    /// Whether mismatched types violate the rules of [form](crate::Function::check_form), which parsers report.
    ///
    /// If not, whoever builds a function must have validated its types.
    fn checks_types() -> bool {
        false
    }

    /// The type that argument number `index` of `op` must have, or of which it must have a
    /// [subtype](Self::is_subtype), if the operation alone determines it.
    fn arg_type(op: &Self::Op, index: usize) -> Option<Self::Type> {
        let _ = (op, index);
        None
    }

    /// The type of result number `index` of `op`, if the operation alone determines it.
    fn result_type(op: &Self::Op, index: usize) -> Option<Self::Type> {
        let _ = (op, index);
        None
    }

    /// Whether a value of type `sub` may be used where one of type `of` is expected: the types are equal, or `sub` is a
    /// subtype.
    ///
    /// [`mem2reg`](crate::memory::mem2reg) calls this before it replaces a load with the stored value. If the answer
    /// depends on type definitions that only a module knows, the dialect returns true: whoever built the function
    /// validated its writes.
    fn is_subtype(sub: &Self::Type, of: &Self::Type) -> bool {
        sub == of
    }

    /// The type of a constant.
    fn constant_type(constant: &Self::Constant) -> Self::Type;

    /// The name of an operation: the first word that [`Syntax::print_inst`] writes.
    fn op_name(op: &Self::Op) -> &str;

    /// Writes the immediates of an operation as fields of a JSON object; none if it has no immediates.
    ///
    /// Name and fields must distinguish it from any other operation.
    ///
    /// # Errors
    /// If the writer fails.
    fn op_fields(op: &Self::Op, out: &mut Fields<'_>) -> fmt::Result;

    /// Writes a constant as fields of a JSON object, which must distinguish it from any other constant.
    ///
    /// # Errors
    /// If the writer fails.
    fn constant_fields(constant: &Self::Constant, out: &mut Fields<'_>) -> fmt::Result;

    /// Writes an instruction after its results: name, immediates, arguments, targets.
    ///
    /// [`InstPrinter::plain`] does it for an operation without immediates.
    ///
    /// # Errors
    /// If the writer fails.
    fn print_inst(op: &Self::Op, out: &mut InstPrinter<'_>) -> fmt::Result;

    /// Parses the output of [`Syntax::print_inst`]; `name` is its first word, already consumed.
    ///
    /// The results of the instruction are known; its arguments and targets are added to `input`.
    ///
    /// # Errors
    /// If the operation does not exist ([`InstParser::unknown_op`]) or is malformed.
    fn parse_inst(name: &str, input: &mut InstParser<'_, '_>) -> Result<Self::Op, SyntaxError>;

    /// Writes a type other than the default one, as one word.
    ///
    /// # Errors
    /// If the writer fails.
    fn print_type(ty: &Self::Type, out: &mut dyn fmt::Write) -> fmt::Result;

    /// The type that prints as `word`.
    fn parse_type(word: &str) -> Option<Self::Type>;

    /// Writes a constant as one token: a number, a word, or a string in double quotes.
    ///
    /// # Errors
    /// If the writer fails.
    fn print_constant(constant: &Self::Constant, out: &mut dyn fmt::Write) -> fmt::Result;

    /// The constant that prints as `token`; strings come with their quotes and escapes.
    ///
    /// A word for which this is `None` is a variable; variables whose names parse as constants are printed in quotes.
    fn parse_constant(token: &str) -> Option<Self::Constant>;

    /// The name of the function that `op` calls, if [continuations](crate::cps) are to be printed as `f(x, k)`.
    fn callee(op: &Self::Op) -> Option<&str> {
        let _ = op;
        None
    }

    /// The infix sign for the two arguments of `op`, if there is one: `==`.
    ///
    /// Only the printer of [continuations](crate::cps) uses it; text that is parsed again does not.
    fn sign(op: &Self::Op) -> Option<&'static str> {
        let _ = op;
        None
    }
}

/// The number of arguments, results or targets that an operation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Exactly this number.
    Exactly(usize),
    /// At least this number.
    AtLeast(usize),
    /// Any number in this range, both bounds included.
    Between(usize, usize),
}

impl Count {
    /// Whether `given` is allowed.
    pub fn allows(self, given: usize) -> bool {
        match self {
            Self::Exactly(count) => given == count,
            Self::AtLeast(least) => given >= least,
            Self::Between(least, most) => (least..=most).contains(&given),
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(count) => write!(f, "{count}"),
            Self::AtLeast(least) => write!(f, "at least {least}"),
            Self::Between(least, most) => write!(f, "{least} to {most}"),
        }
    }
}

/// The numbers of arguments, results and targets of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Arguments.
    pub args: Count,
    /// Results.
    pub results: Count,
    /// Targets; `Exactly(0)` for an operation that does not end its block.
    pub targets: Count,
}

impl Shape {
    /// An operation that computes `results` from `args` and is not a terminator.
    pub const fn plain(args: usize, results: usize) -> Self {
        Self { args: Count::Exactly(args), results: Count::Exactly(results), targets: Count::Exactly(0) }
    }
}
