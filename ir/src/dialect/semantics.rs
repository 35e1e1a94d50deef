//! The second part of a dialect: what its operations do.

use super::Syntax;

/// What the operations of a dialect do, as far as folding, passes and continuations need it.
///
/// Only [`properties`](Self::properties) is required. By default, the dialect evaluates nothing, has no identities and
/// no calls: passes then find less, and what they do is still right.
pub trait Semantics: Syntax {
    /// What passes may assume of `op`.
    ///
    /// Passes call this for every instruction, often for one field. A dialect answers with an inlined `match` or from a
    /// table, and looks at immediates only for operations whose properties depend on them.
    fn properties(op: &Self::Op) -> Properties;

    /// The single result of `op` on these constants.
    ///
    /// `None` if the result depends on anything else, if the operation traps or has another effect on these arguments,
    /// or if the dialect does not know. An operation with a result here may be replaced by it, even if
    /// [`has_effect`](Properties::has_effect) is true for it: a division by a constant other than zero.
    fn evaluate(op: &Self::Op, args: &[Self::Constant]) -> Option<Self::Constant> {
        let _ = (op, args);
        None
    }

    /// The slot that `op`, with `num_targets` targets, takes on these constants.
    ///
    /// `None` for operations that do more than [branch](Properties::only_branches), or if the dialect does not know.
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

    /// The algebraic identities of operations without immediates, one a line: `add x 0 = x`.
    ///
    /// On the left stands an operation, by [name](Self::op_named), and its arguments: `x`, `y` and `z` for anything,
    /// constants, `c` and `d` for any constants, and at most one operation: in parentheses, as in `not (not x) = x`, or
    /// as `x:OP`, which is anything that it gives, whatever its arguments are. On the right stands one of these, or an
    /// operation; in parentheses among its arguments, one that is computed from constants:
    /// `and (and x c) d = and x (and c d)`. `add x y = add y x` says that arguments may be exchanged. What is on the
    /// left may be replaced by what is on the right, wherever: so no identity may lose a trap or another effect.
    fn identities() -> &'static str {
        ""
    }

    /// A small number that identifies `op`, if it has no immediates; used for lookup only.
    fn index(op: &Self::Op) -> Option<usize> {
        let _ = op;
        None
    }

    /// The operation by which [identities](Self::identities) name the results of `op`, which does not
    /// [compute](Properties::computes): `x:load8_u` for the result of any load of a byte, with any immediates.
    fn known_as(op: &Self::Op) -> Option<Self::Op> {
        let _ = op;
        None
    }

    /// The operation with this name, if it has no immediates, or if identities [use its name](Self::known_as).
    fn op_named(name: &str) -> Option<Self::Op> {
        let _ = name;
        None
    }

    /// The treatment of `op` in continuation-passing style: a call of a function, a return, or neither.
    ///
    /// By default, neither. A call is then an ordinary operation in the body of a continuation.
    fn control(op: &Self::Op) -> Control {
        let _ = op;
        Control::Other
    }
}

/// What passes may assume of an operation.
///
/// A dialect takes the constant that fits, and changes what differs: a division that may trap is
/// `Properties { has_effect: true, ..Properties::COMPUTES }`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Properties {
    /// Whether the operation must be kept even if its results are unused: it prints, writes memory, may trap.
    pub has_effect: bool,
    /// Whether the operation, which may have several targets, only chooses among them: it may be removed if the choice
    /// does not matter.
    ///
    /// [`has_effect`](Self::has_effect) is ignored for such an operation.
    pub only_branches: bool,
    /// Whether the operation may leave along a handler edge when it is in a protected region.
    pub may_throw: bool,
    /// Whether the operation traps on an undefined argument, so that it may be removed only if no argument can be
    /// undefined.
    ///
    /// Ignored for operations that must be kept anyway.
    pub needs_defined: bool,
    /// Whether a result of the operation may be undefined although all its arguments are defined, such as the result of
    /// a load.
    pub makes_undefined: bool,
    /// Whether the results of the operation depend on its arguments alone: executed again with the same arguments, it
    /// gives the same results, or traps again, and has no other effect.
    ///
    /// False for operations that read memory, and for those that create something new each time.
    pub computes: bool,
    /// Whether copies of the instruction may replace it on some of the paths to it.
    ///
    /// False for an operation that is identified by its place, such as one that creates a slot.
    pub may_copy: bool,
}

impl Properties {
    /// Of an operation that must be kept: it has an effect, but neither throws nor is identified by its place.
    pub const KEPT: Self = Self { has_effect: true, ..Self::REMOVABLE };

    /// Of an operation that may be removed if its results are unused, though two executions may have different results.
    pub const REMOVABLE: Self = Self {
        has_effect: false,
        only_branches: false,
        may_throw: false,
        needs_defined: false,
        makes_undefined: false,
        computes: false,
        may_copy: true,
    };

    /// Of an operation that computes its results from its arguments, and neither traps nor has another effect.
    pub const COMPUTES: Self = Self { computes: true, ..Self::REMOVABLE };

    /// Of an operation that only chooses among its targets, whether the argument is defined or not.
    pub const BRANCHES: Self = Self { only_branches: true, ..Self::KEPT };
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
