//! Conditions and values that several paths give.

use super::emit::Join;
use super::function::Lowering;
use super::literal::Hint;
use crate::dialect::{Op, Opcode};
use oxc_ast::ast::{self, Expression};
use oxc_span::GetSpan;
use oxc_syntax::operator::{LogicalOperator, UnaryOperator};
use ssaphire::{Block, SsaBuilder, Value};
use ssaphire_ir::List;

/// What is left to do for a condition.
pub(super) enum Step<'p, 'a> {
    Test(&'p Expression<'a>, Block, Block),
    Begin(Block),
}

impl<'l, 'b, 'p, 'a, B: SsaBuilder> Lowering<'l, 'b, 'p, 'a, B> {
    /// Goes to one of two joins, as an expression is true or not. Nothing is lowered behind it until one of them begins.
    pub(super) fn condition(&mut self, test: &'p Expression<'a>, then: &mut Join, other: &mut Join) {
        let then = *then.0.get_or_insert_with(|| self.builder.create_block());
        let other = *other.0.get_or_insert_with(|| self.builder.create_block());
        let outer = self.pending.steps.len();
        self.test(test, then, other);
        while self.pending.steps.len() > outer
            && let Some(step) = self.pending.steps.pop()
        {
            match step {
                Step::Begin(block) => self.begin_sealed(block),
                Step::Test(test, then, other) => self.test(test, then, other),
            }
        }
    }

    fn test(&mut self, test: &'p Expression<'a>, then: Block, other: Block) {
        match test {
            Expression::LogicalExpression(node) if node.operator != LogicalOperator::Coalesce => {
                let middle = self.builder.create_block();
                self.pending.steps.push(Step::Test(&node.right, then, other));
                self.pending.steps.push(Step::Begin(middle));
                let (then, other) =
                    if node.operator == LogicalOperator::And { (middle, other) } else { (then, middle) };
                self.pending.steps.push(Step::Test(&node.left, then, other));
            }
            Expression::UnaryExpression(node) if node.operator == UnaryOperator::LogicalNot => {
                self.pending.steps.push(Step::Test(&node.argument, other, then));
            }
            _ => {
                let value = self.expression(test);
                let op = Op { span: test.span().into(), ..Op::new(Opcode::Branch) };
                self.terminate_with(op, &[value], &[then, other]);
            }
        }
    }

    pub(super) fn conditional(&mut self, node: &'p ast::ConditionalExpression<'a>, hint: &Hint<'a>) -> Value {
        let (mut then, mut other) = (Join::default(), Join::default());
        let result = self.temporary_for(hint);
        let mut end = Join::default();
        self.condition(&node.test, &mut then, &mut other);
        for (join, value) in [(then, &node.consequent), (other, &node.alternate)] {
            self.begin(join);
            let value = self.expression(value);
            self.write(result, value);
            self.jump_to(&mut end);
        }
        self.begin(end);
        self.read(result)
    }

    /// `&&`, `||` or `??`, whose value is one of both.
    pub(super) fn logical(&mut self, node: &'p ast::LogicalExpression<'a>, hint: &Hint<'a>) -> Value {
        // Chains of one operator lean to the left.
        let mut rights: List<_, 2> = List::new();
        rights.push((node.operator, &node.right));
        let mut left = &node.left;
        while let Expression::LogicalExpression(inner) = left {
            rights.push((inner.operator, &inner.right));
            left = &inner.left;
        }
        let mut value = self.expression(left);
        let result = self.temporary_for(hint);
        while let Some((operator, right)) = rights.pop() {
            self.write(result, value);
            let mut end = Join::default();
            self.short_circuit(operator, value, &mut end);
            let right = self.expression(right);
            self.write(result, right);
            self.jump_to(&mut end);
            self.begin(end);
            value = self.read(result);
        }
        value
    }

    /// Goes to `end` if `value` decides what the operator gives, and on if not.
    pub(super) fn short_circuit(&mut self, operator: LogicalOperator, value: Value, end: &mut Join) {
        let end = *end.0.get_or_insert_with(|| self.builder.create_block());
        let right = self.builder.create_block();
        match operator {
            LogicalOperator::And => self.terminate(Opcode::Branch, &[value], &[right, end]),
            LogicalOperator::Or => self.terminate(Opcode::Branch, &[value], &[end, right]),
            LogicalOperator::Coalesce => self.terminate(Opcode::BranchNullish, &[value], &[right, end]),
        }
        self.begin_sealed(right);
    }
}
