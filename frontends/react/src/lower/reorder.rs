//! Expressions that may be evaluated at another time: defaults and the tests of a `switch`.

use super::names::NameAt;
use super::{Lowered, Lowering, unsupported};
use crate::function::Place;
use oxc_ast::ast::*;
use oxc_span::GetSpan;
use oxc_syntax::operator::UnaryOperator;

impl<'a> Lowering<'_, 'a> {
    /// Lowers an expression where it is not evaluated in its turn.
    pub(super) fn reorderable(&mut self, expression: &Expression<'a>) -> Lowered<Place> {
        if !self.is_reorderable(expression, true)? {
            return Err(unsupported("an expression that must be evaluated in its turn", expression.span()));
        }
        self.expression_place(expression)
    }

    fn is_reorderable(&mut self, expression: &Expression<'a>, with_locals: bool) -> Lowered<bool> {
        match expression {
            Expression::Identifier(name) => {
                let meaning = self.meaning(NameAt::new(name.name.as_str(), name.span))?;
                Ok(with_locals || !meaning.is_local())
            }
            Expression::RegExpLiteral(_)
            | Expression::StringLiteral(_)
            | Expression::NumericLiteral(_)
            | Expression::NullLiteral(_)
            | Expression::BooleanLiteral(_)
            | Expression::BigIntLiteral(_) => Ok(true),
            Expression::UnaryExpression(unary) => Ok(matches!(
                unary.operator,
                UnaryOperator::LogicalNot | UnaryOperator::UnaryPlus | UnaryOperator::UnaryNegation
            ) && self.is_reorderable(&unary.argument, with_locals)?),
            Expression::ParenthesizedExpression(inner) => self.is_reorderable(&inner.expression, with_locals),
            Expression::TSInstantiationExpression(inner) => self.is_reorderable(&inner.expression, with_locals),
            Expression::TSAsExpression(inner) => self.is_reorderable(&inner.expression, with_locals),
            Expression::TSNonNullExpression(inner) => self.is_reorderable(&inner.expression, with_locals),
            Expression::LogicalExpression(logical) => {
                Ok(self.is_reorderable(&logical.left, with_locals)?
                    && self.is_reorderable(&logical.right, with_locals)?)
            }
            Expression::ConditionalExpression(conditional) => Ok(self
                .is_reorderable(&conditional.test, with_locals)?
                && self.is_reorderable(&conditional.consequent, with_locals)?
                && self.is_reorderable(&conditional.alternate, with_locals)?),
            Expression::ArrayExpression(array) => {
                let elements = array.elements.iter().map(ArrayExpressionElement::as_expression);
                self.are_reorderable(elements, with_locals)
            }
            Expression::ObjectExpression(object) => {
                let values = object.properties.iter().map(plain_value);
                self.are_reorderable(values, with_locals)
            }
            Expression::ArrowFunctionExpression(arrow) => match &arrow.body {
                ArrowFunctionBody::FunctionBody(body) => Ok(body.statements.is_empty()),
                body => self.are_reorderable(std::iter::once(body.as_expression()), false),
            },
            Expression::CallExpression(call) => Ok(self.is_reorderable(&call.callee, with_locals)?
                && self.are_reorderable(call.arguments.iter().map(Argument::as_expression), with_locals)?),
            expression => self.is_property_of_global(expression),
        }
    }

    /// Whether all of them are; `None` never is.
    fn are_reorderable<'t>(
        &mut self,
        expressions: impl Iterator<Item = Option<&'t Expression<'a>>>,
        with_locals: bool,
    ) -> Lowered<bool>
    where
        'a: 't,
    {
        for expression in expressions {
            match expression {
                Some(expression) if self.is_reorderable(expression, with_locals)? => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    fn is_property_of_global(&mut self, expression: &Expression<'a>) -> Lowered<bool> {
        let Some(mut member) = expression.as_member_expression() else { return Ok(false) };
        while let Some(inner) = member.object().as_member_expression() {
            member = inner;
        }
        match member.object() {
            Expression::Identifier(name) => Ok(!self.meaning(NameAt::new(name.name.as_str(), name.span))?.is_local()),
            _ => Ok(false),
        }
    }
}

/// The value of a property whose key and kind say nothing else.
fn plain_value<'t, 'a>(property: &'t ObjectPropertyKind<'a>) -> Option<&'t Expression<'a>> {
    match property {
        ObjectPropertyKind::ObjectProperty(property)
            if !property.computed && !property.method && property.kind == PropertyKind::Init =>
        {
            Some(&property.value)
        }
        _ => None,
    }
}
