//! JSX.

use super::function::Lowering;
use crate::dialect::{Constant, Element, Immediates, JsString, Opcode};
use oxc_allocator::Allocator;
use oxc_ast::ast::{self, JSXAttributeItem, JSXAttributeName, JSXAttributeValue, JSXChild, JSXElementName};
use oxc_span::GetSpan;
use oxc_syntax::xml_entities::decode_entities;
use ssaphire::{SsaBuilder, Value};
use std::sync::Arc;

impl<'l, 'b, 'p, 'a, B: SsaBuilder> Lowering<'l, 'b, 'p, 'a, B> {
    pub(super) fn jsx_element(&mut self, element: &'p ast::JSXElement<'a>) -> Value {
        let (mut elements, mut args) = (Vec::new(), Vec::new());
        let tag = self.jsx_tag(&element.opening_element.name, &mut args);
        elements.push(Element::Tag(tag));
        for attribute in &element.opening_element.attributes {
            match attribute {
                JSXAttributeItem::SpreadAttribute(spread) => {
                    elements.push(Element::Spread);
                    args.push(self.expression(&spread.argument));
                }
                JSXAttributeItem::Attribute(attribute) => {
                    let name = attribute_name(&attribute.name);
                    match self.jsx_value(attribute) {
                        Some(value) => {
                            elements.push(Element::Value(name));
                            args.push(value);
                        }
                        None => elements.push(Element::Bare(name)),
                    }
                }
            }
        }
        elements.push(Element::Children);
        self.jsx_children(&element.children, &mut elements, &mut args);
        self.op_with(Opcode::Jsx, Immediates::Layout(Arc::from(elements)), &args, element.span)
    }

    pub(super) fn jsx_fragment(&mut self, fragment: &'p ast::JSXFragment<'a>) -> Value {
        let (mut elements, mut args) = (vec![Element::Children], Vec::new());
        self.jsx_children(&fragment.children, &mut elements, &mut args);
        self.op_with(Opcode::Jsx, Immediates::Layout(Arc::from(elements)), &args, fragment.span)
    }

    /// A tag: a text, or a value that comes as an argument.
    fn jsx_tag(&mut self, name: &'p JSXElementName<'a>, args: &mut Vec<Value>) -> JsString {
        match name {
            JSXElementName::Identifier(id) => return JsString::new(&id.name),
            JSXElementName::NamespacedName(name) => {
                return JsString::new(&format!("{}:{}", name.namespace.name, name.name.name));
            }
            JSXElementName::IdentifierReference(id) => args.push(self.read_reference(id)),
            JSXElementName::ThisExpression(node) => args.push(self.this(node.span)),
            JSXElementName::MemberExpression(member) => args.push(self.jsx_member(member)),
        }
        JsString::new("")
    }

    fn jsx_member(&mut self, member: &'p ast::JSXMemberExpression<'a>) -> Value {
        let mut names = vec![(&member.property, member.span)];
        let mut object = &member.object;
        while let ast::JSXMemberExpressionObject::MemberExpression(inner) = object {
            names.push((&inner.property, inner.span));
            object = &inner.object;
        }
        let mut value = match object {
            ast::JSXMemberExpressionObject::IdentifierReference(id) => self.read_reference(id),
            object => self.this(object.span()),
        };
        while let Some((name, span)) = names.pop() {
            value = self.op_named(Opcode::Get, name.name, &[value], span);
        }
        value
    }

    fn jsx_value(&mut self, attribute: &'p ast::JSXAttribute<'a>) -> Option<Value> {
        Some(match attribute.value.as_ref()? {
            JSXAttributeValue::StringLiteral(literal) => {
                let (allocator, mut decoded) = (Allocator::default(), None);
                decode_entities(&literal.value, &mut decoded, literal.value.len(), &allocator);
                let text = decoded.as_ref().map_or(&*literal.value, |decoded| decoded.as_str());
                let string = self.interner.string(text, literal.lone_surrogates);
                self.constant(Constant::String(string))
            }
            JSXAttributeValue::ExpressionContainer(container) => self.expression(container.expression.as_expression()?),
            JSXAttributeValue::Element(element) => self.jsx_element(element),
            JSXAttributeValue::Fragment(fragment) => self.jsx_fragment(fragment),
        })
    }

    fn jsx_children(&mut self, children: &'p [JSXChild<'a>], elements: &mut Vec<Element>, args: &mut Vec<Value>) {
        for child in children {
            let value = match child {
                JSXChild::Text(text) => {
                    elements.push(Element::Text(JsString::new(text.raw.as_ref().unwrap_or(&text.value))));
                    continue;
                }
                JSXChild::Element(element) => self.jsx_element(element),
                JSXChild::Fragment(fragment) => self.jsx_fragment(fragment),
                JSXChild::ExpressionContainer(container) => match container.expression.as_expression() {
                    Some(expression) => self.expression(expression),
                    None => continue,
                },
                JSXChild::Spread(spread) => {
                    elements.push(Element::Spread);
                    let value = self.expression(&spread.expression);
                    args.push(value);
                    continue;
                }
            };
            elements.push(Element::Value(JsString::new("")));
            args.push(value);
        }
    }
}

fn attribute_name(name: &JSXAttributeName<'_>) -> JsString {
    match name {
        JSXAttributeName::Identifier(id) => JsString::new(&id.name),
        JSXAttributeName::NamespacedName(name) => JsString::new(&format!("{}:{}", name.namespace.name, name.name.name)),
    }
}
