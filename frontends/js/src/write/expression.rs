//! Operations that are expressions.

use super::ast::{ExprId, ExprKind, Item};
use super::builder::Builder;
use super::emit::Room;
use super::error::Unwritable;
use super::expr::{Effect, Expr, Throws};
use super::operator::binary_sign;
use crate::dialect::{Constant, Immediates, JsString, Name, Op, Opcode, TemplatePart};
use crate::{Js, Type};
use ssaphire_ir::{Arg, InstRef};

impl Builder<'_, '_> {
    /// The expression that computes what an operation gives; none if it is no expression.
    pub(super) fn expression(
        &mut self,
        inst: InstRef<'_, Js>,
        op: &Op,
        throws: Throws,
    ) -> Result<Option<Expr>, Unwritable> {
        let args = inst.args;
        if let Some(value) = self.for_of_part(inst, op.opcode, throws) {
            return Ok(Some(value));
        }
        let mut value = match (op.opcode, &op.immediates) {
            (Opcode::Call | Opcode::CallThis | Opcode::CallEval | Opcode::New | Opcode::SuperCall, _) => {
                self.call(op, args, throws)?
            }
            (Opcode::CallArray | Opcode::NewArray | Opcode::SuperCallArray, _) => {
                self.call_array(op.opcode, args, throws)?
            }
            (Opcode::Object | Opcode::Array | Opcode::Jsx, Immediates::Layout(elements)) => {
                self.layout(op.opcode, elements, args, throws)?
            }
            (Opcode::Closure | Opcode::ClosureNamed | Opcode::Class | Opcode::ClassNamed, Immediates::Index(index)) => {
                self.definition(op.opcode, *index, args)?
            }
            (Opcode::Template, Immediates::Strings(parts)) => self.template(parts, args, throws)?,
            (Opcode::Get | Opcode::GetIndex | Opcode::GetPrivate, _) => self.member(op, args, throws)?,
            (_, Immediates::Name(name)) => match self.named(op.opcode, name, args, throws) {
                Some(value) => value,
                None => return Ok(None),
            },
            _ => {
                let operands = self.take(args, throws, |_| Room::Any);
                match self.plain(op, args, &operands) {
                    Some(value) => value,
                    None => return Ok(None),
                }
            }
        };
        if op.opcode.effect() == crate::dialect::Effect::Runs && throws != Throws::Never {
            value.effect = Effect::Runs;
        }
        Ok(Some(value))
    }

    /// Whether the only argument is a cell that holds one value whenever it is read.
    fn is_settled(&self, args: &[Arg]) -> bool {
        let [Arg::Variable(cell)] = *args else { return false };
        let Type::Cell(number) = *self.function.variable_type(cell) else { return false };
        self.plans.settled.contains(&number)
    }

    /// Operations without immediates that matter, whose operands are evaluated in order.
    fn plain(&mut self, op: &Op, args: &[Arg], operands: &[Expr]) -> Option<Expr> {
        if let (Some(sign), [left, right]) = (binary_sign(op.opcode), operands) {
            let mut value = self.ast.binary(sign, left, right);
            value.effect = value.effect.max(self.ast.effect_of_binary(op.opcode, left, right));
            return Some(value);
        }
        if let Some(value) = self.helper(op, operands) {
            return Some(value);
        }
        if operands.is_empty() {
            return literal_of(op).map(|kind| self.ast.expr(kind));
        }
        let id = match (op.opcode, operands) {
            (Opcode::CellGet | Opcode::CellGetConst, [cell]) => {
                let may_change = op.opcode == Opcode::CellGet && !self.is_settled(args);
                let effect = if may_change { Effect::Reads } else { Effect::None };
                return Some(Expr { effect, ..cell.clone() });
            }
            (Opcode::SetIndex, [object, key, value]) => {
                let target = self.ast.add(ExprKind::Index { object: object.id, key: key.id });
                self.ast.assignment(target, value.id)
            }
            (Opcode::DeleteIndex, [object, key]) => {
                let operand = self.ast.add(ExprKind::Index { object: object.id, key: key.id });
                self.ast.add(ExprKind::Unary { sign: "delete ", operand })
            }
            (Opcode::SuperGetIndex, [key]) => self.super_index(key),
            (Opcode::SuperSetIndex, [key, value]) => {
                let target = self.super_index(key);
                self.ast.add(ExprKind::Assign { sign: "", target, value: value.id })
            }
            (Opcode::Not, [operand]) => return Some(self.ast.inverse(operand)),
            (Opcode::IteratorDone, [result]) => {
                let done = self.ast.member(result.id, "done");
                let opposite = self.ast.add(ExprKind::Unary { sign: "!", operand: done });
                self.ast.add(ExprKind::Unary { sign: "!", operand: opposite })
            }
            (Opcode::IteratorValue, [result]) => self.ast.member(result.id, "value"),
            (Opcode::IteratorObject, [state]) => self.ast.member(state.id, "iterator"),
            (Opcode::ToString, [operand]) => {
                let parts = Box::new([JsString::new(""), JsString::new("")]);
                self.ast.add(ExprKind::Template { parts, values: Box::new([operand.id]) })
            }
            (Opcode::Typeof, [operand]) => {
                let operand = self.bound(operand.id);
                self.ast.add(ExprKind::Unary { sign: "typeof ", operand })
            }
            (opcode, [operand]) => self.ast.add(with_sign(opcode, operand.id)?),
            _ => return None,
        };
        Some(Expr::new(id).with(operands))
    }

