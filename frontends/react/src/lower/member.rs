//! Properties of objects.

use super::expression::string_of;
use super::{Lowered, Lowering, unsupported};
use crate::function::Place;
use crate::value::{PropertyName, Value};
use oxc_ast::ast::{Expression, MemberExpression};
use ssaphire_js::dialect::JsString;

/// Which property is meant.
pub(super) enum PropertyAt {
    Named(PropertyName),
    Computed(Place),
}

impl PropertyAt {
    pub(super) fn load(self, object: Place) -> Value {
        match self {
            Self::Named(property) => Value::PropertyLoad { object, property },
            Self::Computed(property) => Value::ComputedLoad { object, property },
        }
    }

    pub(super) fn store(self, object: Place, value: Place) -> Value {
        match self {
            Self::Named(property) => Value::PropertyStore { object, property, value },
            Self::Computed(property) => Value::ComputedStore { object, property, value },
        }
    }

    pub(super) fn delete(self, object: Place) -> Value {
        match self {
            Self::Named(property) => Value::PropertyDelete { object, property },
            Self::Computed(property) => Value::ComputedDelete { object, property },
        }
    }

    pub(super) fn copy(&self) -> Self {
        match self {
            Self::Named(property) => Self::Named(property.clone()),
            Self::Computed(property) => Self::Computed(*property),
        }
    }
}

impl<'a> Lowering<'_, 'a> {
    /// The property of `member`. Its object has been lowered.
    pub(super) fn member_property(&mut self, member: &MemberExpression<'a>) -> Lowered<PropertyAt> {
        match member {
            MemberExpression::StaticMemberExpression(member) => {
                Ok(PropertyAt::Named(PropertyName::Text(JsString::new(&member.property.name))))
            }
            MemberExpression::ComputedMemberExpression(member) => match &member.expression {
                Expression::NumericLiteral(literal) => Ok(PropertyAt::Named(PropertyName::Number(literal.value))),
                property => Ok(PropertyAt::Computed(self.expression_place(property)?)),
            },
            MemberExpression::PrivateFieldExpression(member) => Err(unsupported("a private name", member.span)),
        }
    }
}

/// The text of a key that is a string.
pub(super) fn string_key(key: &oxc_ast::ast::PropertyKey<'_>) -> Option<JsString> {
    match key {
        oxc_ast::ast::PropertyKey::StringLiteral(literal) => Some(string_of(literal)),
        _ => None,
    }
}
