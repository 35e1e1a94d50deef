//! The journal's record of computed and folded operations.

use super::{Entry, Journal, Origin};
use crate::program::{Applied, Equation, EquationId, Grounds, ProgramWriter, Replacement};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use ssaphire_graph::{Block, Id, IdMap, Operator, Value, internal_id};

internal_id!(
    /// Number of an operation, in the order of calls.
    pub(super) AppliedId, "applied", u32::MAX as usize
);

/// One operation: its arguments are `args[start..start + len]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct AppliedData {
    pub(super) value: Option<Value>,
    pub(super) operator: Operator,
    pub(super) grounds: Grounds,
    /// The value that replaced its result after it had been computed, and the grounds.
    pub(super) late: Option<(Value, Grounds)>,
    start: usize,
    len: usize,
    first_target: usize,
    num_targets: usize,
}

/// An argument of an operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Argument {
    /// As it was given.
    pub(super) value: Value,
    /// The value it resolved to when a law was applied to it.
    pub(super) stood_for: Value,
}

/// The operations of a function, and the equations that folding them relied on.
#[derive(Debug, Default)]
pub(super) struct Folding {
    applied: IdMap<AppliedId, AppliedData>,
    args: Vec<Argument>,
    /// Targets of branches that were decided, by slot.
    targets: Vec<Block>,
    /// By block, the index in `targets` of the target that its decided branch takes.
    left_to: IdMap<Block, Option<usize>>,
    equations: Vec<Equation>,
    known_equations: BTreeMap<Equation, EquationId>,
}

impl Folding {
    pub(super) fn clear(&mut self) {
        self.applied.clear();
        self.args.clear();
        self.targets.clear();
        self.left_to.clear();
        self.equations.clear();
        self.known_equations.clear();
    }

    pub(super) fn applied(&self, applied: AppliedId) -> AppliedData {
        self.applied[applied]
    }

    pub(super) fn args(&self, applied: AppliedData) -> &[Argument] {
        &self.args[applied.start..applied.start + applied.len]
    }

    pub(super) fn targets(&self, applied: AppliedData) -> &[Block] {
        &self.targets[applied.first_target..applied.first_target + applied.num_targets]
    }

    pub(super) fn is_empty(&self) -> bool {
        self.applied.is_empty()
    }

    /// All results and arguments, and their replacements.
    pub(super) fn values(&self) -> impl Iterator<Item = Value> + '_ {
        let results =
            self.applied.values().flat_map(|data| data.value.into_iter().chain(data.late.map(|(new, _)| new)));
        self.args.iter().map(|arg| arg.value).chain(results)
    }

    /// Redirects the one edge that leaves `block`, and with it the branch that was decided there.
    pub(super) fn redirect(&mut self, block: Block, to: Block) {
        if let Some(&Some(place)) = self.left_to.get(block) {
            self.targets[place] = to;
        }
    }

    pub(super) fn write_equations(&self, writer: &mut ProgramWriter<'_>) {
        for equation in &self.equations {
            writer.equation(equation.clone());
        }
    }

    fn push(
        &mut self,
        value: Option<Value>,
        operator: Operator,
        (start, len): (usize, usize),
        grounds: Grounds,
    ) -> AppliedId {
        let (late, first_target, num_targets) = (None, self.targets.len(), 0);
        self.applied.push(AppliedData { value, operator, grounds, late, start, len, first_target, num_targets })
    }

    /// Adds arguments, and the values they resolved to when the law was applied; returns their start and number.
    fn push_args(&mut self, args: &[Value], why: Option<Rewriting<'_>>) -> (usize, usize) {
        let stood_for = why.map_or(args, |why| why.applied.args);
        let start = self.args.len();
        self.args.extend(args.iter().enumerate().map(|(index, &value)| {
            let stood_for = stood_for.get(index).copied().unwrap_or(value);
            Argument { value, stood_for }
        }));
        (start, args.len())
    }

    /// The number of an equation, the same for equal ones.
    fn number(&mut self, equation: Equation) -> EquationId {
        if let Some(&number) = self.known_equations.get(&equation) {
            return number;
        }
        let number = EquationId::new(self.equations.len());
        self.equations.push(equation.clone());
        self.known_equations.insert(equation, number);
        number
    }

    /// The grounds of the replacement; `None` is congruence.
    fn grounds(&mut self, why: Option<Rewriting<'_>>) -> Grounds {
        match why {
            None => Grounds::Congruent,
            Some(Rewriting { applied, replacement, is_constant }) => {
                Grounds::Equation(self.number(Equation::generalizing(applied, replacement, is_constant)))
            }
        }
    }
}

