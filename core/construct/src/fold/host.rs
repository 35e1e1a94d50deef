//! What folding asks a host about its operations.

#[cfg(doc)]
use super::Folder;
#[cfg(doc)]
use crate::calls::SsaBuilder;
use crate::host::PhiHost;
use alloc::vec::Vec;
use ssaphire_graph::{Block, Operator, Value};

/// The operations of a host, as far as folding asks about them.
///
/// The host numbers its operations, immediates included, by [`Operator`]s. An operation has one result; those with none or
/// several, and those that have an effect, are none of the folder's business: the host appends them itself.
///
/// # Contract
/// An answer may depend on the operator, on the constants among the arguments, and on which arguments are equal, but on nothing else about them.
pub trait FoldHost: PhiHost {
    /// Whether `value` is a constant of the host.
    ///
    /// The caller declares the constants that it passes as arguments ([`SsaBuilder::global`]), or a recording builder takes
    /// them for values without a definition; the folder declares those that [`evaluate`](Self::evaluate) and
    /// [`simplify`](Self::simplify) make.
    fn is_constant(&self, value: Value) -> bool;

    /// Whether `operator` computes the same result again where it was computed before for the same arguments, and does
    /// nothing else. It may trap: then it trapped before.
    fn is_repeatable(&self, operator: Operator) -> bool;

    /// The operator that gives the same result if its two arguments are exchanged: itself, if it is commutative.
    fn exchanged(&self, operator: Operator) -> Option<Operator>;

    /// The constant that `operator` gives for constants; `None` if it traps on them, or if the host does not say.
    ///
    /// * Called: by [`Folder::apply`] and [`Folder::resimplify`], if all arguments are constants.
    /// * State: the values are resolved.
    /// * May change: the host's constants.
    fn evaluate(&mut self, operator: Operator, args: &[Value]) -> Option<Value>;

    /// Whether [`simplify`](Self::simplify) may have an answer for `operator` if its argument of this index is seen through, and
    /// `inside` computes that: it is not asked otherwise.
    fn may_see_through(&self, operator: Operator, index: usize, inside: Operator) -> bool {
        let _ = (operator, index, inside);
        true
    }

    /// What `applied` is by an algebraic identity, if that is simpler; the arguments of another operator go into `args`, which is empty.
    ///
    /// * Called: as [`evaluate`](Self::evaluate), if some argument is not a constant, or if `evaluate` had no answer: first without, then with an argument that is seen
    ///   through, for each argument that an instruction of the folder computes.
    /// * State: the values are resolved, and in the order of the call: where arguments may be exchanged, an identity has
    ///   to be looked for in both orders.
    /// * May change: the host's constants.
    fn simplify(&mut self, applied: Applied<'_>, args: &mut Vec<Value>) -> Option<Simplified>;

    /// The slot by which a branch that does nothing else leaves its block, if it is decided by constants.
    ///
    /// * Called: by [`Folder::terminate`], if there are several targets.
    /// * State: the values are resolved, and all are constants.
    /// * May change: nothing.
    fn chosen_slot(&self, operator: Operator, args: &[Value], num_targets: usize) -> Option<u32>;

    /// Appends an instruction to `block`: its result.
    ///
    /// * Called: by [`Folder::apply`], if nothing else gives the result.
    /// * State: the arguments are as they were handed out, and may have been forwarded since: as for any other
    ///   instruction, the host resolves them when it writes the result.
    /// * May change: instructions of `block`, and the host's values.
    fn append(&mut self, block: Block, operator: Operator, args: &[Value]) -> Value;

    /// Takes note that the instruction which computes `value` has to go: the value has been replaced.
    ///
    /// * Called: by [`Folder::resimplify`]. The host may remove the instruction at once or later.
    /// * State: [`Ssa::resolve`](crate::Ssa::resolve) gives the value that is there instead.
    /// * May change: instructions.
    fn remove(&mut self, value: Value);
}

/// An operator, applied to values, one of which may be seen through: it is computed by an operator too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Applied<'a> {
    /// The operator.
    pub operator: Operator,
    /// Its arguments.
    pub args: &'a [Value],
    /// The index of the argument that is seen through, the operator that computes it, and that one's arguments: none, if it is
    /// [opaque](super::Folder::note_opaque).
    pub seen_through: Option<(usize, Operator, &'a [Value])>,
}

/// What something simpler is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simplified {
    /// One of the values that were applied, an argument that was seen through included, or a constant.
    Value(Value),
    /// Another operator, applied.
    Operator(Operator),
}
