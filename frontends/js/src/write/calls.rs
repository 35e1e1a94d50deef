//! Calls.

use super::ast::{ExprId, ExprKind, Item};
use super::builder::Builder;
use super::emit::Room;
use super::error::Unwritable;
use super::expr::{Expr, Throws};
use crate::dialect::{Constant, Immediates, Op, Opcode};
use ssaphire_ir::Arg;

impl Builder<'_, '_> {
    pub(super) fn call(&mut self, op: &Op, args: &[Arg], throws: Throws) -> Result<Expr, Unwritable> {
        let spreads: &[u32] = match &op.immediates {
            Immediates::Spreads(spreads) => spreads,
            _ => &[],
        };
        let fixed = match op.opcode {
            Opcode::CallThis => 2,
            Opcode::Call | Opcode::New => 1,
            _ => 0,
        };
        let is_on_super = op.opcode == Opcode::CallThis && self.drop_this_of_super(args);
        let first_spread = spreads.first().map_or(usize::MAX, |&first| first as usize);
        let room = |index: usize| if index > first_spread { Room::Quiet } else { Room::Nameless };
        let (mut taken, offset) = if is_on_super {
            // What is left of the receiver is the keyword.
            let rest: Vec<Arg> = std::iter::once(args[0]).chain(args[2..].iter().copied()).collect();
            (self.take(&rest, throws, |index| room(index + usize::from(index > 0))), 1)
        } else {
            (self.take(args, throws, room), fixed)
        };
        let values = taken.get(offset..).unwrap_or_default();
        let mut list: Vec<Item> = items(values, spreads, fixed);
        // It may have become a statement of its own for the sake of an argument.
        let is_on_super = is_on_super && taken.first().is_some_and(|callee| self.ast.is_super_member(callee.id));
        let has_receiver = is_on_super
            || op.opcode == Opcode::CallThis && taken.first().is_some_and(|callee| self.has_receiver(callee, args));
        let kind = match (op.opcode, taken.first().map(|callee| callee.id)) {
            (Opcode::CallEval, _) => ExprKind::Call { callee: self.ast.add(ExprKind::Word("eval")), args: list.into() },
            (Opcode::SuperCall, _) => {
                ExprKind::Call { callee: self.ast.add(ExprKind::Word("super")), args: list.into() }
            }
            (Opcode::New, Some(callee)) => ExprKind::New { callee, args: list.into() },
            (Opcode::Call, Some(callee)) => {
                let callee = self.alone(callee);
                self.tagged(callee, values, spreads).unwrap_or(ExprKind::Call { callee, args: list.into() })
            }
            (Opcode::CallThis, Some(callee)) if has_receiver => {
                self.tagged(callee, values, spreads).unwrap_or(ExprKind::Call { callee, args: list.into() })
            }
            (Opcode::CallThis, Some(callee)) => {
                let receiver = match taken[..offset].get(1) {
                    Some(receiver) => receiver.id,
                    None => self.ast.add(ExprKind::Word("this")),
                };
                list.splice(0..0, [Item::Value(callee), Item::Value(receiver)]);
                ExprKind::Call { callee: self.ast.add(ExprKind::Helper("$call")), args: list.into() }
            }
            _ => return Err(Unwritable::Op(op.opcode.name().to_owned())),
        };
        // The receiver is in the callee then.
        if has_receiver && !is_on_super && taken.len() > 1 {
            taken.remove(1);
        }
        Ok(self.ast.expr(kind).with(&taken))
    }

    /// Whether the call of `callee`, a property, has the receiver that `args` says.
    fn has_receiver(&mut self, callee: &Expr, args: &[Arg]) -> bool {
        if let Some(receiver) = &callee.receiver {
            return args.get(1) == Some(&Arg::Variable(receiver.0));
        }
        let (ExprKind::Member { object, .. } | ExprKind::Private { object, .. } | ExprKind::Index { object, .. }) =
            *self.ast.kind(callee.id)
        else {
            return false;
        };
        let receiver = args.get(1).map(|&receiver| self.atom(receiver).id);
        receiver.is_some_and(|receiver| self.ast.are_same(receiver, object))
    }