    fn super_index(&mut self, key: &Expr) -> ExprId {
        let object = self.ast.add(ExprKind::Word("super"));
        self.ast.add(ExprKind::Index { object, key: key.id })
    }

    /// Operations that a helper does.
    fn helper(&mut self, op: &Op, operands: &[Expr]) -> Option<Expr> {
        let is_async = self.js.is_async;
        let name = match op.opcode {
            Opcode::ToKeyOf => "$toKeyOf",
            Opcode::CheckCoercible => "$checkCoercible",
            Opcode::GetIterator => "$getIterator",
            Opcode::GetAsyncIterator => "$getAsyncIterator",
            Opcode::IteratorNext => "$iteratorNext",
            Opcode::IteratorCall => "$iteratorCall",
            Opcode::CheckResult => "$checkResult",
            Opcode::IteratorClose => "$iteratorClose",
            Opcode::IteratorAbandon => "$iteratorAbandon",
            Opcode::IteratorReturn => "$iteratorReturn",
            Opcode::ForIn => "$forIn",
            Opcode::ForInNext => "$forInNext",
            Opcode::ObjectRest => "$rest",
            Opcode::YieldInside if is_async => "$asyncYield",
            Opcode::YieldInside => "$yield",
            Opcode::DelegateInside if is_async => "$asyncDelegate",
            Opcode::DelegateInside => "$delegate",
            Opcode::IsReturn | Opcode::ReturnValue => "$Return",
            _ => return None,
        };
        let mut args: Vec<Item> = operands.iter().map(|operand| Item::Value(operand.id)).collect();
        if let (Opcode::ObjectRest, Immediates::Names(names)) = (op.opcode, &op.immediates) {
            let names = names.iter().map(|name| self.ast.add(ExprKind::Constant(Constant::String(name.clone()))));
            args.splice(1..1, names.map(Item::Value).collect::<Vec<_>>());
        }
        let mut callee = self.ast.add(ExprKind::Helper(name));
        match op.opcode {
            Opcode::IsReturn => callee = self.ast.member(callee, "is"),
            Opcode::ReturnValue => callee = self.ast.member(callee, "open"),
            _ => {}
        }
        let mut id = self.ast.add(ExprKind::Call { callee, args: args.into() });
        if matches!(op.opcode, Opcode::YieldInside | Opcode::DelegateInside) {
            id = self.ast.add(ExprKind::Yield { is_delegate: true, value: id });
        }
        Some(Expr::new(id).with(operands))
    }

