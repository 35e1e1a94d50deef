//! `o[k] += x` and `o[k]++`: the conversion of a key, what reads the element and what assigns it, as one expression.

use super::ast::ExprKind;
use super::builder::Builder;
use super::emit::Room;
use super::expr::{Effect, Expr, Throws};
use super::insts::{handler_of, op_of};
use super::operator::binary_sign;
use super::uses::Reads;
use crate::Js;
use crate::dialect::Opcode;
use ssaphire_ir::{Arg, Dest, InstRef, Variable};

/// So far ahead the assignment is looked for.
const MAX_WINDOW: usize = 50;

/// An assignment to an element that it also reads, some instructions ahead.
#[derive(Clone, Copy, Debug)]
struct Ahead {
    element: Variable,
    key: Variable,
    /// Where the assignment is.
    set: usize,
}

impl Builder<'_, '_> {
    /// Takes the instructions that begin an assignment to an element, or all of it: how many they are.
    pub(super) fn compound(&mut self, insts: &[InstRef<'_, Js>], reads: &[Reads]) -> Option<usize> {
        if let Some(number) = self.assign_element(insts, reads) {
            return Some(number);
        }
        let ahead = self.ahead(insts, reads)?;
        if let Some(number) = self.step_element(insts, reads, ahead) {
            return Some(number);
        }
        let before = insts[ahead.set - 1];
        if sign_of(before).is_none() || before.args.first() != Some(&Arg::Variable(ahead.element)) {
            return None;
        }
        let value = self.element(insts, ahead.key);
        self.finish(Some(ahead.element), value, Reads::Once);
        Some(2)
    }

    /// The assignment that begins here with the conversion of its key.
    fn ahead(&self, insts: &[InstRef<'_, Js>], reads: &[Reads]) -> Option<Ahead> {
        let [first, second, ..] = insts else { return None };
        let (&[object, _], &[Dest::Variable(key)]) = (first.args, first.results) else { return None };
        let is_begin = opcode_of(*first) == Some(Opcode::ToKeyOf) && opcode_of(*second) == Some(Opcode::GetIndex);
        if !is_begin || *second.args != [object, Arg::Variable(key)] || reads[1] != Reads::Once {
            return None;
        }
        let &[Dest::Variable(element)] = second.results else { return None };
        let is_set = |inst: &InstRef<'_, Js>| {
            let is_set = opcode_of(*inst) == Some(Opcode::SetIndex);
            is_set && matches!(*inst.args, [to, by, _] if to == object && by == Arg::Variable(key))
        };
        let set = insts.iter().take(MAX_WINDOW).position(is_set)?;
        let writes_object = |inst: &InstRef<'_, Js>| {
            inst.results
                .iter()
                .any(|&dest| matches!((dest, object), (Dest::Variable(one), Arg::Variable(other)) if one == other))
        };
        let is_whole = set >= 3
            && self.uses.is_read_once(key, 1)
            && !self.is_pinned(key)
            && !insts[..set].iter().any(writes_object)
            && matches!((insts[set].args[2], insts[set - 1].results), (Arg::Variable(one), &[Dest::Variable(other)]) if one == other)
            && handler_of(*first) == handler_of(*second)
            && handler_of(*first) == handler_of(insts[set - 1])
            && handler_of(*first) == handler_of(insts[set]);
        is_whole.then_some(Ahead { element, key, set })
    }