    /// Whether a property of `super` is called with `this`, which is not written then.
    fn drop_this_of_super(&mut self, args: &[Arg]) -> bool {
        let [Arg::Variable(callee), Arg::Variable(receiver), ..] = *args else { return false };
        let position = |variable| self.pending.iter().rposition(|pending| pending.variable == variable);
        let Some(at) = position(callee).filter(|&at| self.ast.is_super_member(self.pending[at].value.id)) else {
            return false;
        };
        if self.name_text(receiver) == "this" {
            return true;
        }
        let is_this = |&before: &usize| {
            *self.ast.kind(self.pending[before].value.id) == ExprKind::Word("this") && before + 1 == at
        };
        match position(receiver).filter(is_this) {
            Some(before) => {
                self.pending.remove(before);
                self.states[receiver.index()].is_pending = false;
                true
            }
            None => false,
        }
    }

    /// Calls with the elements of an array that nothing else sees.
    pub(super) fn call_array(&mut self, opcode: Opcode, args: &[Arg], throws: Throws) -> Result<Expr, Unwritable> {
        let taken = self.take(args, throws, |_| Room::Any);
        let elements: Option<Box<[Item]>> = match taken.last().map(|array| self.ast.kind(array.id)) {
            // A hole is no argument.
            Some(ExprKind::Array(items)) if !items.contains(&Item::Hole) => Some(items.clone().into()),
            _ => None,
        };
        let kind = match (opcode, &taken[..], elements) {
            (Opcode::SuperCallArray, [array], elements) => {
                let callee = self.ast.add(ExprKind::Word("super"));
                ExprKind::Call { callee, args: elements.unwrap_or_else(|| Box::new([Item::Spread(array.id)])) }
            }
            (Opcode::NewArray, [callee, _], Some(args)) => ExprKind::New { callee: callee.id, args },
            (Opcode::NewArray, [_, _], None) => self.helped("$construct", &taken),
            (Opcode::CallArray, [callee, _, _], Some(list)) if self.has_receiver(callee, args) => {
                ExprKind::Call { callee: callee.id, args: list }
            }
            (Opcode::CallArray, [callee, receiver, _], Some(args))
                if self.ast.is_constant(receiver.id, &Constant::Undefined) =>
            {
                ExprKind::Call { callee: self.alone(callee.id), args }
            }
            (Opcode::CallArray, [_, _, _], _) => self.helped("$apply", &taken),
            _ => return Err(Unwritable::Op(opcode.name().to_owned())),
        };
        Ok(self.ast.expr(kind).with(&taken))
    }

    fn helped(&mut self, helper: &'static str, args: &[Expr]) -> ExprKind {
        let callee = self.ast.add(ExprKind::Helper(helper));
        ExprKind::Call { callee, args: args.iter().map(|arg| Item::Value(arg.id)).collect() }
    }

    /// A callee that is called without a receiver.
    fn alone(&mut self, callee: ExprId) -> ExprId {
        if self.ast.is_special_callee(callee) { self.ast.add(ExprKind::Value(callee)) } else { callee }
    }

    /// The operand of a `typeof` that throws where a name has no binding.
    pub(super) fn bound(&mut self, operand: ExprId) -> ExprId {
        let is_name = matches!(self.ast.kind(operand), ExprKind::Global(_));
        if is_name { self.ast.add(ExprKind::Value(operand)) } else { operand }
    }

    /// The call of a template's tag, whose first argument is what such a tag gets.
    fn tagged(&self, tag: ExprId, values: &[Expr], spreads: &[u32]) -> Option<ExprKind> {
        let (first, rest) = values.split_first()?;
        let ExprKind::TemplateObject(parts) = self.ast.kind(first.id) else { return None };
        let fits = spreads.is_empty() && parts.len() == rest.len() + 1;
        let values = rest.iter().map(|value| value.id).collect();
        fits.then(|| ExprKind::Tagged { tag, parts: parts.clone(), values })
    }
}

/// Arguments, those spread that `spreads` says; `fixed` operands come before them.
fn items(values: &[Expr], spreads: &[u32], fixed: usize) -> Vec<Item> {
    let mut spreads = spreads.iter().map(|&index| index as usize).peekable();
    let item = |(index, value): (usize, &Expr)| match spreads.next_if_eq(&(index + fixed)) {
        Some(_) => Item::Spread(value.id),
        None => Item::Value(value.id),
    };
    values.iter().enumerate().map(item).collect()
}
