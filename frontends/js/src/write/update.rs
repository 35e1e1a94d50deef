//! `x++` whose value is used, where `x` is no variable of the function.

use super::ast::{ExprId, ExprKind};
use super::builder::Builder;
use super::expr::{Effect, Expr, Throws};
use super::insts::{handler_of, op_of};
use super::uses::Reads;
use crate::Js;
use crate::dialect::{Immediates, Opcode};
use ssaphire_ir::{Arg, Dest, InstRef, Variable};

impl Builder<'_, '_> {
    /// `old = place++`, if the next three instructions come to that: the variable `old`, and the rest.
    pub(super) fn postfix_elsewhere(&mut self, insts: &[InstRef<'_, Js>], reads: &[Reads]) -> Option<(Variable, Expr)> {
        let [first, second, third, ..] = insts else { return None };
        let opcode = |inst: &InstRef<'_, Js>| op_of(*inst).map(|op| op.opcode);
        let sign = match (opcode(first)?, opcode(second)?) {
            (Opcode::ToNumeric, Opcode::Inc) => "++",
            (Opcode::ToNumeric, Opcode::Dec) => "--",
            _ => return None,
        };
        let (&[Arg::Variable(read)], &[Dest::Variable(old)]) = (first.args, first.results) else { return None };
        let (&[Arg::Variable(stepped)], &[Dest::Variable(new)]) = (second.args, second.results) else { return None };
        let is_chain = stepped == old && third.args.last() == Some(&Arg::Variable(new)) && reads[1] == Reads::Once;
        // One expression reads and assigns, so the exceptions of both must go to one handler.
        let is_same_handler = handler_of(*first) == handler_of(*third);
        let waits = self.pending.last().filter(|pending| pending.variable == read)?;
        // The reading of the place must be the last one that waits, so that nothing is computed between it and the
        // step.
        let place = waits.value.id;
        if !self.ast.is_place(place)
            || !is_chain
            || !is_same_handler
            || self.is_pinned(old)
            || !self.assigns_to(third, place)
        {
            return None;
        }
        let waits = self.pending.pop()?;
        self.states[read.index()].is_pending = false;
        let throws = handler_of(*first).map_or(Throws::Out, Throws::To);
        let mut value = waits.value;
        value.throws = value.throws.join(throws);
        value.id = self.ast.add(ExprKind::Update { sign, is_prefix: false, place });
        value.effect = Effect::Runs;
        if let (Opcode::CellSet | Opcode::CellSetChecked, Some(&Arg::Variable(cell))) =
            (opcode(third)?, third.args.first())
        {
            value.writes.push(self.plan.same[cell.index()]);
        }
        Some((old, value))
    }

    /// How a variable is read besides by the instruction that adds one to it.
    pub(super) fn reads_without_step(&self, variable: Variable, reads: Reads) -> Reads {
        match reads {
            Reads::Once => Reads::None,
            _ if self.uses.is_read_once(variable, 1) => Reads::Once,
            reads => reads,
        }
    }

    /// `old = x++`, if the next two instructions come to that: the variable `old`, and the rest.
    pub(super) fn postfix(&mut self, insts: &[InstRef<'_, Js>]) -> Option<(Variable, Expr)> {
        let [first, second, ..] = insts else { return None };
        let opcode = |inst: &InstRef<'_, Js>| op_of(*inst).map(|op| op.opcode);
        let sign = match (opcode(first), opcode(second)) {
            (Some(Opcode::ToNumeric), Some(Opcode::Inc)) => "++",
            (Some(Opcode::ToNumeric), Some(Opcode::Dec)) => "--",
            _ => return None,
        };
        let (&[Arg::Variable(from)], &[Dest::Variable(old)]) = (first.args, first.results) else { return None };
        let (&[Arg::Variable(stepped)], &[Dest::Variable(to)]) = (second.args, second.results) else { return None };
        // If the value of `from` still waits, the variable does not hold it yet.
        if stepped != old || to != from || old == from || self.states[from.index()].is_pending {
            return None;
        }
        let mut value = self.variable(from);
        value.id = self.ast.add(ExprKind::Update { sign, is_prefix: false, place: value.id });
        value.effect = Effect::Runs;
        value.writes.push(from);
        Some((old, value))
    }

    /// Whether an instruction assigns to `place`.
    fn assigns_to(&mut self, inst: &InstRef<'_, Js>, place: ExprId) -> bool {
        let Some(op) = op_of(*inst) else { return false };
        match (op.opcode, &op.immediates, inst.args) {
            (Opcode::CellSet | Opcode::CellSetChecked, _, [Arg::Variable(cell), _]) => {
                let cell = self.plan.same[cell.index()];
                let is_engines = op.opcode == Opcode::CellSet || self.plan.is_native[cell.index()];
                *self.ast.kind(place) == ExprKind::Name(self.name(cell)) && is_engines
            }
            (Opcode::SetName, Immediates::Name(name), _) => {
                matches!(*self.ast.kind(place), ExprKind::Global(other) if self.ast.text_of(other) == &**name)
            }
            (Opcode::Set, Immediates::Name(name), &[object, _]) => {
                let object = self.atom(object).id;
                let target = self.ast.member(object, name);
                self.ast.are_same(target, place)
            }
            _ => false,
        }
    }
}
