//! JSX.

use super::names::NameAt;
use super::{Lowered, Lowering, unsupported};
use crate::function::Place;
use crate::value::{JsxAttribute, JsxTag, PropertyName, Value};
use oxc_allocator::Allocator;
use oxc_ast::ast::*;
use oxc_syntax::xml_entities::decode_entities;
use ssaphire_js::dialect::{Constant, JsString};

impl<'a> Lowering<'_, 'a> {
    pub(super) fn jsx_element(&mut self, element: &JSXElement<'a>) -> Lowered<Value> {
        let opening = &element.opening_element;
        let tag = self.jsx_tag(&opening.name)?;
        let mut attributes = Vec::with_capacity(opening.attributes.len());
        for attribute in &opening.attributes {
            attributes.push(match attribute {
                JSXAttributeItem::SpreadAttribute(spread) => {
                    JsxAttribute::Spread(self.expression_place(&spread.argument)?)
                }
                JSXAttributeItem::Attribute(attribute) => self.jsx_attribute(attribute)?,
            });
        }
        let is_fbt = matches!(&tag, JsxTag::Builtin(name) if name == "fbt" || name == "fbs");
        self.builder.fbt_depth += u32::from(is_fbt);
        let children = self.jsx_children(&element.children)?;
        self.builder.fbt_depth -= u32::from(is_fbt);
        Ok(Value::Jsx { tag, attributes, children: (!children.is_empty()).then_some(children) })
    }

    fn jsx_attribute(&mut self, attribute: &JSXAttribute<'a>) -> Lowered<JsxAttribute> {
        let name = match &attribute.name {
            JSXAttributeName::Identifier(name) => name.name.to_string(),
            JSXAttributeName::NamespacedName(name) => format!("{}:{}", name.namespace.name, name.name.name),
        };
        let place = match &attribute.value {
            None => self.emit(Value::Primitive(Constant::Boolean(true))),
            Some(JSXAttributeValue::StringLiteral(literal)) => {
                self.emit(Value::Primitive(Constant::string(&decode(&literal.value))))
            }
            Some(JSXAttributeValue::Element(element)) => {
                let value = self.jsx_element(element)?;
                self.emit(value)
            }
            Some(JSXAttributeValue::ExpressionContainer(container)) => match container.expression.as_expression() {
                Some(expression) => self.expression_place(expression)?,
                None => return Err(unsupported("an attribute without a value", container.span)),
            },
            Some(JSXAttributeValue::Fragment(fragment)) => {
                return Err(unsupported("a fragment as an attribute", fragment.span));
            }
        };
        Ok(JsxAttribute::Named(name, place))
    }

    fn jsx_tag(&mut self, name: &JSXElementName<'a>) -> Lowered<JsxTag> {
        match name {
            JSXElementName::Identifier(name) => Ok(JsxTag::Builtin(name.name.to_string())),
            JSXElementName::IdentifierReference(name) if !name.name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                Ok(JsxTag::Builtin(name.name.to_string()))
            }
            JSXElementName::IdentifierReference(name) => {
                let load = self.load(NameAt::new(name.name.as_str(), name.span))?;
                Ok(JsxTag::Place(self.emit(load)))
            }
            JSXElementName::NamespacedName(name) => {
                let text = JsString::new(&format!("{}:{}", name.namespace.name, name.name.name));
                Ok(JsxTag::Place(self.emit(Value::Primitive(Constant::String(text)))))
            }
            JSXElementName::MemberExpression(member) => Ok(JsxTag::Place(self.jsx_member(member)?)),
            JSXElementName::ThisExpression(this) => Err(unsupported("`this`", this.span)),
        }
    }

    fn jsx_member(&mut self, member: &JSXMemberExpression<'a>) -> Lowered<Place> {
        let object = match &member.object {
            JSXMemberExpressionObject::IdentifierReference(name) => {
                let load = self.load(NameAt::new(name.name.as_str(), name.span))?;
                self.emit(load)
            }
            JSXMemberExpressionObject::MemberExpression(member) => self.jsx_member(member)?,
            JSXMemberExpressionObject::ThisExpression(this) => return Err(unsupported("`this`", this.span)),
        };
        let property = PropertyName::Text(JsString::new(&member.property.name));
        Ok(self.emit(Value::PropertyLoad { object, property }))
    }

    pub(super) fn jsx_children(&mut self, children: &[JSXChild<'a>]) -> Lowered<Vec<Place>> {
        let mut places = Vec::with_capacity(children.len());
        for child in children {
            places.push(match child {
                JSXChild::Element(element) => {
                    let value = self.jsx_element(element)?;
                    self.emit(value)
                }
                JSXChild::Fragment(fragment) => {
                    let value = Value::JsxFragment(self.jsx_children(&fragment.children)?);
                    self.emit(value)
                }
                JSXChild::ExpressionContainer(container) => match container.expression.as_expression() {
                    Some(expression) => self.expression_place(expression)?,
                    None => continue,
                },
                JSXChild::Text(text) => {
                    let text = decode(&text.value);
                    let text = if self.builder.fbt_depth > 0 { text } else { trim(&text) };
                    if text.is_empty() {
                        continue;
                    }
                    self.emit(Value::JsxText(text))
                }
                JSXChild::Spread(spread) => return Err(unsupported("a spread child", spread.span)),
            });
        }
        Ok(places)
    }
}

/// The text with its character references replaced.
fn decode(text: &str) -> String {
    let allocator = Allocator::default();
    let mut decoded = None;
    decode_entities(text, &mut decoded, text.len(), &allocator);
    decoded.map_or_else(|| text.to_owned(), |decoded| decoded.as_str().to_owned())
}

/// The text that JSX makes of lines: without white space at the ends of lines, which become one space where text follows.
fn trim(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<&str> = text.split('\n').collect();
    let last_filled = lines.iter().rposition(|line| line.contains(|c| c != ' ' && c != '\t')).unwrap_or(0);
    let mut trimmed = String::new();
    for (index, line) in lines.iter().enumerate() {
        let line = line.replace('\t', " ");
        let line = if index == 0 { &*line } else { line.trim_start_matches(' ') };
        let line = if index + 1 == lines.len() { line } else { line.trim_end_matches(' ') };
        trimmed += line;
        if !line.is_empty() && index != last_filled {
            trimmed.push(' ');
        }
    }
    trimmed
}
