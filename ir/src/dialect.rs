//! What a dialect owes: operations, types, constants, and their spelling.
//!
//! Blocks, edges, variables, values, phis and copies are shared by all
//! dialects; everything that computes is the dialect's. A dialect is a type
//! without content that names its parts and answers questions about them.

use crate::json::Fields;
use crate::text::{InstParser, InstPrinter, SyntaxError};
use std::fmt::{self, Debug};
use std::hash::Hash;

/// The operations of one kind of function: a front end's, or [`Basic`](crate::Basic).
pub trait Dialect: Copy + Eq + Debug + 'static {
    /// The dialect's name, as JSON and the `dialect` lines of texts spell it: a word, perhaps with dots.
    const NAME: &'static str;

    /// An operation with its immediates; operands, results and targets are the instruction's.
    type Op: Clone + Eq + Hash + Debug;

    /// The type of a value or variable. The default one is the type that is not printed.
    type Type: Clone + Eq + Hash + Debug + Default;

    /// What a constant holds. A float goes in as its bits: constants are interned.
    type Constant: Clone + Eq + Hash + Debug;

    /// The operation that takes nothing and goes to its only target: what a new block ends with.
    fn jump() -> Self::Op;

    /// Whether `op` ends its block even without targets: returns and the like.
    ///
    /// An instruction with targets is a terminator in any case.
    fn is_terminator(op: &Self::Op) -> bool;

    /// Whether `op` may leave by a handler edge when it stands in a protected region.
    fn may_throw(op: &Self::Op) -> bool;

    /// Whether `op` must stay even when nothing reads its results: it prints, writes memory, may trap.
    fn has_effect(op: &Self::Op) -> bool;

    /// Whether `op`, which may have several targets, does nothing but choose one: it may go if the choice does not matter.
    ///
    /// What [`has_effect`](Self::has_effect) says of such an operation does not count.
    fn only_branches(op: &Self::Op) -> bool;

    /// Whether `op` traps when an argument is undefined, so that it may go only if none can be.
    ///
    /// Not asked of operations that must stay in any case.
    fn needs_defined(op: &Self::Op) -> bool;

    /// Whether a result of `op` may be undefined although all its arguments are defined, as what memory holds may be.
    fn makes_undefined(op: &Self::Op) -> bool;

    /// Whether the results of `op` depend on its arguments alone: where it was executed before with the same arguments, it
    /// gives the same results again, or traps again, and does nothing else.
    ///
    /// False for what reads memory, and for what makes something new each time.
    fn computes(op: &Self::Op) -> bool {
        let _ = op;
        false
    }

    /// Whether `op` may be executed by a copy of the instruction instead, on some of the paths that lead to it.
    ///
    /// False for what is known by its place: the slot that an instruction makes.
    fn may_copy(op: &Self::Op) -> bool {
        let _ = op;
        true
    }

    /// What the one result of `op` is if its arguments are these constants.
    ///
    /// `None` where the result depends on anything else, where the operation traps or has another effect on these arguments,
    /// and where the dialect does not say. An operation for which there is an answer may be replaced by it, even one of
    /// which [`has_effect`](Self::has_effect) is true: a division by a constant other than zero.
    fn evaluate(op: &Self::Op, args: &[Self::Constant]) -> Option<Self::Constant> {
        let _ = (op, args);
        None
    }

    /// The algebraic identities of operations without immediates, one a line: `add x 0 = x`.
    ///
    /// On the left stands an operation, by [name](Self::op_named), and its arguments: `x`, `y` and `z` for anything,
    /// constants, `c` and `d` for any constants, and at most one operation in parentheses, as in `not (not x) = x`. On the right stands one
    /// of these, or an operation; in parentheses among its arguments, one that is computed from constants: `and (and x c) d = and x (and c d)`.
    /// `add x y = add y x` says that arguments may be exchanged. What is on the left may be replaced by what is on the
    /// right, wherever: so no identity may lose a trap or another effect.
    fn identities() -> &'static str {
        ""
    }

    /// The operation of that name, if it has no immediates.
    fn op_named(name: &str) -> Option<Self::Op> {
        let _ = name;
        None
    }

    /// The slot by which `op`, which has `num_targets` targets, leaves its block if its arguments are these constants.
    ///
    /// `None` for operations that do more than [branch](Self::only_branches), and where the dialect does not say.
    fn chosen_slot(op: &Self::Op, args: &[Self::Constant], num_targets: usize) -> Option<usize> {
        let _ = (op, args, num_targets);
        None
    }

    /// Whether `branch`, on one argument and to two targets, goes by one way for what `negation` gives, and by the other one for the
    /// argument of that.
    fn branches_on_negation(branch: &Self::Op, negation: &Self::Op) -> bool {
        let _ = (branch, negation);
        false
    }

    /// How many arguments, results and targets `op` takes.
    fn shape(op: &Self::Op) -> Shape;

    /// The type of result number `index` of `op`, where it follows from the operation alone.
    fn result_type(op: &Self::Op, index: usize) -> Option<Self::Type> {
        let _ = (op, index);
        None
    }

    /// Whether a value of type `sub` may stand wherever one of type `of` is expected: the two are equal, or it is a subtype.
    ///
    /// [`mem2reg`](crate::memory::mem2reg) asks before it replaces a load by what was stored. Where the answer depends on
    /// type definitions that only a module knows, the dialect answers yes: whoever built the function validated its writes.
    fn is_subtype(sub: &Self::Type, of: &Self::Type) -> bool {
        sub == of
    }

    /// The type of a constant.
    fn constant_type(constant: &Self::Constant) -> Self::Type;

    /// The name of an operation: the first word of what [`Dialect::print_inst`] writes.
    fn op_name(op: &Self::Op) -> &str;

    /// Writes the immediates of an operation as fields of a JSON object: nothing if it has none.
    ///
    /// Name and fields are to tell it from any other operation.
    ///
    /// # Errors
    /// If the writer fails.
    fn op_fields(op: &Self::Op, out: &mut Fields<'_>) -> fmt::Result;

    /// Writes a constant as fields of a JSON object, which are to tell it from any other constant.
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

    /// Reads what [`Dialect::print_inst`] has written; `name` is its first word, already taken.
    ///
    /// The instruction's results are known, its arguments and targets go into `input`.
    ///
    /// # Errors
    /// If there is no such operation ([`InstParser::unknown_op`]) or its parts are not as they must be.
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
    /// A word for which this is `None` is a variable; variables whose name it takes are printed in quotes.
    fn parse_constant(token: &str) -> Option<Self::Constant>;
}

/// How many of something an operation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// So many.
    Exactly(usize),
    /// So many or more.
    AtLeast(usize),
    /// Any number between the two, both included.
    Between(usize, usize),
}

impl Count {
    /// Whether `given` is such a number.
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
    /// An operation that computes `results` from `args` and goes on.
    pub const fn plain(args: usize, results: usize) -> Self {
        Self { args: Count::Exactly(args), results: Count::Exactly(results), targets: Count::Exactly(0) }
    }
}
