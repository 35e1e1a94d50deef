//! The questions that folding asks a host about its operations.

#[cfg(doc)]
use super::Folder;
#[cfg(doc)]
use crate::calls::SsaBuilder;
use crate::host::PhiHost;
use crate::note::Applied;
use alloc::vec::Vec;
use ssaphire_graph::{Block, Operator, Value};

/// The operations of a host, as far as folding asks about them.
///
/// The host numbers its operations, immediates included, as [`Operator`]s. An operation has one result and no effect;
/// the host appends others itself.
///
/// # Contract
/// An answer may depend on the operator, on the constants among the arguments, and on the equality of arguments, but on
/// nothing else about them.
pub trait FoldHost: PhiHost {
    /// Whether `value` is a constant of the host.
    ///
    /// The caller must declare the constants that it passes as arguments ([`try_global`](SsaBuilder::try_global)); otherwise a
    /// recording builder takes them for values without a definition. The folder declares those that
    /// [`evaluate`](Self::evaluate) and [`simplify`](Self::simplify) make.
    fn is_constant(&self, value: Value) -> bool;

    /// Whether `operator`, where it was computed before for the same arguments, gives the same result again and has no
    /// other effect. It may trap: then it trapped before.
    fn is_repeatable(&self, operator: Operator) -> bool;

    /// The operator that gives the same result for the two arguments exchanged: `operator` itself, if it is
    /// commutative.
    fn exchanged(&self, operator: Operator) -> Option<Operator>;

    /// The constant that `operator` gives for constants; `None` if it traps on them, or if the host does not evaluate
    /// it.
    ///
    /// * Called: by [`Folder::apply`] and [`Folder::resimplify`], if all arguments are constants.
    /// * State: the values are resolved.
    /// * May change: the host's constants.
    fn evaluate(&mut self, operator: Operator, args: &[Value]) -> Option<Value>;

    /// Whether [`simplify`](Self::simplify) may have an answer for `operator` if its argument with this index is seen
    /// through and computed by `inside`. If not, the folder does not ask.
    fn may_see_through(&self, operator: Operator, index: usize, inside: Operator) -> bool {
        let _ = (operator, index, inside);
        true
    }

    /// The simpler form that an algebraic identity gives `applied`, if any; if it is another operator, `args`, which is
    /// empty, receives the arguments.
    ///
    /// * Called: as [`evaluate`](Self::evaluate), if some argument is not a constant or `evaluate` had no answer: first
    ///   with no argument seen through, then once for each argument that an instruction of the folder computes, with
    ///   that one seen through.
    /// * State: the values are resolved, and in the order of the call: where arguments may be exchanged, an identity has
    ///   to be looked for in both orders.
    /// * May change: the host's constants.
    fn simplify(&mut self, applied: Applied<'_>, args: &mut Vec<Value>) -> Option<Simplified>;

    /// The slot that a branch takes, if constants decide it; the branch only chooses a target.
    ///
    /// * Called: by [`Folder::terminate`], if there are several targets.
    /// * State: the values are resolved, and all are constants.
    /// * May change: nothing.
    fn chosen_slot(&self, operator: Operator, args: &[Value], num_targets: usize) -> Option<u32>;

    /// Appends an instruction to `block`; returns its result.
    ///
    /// * Called: by [`Folder::apply`], if nothing else gives the result.
    /// * State: the arguments are as they were given, and may have been forwarded since: as for any other instruction,
    ///   the host resolves them when it writes the result.
    /// * May change: instructions of `block`, and the host's values.
    fn append(&mut self, block: Block, operator: Operator, args: &[Value]) -> Value;

    /// Notifies the host that the instruction that computes `value` is to be removed: the value has been replaced.
    ///
    /// * Called: by [`Folder::resimplify`]. The host may remove the instruction at once or later.
    /// * State: [`Ssa::resolve`](crate::Ssa::resolve) gives the replacement.
    /// * May change: instructions.
    fn remove(&mut self, value: Value);
}

/// A simpler form of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simplified {
    /// An argument, an argument of the operator that was seen through to, or a constant.
    Value(Value),
    /// Another operator, applied.
    Operator(Operator),
}
