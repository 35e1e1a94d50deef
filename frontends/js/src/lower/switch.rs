//! `switch`.

use super::emit::Join;
use super::function::Lowering;
use super::statement::scope_of;
use crate::dialect::{Constant, Immediates, Op, Opcode};
use crate::source::Span;
use oxc_ast::ast::{self, Expression};
use oxc_syntax::operator::UnaryOperator;
use ssaphire::{Block, SsaBuilder, Value};
use std::sync::Arc;

impl<'l, 'b, 'p, 'a, B: SsaBuilder> Lowering<'l, 'b, 'p, 'a, B> {
    pub(super) fn switch(&mut self, node: &'p ast::SwitchStatement<'a>) {
        let value = self.expression(&node.discriminant);
        let scope = scope_of(&node.scope_id);
        self.begin_scope(scope);
        self.make_functions(scope, node.cases.iter().flat_map(|case| &case.consequent));
        self.push_breakable(true, false);
        let mut bodies: Vec<Join> = vec![Join::default(); node.cases.len()];
        let default = node.cases.iter().position(|case| case.test.is_none());
        self.choose(node, value, &mut bodies);
        // What no case takes goes to the default one, or behind the switch.
        match default {
            Some(default) => self.jump_to(&mut bodies[default]),
            None => self.break_to(None),
        }
        for (case, body) in node.cases.iter().zip(bodies) {
            let mut body = body;
            if body.0.is_some() {
                self.jump_to(&mut body);
                self.begin(body);
            }
            self.statements(&case.consequent);
        }
        let (mut end, _) = self.pop_breakable();
        self.jump_to(&mut end);
        self.begin(end);
    }

    /// Compares with one case after the other; a run of constants is one operation.
    fn choose(&mut self, node: &'p ast::SwitchStatement<'a>, value: Value, bodies: &mut [Join]) {
        let mut run: Vec<(Constant, usize)> = Vec::new();
        for (index, case) in node.cases.iter().enumerate() {
            let Some(test) = &case.test else { continue };
            match self.case_constant(test) {
                Some(constant) => run.push((constant, index)),
                None => {
                    self.end_run(&mut run, value, bodies);
                    let test_value = self.expression(test);
                    let is_equal = self.op(Opcode::StrictEq, &[value, test_value], case.span);
                    let target = *bodies[index].0.get_or_insert_with(|| self.builder.create_block());
                    let next = self.builder.create_block();
                    self.terminate(Opcode::Branch, &[is_equal], &[target, next]);
                    self.begin_sealed(next);
                }
            }
        }
        self.end_run(&mut run, value, bodies);
    }

    fn end_run(&mut self, run: &mut Vec<(Constant, usize)>, value: Value, bodies: &mut [Join]) {
        if run.is_empty() {
            return;
        }
        let next = self.builder.create_block();
        let mut cases: Vec<Constant> = Vec::with_capacity(run.len());
        let mut targets: Vec<Block> = Vec::with_capacity(run.len() + 1);
        let mut seen = std::collections::HashSet::new();
        for (constant, index) in run.drain(..) {
            // The first of equal cases takes the value.
            if !seen.insert(constant.clone()) {
                continue;
            }
            targets.push(*bodies[index].0.get_or_insert_with(|| self.builder.create_block()));
            cases.push(constant);
        }
        targets.push(next);
        let op = Op { opcode: Opcode::Switch, span: Span::NOWHERE, immediates: Immediates::Cases(Arc::from(cases)) };
        self.terminate_with(op, &[value], &targets);
        self.begin_sealed(next);
    }

    /// The constant of a case, where it is one that evaluates to itself. `0` and `-0` are equal.
    fn case_constant(&mut self, test: &Expression<'_>) -> Option<Constant> {
        match test {
            Expression::NumericLiteral(literal) => Some(Constant::number(literal.value + 0.0)),
            Expression::UnaryExpression(node) if node.operator == UnaryOperator::UnaryNegation => {
                match &node.argument {
                    Expression::NumericLiteral(literal) => Some(Constant::number(-literal.value + 0.0)),
                    _ => None,
                }
            }
            Expression::StringLiteral(_) | Expression::BooleanLiteral(_) | Expression::NullLiteral(_) => {
                self.literal_constant(test)
            }
            _ => None,
        }
    }
}
