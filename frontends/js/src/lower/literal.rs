//! Literals, closures and templates.

use super::LowerError;
use super::function::Lowering;
use crate::dialect::{Constant, Immediates, JsString, Name, Op, Opcode, TemplatePart, Type};
use crate::scopes::Storage;
use oxc_ast::ast::{self, Expression};
use oxc_str::Ident;
use oxc_syntax::scope::ScopeId;
use ssaphire::{SsaBuilder, Value};
use ssaphire_ir::List;
use std::cell::Cell;
use std::sync::Arc;

/// What an anonymous function or class is called by its place.
#[derive(Clone)]
pub(super) enum Hint<'a> {
    /// Nothing.
    None,
    /// An identifier.
    Identifier(Ident<'a>),
    /// A name.
    Name(JsString),
    /// A property key.
    Key(Value),
}

/// The number of a function or class, which stands in the tree where its scope's was.
pub(super) fn number_of(cell: &Cell<Option<ScopeId>>) -> u32 {
    cell.get().map_or(0, |id| id.index() as u32)
}

/// Whether an expression is a function or class that its place gives a name.
pub(super) fn is_anonymous(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::FunctionExpression(function) => function.id.is_none(),
        Expression::ArrowFunctionExpression(_) => true,
        Expression::ClassExpression(class) => class.id.is_none(),
        _ => false,
    }
}

impl<'l, 'b, 'p, 'a, B: SsaBuilder> Lowering<'l, 'b, 'p, 'a, B> {
    /// The constant that a literal is, but for regular expressions and templates.
    pub(super) fn literal_constant(&mut self, literal: &Expression<'_>) -> Option<Constant> {
        Some(match literal {
            Expression::BooleanLiteral(literal) => Constant::Boolean(literal.value),
            Expression::NullLiteral(_) => Constant::Null,
            Expression::NumericLiteral(literal) => Constant::number(literal.value),
            Expression::BigIntLiteral(literal) => Constant::BigInt(literal.value.as_str().into()),
            Expression::StringLiteral(literal) => {
                Constant::String(self.interner.string(&literal.value, literal.lone_surrogates))
            }
            _ => return None,
        })
    }

    pub(super) fn pair(&mut self, first: &str, second: &str) -> Immediates {
        Immediates::Pair(Arc::new((self.interner.text(first), self.interner.text(second))))
    }

    pub(super) fn regexp(&mut self, literal: &ast::RegExpLiteral<'_>) -> Value {
        if let Some(error) = crate::source::regexp::check(literal) {
            self.error.get_or_insert(LowerError::Unsupported(error));
        }
        let flags = literal.regex.flags.to_string();
        let pair = self.pair(&literal.regex.pattern.text, &flags);
        self.op_with(Opcode::RegExp, pair, &[], literal.span)
    }

    /// A closure of the function whose number is in `cell`.
    pub(super) fn closure(&mut self, cell: &Cell<Option<ScopeId>>, span: oxc_span::Span, hint: Hint<'a>) -> Value {
        let number = number_of(cell);
        let mut args: List<Value, 8> = List::new();
        let opcode = match hint {
            Hint::Key(key) => {
                args.push(key);
                Opcode::ClosureNamed
            }
            Hint::Identifier(name) => {
                self.shared.function_names[number as usize] = Some(self.interner.key(name));
                Opcode::Closure
            }
            Hint::Name(name) => {
                self.shared.function_names[number as usize] = Some(name);
                Opcode::Closure
            }
            Hint::None => Opcode::Closure,
        };
        self.cells_of(number, &mut args);
        let op = Op { opcode, span: span.into(), immediates: Immediates::Index(number) };
        self.op_typed(op, &args, Type::Any)
    }

    /// The cells that function `number` captures.
    pub(super) fn cells_of(&mut self, number: u32, args: &mut impl Extend<Value>) {
        let scopes = self.scopes;
        args.extend(scopes.captures_of(number).iter().map(|&id| self.cell(id)));
    }

    /// An expression whose value is called by its place, if it is an anonymous function or class. What several paths
    /// give is a variable of that name.
    pub(super) fn named_expression(&mut self, expression: &'p Expression<'a>, hint: Hint<'a>) -> Value {
        match expression {
            Expression::ConditionalExpression(node) => self.conditional(node, &hint),
            Expression::LogicalExpression(node) => self.logical(node, &hint),
            _ if !is_anonymous(expression) => self.expression(expression),
            Expression::FunctionExpression(function) => self.closure(&function.scope_id, function.span, hint),
            Expression::ArrowFunctionExpression(arrow) => self.closure(&arrow.scope_id, arrow.span, hint),
            Expression::ClassExpression(class) => self.class(class, hint),
            _ => self.expression(expression),
        }
    }

    fn template_parts(&mut self, template: &ast::TemplateLiteral<'_>) -> Arc<[TemplatePart]> {
        let part = |quasi: &ast::TemplateElement<'_>| TemplatePart {
            raw: Name::new(&quasi.value.raw),
            cooked: quasi.value.cooked.as_ref().map(|cooked| {
                if quasi.lone_surrogates { JsString::from_escaped(cooked) } else { JsString::new(cooked) }
            }),
        };
        template.quasis.iter().map(part).collect()
    }

    pub(super) fn template(&mut self, template: &'p ast::TemplateLiteral<'a>) -> Value {
        let parts = self.template_parts(template);
        if let ([part], []) = (&*parts, template.expressions.as_slice())
            && let Some(cooked) = &part.cooked
        {
            return self.constant(Constant::String(cooked.clone()));
        }
        let mut values = Vec::with_capacity(template.expressions.len());
        for (index, expression) in template.expressions.iter().enumerate() {
            let value = self.expression(expression);
            let rest = &template.expressions[index + 1..];
            // A value becomes a string before the next one is computed.
            let is_last = rest.iter().all(|expression| self.is_inert(expression));
            values.push(if is_last { value } else { self.op(Opcode::ToString, &[value], template.span) });
        }
        self.op_with(Opcode::Template, Immediates::Strings(parts), &values, template.span)
    }

    /// The object that the tag of a template gets.
    pub(super) fn template_object(&mut self, template: &'p ast::TemplateLiteral<'a>) -> Value {
        let parts = self.template_parts(template);
        self.op_with(Opcode::TemplateObject, Immediates::Strings(parts), &[], template.span)
    }

    /// Whether the value of an expression is the same before other expressions run and after.
    pub(super) fn is_inert(&self, expression: &Expression<'_>) -> bool {
        match expression {
            Expression::BooleanLiteral(_)
            | Expression::NullLiteral(_)
            | Expression::NumericLiteral(_)
            | Expression::BigIntLiteral(_)
            | Expression::StringLiteral(_)
            | Expression::FunctionExpression(_)
            | Expression::ArrowFunctionExpression(_) => true,
            Expression::Identifier(id) => super::binding::of_reference(id).is_some_and(|binding| {
                let data = self.scopes.binding(binding);
                let is_here = data.function == self.number;
                let is_safe = !self.scopes.may_be_early(binding, id.span.start, self.number);
                is_here && is_safe && matches!(data.storage, Storage::Local | Storage::Shared { .. })
            }),
            _ => false,
        }
    }
}