    /// The element whose key the first instruction converts and which the second one reads.
    fn element(&mut self, insts: &[InstRef<'_, Js>], key: Variable) -> Expr {
        if let Some(op) = op_of(insts[0]) {
            self.begin(op);
        }
        let throws = handler_of(insts[0]).map_or(Throws::Out, Throws::To);
        // The object and the key may be written twice.
        self.flush_assignments();
        let mut taken = self.take(insts[0].args, throws, |_| Room::Any).into_iter();
        let (object, from) = (taken.next(), taken.next());
        let object = object.unwrap_or_else(|| self.ast.undefined());
        let from = from.unwrap_or_else(|| self.ast.undefined());
        let mut converted = self.ast.call_helper("$toKeyOf", &[&object, &from]);
        (converted.effect, converted.throws) = (Effect::Runs, converted.throws.join(throws));
        let mut value = self.ast.expr(ExprKind::Index { object: object.id, key: from.id }).with([&object, &from]);
        (value.effect, value.throws) = (Effect::Runs, value.throws.join(throws));
        value.key = Some(Box::new((key, converted)));
        value
    }

    /// `o[k]++` and the like.
    fn step_element(&mut self, insts: &[InstRef<'_, Js>], reads: &[Reads], ahead: Ahead) -> Option<usize> {
        let sign = match (opcode_of(insts[2]), opcode_of(insts[3])) {
            (Some(Opcode::ToNumeric), Some(Opcode::Inc)) => "++",
            (Some(Opcode::ToNumeric), Some(Opcode::Dec)) => "--",
            _ => return None,
        };
        let (&[from], &[Dest::Variable(old)]) = (insts[2].args, insts[2].results) else { return None };
        let (&[stepped], &[Dest::Variable(new)]) = (insts[3].args, insts[3].results) else { return None };
        if ahead.set != 4 || from != Arg::Variable(ahead.element) || stepped != Arg::Variable(old) {
            return None;
        }
        // Its value is what was there before, or what is there now.
        let (old_reads, new_reads) = (self.reads_without_step(old, reads[2]), self.reads_without_step(new, reads[3]));
        let (dest, dest_reads, is_prefix) = match (old_reads, new_reads) {
            (_, Reads::None) => (old, old_reads, false),
            (Reads::None, _) => (new, new_reads, true),
            _ => return None,
        };
        if handler_of(insts[2]) != handler_of(insts[0]) || self.is_pinned(old) || self.is_pinned(new) {
            return None;
        }
        let element = self.element(insts, ahead.key);
        let id = self.ast.add(ExprKind::Update { sign, is_prefix, place: element.id });
        let value = element.rewritten(id);
        self.finish(Some(dest), value, dest_reads);
        Some(5)
    }

    /// An operation on an element that waits, and its assignment.
    fn assign_element(&mut self, insts: &[InstRef<'_, Js>], reads: &[Reads]) -> Option<usize> {
        let [first, second, ..] = insts else { return None };
        let sign = sign_of(*first)?;
        let (&[Arg::Variable(element), _], &[Dest::Variable(new)]) = (first.args, first.results) else { return None };
        let &[_, Arg::Variable(key), Arg::Variable(assigned)] = second.args else { return None };
        let waits = self.pending.iter().find(|pending| pending.variable == element)?;
        let is_it = opcode_of(*second) == Some(Opcode::SetIndex)
            && assigned == new
            && waits.value.key.as_ref().is_some_and(|waiting| waiting.0 == key)
            && !self.is_pinned(new);
        if !is_it {
            return None;
        }
        if let Some(op) = op_of(*first) {
            self.begin(op);
        }
        let throws = handler_of(*first).map_or(Throws::Out, Throws::To);
        let operands = self.take(first.args, throws, |place| if place == 0 { Room::Element } else { Room::Any });
        let [left, right] = &operands[..] else { return None };
        let is_whole = left.key.is_some();
        let mut value = match is_whole {
            true => self.ast.expr(ExprKind::Assign { sign, target: left.id, value: right.id }).with(&operands),
            false => self.ast.binary(sign, left, right),
        };
        (value.effect, value.throws) = (Effect::Runs, value.throws.join(throws));
        if is_whole {
            self.finish(Some(new), value, self.reads_without_step(new, reads[0]));
            return Some(2);
        }
        // For the sake of the other operand the element has been read before.
        self.finish(Some(new), value, reads[0]);
        Some(1)
    }
}

fn opcode_of(inst: InstRef<'_, Js>) -> Option<Opcode> {
    op_of(inst).map(|op| op.opcode)
}

/// The sign of an operation that an assignment may do, too.
fn sign_of(inst: InstRef<'_, Js>) -> Option<&'static str> {
    let opcode = opcode_of(inst)?;
    let is_comparison = matches!(
        opcode,
        Opcode::Eq
            | Opcode::Ne
            | Opcode::StrictEq
            | Opcode::StrictNe
            | Opcode::Lt
            | Opcode::Le
            | Opcode::Gt
            | Opcode::Ge
            | Opcode::In
            | Opcode::InstanceOf
    );
    binary_sign(opcode).filter(|_| !is_comparison)
}
