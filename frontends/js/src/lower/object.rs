//! Object and array literals.

use super::function::Lowering;
use super::literal::{Hint, number_of};
use crate::dialect::{Constant, Element, Immediates, JsString, Method, Opcode};
use crate::program::FunctionId;
use crate::source::Span;
use oxc_ast::ast::{self, ArrayExpressionElement, Expression, ObjectPropertyKind, PropertyKey, PropertyKind};
use ssaphire::{SsaBuilder, Value};
use std::sync::Arc;

impl<'l, 'b, 'p, 'a, B: SsaBuilder> Lowering<'l, 'b, 'p, 'a, B> {
    pub(super) fn object(&mut self, object: &'p ast::ObjectExpression<'a>) -> Value {
        let (mut elements, mut args) = (Vec::with_capacity(object.properties.len()), Vec::new());
        for (index, property) in object.properties.iter().enumerate() {
            match property {
                ObjectPropertyKind::SpreadProperty(spread) => {
                    let mut value = self.expression(&spread.argument);
                    let rest = &object.properties[index + 1..];
                    if !rest.iter().all(|property| self.is_inert_property(property)) {
                        // Its getters run before what follows: they run into an object of its own.
                        let layout = Immediates::Layout(Arc::from([Element::Spread]));
                        value = self.op_with(Opcode::Object, layout, &[value], spread.span);
                    }
                    elements.push(Element::Spread);
                    args.push(value);
                }
                ObjectPropertyKind::ObjectProperty(property) => {
                    self.object_property(property, &mut elements, &mut args);
                }
            }
        }
        self.op_with(Opcode::Object, Immediates::Layout(Arc::from(elements)), &args, object.span)
    }

    fn is_inert_property(&self, property: &ObjectPropertyKind<'_>) -> bool {
        match property {
            ObjectPropertyKind::SpreadProperty(_) => false,
            ObjectPropertyKind::ObjectProperty(property) => !property.computed && self.is_inert(&property.value),
        }
    }

    fn object_property(
        &mut self,
        property: &'p ast::ObjectProperty<'a>,
        elements: &mut Vec<Element>,
        args: &mut Vec<Value>,
    ) {
        let name = self.static_key(&property.key, property.computed);
        let key = if name.is_none() { Some(self.computed_key(&property.key)) } else { None };
        args.extend(key);
        if let Expression::FunctionExpression(function) = &property.value
            && (property.method || property.kind != PropertyKind::Init)
        {
            let number = number_of(&function.scope_id);
            let before = args.len();
            self.cells_of(number, args);
            let cells = (args.len() - before) as u32;
            elements.push(Element::Method(Method { name, function: FunctionId(number), cells }));
            return;
        }
        let is_proto = name.as_ref().is_some_and(|name| name.as_str() == Some("__proto__"));
        if is_proto && !property.shorthand {
            elements.push(Element::Proto);
            let value = self.expression(&property.value);
            args.push(value);
            return;
        }
        let hint = match (&name, key) {
            (Some(name), _) => Hint::Name(name.clone()),
            (None, Some(key)) => Hint::Key(key),
            (None, None) => Hint::None,
        };
        let value = self.named_expression(&property.value, hint);
        elements.push(name.map_or(Element::Computed, Element::Value));
        args.push(value);
    }

    /// The name that a key is, if it is not computed.
    pub(super) fn static_key(&mut self, key: &PropertyKey<'a>, is_computed: bool) -> Option<JsString> {
        if is_computed {
            return None;
        }
        match key {
            PropertyKey::StaticIdentifier(id) => Some(self.interner.key(id.name)),
            PropertyKey::StringLiteral(literal) => Some(self.interner.string(&literal.value, literal.lone_surrogates)),
            PropertyKey::NumericLiteral(literal) => Some(JsString::new(&crate::number::to_string(literal.value))),
            PropertyKey::BigIntLiteral(literal) => Some(JsString::new(&literal.value)),
            _ => None,
        }
    }

    /// A key that is computed, converted.
    pub(super) fn computed_key(&mut self, key: &'p PropertyKey<'a>) -> Value {
        use oxc_span::GetSpan;
        let Some(expression) = key.as_expression() else { return self.undefined() };
        let value = self.expression(expression);
        match self.builder.function().as_constant(value) {
            Some(Constant::String(_)) => value,
            _ => self.op(Opcode::ToKey, &[value], key.span()),
        }
    }

    pub(super) fn empty_array(&mut self, span: Span) -> Value {
        self.op_with(Opcode::Array, Immediates::Layout(Arc::from([])), &[], span)
    }

    pub(super) fn array(&mut self, array: &'p ast::ArrayExpression<'a>) -> Value {
        let first_spread =
            array.elements.iter().position(|element| matches!(element, ArrayExpressionElement::SpreadElement(_)));
        let is_inert = |element: &ArrayExpressionElement<'a>| {
            element.is_elision() || element.as_expression().is_some_and(|element| self.is_inert(element))
        };
        if let Some(first) = first_spread
            && !array.elements[first + 1..].iter().all(is_inert)
        {
            return self.array_by_steps(array, first);
        }
        self.array_at_once(&array.elements, array.span.into())
    }

    fn array_at_once(&mut self, elements: &'p [ArrayExpressionElement<'a>], span: Span) -> Value {
        let (mut layout, mut args) = (Vec::with_capacity(elements.len()), Vec::new());
        for element in elements {
            match element {
                ArrayExpressionElement::SpreadElement(spread) => {
                    layout.push(Element::Spread);
                    args.push(self.expression(&spread.argument));
                }
                ArrayExpressionElement::Elision(_) => layout.push(Element::Hole),
                _ => {
                    if let Some(element) = element.as_expression() {
                        layout.push(Element::Value(self.interner.string("", false)));
                        args.push(self.expression(element));
                    }
                }
            }
        }
        self.op_with(Opcode::Array, Immediates::Layout(Arc::from(layout)), &args, span)
    }

    /// What is spread is iterated before what follows is evaluated.
    fn array_by_steps(&mut self, node: &'p ast::ArrayExpression<'a>, first: usize) -> Value {
        let array = self.array_at_once(&node.elements[..first], node.span.into());
        for element in &node.elements[first..] {
            match element {
                ArrayExpressionElement::SpreadElement(spread) => {
                    let value = self.expression(&spread.argument);
                    self.effect(Opcode::AppendSpread, &[array, value], spread.span);
                }
                ArrayExpressionElement::Elision(hole) => self.effect(Opcode::AppendHole, &[array], hole.span),
                _ => {
                    if let Some(element) = element.as_expression() {
                        let value = self.expression(element);
                        self.effect(Opcode::Append, &[array, value], Span::NOWHERE);
                    }
                }
            }
        }
        array
    }
}
