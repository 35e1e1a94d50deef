//! Calls.

use super::builder::Builder;
use super::emit::Room;
use super::error::Unwritable;
use super::expr::{Expr, Shape, Throws, level};
use crate::dialect::{Immediates, Op, Opcode};
use ssaphire_ir::Arg;

impl Builder<'_> {
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
        let room = |index: usize| if index > first_spread { Room::Quiet } else { Room::Any };
        let (taken, offset) = if is_on_super {
            // What is left of the receiver is the keyword.
            let rest: Vec<Arg> = std::iter::once(args[0]).chain(args[2..].iter().copied()).collect();
            (self.take(&rest, throws, |index| room(index + usize::from(index > 0))), 1)
        } else {
            (self.take(args, throws, room), fixed)
        };
        let values = &taken[offset.min(taken.len())..];
        let list = argument_list(values, spreads, fixed);
        // It may have become a statement of its own for the sake of an argument.
        let is_on_super = is_on_super && taken.first().is_some_and(|callee| callee.shape == Shape::SuperMember);
        let has_receiver = is_on_super || op.opcode == Opcode::CallThis && self.is_receiver_of(taken.first(), args);
        // The receiver is in the callee then.
        let parts: Vec<&Expr> = taken
            .iter()
            .enumerate()
            .filter(|&(index, _)| !has_receiver || is_on_super || index != 1)
            .map(|(_, part)| part)
            .collect();
        let value = match (op.opcode, taken.first()) {
            (Opcode::CallEval, _) => Expr::new(format!("eval({list})"), level::CALL),
            (Opcode::SuperCall, _) => Expr::new(format!("super({list})"), level::CALL),
            (Opcode::New, Some(callee)) => {
                Expr::new(format!("new {}({list})", callee.at_least(level::MEMBER)), level::MEMBER)
            }
            (Opcode::Call, Some(callee)) => match tagged(callee, None, values, spreads) {
                Some(value) => value,
                None => Expr::new(format!("{}({list})", alone(callee)), level::CALL),
            },
            (Opcode::CallThis, Some(callee)) if has_receiver => match tagged(callee, Some(()), values, spreads) {
                Some(value) => value,
                None => Expr::new(format!("{}({list})", callee.at_least(level::CALL)), level::CALL),
            },
            (Opcode::CallThis, Some(callee)) => {
                let helper = self.helpers.call("$call");
                let receiver = taken[..offset].get(1).map_or_else(|| "this".to_owned(), Expr::as_argument);
                let comma = if list.is_empty() { "" } else { ", " };
                Expr::new(format!("{helper}({}, {receiver}{comma}{list})", callee.as_argument()), level::CALL)
            }
            _ => return Err(Unwritable::Op(op.opcode.name().to_owned())),
        };
        Ok(value.with(&parts))
    }

    fn is_receiver_of(&mut self, callee: Option<&Expr>, args: &[Arg]) -> bool {
        callee.is_some_and(|callee| self.has_receiver(callee, args))
    }

    /// Whether the call of `callee`, a property, has the receiver that `args` says.
    fn has_receiver(&mut self, callee: &Expr, args: &[Arg]) -> bool {
        match (&callee.shape, args.get(1)) {
            (Shape::Member { receiver, .. }, Some(Arg::Variable(variable))) => receiver == variable,
            (Shape::MemberOf(object, _), Some(&receiver)) => self.atom(receiver).text == *object,
            _ => false,
        }
    }

    /// Whether a property of `super` is called with `this`, which is not written then.
    fn drop_this_of_super(&mut self, args: &[Arg]) -> bool {
        let [Arg::Variable(callee), Arg::Variable(receiver), ..] = *args else { return false };
        let position = |variable| self.pending.iter().rposition(|pending| pending.variable == variable);
        let Some(at) = position(callee).filter(|&at| self.pending[at].value.shape == Shape::SuperMember) else {
            return false;
        };
        if self.name(receiver) == "this" {
            return true;
        }
        let is_this = |&before: &usize| self.pending[before].value.text == "this" && before + 1 == at;
        match position(receiver).filter(is_this) {
            Some(before) => {
                self.pending.remove(before);
                self.is_pending[receiver.index()] = false;
                true
            }
            None => false,
        }
    }

    /// Calls with the elements of an array that nothing else sees.
    pub(super) fn call_array(&mut self, opcode: Opcode, args: &[Arg], throws: Throws) -> Result<Expr, Unwritable> {
        let taken = self.take(args, throws, |_| Room::Any);
        let parts: Vec<&Expr> = taken.iter().collect();
        let elements = match taken.last().map(|array| &array.shape) {
            // A hole is no argument.
            Some(Shape::Array(elements)) if elements.iter().all(|element| !element.is_empty()) => {
                Some(elements.join(", "))
            }
            _ => None,
        };
        let value = match (opcode, &taken[..], elements) {
            (Opcode::SuperCallArray, [_], Some(list)) => Expr::new(format!("super({list})"), level::CALL),
            (Opcode::SuperCallArray, [array], None) => {
                Expr::new(format!("super(...{})", array.as_argument()), level::CALL)
            }
            (Opcode::NewArray, [callee, _], Some(list)) => {
                Expr::new(format!("new {}({list})", callee.at_least(level::MEMBER)), level::MEMBER)
            }
            (Opcode::NewArray, [callee, array], None) => {
                let helper = self.helpers.call("$construct");
                Expr::new(format!("{helper}({}, {})", callee.as_argument(), array.as_argument()), level::CALL)
            }
            (Opcode::CallArray, [callee, _, _], Some(list)) if self.has_receiver(callee, args) => {
                Expr::new(format!("{}({list})", callee.at_least(level::CALL)), level::CALL)
            }
            (Opcode::CallArray, [callee, receiver, _], Some(list)) if receiver.text == "void 0" => {
                Expr::new(format!("{}({list})", alone(callee)), level::CALL)
            }
            (Opcode::CallArray, [callee, receiver, array], _) => {
                let helper = self.helpers.call("$apply");
                let list = [callee, receiver, array].map(Expr::as_argument).join(", ");
                Expr::new(format!("{helper}({list})"), level::CALL)
            }
            _ => return Err(Unwritable::Op(opcode.name().to_owned())),
        };
        Ok(value.with(&parts))
    }
}