/// An instance of a law.
#[derive(Clone, Copy)]
pub struct Rewriting<'a> {
    /// The left side.
    pub applied: Applied<'a>,
    /// The right side.
    pub replacement: Replacement<'a>,
    /// Whether a value is a constant, so that the law may be about this very value.
    pub is_constant: &'a dyn Fn(Value) -> bool,
}

impl Journal {
    /// Records that an instruction of `block` computes `value`, which is [defined](Journal::define) here.
    pub fn computed(&mut self, block: Block, value: Value, operator: Operator, args: &[Value]) {
        let args = self.folding.push_args(args, None);
        let applied = self.folding.push(Some(value), operator, args, Grounds::Computed);
        self.known(value).computed = applied.into();
        self.define_applied(block, value, applied);
    }

    /// As [`computed`](Self::computed), but from more than the given values: no other result is the same.
    pub fn computed_opaquely(&mut self, block: Block, value: Value, operator: Operator) {
        let args = self.folding.push_args(&[], None);
        let applied = self.folding.push(Some(value), operator, args, Grounds::Opaque);
        self.define_applied(block, value, applied);
    }

    /// Records the application before the definition of its value.
    fn define_applied(&mut self, block: Block, value: Value, applied: AppliedId) {
        self.push(block, Entry::Apply(applied));
        self.define(block, value);
    }

    /// Records that `value` is the result of `operator`, applied in `block`: by a law, or, without one, because
    /// the same operator was [computed](Self::computed) for the same arguments where control has passed.
    ///
    /// The arguments are those of the source, as they were returned; the law is about the values they resolve to now.
    pub fn folded(
        &mut self,
        block: Block,
        value: Value,
        operator: Operator,
        args: &[Value],
        why: Option<Rewriting<'_>>,
    ) {
        let (args, grounds) = (self.folding.push_args(args, why), self.folding.grounds(why));
        let applied = self.folding.push(Some(value), operator, args, grounds);
        self.push(block, Entry::Apply(applied));
    }

    /// Records that the branch `operator` on `args`, to `targets` by slot, is decided: `block` was terminated with only
    /// the edge of the slot that the law gives.
    pub fn left(&mut self, block: Block, operator: Operator, args: &[Value], targets: &[Block], why: Rewriting<'_>) {
        let slot = if let Replacement::Slot(slot, _) = why.replacement { slot as usize } else { targets.len() };
        let (args, grounds) = (self.folding.push_args(args, Some(why)), self.folding.grounds(Some(why)));
        let applied = self.folding.push(None, operator, args, grounds);
        let first_target = self.folding.targets.len();
        self.folding.applied[applied].num_targets = targets.len();
        self.folding.targets.extend_from_slice(targets);
        if slot < targets.len() {
            self.folding.left_to.grow_to(block, None);
            self.folding.left_to[block] = Some(first_target + slot);
        }
        self.push(block, Entry::Apply(applied));
    }

    /// Records why `old`, which was [computed](Self::computed), is going to be [replaced](Self::replace) with `new`:
    /// the late form of [`folded`](Self::folded).
    ///
    /// The arguments are those of the instruction, as they were returned. One of them may be replaced in turn, and the
    /// law may be about its computation: so the journal also keeps the values to which the law was applied.
    pub fn folded_late(&mut self, old: Value, new: Value, args: &[Value], why: Option<Rewriting<'_>>) {
        let grounds = self.folding.grounds(why);
        if let Some(applied) = self.known(old).computed.expand() {
            let (start, len) = self.folding.push_args(args, why);
            let data = &mut self.folding.applied[applied];
            (data.start, data.len, data.late) = (start, len, Some((new, grounds)));
        }
    }

    /// Whether a reason was recorded for the replacement of `value`, which an operation has computed.
    pub(super) fn is_folded(&mut self, value: Value) -> bool {
        let known = *self.known(value);
        let applied = known.computed.expand().map(|applied| self.folding.applied[applied]);
        known.origin != Origin::Answered && applied.is_some_and(|applied| applied.late.is_some())
    }
}
