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

    /// What the default type is called where types are always written, as those of [continuations](crate::cps) are.
    const DEFAULT_TYPE: &'static str = "_";

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
    /// constants, `c` and `d` for any constants, and at most one operation: in parentheses, as in `not (not x) = x`, or as `x:OP`, which is
    /// anything that it gives, whatever its arguments are. On the right stands one
    /// of these, or an operation; in parentheses among its arguments, one that is computed from constants: `and (and x c) d = and x (and c d)`.
    /// `add x y = add y x` says that arguments may be exchanged. What is on the left may be replaced by what is on the
    /// right, wherever: so no identity may lose a trap or another effect.
    fn identities() -> &'static str {
        ""
    }

    /// A small number that `op` shares with no other operation, if it has no immediates: only to find it by.
    fn index(op: &Self::Op) -> Option<usize> {
        let _ = op;
        None
    }

    /// The operation by which [identities](Self::identities) call the results of `op`, which does not
    /// [compute](Self::computes): `x:load8_u` for those of any load of a byte, whatever its immediates are.
    fn known_as(op: &Self::Op) -> Option<Self::Op> {
        let _ = op;
        None
    }

    /// The operation of that name, if it has no immediates, or identities [call others](Self::known_as) by it.
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

    /// Whether a handler begins with `op`, which says what it catches, and gives what has been thrown: nothing can stand before it, nor
    /// on an edge to its block.
    fn begins_handler(op: &Self::Op) -> bool {
        let _ = op;
        false
    }

    /// The result of `op` that wants the storage of an argument, and that argument, both by number.
    ///
    /// Such an operation changes its argument where that is: `update`, whose result is the array with an element stored.
    /// Who leaves SSA form gives both one location, or has the argument copied to the result's location first.
    fn tied(op: &Self::Op) -> Option<(usize, usize)> {
        let _ = op;
        None
    }

    /// Whether the results of `op` must have the storage of all other values of their variables.
    ///
    /// Such an operation changes something that is no argument: `hidden_update`, which stores one element where the result
    /// is. Who leaves SSA form gives the result the location of its variable, or refuses; no copy makes up for that.
    fn shares_storage(op: &Self::Op) -> bool {
        let _ = op;
        false
    }

    /// What continuations make of `op`: a call of a function, a return, or neither.
    ///
    /// By default it is neither. A call then stands in the body of a continuation like any operation that computes.
    fn control(op: &Self::Op) -> Control {
        let _ = op;
        Control::Other
    }

    /// The name of the function that `op` calls, where that is what [continuations](crate::cps) are printed with: `f(x, k)`.
    fn callee(op: &Self::Op) -> Option<&str> {
        let _ = op;
        None
    }

    /// The sign that people write between the two arguments of `op`, where there is one: `==`.
    ///
    /// [Continuations](crate::cps) are printed with it; what is read back is not.
    fn sign(op: &Self::Op) -> Option<&'static str> {
        let _ = op;
        None
    }

    /// How many arguments, results and targets `op` takes.
    fn shape(op: &Self::Op) -> Shape;

    /// Whether a function with types that do not fit breaks a rule of [form](crate::Function::check_form), which parsers
    /// report.
    ///
    /// Where the answer is no, whoever built the function has validated its types.
    fn checks_types() -> bool {
        false
    }

    /// The type that argument number `index` of `op` must have, or a [subtype](Self::is_subtype) of it, where that follows
    /// from the operation alone.
    fn arg_type(op: &Self::Op, index: usize) -> Option<Self::Type> {
        let _ = (op, index);
        None
    }

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

/// What an operation does with control, as continuations see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Control {
    /// It enters a function, and goes on with what that returns.
    Call,
    /// It leaves its function with its arguments.
    Return,
    /// Anything else: it computes, chooses a target, traps, or leaves in another way.
    Other,
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
