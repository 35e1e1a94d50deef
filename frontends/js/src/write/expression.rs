//! Operations that are expressions.

use super::builder::Builder;
use super::emit::Room;
use super::error::Unwritable;
use super::expr::{Effect, Expr, Shape, Throws, level};
use super::operation::binary;
use super::{literal, operator};
use crate::Js;
use crate::dialect::{Immediates, Op, Opcode, TemplatePart};
use ssaphire_ir::{Arg, InstRef};

impl Builder<'_> {
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
                match self.plain(op, &operands) {
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

    /// Operations without immediates that matter, whose operands are evaluated in order.
    fn plain(&mut self, op: &Op, operands: &[Expr]) -> Option<Expr> {
        if let Some(value) = binary(op.opcode, operands) {
            return Some(value);
        }
        if let Some(value) = self.helper(op, operands) {
            return Some(value);
        }
        if operands.is_empty() {
            return literal_of(op);
        }
        let assignment = |target: String, value: &Expr, parts: &[&Expr]| {
            Expr::new(format!("{target} = {}", value.as_argument()), level::ASSIGNMENT).with(parts)
        };
        Some(match (op.opcode, operands) {
            (Opcode::CellGet | Opcode::CellGetConst, [cell]) => {
                let effect = if op.opcode == Opcode::CellGet { Effect::Reads } else { Effect::None };
                Expr { effect, ..cell.clone() }
            }
            (Opcode::SetIndex, [object, key, value]) => {
                assignment(format!("{}[{}]", object.as_object(), key.plain()), value, &[object, key, value])
            }
            (Opcode::DeleteIndex, [object, key]) => {
                Expr::new(format!("delete {}[{}]", object.as_object(), key.plain()), level::UNARY).with(&[object, key])
            }
            (Opcode::SuperGetIndex, [key]) => {
                Expr::new(format!("super[{}]", key.plain()), level::MEMBER).with(&[key]).shaped(Shape::SuperMember)
            }
            (Opcode::SuperSetIndex, [key, value]) => {
                assignment(format!("super[{}]", key.plain()), value, &[key, value])
            }
            _ => return with_sign(op.opcode, operands),
        })
    }

    /// Operations that a helper does.
    fn helper(&mut self, op: &Op, operands: &[Expr]) -> Option<Expr> {
        let is_async = self.js.is_async;
        let name = match op.opcode {
            Opcode::ToKey => "$toKey",
            Opcode::ToKeyOf => "$toKeyOf",
            Opcode::CheckCoercible => "$checkCoercible",
            Opcode::Inc => "$inc",
            Opcode::Dec => "$dec",
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
        let helper = self.helpers.call(name);
        let mut list: Vec<String> = operands.iter().map(Expr::as_argument).collect();
        if let (Opcode::ObjectRest, Immediates::Names(names)) = (op.opcode, &op.immediates) {
            list.splice(1..1, names.iter().map(literal::string));
        }
        let (prefix, binding, suffix) = match op.opcode {
            Opcode::YieldInside | Opcode::DelegateInside => ("yield* ", level::ASSIGNMENT, ""),
            Opcode::IsReturn => ("", level::CALL, ".is"),
            Opcode::ReturnValue => ("", level::CALL, ".open"),
            _ => ("", level::CALL, ""),
        };
        let mut text = format!("{prefix}{helper}{suffix}({})", list.join(", "));
        let mut shape = Shape::Plain;
        if let (Opcode::Inc | Opcode::Dec, [operand]) = (op.opcode, operands) {
            let sign = if op.opcode == Opcode::Inc { "++" } else { "--" };
            let from = match &operand.shape {
                Shape::Numeric(place) => Some(&**place),
                _ => operand.as_place(),
            };
            if let Some(place) = from {
                text = format!("{helper}({place})");
                shape = Shape::Step(place.to_owned(), sign);
            }
        }
        if let (Opcode::ToKey, [operand]) = (op.opcode, operands) {
            shape = Shape::Key(operand.as_argument());
        }
        let parts: Vec<&Expr> = operands.iter().collect();
        Some(Expr::new(text, binding).with(&parts).shaped(shape))
    }

    /// Operations on a name of a script in whose dead zone nobody but a check would notice.
    fn checked_name(&mut self, opcode: Opcode, name: &str, value: Option<&Expr>) -> Option<Expr> {
        let checked = match (opcode, value) {
            (Opcode::Native | Opcode::GetName, _) => self.check(&Expr::new(name, level::PRIMARY), name),
            (Opcode::TypeofName, _) => {
                let value = self.check(&Expr::new(name, level::PRIMARY), name);
                Expr::new(format!("typeof {}", value.text), level::UNARY).shaped(Shape::Text)
            }
            (Opcode::SetName, Some(value)) => {
                let is_constant = self.lexical_keyword(name) == "const";
                let helper = self.helpers.call(if is_constant { "$constant" } else { "$checked" });
                let quoted = literal::text_string(name);
                let text = format!("{name} = {helper}({}, {name}, {quoted})", value.as_argument());
                Expr::new(text, level::ASSIGNMENT)
            }
            _ => return None,
        };
        Some(Expr { effect: Effect::Runs, ..checked })
    }

    /// Operations on something that has a name.
    fn named(&mut self, opcode: Opcode, name: &str, args: &[Arg], throws: Throws) -> Option<Expr> {
        let operands = self.take(args, throws, |_| Room::Any);
        let parts: Vec<&Expr> = operands.iter().collect();
        let target = |target: String, value: &Expr| match value.as_update(&target) {
            Some((text, binding)) => Expr::new(text, binding),
            None => Expr::new(format!("{target} = {}", value.as_argument()), level::ASSIGNMENT),
        };
        if self.plans.checked_names.contains(name)
            && let Some(value) = self.checked_name(opcode, name, operands.first())
        {
            return Some(value.with(&parts));
        }
        let value = match (opcode, &operands[..]) {
            (Opcode::Native | Opcode::GetName, _) => {
                let shape = if name == "eval" { Shape::Eval } else { Shape::GlobalName };
                let effect = if opcode == Opcode::Native { Effect::Reads } else { Effect::Runs };
                return Some(Expr { effect, ..Expr::new(name, level::PRIMARY).shaped(shape) });
            }
            (Opcode::TypeofName, _) => Expr::new(format!("typeof {name}"), level::UNARY).shaped(Shape::Text),
            (Opcode::SetName, [value]) => match value.as_update(name) {
                Some((text, binding)) => Expr::new(text, binding),
                None => Expr::new(format!("{name} = {}", value.in_named_place(Some(name))), level::ASSIGNMENT),
            },
            (Opcode::DeleteName, _) => Expr::new(format!("delete {name}"), level::UNARY),
            (Opcode::CellGetChecked, [cell]) => {
                let variable = *cell.reads.first()?;
                let mut value =
                    if self.plan.is_native[variable.index()] { cell.clone() } else { self.check(cell, name) };
                value.effect = Effect::Reads;
                return Some(value);
            }
            (Opcode::CheckInitialized, [value]) => return Some(self.check(value, name)),
            (Opcode::Set, [object, value]) => target(format!("{}{}", object.as_object(), literal::member(name)), value),
            (Opcode::SetPrivate, [object, value]) => target(format!("{}.{name}", object.as_object()), value),
            (Opcode::HasPrivate, [object]) => {
                Expr::new(format!("{name} in {}", object.at_least(level::RELATIONAL + 1)), level::RELATIONAL)
            }
            (Opcode::Delete, [object]) => {
                Expr::new(format!("delete {}{}", object.as_object(), literal::member(name)), level::UNARY)
            }
            (Opcode::SuperGet, _) => {
                Expr::new(format!("super{}", literal::member(name)), level::MEMBER).shaped(Shape::SuperMember)
            }
            (Opcode::SuperSet, [value]) => target(format!("super{}", literal::member(name)), value),
            (Opcode::Import, [..]) => {
                let list: Vec<String> = operands.iter().map(Expr::as_argument).collect();
                let phase = if name.is_empty() { String::new() } else { format!(".{name}") };
                Expr::new(format!("import{phase}({})", list.join(", ")), level::CALL)
            }
            _ => return None,
        };
        Some(value.with(&parts))
    }

    /// A property that is read.
    fn member(&mut self, op: &Op, args: &[Arg], throws: Throws) -> Result<Expr, Unwritable> {
        let is_pending = matches!(args, [Arg::Variable(variable), ..] if self.is_pending[variable.index()]);
        let operands = self.take(args, throws, |_| Room::Any);
        let (Some(object), suffix) = (
            operands.first(),
            match (&op.immediates, &operands[..]) {
                (Immediates::Name(name), _) if op.opcode == Opcode::GetPrivate => format!(".{name}"),
                (Immediates::Name(name), _) => literal::member(name),
                (_, [_, key]) => format!("[{}]", key.plain()),
                _ => return Err(Unwritable::Op(op.opcode.name().to_owned())),
            },
        ) else {
            return Err(Unwritable::Op(op.opcode.name().to_owned()));
        };
        let text = format!("{}{suffix}", object.as_object());
        let shape = match *args {
            [Arg::Variable(receiver), ..] if self.is_receiver[receiver.index()] && is_pending => {
                Shape::Member { receiver, object: Box::new(object.clone()), suffix }
            }
            _ => {
                let is_place = object.shape == Shape::Atom && matches!(op.immediates, Immediates::Name(_));
                Shape::MemberOf(object.text.clone(), is_place)
            }
        };
        let parts: Vec<&Expr> = operands.iter().collect();
        Ok(Expr::new(text, object.member_binding()).with(&parts).shaped(shape))
    }

    fn template(&mut self, parts: &[TemplatePart], args: &[Arg], throws: Throws) -> Result<Expr, Unwritable> {
        let is_text: Vec<bool> = args.iter().map(|&arg| self.is_text(arg)).collect();
        let room = |index: usize| if is_text[..index].iter().all(|&is_text| is_text) { Room::Any } else { Room::Quiet };
        let operands = self.take(args, throws, room);
        if parts.len() != operands.len() + 1 {
            return Err(Unwritable::Op("template".to_owned()));
        }
        let mut inside = String::new();
        for (index, part) in parts.iter().enumerate() {
            inside += &part.cooked.as_ref().map_or_else(String::new, literal::template_part);
            match operands.get(index).map(|operand| (operand, &operand.shape)) {
                Some((_, Shape::Template(text))) => inside += text,
                Some((operand, _)) => inside += &format!("${{{}}}", operand.plain()),
                None => {}
            }
        }
        let operands: Vec<&Expr> = operands.iter().collect();
        Ok(Expr::new(format!("`{inside}`"), level::PRIMARY).with(&operands).shaped(Shape::Template(inside)))
    }

    /// Whether an argument is known to be a string.
    fn is_text(&self, arg: Arg) -> bool {
        match arg {
            Arg::Value(_) => true,
            Arg::Variable(variable) => self.pending.iter().any(|pending| {
                pending.variable == variable && matches!(pending.value.shape, Shape::Template(_) | Shape::Text)
            }),
        }
    }
}

/// What needs no operands.
fn literal_of(op: &Op) -> Option<Expr> {
    Some(match (op.opcode, &op.immediates) {
        (Opcode::This | Opcode::ThisChecked, _) => Expr::new("this", level::PRIMARY),
        (Opcode::NewTarget, _) => Expr::new("new.target", level::MEMBER),
        (Opcode::ImportMeta, _) => Expr::new("import.meta", level::MEMBER),
        (Opcode::Arguments, _) => Expr::new("arguments", level::PRIMARY),
        (Opcode::RegExp, Immediates::Pair(pair)) => Expr::new(literal::regexp(&pair.0, &pair.1), level::PRIMARY),
        (Opcode::TemplateObject, Immediates::Strings(parts)) => template_object(parts),
        _ => return None,
    })
}

/// Operators in front of one operand, and what is spelled like a property of it.
fn with_sign(opcode: Opcode, operands: &[Expr]) -> Option<Expr> {
    Some(match (opcode, operands) {
        (Opcode::Neg, [operand]) => operator::prefix("-", operand),
        (Opcode::ToNumber, [operand]) => operator::prefix("+", operand),
        (Opcode::BitNot, [operand]) => operator::prefix("~", operand),
        (Opcode::Typeof, [operand]) => operator::prefix("typeof ", operand).shaped(Shape::Text),
        (Opcode::Not, [operand]) => operand.inverse(),
        (Opcode::ToNumeric, [operand]) => {
            let shape = operand.as_place().map_or(Shape::Plain, |place| Shape::Numeric(place.to_owned()));
            let text = format!("-(-{})", operand.at_least(level::UNARY + 1));
            Expr::new(text, level::UNARY).with(&[operand]).shaped(shape)
        }
        (Opcode::ToString, [operand]) => {
            let inside = format!("${{{}}}", operand.plain());
            Expr::new(format!("`{inside}`"), level::PRIMARY).with(&[operand]).shaped(Shape::Template(inside))
        }
        (Opcode::IteratorDone, [result]) => {
            let opposite = format!("!{}.done", result.as_object());
            Expr::new(format!("!{opposite}"), level::UNARY)
                .with(&[result])
                .shaped(Shape::Invertible(opposite, level::UNARY))
        }
        (Opcode::IteratorValue, [result]) => {
            Expr::new(format!("{}.value", result.as_object()), result.member_binding()).with(&[result])
        }
        (Opcode::IteratorObject, [state]) => {
            Expr::new(format!("{}.iterator", state.as_object()), level::MEMBER).with(&[state])
        }
        (Opcode::Yield, [value]) => {
            Expr::new(format!("yield {}", value.as_argument()), level::ASSIGNMENT).with(&[value])
        }
        (Opcode::Delegate, [value]) => {
            Expr::new(format!("yield* {}", value.as_argument()), level::ASSIGNMENT).with(&[value])
        }
        (Opcode::Await, [value]) => {
            let text = format!("await {}", value.at_least(level::UNARY));
            Expr::new(text, level::UNARY).with(&[value]).shaped(Shape::Awaited)
        }
        _ => return None,
    })
}

/// The object that a template's tag gets, as a template whose tag gives it back.
fn template_object(parts: &[TemplatePart]) -> Expr {
    let raw: Vec<String> = parts.iter().map(|part| super::text::protect(&part.raw).into_owned()).collect();
    let text = format!("((strings) => strings)`{}`", raw.join("${0}"));
    Expr::new(text, level::MEMBER).shaped(Shape::Tagged(raw))
}
