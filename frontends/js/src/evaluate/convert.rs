//! Conversions of primitive values.

use crate::dialect::{Constant, JsString};
use crate::number;

/// The string of a primitive value (`ToString`).
pub(super) fn to_string(value: &Constant) -> JsString {
    match value {
        Constant::Undefined | Constant::Uninitialized => JsString::new("undefined"),
        Constant::Null => JsString::new("null"),
        Constant::Boolean(truth) => JsString::new(if *truth { "true" } else { "false" }),
        Constant::Number(bits) => JsString::new(&number::to_string(f64::from_bits(*bits))),
        Constant::String(text) => text.clone(),
        Constant::BigInt(digits) => JsString::new(digits),
    }
}

/// The number of a primitive value (`ToNumber`); `None` for a BigInt, which throws.
pub(crate) fn to_number(value: &Constant) -> Option<f64> {
    Some(match value {
        Constant::Undefined => f64::NAN,
        Constant::Null => 0.0,
        Constant::Boolean(truth) => f64::from(u8::from(*truth)),
        Constant::Number(bits) => f64::from_bits(*bits),
        Constant::String(text) => text.as_str().map_or(f64::NAN, number::from_string),
        Constant::BigInt(_) | Constant::Uninitialized => return None,
    })
}