/// Arguments, those spread that `spreads` says; `fixed` operands come before them.
fn argument_list(values: &[Expr], spreads: &[u32], fixed: usize) -> String {
    let texts = values.iter().enumerate().map(|(index, value)| {
        let dots = if spreads.contains(&((index + fixed) as u32)) { "..." } else { "" };
        format!("{dots}{}", value.as_argument())
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// A callee that is called without a receiver.
fn alone(callee: &Expr) -> String {
    match callee.shape {
        Shape::Member { .. } | Shape::MemberOf(..) | Shape::SuperMember | Shape::Eval => {
            format!("(0, {})", callee.text)
        }
        _ => callee.at_least(level::CALL),
    }
}

/// The call of a template's tag, whose first argument is what such a tag gets.
fn tagged(callee: &Expr, receiver: Option<()>, values: &[Expr], spreads: &[u32]) -> Option<Expr> {
    let (first, rest) = values.split_first()?;
    let Shape::Tagged(raw) = &first.shape else { return None };
    if !spreads.is_empty() || raw.len() != rest.len() + 1 {
        return None;
    }
    let mut text = String::new();
    for (index, part) in raw.iter().enumerate() {
        text += part;
        if let Some(value) = rest.get(index) {
            text += &format!("${{{}}}", value.plain());
        }
    }
    let tag = match receiver {
        Some(()) => callee.at_least(level::CALL),
        None => alone(callee),
    };
    Some(Expr::new(format!("{tag}`{text}`"), level::MEMBER))
}
