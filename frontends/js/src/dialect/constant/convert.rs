//! Conversions of primitive values.

use super::Constant;
use crate::dialect::JsString;
use crate::number;

impl Constant {
    /// The string that it is converted to (`ToString`).
    pub(crate) fn to_js_string(&self) -> JsString {
        match self {
            Self::Undefined | Self::Uninitialized => JsString::new("undefined"),
            Self::Null => JsString::new("null"),
            Self::Boolean(truth) => JsString::new(if *truth { "true" } else { "false" }),
            Self::Number(bits) => JsString::new(&number::to_string(f64::from_bits(*bits))),
            Self::String(text) => text.clone(),
            Self::BigInt(digits) => JsString::new(digits),
        }
    }

    /// The number that it is converted to (`ToNumber`); `None` for a BigInt, whose conversion throws.
    pub(crate) fn to_number(&self) -> Option<f64> {
        Some(match self {
            Self::Undefined => f64::NAN,
            Self::Null => 0.0,
            Self::Boolean(truth) => f64::from(u8::from(*truth)),
            Self::Number(bits) => f64::from_bits(*bits),
            Self::String(text) => text.as_str().map_or(f64::NAN, number::from_string),
            Self::BigInt(_) | Self::Uninitialized => return None,
        })
    }
}