    /// Operations on a name of a script in whose dead zone nobody but a check would notice.
    fn checked_name(&mut self, opcode: Opcode, name: &str, value: Option<&Expr>) -> Option<Expr> {
        let target = self.global(name);
        let checked = match (opcode, value) {
            (Opcode::Native | Opcode::GetName, _) => self.check(&Expr::new(target), name),
            (Opcode::TypeofName, _) => {
                let value = self.check(&Expr::new(target), name);
                self.ast.unary("typeof ", &value)
            }
            (Opcode::SetName, Some(value)) => {
                let is_constant = self.lexical_keyword(name) == "const";
                let helper = if is_constant { "$constant" } else { "$checked" };
                let quoted = self.ast.text(name);
                let value = self.ast.call_helper(helper, &[value, &Expr::new(target), &quoted]);
                let id = self.ast.add(ExprKind::Assign { sign: "", target, value: value.id });
                Expr::new(id)
            }
            _ => return None,
        };
        Some(Expr { effect: Effect::Runs, ..checked })
    }

    fn global(&mut self, name: &str) -> ExprId {
        let name = self.ast.intern(name);
        self.ast.add(ExprKind::Global(name))
    }

    /// Operations on something that has a name.
    fn named(&mut self, opcode: Opcode, name: &Name, args: &[Arg], throws: Throws) -> Option<Expr> {
        let operands = self.take(args, throws, |_| Room::Any);
        if self.plans.checked_names.contains(&**name)
            && let Some(value) = self.checked_name(opcode, name, operands.first())
        {
            return Some(value.with(&operands));
        }
        let id = match (opcode, &operands[..]) {
            (Opcode::Native | Opcode::GetName, _) => {
                let effect = if opcode == Opcode::Native { Effect::Reads } else { Effect::Runs };
                return Some(Expr { effect, ..Expr::new(self.global(name)) });
            }
            (Opcode::TypeofName, _) => {
                let operand = self.global(name);
                self.ast.add(ExprKind::Unary { sign: "typeof ", operand })
            }
            (Opcode::SetName, [value]) => {
                let target = self.global(name);
                self.ast.assignment(target, value.id)
            }
            (Opcode::DeleteName, _) => {
                let operand = self.global(name);
                self.ast.add(ExprKind::Unary { sign: "delete ", operand })
            }
            (Opcode::CellGetChecked, [cell]) => {
                let variable = *cell.reads.first()?;
                let mut value =
                    if self.plan.is_native[variable.index()] { cell.clone() } else { self.check(cell, name) };
                value.effect = Effect::Reads;
                return Some(value);
            }
            (Opcode::CheckInitialized, [value]) => return Some(self.check(value, name)),
            (Opcode::Set, [object, value]) => {
                let target = self.ast.member(object.id, name);
                self.ast.assignment(target, value.id)
            }
            (Opcode::SetPrivate, [object, value]) => {
                let target = self.ast.add(ExprKind::Private { object: object.id, name: name.clone() });
                self.ast.assignment(target, value.id)
            }
            (Opcode::HasPrivate, [object]) => {
                self.ast.add(ExprKind::PrivateIn { name: name.clone(), object: object.id })
            }
            (Opcode::Delete, [object]) => {
                let operand = self.ast.member(object.id, name);
                self.ast.add(ExprKind::Unary { sign: "delete ", operand })
            }
            (Opcode::SuperGet, _) => self.super_member(name),
            (Opcode::SuperSet, [value]) => {
                let target = self.super_member(name);
                self.ast.assignment(target, value.id)
            }
            (Opcode::Import, [..]) => {
                let args = operands.iter().map(|operand| Item::Value(operand.id)).collect();
                self.ast.add(ExprKind::Import { phase: name.clone(), args })
            }
            _ => return None,
        };
        Some(Expr::new(id).with(&operands))
    }

    fn super_member(&mut self, name: &Name) -> ExprId {
        let object = self.ast.add(ExprKind::Word("super"));
        self.ast.member(object, name)
    }

