//! What a journal keeps of operations that were computed and folded.

use super::{Entry, Journal, Origin};
use crate::program::{Applied, Equation, EquationId, Grounds, ProgramWriter, Replacement, Symbol};
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
    /// By what its result was replaced after it had been computed, and why.
    pub(super) late: Option<(Value, Grounds)>,
    start: usize,
    len: usize,
}

/// The operations of a function, and the equations that folding them relied on.
#[derive(Debug, Default)]
pub(super) struct Folding {
    applied: IdMap<AppliedId, AppliedData>,
    args: Vec<Value>,
    equations: Vec<Equation>,
    known_equations: BTreeMap<Equation, EquationId>,
}

impl Folding {
    pub(super) fn clear(&mut self) {
        self.applied.clear();
        self.args.clear();
        self.equations.clear();
        self.known_equations.clear();
    }

    pub(super) fn applied(&self, applied: AppliedId) -> AppliedData {
        self.applied[applied]
    }

    pub(super) fn args(&self, applied: AppliedData) -> &[Value] {
        &self.args[applied.start..applied.start + applied.len]
    }

    /// Whether the grounds are a law about how an argument is computed.
    pub(super) fn sees_through(&self, grounds: Grounds) -> bool {
        let Grounds::Equation(number) = grounds else { return false };
        let mut inner = self.equations[number.index()].left.iter().skip(1);
        inner.any(|symbol| matches!(symbol, Symbol::Apply(..) | Symbol::Result(..)))
    }

    pub(super) fn write_equations(&self, writer: &mut ProgramWriter<'_>) {
        for equation in &self.equations {
            writer.equation(equation.clone());
        }
    }

    fn push(&mut self, value: Option<Value>, operator: Operator, args: &[Value], grounds: Grounds) -> AppliedId {
        let start = self.args.len();
        self.args.extend_from_slice(args);
        self.applied.push(AppliedData { value, operator, grounds, late: None, start, len: args.len() })
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

    /// Why the replacement is what was applied; `None` is congruence.
    fn grounds(&mut self, why: Option<Rewriting<'_>>) -> Grounds {
        match why {
            None => Grounds::Congruent,
            Some(Rewriting { applied, replacement, is_constant }) => {
                Grounds::Equation(self.number(Equation::generalizing(applied, replacement, is_constant)))
            }
        }
    }
}

/// An instance of a law: what was applied, and what that is.
#[derive(Clone, Copy)]
pub struct Rewriting<'a> {
    /// What was applied.
    pub applied: Applied<'a>,
    /// What it is.
    pub replacement: Replacement<'a>,
    /// Whether a value is a constant, so that the law may be about this very value.
    pub is_constant: &'a dyn Fn(Value) -> bool,
}

impl Journal {
    /// An instruction of `block` computes `value`: it is [defined](Journal::define) here.
    pub fn computed(&mut self, block: Block, value: Value, operator: Operator, args: &[Value]) {
        let applied = self.folding.push(Some(value), operator, args, Grounds::Computed);
        self.known(value).computed = applied.into();
        self.define_applied(block, value, applied);
    }

    /// As [`computed`](Self::computed), but from more than the values that are told: no other result is the same.
    pub fn computed_opaquely(&mut self, block: Block, value: Value, operator: Operator) {
        let applied = self.folding.push(Some(value), operator, &[], Grounds::Opaque);
        self.define_applied(block, value, applied);
    }

    /// The application stands in front of the definition of its value.
    fn define_applied(&mut self, block: Block, value: Value, applied: AppliedId) {
        self.push(block, Entry::Apply(applied));
        self.define(block, value);
    }

    /// `operator` was applied in `block`, and `value` is there for its result: by a law, or, if none is told, because
    /// the same operator was [computed](Self::computed) for the same arguments where control has passed.
    ///
    /// The arguments are what those of the source stand for now, as for [`folded_late`](Self::folded_late).
    /// For a branch, `value` is `None`, and the law says by which slot it leaves.
    pub fn folded(
        &mut self,
        block: Block,
        value: Option<Value>,
        operator: Operator,
        args: &[Value],
        why: Option<Rewriting<'_>>,
    ) {
        let grounds = self.folding.grounds(why);
        let applied = self.folding.push(value, operator, args, grounds);
        self.push(block, Entry::Apply(applied));
    }

    /// `old`, which was [computed](Self::computed), is going to be [replaced](Self::replace) by `new`, which it is: as for
    /// [`folded`](Self::folded), if that was found out later.
    ///
    /// The arguments are what those of the instruction stand for now. One of them may be replaced in turn, and the law may be
    /// about how it was computed: what it stands for in the end does not tell.
    pub fn folded_late(&mut self, old: Value, new: Value, args: &[Value], why: Option<Rewriting<'_>>) {
        let grounds = self.folding.grounds(why);
        if let Some(applied) = self.known(old).computed.expand() {
            let start = self.folding.args.len();
            self.folding.args.extend_from_slice(args);
            let data = &mut self.folding.applied[applied];
            (data.start, data.len, data.late) = (start, args.len(), Some((new, grounds)));
        }
    }

    /// Whether a reason was told for the replacement of `value`, which an operation has computed.
    pub(super) fn is_folded(&mut self, value: Value) -> bool {
        let known = *self.known(value);
        let applied = known.computed.expand().map(|applied| self.folding.applied[applied]);
        known.origin != Origin::Answered && applied.is_some_and(|applied| applied.late.is_some())
    }
}
