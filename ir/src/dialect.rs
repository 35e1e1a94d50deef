//! The interface of a dialect: operations, types, constants, and their syntax.
//!
//! Blocks, edges, variables, values, phis and copies are common to all
//! dialects; all computation belongs to the dialect. A dialect is an empty type
//! that names its parts and answers questions about them.

use crate::json::Fields;
use crate::text::{InstParser, InstPrinter, SyntaxError};
use std::fmt::{self, Debug};
use std::hash::Hash;

/// The operations of one kind of function: a front end's, or [`Basic`](crate::Basic).
pub trait Dialect: Copy + Eq + Debug + 'static {
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

    /// Whether `op` may leave along a handler edge when it is in a protected region.
    fn may_throw(op: &Self::Op) -> bool;

    /// Whether `op` must be kept even if its results are unused: it prints, writes memory, may trap.
    fn has_effect(op: &Self::Op) -> bool;

    /// Whether `op`, which may have several targets, only chooses among them: it may be removed if the choice does not
    /// matter.
    ///
    /// [`has_effect`](Self::has_effect) is ignored for such an operation.
    fn only_branches(op: &Self::Op) -> bool;

    /// Whether `op` traps on an undefined argument, so that it may be removed only if no argument can be undefined.
    ///
    /// Not called for operations that must be kept anyway.
    fn needs_defined(op: &Self::Op) -> bool;

    /// Whether a result of `op` may be undefined although all its arguments are defined, such as the result of a load.
    fn makes_undefined(op: &Self::Op) -> bool;

    /// Whether the results of `op` depend on its arguments alone: executed again with the same arguments, it gives the
    /// same results, or traps again, and has no other effect.
    ///
    /// False for operations that read memory, and for those that create something new each time.
    fn computes(op: &Self::Op) -> bool {
        let _ = op;
        false
    }

    /// Whether copies of the instruction may replace it on some of the paths to it.
    ///
    /// False for an operation that is identified by its place, such as one that creates a slot.
    fn may_copy(op: &Self::Op) -> bool {
        let _ = op;
        true
    }

    /// The single result of `op` on these constants.
    ///
    /// `None` if the result depends on anything else, if the operation traps or has another effect on these arguments,
    /// or if the dialect does not know. An operation with a result here may be replaced by it, even if
    /// [`has_effect`](Self::has_effect) is true for it: a division by a constant other than zero.
    fn evaluate(op: &Self::Op, args: &[Self::Constant]) -> Option<Self::Constant> {
        let _ = (op, args);
        None
    }

    /// The algebraic identities of operations without immediates, one a line: `add x 0 = x`.
    ///
    /// On the left stands an operation, by [name](Self::op_named), and its arguments: `x`, `y` and `z` for anything,
    /// constants, `c` and `d` for any constants, and at most one operation: in parentheses, as in `not (not x) = x`, or
    /// as `x:OP`, which is anything that it gives, whatever its arguments are. On the right stands one of these, or an
    /// operation; in parentheses among its arguments, one that is computed from constants: `and (and x c) d = and x
    /// (and c d)`. `add x y = add y x` says that arguments may be exchanged. What is on the left may be replaced by
    /// what is on the right, wherever: so no identity may lose a trap or another effect.
    fn identities() -> &'static str {
        ""
    }

    /// A small number that identifies `op`, if it has no immediates; used for lookup only.
    fn index(op: &Self::Op) -> Option<usize> {
        let _ = op;
        None
    }

    /// The operation by which [identities](Self::identities) name the results of `op`, which does not
    /// [compute](Self::computes): `x:load8_u` for the result of any load of a byte, with any immediates.
    fn known_as(op: &Self::Op) -> Option<Self::Op> {
        let _ = op;
        None
    }

    /// The operation with this name, if it has no immediates, or if identities [use its name](Self::known_as).
    fn op_named(name: &str) -> Option<Self::Op> {
        let _ = name;
        None
    }

    /// The slot that `op`, with `num_targets` targets, takes on these constants.
    ///
    /// `None` for operations that do more than [branch](Self::only_branches), or if the dialect does not know.
    fn chosen_slot(op: &Self::Op, args: &[Self::Constant], num_targets: usize) -> Option<u32> {
        let _ = (op, args, num_targets);
        None
    }

    /// Whether `branch`, with one argument and two targets, takes one edge on the result of `negation`, and the other
    /// edge on the argument of `negation`.
    fn branches_on_negation(branch: &Self::Op, negation: &Self::Op) -> bool {
        let _ = (branch, negation);
        false
    }

    /// Whether `op` begins a handler: it names what the handler catches, and defines the thrown values. Nothing can
    /// precede it in its block, or be inserted on an edge to the block.
    fn begins_handler(op: &Self::Op) -> bool {
        let _ = op;
        false
    }

    /// The result of `op` that must reuse the storage of an argument, and this argument, both by index.
    ///
    /// Such an operation updates its argument in place: `update`, whose result is the array with an element stored. On
    /// leaving SSA form, both get one location, or the argument is copied to the result's location first.
    fn tied(op: &Self::Op) -> Option<(usize, usize)> {
        let _ = op;
        None
    }

    /// Whether the results of `op` must share the storage of all other values of their variables.
    ///
    /// Such an operation changes storage that is not an argument: `hidden_update`, which stores one element in the
    /// result's storage. On leaving SSA form, the result gets the location of its variable, or the conversion fails; no
    /// copy can replace this.
    fn shares_storage(op: &Self::Op) -> bool {
        let _ = op;
        false
    }

    /// The treatment of `op` in continuation-passing style: a call of a function, a return, or neither.
    ///
    /// By default, neither. A call is then an ordinary operation in the body of a continuation.
    fn control(op: &Self::Op) -> Control {
        let _ = op;
        Control::Other
    }

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

    /// The name of an operation: the first word that [`Dialect::print_inst`] writes.
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

    /// Parses the output of [`Dialect::print_inst`]; `name` is its first word, already consumed.
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
}

/// The control behavior of an operation, for continuations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Control {
    /// It calls a function, and continues with its results.
    Call,
    /// It returns its arguments.
    Return,
    /// Anything else: it computes, chooses a target, traps, or leaves in another way.
    Other,
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
