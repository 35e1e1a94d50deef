//! What an instruction computes from constants.

use super::{Constants, Known};
use crate::function::Place;
use crate::value::{PropertyName, Quasi, Value};
use oxc_syntax::operator::{BinaryOperator, UnaryOperator};
use ssaphire_js::dialect::{Constant, JsString};
use ssaphire_js::number::{self, to_int32};

/// What `value` is known to be; it is replaced if it is simpler with what is known.
pub(super) fn instruction(value: &mut Value, constants: &mut Constants) -> Option<Known> {
    match value {
        Value::Primitive(constant) => Some(Known::Constant(constant.clone())),
        Value::LoadGlobal(global) => Some(Known::Global(global.clone())),
        Value::LoadLocal { place } => {
            let known = constants.get(place)?.clone();
            *value = match known.clone() {
                Known::Constant(constant) => Value::Primitive(constant),
                Known::Global(global) => Value::LoadGlobal(global),
            };
            Some(known)
        }
        Value::StoreLocal { target, value, .. } => {
            let known = constants.get(value)?.clone();
            constants.insert(*target, known.clone());
            Some(known)
        }
        Value::PostfixUpdate { target, is_increment, value } => {
            let old = constant(*value, constants)?.as_number()?;
            update(*target, old, *is_increment, constants);
            Some(Known::Constant(Constant::number(old)))
        }
        Value::PrefixUpdate { target, is_increment, value } => {
            let old = constant(*value, constants)?.as_number()?;
            Some(update(*target, old, *is_increment, constants))
        }
        Value::ComputedLoad { object, property } => {
            let (object, property) = (*object, known_property(*property, constants)?);
            *value = Value::PropertyLoad { object, property };
            None
        }
        Value::ComputedStore { object, property, value: stored } => {
            let (object, stored, property) = (*object, *stored, known_property(*property, constants)?);
            *value = Value::PropertyStore { object, property, value: stored };
            None
        }
        _ => {
            let folded = fold(value, constants)?;
            *value = Value::Primitive(folded.clone());
            Some(Known::Constant(folded))
        }
    }
}

fn constant(place: Place, constants: &Constants) -> Option<&Constant> {
    match constants.get(&place)? {
        Known::Constant(constant) => Some(constant),
        Known::Global(_) => None,
    }
}

fn update(target: Place, old: f64, is_increment: bool, constants: &mut Constants) -> Known {
    let new = Known::Constant(Constant::number(if is_increment { old + 1.0 } else { old - 1.0 }));
    constants.insert(target, new.clone());
    new
}

/// The name of a property that a constant is, if it could be written as a name or a number.
fn known_property(place: Place, constants: &Constants) -> Option<PropertyName> {
    match constant(place, constants)? {
        Constant::String(text) if text.as_str().is_some_and(is_identifier) => Some(PropertyName::Text(text.clone())),
        constant => constant.as_number().map(PropertyName::Number),
    }
}

/// Words that are identifiers nowhere.
const KEYWORDS: [&str; 46] = [
    "break",
    "case",
    "catch",
    "continue",
    "debugger",
    "default",
    "do",
    "else",
    "finally",
    "for",
    "function",
    "if",
    "return",
    "switch",
    "throw",
    "try",
    "var",
    "const",
    "while",
    "with",
    "new",
    "this",
    "super",
    "class",
    "extends",
    "export",
    "import",
    "null",
    "true",
    "false",
    "in",
    "instanceof",
    "typeof",
    "void",
    "delete",
    "await",
    "enum",
    "implements",
    "interface",
    "let",
    "package",
    "private",
    "protected",
    "public",
    "static",
    "yield",
];

fn is_identifier(text: &str) -> bool {
    oxc_syntax::identifier::is_identifier_name(text) && !KEYWORDS.contains(&text)
}

