//! Expressions.

use super::function::FunctionSyntax;
use super::names::NameAt;
use super::{Lowered, Lowering, unsupported};
use crate::function::Place;
use crate::value::{CastType, Element, Quasi, Value};
use oxc_ast::ast::*;
use oxc_span::GetSpan;
use ssaphire_js::dialect::{Constant, JsString};

/// The string of a literal.
pub(super) fn string_of(literal: &StringLiteral<'_>) -> JsString {
    if literal.lone_surrogates { JsString::from_escaped(&literal.value) } else { JsString::new(&literal.value) }
}

impl<'a> Lowering<'_, 'a> {
    /// Lowers an expression to its place.
    pub(super) fn expression_place(&mut self, expression: &Expression<'a>) -> Lowered<Place> {
        let value = self.expression(expression)?;
        Ok(self.emit(value))
    }

    /// Lowers an expression but for the last instruction, whose value is given.
    pub(super) fn expression(&mut self, expression: &Expression<'a>) -> Lowered<Value> {
        match expression {
            Expression::Identifier(name) => self.load(NameAt::new(name.name.as_str(), name.span)),
            Expression::NullLiteral(_) => Ok(Value::Primitive(Constant::Null)),
            Expression::BooleanLiteral(literal) => Ok(Value::Primitive(Constant::Boolean(literal.value))),
            Expression::NumericLiteral(literal) => Ok(Value::Primitive(Constant::number(literal.value))),
            Expression::StringLiteral(literal) => Ok(Value::Primitive(Constant::String(string_of(literal)))),
            Expression::RegExpLiteral(literal) => Ok(self.regular_expression(literal)),
            Expression::TemplateLiteral(template) => self.template(template),
            Expression::TaggedTemplateExpression(template) => self.tagged_template(template),
            Expression::ObjectExpression(object) => self.object(object),
            Expression::ArrayExpression(array) => self.array(array),
            Expression::NewExpression(new) => {
                let callee = self.expression_place(&new.callee)?;
                Ok(Value::New { callee, arguments: self.arguments(&new.arguments)? })
            }
            Expression::CallExpression(call) => self.call(call),
            Expression::ChainExpression(chain) => self.chain(&chain.expression),
            Expression::BinaryExpression(binary) => {
                let left = self.expression_place(&binary.left)?;
                let right = self.expression_place(&binary.right)?;
                Ok(Value::Binary { operator: binary.operator, left, right })
            }
            Expression::UnaryExpression(unary) => self.unary(unary),
            Expression::UpdateExpression(update) => self.update(update),
            Expression::AssignmentExpression(assignment) => self.assignment(assignment),
            Expression::LogicalExpression(logical) => self.logical(logical),
            Expression::ConditionalExpression(conditional) => self.conditional(conditional),
            Expression::SequenceExpression(sequence) => self.sequence(sequence),
            Expression::ArrowFunctionExpression(arrow) => {
                Ok(Value::Function(self.closure(&FunctionSyntax::Arrow(arrow))?))
            }
            Expression::FunctionExpression(function) => {
                Ok(Value::Function(self.closure(&FunctionSyntax::Function(function))?))
            }
            Expression::AwaitExpression(operand) => Ok(Value::Await(self.expression_place(&operand.argument)?)),
            Expression::ImportMeta(_) => Ok(Value::MetaProperty { meta: "import", property: "meta" }),
            Expression::JSXElement(element) => self.jsx_element(element),
            Expression::JSXFragment(fragment) => Ok(Value::JsxFragment(self.jsx_children(&fragment.children)?)),
            Expression::ParenthesizedExpression(inner) => self.expression(&inner.expression),
            Expression::TSAsExpression(cast) => self.cast(&cast.expression, &cast.type_annotation),
            Expression::TSSatisfiesExpression(cast) => self.cast(&cast.expression, &cast.type_annotation),
            Expression::TSNonNullExpression(inner) => self.non_null(inner),
            Expression::TSInstantiationExpression(inner) => self.expression(&inner.expression),
            expression => match expression.as_member_expression() {
                Some(member) => {
                    let object = self.expression_place(member.object())?;
                    let load = self.member_property(member)?.load(object);
                    let place = self.emit(load);
                    Ok(Value::LoadLocal { place })
                }
                None => Err(unsupported(kind_of(expression), expression.span())),
            },
        }
    }

    fn regular_expression(&self, literal: &RegExpLiteral<'a>) -> Value {
        let pattern = literal.regex.pattern.text.to_string();
        // The flags in the order in which they are written: the tree has them as a set.
        let text = &self.source[literal.span.start as usize..literal.span.end as usize];
        let flags = text.rsplit('/').next().unwrap_or_default().to_owned();
        Value::RegExp { pattern, flags }
    }

    fn template(&mut self, template: &TemplateLiteral<'a>) -> Lowered<Value> {
        let operands = template.expressions.iter().map(|operand| self.expression_place(operand));
        let operands = operands.collect::<Lowered<Vec<_>>>()?;
        Ok(Value::TemplateLiteral { quasis: template.quasis.iter().map(quasi_of).collect(), operands })
    }

    fn tagged_template(&mut self, template: &TaggedTemplateExpression<'a>) -> Lowered<Value> {
        let quasi = template.quasi.quasis.first().filter(|_| template.quasi.expressions.is_empty()).map(quasi_of);
        let quasi = quasi.ok_or_else(|| unsupported("a tagged template with operands", template.span))?;
        if quasi.cooked != Some(JsString::new(&quasi.raw)) {
            return Err(unsupported("a tagged template with escapes", template.span));
        }
        Ok(Value::TaggedTemplate { tag: self.expression_place(&template.tag)?, raw: quasi.raw })
    }

    fn array(&mut self, array: &ArrayExpression<'a>) -> Lowered<Value> {
        let mut elements = Vec::with_capacity(array.elements.len());
        for element in &array.elements {
            elements.push(match element {
                ArrayExpressionElement::Elision(_) => Element::Hole,
                ArrayExpressionElement::SpreadElement(spread) => {
                    Element::Spread(self.expression_place(&spread.argument)?)
                }
                element => Element::Place(self.expression_place(element.to_expression())?),
            });
        }
        Ok(Value::Array(elements))
    }

    pub(super) fn arguments(&mut self, arguments: &[Argument<'a>]) -> Lowered<Vec<Element>> {
        let mut lowered = Vec::with_capacity(arguments.len());
        for argument in arguments {
            lowered.push(match argument {
                Argument::SpreadElement(spread) => Element::Spread(self.expression_place(&spread.argument)?),
                argument => Element::Place(self.expression_place(argument.to_expression())?),
            });
        }
        Ok(lowered)
    }

    fn call(&mut self, call: &CallExpression<'a>) -> Lowered<Value> {
        let Some(member) = call.callee.as_member_expression() else {
            let callee = self.expression_place(&call.callee)?;
            return Ok(Value::Call { callee, arguments: self.arguments(&call.arguments)? });
        };
        let (receiver, property) = self.method(member)?;
        Ok(Value::MethodCall { receiver, property, arguments: self.arguments(&call.arguments)? })
    }

    /// The object of `member`, and the place that loads it.
    pub(super) fn method(&mut self, member: &MemberExpression<'a>) -> Lowered<(Place, Place)> {
        let receiver = self.expression_place(member.object())?;
        let load = self.member_property(member)?.load(receiver);
        Ok((receiver, self.emit(load)))
    }

    fn cast(&mut self, expression: &Expression<'a>, ty: &TSType<'a>) -> Lowered<Value> {
        let value = self.expression_place(expression)?;
        let ty = match ty {
            TSType::TSArrayType(_) => CastType::Array,
            TSType::TSTypeReference(reference) => match &reference.type_name {
                TSTypeName::IdentifierReference(name) if name.name == "Array" => CastType::Array,
                _ => CastType::Other,
            },
            TSType::TSBooleanKeyword(_)
            | TSType::TSNullKeyword(_)
            | TSType::TSNumberKeyword(_)
            | TSType::TSStringKeyword(_)
            | TSType::TSSymbolKeyword(_)
            | TSType::TSUndefinedKeyword(_)
            | TSType::TSVoidKeyword(_) => CastType::Primitive,
            _ => CastType::Other,
        };
        Ok(Value::TypeCast { value, ty })
    }
}

fn quasi_of(element: &TemplateElement<'_>) -> Quasi {
    let string = |text: &str| if element.lone_surrogates { JsString::from_escaped(text) } else { JsString::new(text) };
    let raw = element.value.raw.replace("\r\n", "\n").replace('\r', "\n");
    Quasi { raw, cooked: element.value.cooked.as_ref().map(|text| string(text)) }
}

/// What an expression is that has no HIR.
fn kind_of(expression: &Expression<'_>) -> &'static str {
    match expression {
        Expression::ThisExpression(_) => "`this`",
        Expression::Super(_) => "`super`",
        Expression::ClassExpression(_) => "a class",
        Expression::YieldExpression(_) => "`yield`",
        Expression::ImportExpression(_) => "`import()`",
        Expression::NewTarget(_) => "`new.target`",
        Expression::BigIntLiteral(_) => "a BigInt",
        Expression::PrivateInExpression(_) => "`in` with a private name",
        Expression::TSTypeAssertion(_) => "a type in angle brackets",
        _ => "an expression of another kind",
    }
}