    /// A property that is read.
    fn member(&mut self, op: &Op, args: &[Arg], throws: Throws) -> Result<Expr, Unwritable> {
        let is_pending = matches!(args, [Arg::Variable(variable), ..] if self.states[variable.index()].is_pending);
        let operands = self.take(args, throws, |_| Room::Any);
        let id = match (&op.immediates, &operands[..]) {
            (Immediates::Name(name), [object, ..]) if op.opcode == Opcode::GetPrivate => {
                self.ast.add(ExprKind::Private { object: object.id, name: name.clone() })
            }
            (Immediates::Name(name), [object, ..]) => self.ast.member(object.id, name),
            (_, [object, key]) => self.ast.add(ExprKind::Index { object: object.id, key: key.id }),
            _ => return Err(Unwritable::Op(op.opcode.name().to_owned())),
        };
        let mut value = Expr::new(id).with(&operands);
        if let ([Arg::Variable(receiver), ..], Some(object)) = (args, operands.into_iter().next())
            && self.states[receiver.index()].is_receiver
            && is_pending
        {
            value.receiver = Some(Box::new((*receiver, object)));
        }
        Ok(value)
    }

    fn template(&mut self, parts: &[TemplatePart], args: &[Arg], throws: Throws) -> Result<Expr, Unwritable> {
        let is_text: Vec<bool> = args.iter().map(|&arg| self.is_text(arg)).collect();
        let room = |index: usize| if is_text[..index].iter().all(|&is_text| is_text) { Room::Any } else { Room::Quiet };
        let operands = self.take(args, throws, room);
        if parts.len() != operands.len() + 1 {
            return Err(Unwritable::Op("template".to_owned()));
        }
        let cooked = |part: &TemplatePart| part.cooked.clone().unwrap_or_else(|| JsString::new(""));
        let parts = parts.iter().map(cooked).collect();
        let values = operands.iter().map(|operand| operand.id).collect();
        Ok(self.ast.expr(ExprKind::Template { parts, values }).with(&operands))
    }

    /// Whether an argument is known to be a string.
    fn is_text(&self, arg: Arg) -> bool {
        match arg {
            Arg::Value(_) => true,
            Arg::Variable(variable) => {
                self.pending.iter().any(|pending| pending.variable == variable && self.ast.is_text(pending.value.id))
            }
        }
    }

    /// A check that a value is not the one of a dead zone.
    pub(super) fn check(&mut self, value: &Expr, name: &str) -> Expr {
        let quoted = self.ast.text(name);
        let mut check = self.ast.call_helper("$check", &[value, &quoted]);
        check.effect = check.effect.max(Effect::Reads);
        check
    }
}

impl super::ast::Ast<'_> {
    /// A property with a known name: behind a point, if it may stand there.
    pub(super) fn member(&mut self, object: ExprId, name: &str) -> ExprId {
        self.add(ExprKind::Member { object, name: Name::new(name) })
    }

    /// A string.
    pub(super) fn text(&mut self, text: &str) -> Expr {
        self.constant(Constant::String(JsString::new(text)))
    }
}

/// What needs no operands.
fn literal_of(op: &Op) -> Option<ExprKind> {
    Some(match (op.opcode, &op.immediates) {
        (Opcode::This | Opcode::ThisChecked, _) => ExprKind::Word("this"),
        (Opcode::NewTarget, _) => ExprKind::Word("new.target"),
        (Opcode::ImportMeta, _) => ExprKind::Word("import.meta"),
        (Opcode::Arguments, _) => ExprKind::Word("arguments"),
        (Opcode::RegExp, Immediates::Pair(pair)) => ExprKind::RegExp(pair.clone()),
        (Opcode::TemplateObject, Immediates::Strings(parts)) => ExprKind::TemplateObject(parts.clone()),
        _ => return None,
    })
}

/// The node of an operation with one operand.
fn with_sign(opcode: Opcode, operand: ExprId) -> Option<ExprKind> {
    let sign = match opcode {
        Opcode::Neg => "-",
        Opcode::ToNumber => "+",
        Opcode::BitNot => "~",
        Opcode::Await => "await ",
        Opcode::ToNumeric => return Some(ExprKind::ToNumeric(operand)),
        Opcode::Inc => return Some(ExprKind::Step { sign: "++", operand }),
        Opcode::Dec => return Some(ExprKind::Step { sign: "--", operand }),
        Opcode::ToKey => return Some(ExprKind::ToKey(operand)),
        Opcode::Yield => return Some(ExprKind::Yield { is_delegate: false, value: operand }),
        Opcode::Delegate => return Some(ExprKind::Yield { is_delegate: true, value: operand }),
        _ => return None,
    };
    Some(ExprKind::Unary { sign, operand })
}
