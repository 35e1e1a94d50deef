//! Assignments and updates.

use super::access::Place;
use super::emit::Join;
use super::expression::binary_opcode;
use super::function::Lowering;
use super::literal::Hint;
use crate::dialect::Opcode;
use crate::source::Span;
use oxc_ast::ast::{self, AssignmentTarget, Expression, SimpleAssignmentTarget};
use oxc_span::GetSpan;
use oxc_str::Ident;
use oxc_syntax::operator::{AssignmentOperator, LogicalOperator, UpdateOperator};
use ssaphire::{SsaBuilder, Value};

impl<'l, 'b, 'p, 'a, B: SsaBuilder> Lowering<'l, 'b, 'p, 'a, B> {
    pub(super) fn assignment(&mut self, node: &'p ast::AssignmentExpression<'a>) -> Value {
        let Some(target) = node.left.as_simple_assignment_target() else {
            let value = self.expression(&node.right);
            self.assign_pattern(&node.left, value);
            return value;
        };
        let span = Span::from(node.span);
        let hint = self.assigned_name(target, node.span);
        let place = self.target_place(target);
        if node.operator == AssignmentOperator::Assign {
            let value = self.named_expression(&node.right, hint);
            self.write_place(&place, value, span);
            return value;
        }
        let place = self.settle_key(place, span);
        let old = self.read_place(&place, target.span().into());
        if let Some(operator) = node.operator.to_logical_operator() {
            return self.logical_assignment(operator, &place, old, node, hint);
        }
        let right = self.expression(&node.right);
        let Some(operator) = node.operator.to_binary_operator() else { return right };
        let value = self.op(binary_opcode(operator), &[old, right], span);
        self.write_place(&place, value, span);
        value
    }

    fn logical_assignment(
        &mut self,
        operator: LogicalOperator,
        place: &Place<'p, 'a>,
        old: Value,
        node: &'p ast::AssignmentExpression<'a>,
        hint: Hint<'a>,
    ) -> Value {
        let result = self.temporary_for(&hint);
        self.write(result, old);
        let mut end = Join::default();
        self.short_circuit(operator, old, &mut end);
        let value = self.named_expression(&node.right, hint);
        self.write_place(place, value, node.span.into());
        self.write(result, value);
        self.jump_to(&mut end);
        self.begin(end);
        self.read(result)
    }

    /// What an anonymous function is called that is assigned: the name, unless it stands in parentheses.
    fn assigned_name(&self, target: &SimpleAssignmentTarget<'a>, span: oxc_span::Span) -> Hint<'a> {
        match target {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(id) if id.span.start == span.start => {
                Hint::Identifier(id.name)
            }
            _ => Hint::None,
        }
    }

    /// Evaluates what an assignment assigns.
    pub(super) fn target_place(&mut self, target: &'p SimpleAssignmentTarget<'a>) -> Place<'p, 'a> {
        match target {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(id) => Place::Name(id),
            _ => match (target.as_member_expression(), target.get_expression()) {
                (Some(member), _) => self.member_place(member),
                (_, Some(expression)) => self.expression_place(expression),
                _ => self.no_place(target.span()),
            },
        }
    }

    fn expression_place(&mut self, expression: &'p Expression<'a>) -> Place<'p, 'a> {
        let expression = expression.get_inner_expression();
        match expression {
            Expression::Identifier(id) => Place::Name(id),
            _ => match expression.as_member_expression() {
                Some(member) => self.member_place(member),
                None => self.no_place(expression.span()),
            },
        }
    }

    fn no_place(&mut self, span: oxc_span::Span) -> Place<'p, 'a> {
        self.unsupported("this cannot be assigned", span);
        Place::SuperProperty { name: Ident::empty() }
    }

    /// `++` and `--`. The old value of a postfix one is needed only if somebody asks.
    pub(super) fn update(&mut self, node: &'p ast::UpdateExpression<'a>, is_needed: bool) -> Value {
        let span = Span::from(node.span);
        let place = self.target_place(&node.argument);
        let place = self.settle_key(place, span);
        let old = self.read_place(&place, node.argument.span().into());
        let old = self.op(Opcode::ToNumeric, &[old], span);
        let opcode = match node.operator {
            UpdateOperator::Increment => Opcode::Inc,
            UpdateOperator::Decrement => Opcode::Dec,
        };
        let new = self.op(opcode, &[old], span);
        self.write_place(&place, new, span);
        if is_needed && !node.prefix { old } else { new }
    }

    /// Assigns what a pattern says.
    pub(super) fn assign_pattern(&mut self, target: &'p AssignmentTarget<'a>, value: Value) {
        match target {
            AssignmentTarget::ArrayAssignmentTarget(array) => self.assign_array(array, value),
            AssignmentTarget::ObjectAssignmentTarget(object) => self.assign_object(object, value),
            _ => {
                if let Some(simple) = target.as_simple_assignment_target() {
                    let place = self.target_place(simple);
                    self.write_place(&place, value, target.span().into());
                }
            }
        }
    }

    /// Evaluates a target before its value is there, if it is no pattern.
    pub(super) fn early_place(&mut self, target: &'p AssignmentTarget<'a>) -> Option<Place<'p, 'a>> {
        target.as_simple_assignment_target().map(|simple| self.target_place(simple))
    }

    pub(super) fn assign_early(
        &mut self,
        target: &'p AssignmentTarget<'a>,
        place: Option<&Place<'p, 'a>>,
        value: Value,
    ) {
        match place {
            Some(place) => self.write_place(place, value, target.span().into()),
            None => self.assign_pattern(target, value),
        }
    }

    pub(super) fn target_hint(&self, target: &AssignmentTarget<'a>) -> Hint<'a> {
        match target {
            AssignmentTarget::AssignmentTargetIdentifier(id) => Hint::Identifier(id.name),
            _ => Hint::None,
        }
    }
}
