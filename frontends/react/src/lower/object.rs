//! Object literals.

use super::function::FunctionSyntax;
use super::member::string_key;
use super::{Lowered, Lowering, unsupported};
use crate::value::{Key, Property, Value};
use oxc_ast::ast::{Expression, ObjectExpression, ObjectProperty, ObjectPropertyKind, PropertyKey, PropertyKind};
use oxc_span::GetSpan;
use ssaphire_js::number;

impl<'a> Lowering<'_, 'a> {
    pub(super) fn object(&mut self, object: &ObjectExpression<'a>) -> Lowered<Value> {
        let mut properties = Vec::with_capacity(object.properties.len());
        for property in &object.properties {
            properties.push(match property {
                ObjectPropertyKind::SpreadProperty(spread) => {
                    Property::Spread(self.expression_place(&spread.argument)?)
                }
                ObjectPropertyKind::ObjectProperty(property) => self.property(property)?,
            });
        }
        Ok(Value::Object(properties))
    }

    fn property(&mut self, property: &ObjectProperty<'a>) -> Lowered<Property> {
        match &property.value {
            _ if property.kind != PropertyKind::Init => Err(unsupported("a getter or setter", property.span)),
            Expression::FunctionExpression(function) if property.method => {
                let closure = self.closure(&FunctionSyntax::Function(function))?;
                let place = self.emit(Value::ObjectMethod(closure));
                Ok(Property::Keyed(self.property_key(&property.key, property.computed)?, place))
            }
            value => {
                let key = self.property_key(&property.key, property.computed)?;
                Ok(Property::Keyed(key, self.expression_place(value)?))
            }
        }
    }

    pub(super) fn property_key(&mut self, key: &PropertyKey<'a>, is_computed: bool) -> Lowered<Key> {
        if let Some(text) = string_key(key) {
            return Ok(Key::String(text));
        }
        match key {
            PropertyKey::StaticIdentifier(name) if !is_computed => Ok(Key::Identifier(name.name.to_string())),
            PropertyKey::NumericLiteral(literal) if !is_computed => {
                Ok(Key::Identifier(number::to_string(literal.value)))
            }
            key => match key.as_expression() {
                Some(expression)
                    if is_computed
                        && (matches!(expression, Expression::Identifier(_)) || expression.is_member_expression()) =>
                {
                    Ok(Key::Computed(self.expression_place(expression)?))
                }
                _ => Err(unsupported("a key of another kind", key.span())),
            },
        }
    }
}