fn fold(value: &Value, constants: &Constants) -> Option<Constant> {
    match value {
        Value::Unary { operator: UnaryOperator::LogicalNot, operand } => {
            Some(Constant::Boolean(!constant(*operand, constants)?.is_truthy()))
        }
        Value::Unary { operator: UnaryOperator::UnaryNegation, operand } => {
            Some(Constant::number(-constant(*operand, constants)?.as_number()?))
        }
        Value::Binary { operator, left, right } => {
            binary(*operator, constant(*left, constants)?, constant(*right, constants)?)
        }
        Value::PropertyLoad { object, property: PropertyName::Text(property) }
            if property.as_str() == Some("length") =>
        {
            match constant(*object, constants)? {
                Constant::String(text) => Some(Constant::number(text.units().len() as f64)),
                _ => None,
            }
        }
        Value::TemplateLiteral { quasis, operands } => template(quasis, operands, constants),
        _ => None,
    }
}

fn template(quasis: &[Quasi], operands: &[Place], constants: &Constants) -> Option<Constant> {
    let mut units = Vec::new();
    for (index, quasi) in quasis.iter().enumerate() {
        units.extend(quasi.cooked.as_ref()?.units());
        let Some(&operand) = operands.get(index) else { continue };
        match constant(operand, constants)? {
            Constant::String(text) => units.extend(text.units()),
            Constant::Number(bits) => units.extend(number::to_string(f64::from_bits(*bits)).encode_utf16()),
            Constant::Boolean(truth) => units.extend(truth.to_string().encode_utf16()),
            Constant::Null => units.extend("null".encode_utf16()),
            _ => return None,
        }
    }
    Some(Constant::String(JsString::from_units(&units)))
}

fn binary(operator: BinaryOperator, left: &Constant, right: &Constant) -> Option<Constant> {
    match operator {
        BinaryOperator::StrictEquality => return Some(Constant::Boolean(left.strictly_equals(right))),
        BinaryOperator::StrictInequality => return Some(Constant::Boolean(!left.strictly_equals(right))),
        BinaryOperator::Equality => return Some(Constant::Boolean(left.loosely_equals(right)?)),
        BinaryOperator::Inequality => return Some(Constant::Boolean(!left.loosely_equals(right)?)),
        _ => {}
    }
    if let (BinaryOperator::Addition, Constant::String(left), Constant::String(right)) = (operator, left, right) {
        let units = [left.units(), right.units()].concat();
        return Some(Constant::String(JsString::from_units(&units)));
    }
    of_numbers(operator, left.as_number()?, right.as_number()?)
}

fn of_numbers(operator: BinaryOperator, left: f64, right: f64) -> Option<Constant> {
    let int = |number: i32| Constant::number(f64::from(number));
    let (bits, other) = (to_int32(left), to_int32(right));
    Some(match operator {
        BinaryOperator::Addition => Constant::number(left + right),
        BinaryOperator::Subtraction => Constant::number(left - right),
        BinaryOperator::Multiplication => Constant::number(left * right),
        BinaryOperator::Division => Constant::number(left / right),
        BinaryOperator::Remainder => Constant::number(left % right),
        BinaryOperator::Exponential => Constant::number(power(left, right)),
        BinaryOperator::BitwiseOR => int(bits | other),
        BinaryOperator::BitwiseAnd => int(bits & other),
        BinaryOperator::BitwiseXOR => int(bits ^ other),
        BinaryOperator::ShiftLeft => int(bits.wrapping_shl(other as u32)),
        BinaryOperator::ShiftRight => int(bits.wrapping_shr(other as u32)),
        BinaryOperator::ShiftRightZeroFill => Constant::number(f64::from((bits as u32).wrapping_shr(other as u32))),
        BinaryOperator::LessThan => Constant::Boolean(left < right),
        BinaryOperator::LessEqualThan => Constant::Boolean(left <= right),
        BinaryOperator::GreaterThan => Constant::Boolean(left > right),
        BinaryOperator::GreaterEqualThan => Constant::Boolean(left >= right),
        _ => return None,
    })
}

/// `base ** exponent`
fn power(base: f64, exponent: f64) -> f64 {
    if exponent.is_nan() || (base.abs() == 1.0 && exponent.is_infinite()) { f64::NAN } else { base.powf(exponent) }
}
