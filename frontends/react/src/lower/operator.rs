//! Operators that take apart what they operate on, or that have blocks.

use super::member::PropertyAt;
use super::names::{Meaning, NameAt};
use super::target::Target;
use super::{Lowered, Lowering, unsupported};
use crate::function::{BlockKind, Place};
use crate::scope::BindingKind;
use crate::terminal::Terminal;
use crate::value::{StoreKind, Value};
use oxc_ast::ast::*;
use oxc_syntax::operator::{BinaryOperator, UnaryOperator, UpdateOperator};
use ssaphire_js::dialect::Constant;

impl<'a> Lowering<'_, 'a> {
    /// Lowers a row of prefix operators without recursion: each of them may be one byte of the source.
    pub(super) fn unary(&mut self, unary: &UnaryExpression<'a>) -> Lowered<Value> {
        let mut operators = Vec::new();
        let mut innermost = unary;
        while innermost.operator != UnaryOperator::Delete {
            operators.push(innermost.operator);
            match &innermost.argument {
                Expression::UnaryExpression(inner) => innermost = inner,
                _ => break,
            }
        }
        let mut value = if innermost.operator == UnaryOperator::Delete {
            self.delete(innermost)?
        } else {
            self.expression(&innermost.argument)?
        };
        for operator in operators.into_iter().rev() {
            value = Value::Unary { operator, operand: self.emit(value) };
        }
        Ok(value)
    }

    fn delete(&mut self, delete: &UnaryExpression<'a>) -> Lowered<Value> {
        let Some(member) = delete.argument.as_member_expression() else {
            return Err(unsupported("`delete` of anything but a property", delete.span));
        };
        let object = self.expression_place(member.object())?;
        Ok(self.member_property(member)?.delete(object))
    }

    pub(super) fn update(&mut self, update: &UpdateExpression<'a>) -> Lowered<Value> {
        let is_increment = update.operator == UpdateOperator::Increment;
        if let Some(member) = update.argument.as_member_expression() {
            return self.update_member(member, is_increment, update.prefix);
        }
        let SimpleAssignmentTarget::AssignmentTargetIdentifier(name) = &update.argument else {
            return Err(unsupported("an update through a type", update.span));
        };
        let name = NameAt::new(name.name.as_str(), name.span);
        if self.is_context(name) {
            return Err(unsupported("an update of a variable that closures share", update.span));
        }
        let target = match self.meaning(name)? {
            Meaning::Local(_, id) if self.scopes.binding(id).kind == BindingKind::Const => {
                return Err(unsupported(format!("an assignment to the constant `{}`", name.text), name.span));
            }
            Meaning::Local(place, _) => place,
            Meaning::Global(_) => return Err(unsupported("an update of a global", update.span)),
        };
        let value = target;
        Ok(if update.prefix {
            Value::PrefixUpdate { target, is_increment, value }
        } else {
            Value::PostfixUpdate { target, is_increment, value }
        })
    }

    fn update_member(&mut self, member: &MemberExpression<'a>, is_increment: bool, is_prefix: bool) -> Lowered<Value> {
        let object = self.expression_place(member.object())?;
        let property = self.member_property(member)?;
        let old = self.emit(property.copy().load(object));
        let one = self.emit(Value::Primitive(Constant::number(1.0)));
        let operator = if is_increment { BinaryOperator::Addition } else { BinaryOperator::Subtraction };
        let new = self.emit(Value::Binary { operator, left: old, right: one });
        let stored = self.emit(property.store(object, new));
        Ok(Value::LoadLocal { place: if is_prefix { stored } else { old } })
    }

    pub(super) fn assignment(&mut self, assignment: &AssignmentExpression<'a>) -> Lowered<Value> {
        let target = Target::of_assignment(&assignment.left);
        if assignment.operator.is_assign() {
            if let Target::Other(what, span) = target {
                return Err(unsupported(what, span));
            }
            let value = self.expression_place(&assignment.right)?;
            return self.assign(StoreKind::Reassign, &target, value, target.is_pattern());
        }
        let Some(operator) = assignment.operator.to_binary_operator() else {
            return Err(unsupported("a logical assignment", assignment.span));
        };
        match target {
            Target::Name(name) => self.compound_name(name, operator, &assignment.right),
            Target::Member(member) => {
                let object = self.expression_place(member.object())?;
                let property: PropertyAt = self.member_property(member)?;
                let left = self.emit(property.copy().load(object));
                let right = self.expression_place(&assignment.right)?;
                let value = self.emit(Value::Binary { operator, left, right });
                Ok(property.store(object, value))
            }
            _ => Err(unsupported("a compound assignment through a type", assignment.span)),
        }
    }

    fn compound_name(&mut self, name: NameAt<'a>, operator: BinaryOperator, right: &Expression<'a>) -> Lowered<Value> {
        let left = self.load(name)?;
        let left = self.emit(left);
        let right = self.expression_place(right)?;
        let value = self.emit(Value::Binary { operator, left, right });
        let Meaning::Local(target, _) = self.meaning(name)? else {
            let place = self.emit(Value::StoreGlobal { name: name.text.into(), value });
            return Ok(Value::LoadLocal { place });
        };
        let kind = StoreKind::Reassign;
        if self.is_context(name) {
            self.emit(Value::StoreContext { kind, target, value });
            return Ok(Value::LoadContext { place: target });
        }
        self.emit(Value::StoreLocal { kind, target, value });
        Ok(Value::LoadLocal { place: target })
    }

    /// Stores `value` in the place where the blocks of an expression leave its value.
    pub(super) fn leave(&mut self, target: Place, value: Place) {
        self.emit(Value::StoreLocal { kind: StoreKind::Const, target, value });
    }

    pub(super) fn sequence(&mut self, sequence: &SequenceExpression<'a>) -> Lowered<Value> {
        let next = self.reserve(self.current_kind());
        let next_id = next.id;
        let place = self.nest.temporary();
        let block = self.enter(BlockKind::Sequence, |this| {
            let mut last = None;
            for expression in &sequence.expressions {
                last = Some(this.expression_place(expression)?);
            }
            let last = last.ok_or_else(|| unsupported("an empty sequence", sequence.span))?;
            this.leave(place, last);
            Ok(Terminal::goto(next_id))
        })?;
        self.end_with(Terminal::Sequence { block, fallthrough: next_id }, next);
        Ok(Value::LoadLocal { place })
    }

    pub(super) fn conditional(&mut self, conditional: &ConditionalExpression<'a>) -> Lowered<Value> {
        let next = self.reserve(self.current_kind());
        let test_block = self.reserve(BlockKind::Value);
        let (next_id, test_id) = (next.id, test_block.id);
        let place = self.nest.temporary();
        let mut side = |expression: &Expression<'a>| {
            self.enter(BlockKind::Value, |this| {
                let value = this.expression_place(expression)?;
                this.leave(place, value);
                Ok(Terminal::goto(next_id))
            })
        };
        let consequent = side(&conditional.consequent)?;
        let alternate = side(&conditional.alternate)?;
        self.end_with(Terminal::Ternary { test: test_id, fallthrough: next_id }, test_block);
        let test = self.expression_place(&conditional.test)?;
        self.end_with(Terminal::Branch { test, consequent, alternate, fallthrough: next_id }, next);
        Ok(Value::LoadLocal { place })
    }

    pub(super) fn logical(&mut self, logical: &LogicalExpression<'a>) -> Lowered<Value> {
        let next = self.reserve(self.current_kind());
        let test_block = self.reserve(BlockKind::Value);
        let (next_id, test_id) = (next.id, test_block.id);
        let place = self.nest.temporary();
        let left = self.nest.temporary();
        let consequent = self.enter(BlockKind::Value, |this| {
            this.leave(place, left);
            Ok(Terminal::goto(next_id))
        })?;
        let alternate = self.enter(BlockKind::Value, |this| {
            let right = this.expression_place(&logical.right)?;
            this.leave(place, right);
            Ok(Terminal::goto(next_id))
        })?;
        let terminal = Terminal::Logical { operator: logical.operator, test: test_id, fallthrough: next_id };
        self.end_with(terminal, test_block);
        let value = self.expression_place(&logical.left)?;
        self.push(left, Value::LoadLocal { place: value });
        self.end_with(Terminal::Branch { test: left, consequent, alternate, fallthrough: next_id }, next);
        Ok(Value::LoadLocal { place })
    }
}
