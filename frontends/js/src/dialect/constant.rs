//! Constants and their spelling.

mod compare;
mod convert;

use super::name::JsString;
use ssaphire_ir::text::{quote_string, unquote_string};
use std::fmt;
use std::sync::Arc;

/// A primitive value that is known before control enters; a symbol never is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    /// `undefined`.
    Undefined,
    /// `null`.
    Null,
    /// `false` and `true`.
    Boolean(bool),
    /// A number, by its bits: `0` and `-0` are two constants, and there is one `NaN`.
    Number(u64),
    /// A string.
    String(JsString),
    /// A BigInt, by its decimal digits, with a sign if it is negative.
    BigInt(Arc<str>),
    /// The content of a `let`, `const` or `class` in its temporal dead zone. No operation computes with it; only
    /// [`CheckInitialized`](super::Opcode::CheckInitialized) takes it.
    Uninitialized,
}

impl Constant {
    /// The constant for this number.
    pub fn number(number: f64) -> Self {
        Self::Number(if number.is_nan() { f64::NAN.to_bits() } else { number.to_bits() })
    }

    /// The number, if it is one.
    pub fn as_number(&self) -> Option<f64> {
        match *self {
            Self::Number(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// The constant for this string.
    pub fn string(text: &str) -> Self {
        Self::String(JsString::new(text))
    }

    /// Whether it is truthy.
    pub fn is_truthy(&self) -> bool {
        match self {
            Self::Undefined | Self::Null | Self::Uninitialized => false,
            Self::Boolean(truth) => *truth,
            Self::Number(bits) => {
                let number = f64::from_bits(*bits);
                !(number == 0.0 || number.is_nan())
            }
            Self::String(text) => !text.as_escaped().is_empty(),
            Self::BigInt(digits) => &**digits != "0",
        }
    }

    /// Whether it is `undefined` or `null`.
    pub fn is_nullish(&self) -> bool {
        matches!(self, Self::Undefined | Self::Null)
    }

    pub(super) fn print(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        match self {
            Self::Undefined => out.write_str("undefined"),
            Self::Null => out.write_str("null"),
            Self::Boolean(truth) => write!(out, "{truth}"),
            Self::Number(bits) => print_number(*bits, out),
            Self::String(text) => quote_string(text.as_escaped(), '"', out),
            Self::BigInt(digits) => write!(out, "{digits}n"),
            Self::Uninitialized => out.write_str("uninitialized"),
        }
    }

    pub(super) fn parse(token: &str) -> Option<Self> {
        Some(match token {
            "undefined" => Self::Undefined,
            "null" => Self::Null,
            "false" => Self::Boolean(false),
            "true" => Self::Boolean(true),
            "NaN" => Self::number(f64::NAN),
            "Infinity" => Self::number(f64::INFINITY),
            "-Infinity" => Self::number(f64::NEG_INFINITY),
            "uninitialized" => Self::Uninitialized,
            _ if token.starts_with('"') => Self::String(JsString::from_escaped(&unquote_string(token)?)),
            _ => return parse_number(token),
        })
    }
}

/// Writes a number as one token: in decimal digits, or as its bits if the decimal spelling has an exponent.
fn print_number(bits: u64, out: &mut dyn fmt::Write) -> fmt::Result {
    let number = f64::from_bits(bits);
    if number.is_nan() {
        return out.write_str("NaN");
    }
    if number.is_infinite() {
        return out.write_str(if number < 0.0 { "-Infinity" } else { "Infinity" });
    }
    let decimal = number.to_string();
    if decimal.len() <= 24 { out.write_str(&decimal) } else { write!(out, "{bits:#018x}") }
}

fn parse_number(token: &str) -> Option<Constant> {
    if !token.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return None;
    }
    if let Some(digits) = token.strip_suffix('n') {
        let unsigned = digits.strip_prefix('-').unwrap_or(digits);
        let is_number = !unsigned.is_empty() && unsigned.bytes().all(|digit| digit.is_ascii_digit());
        return is_number.then(|| Constant::BigInt(digits.into()));
    }
    if let Some(digits) = token.strip_prefix("0x") {
        return u64::from_str_radix(digits, 16).ok().map(Constant::Number);
    }
    let number = token.parse::<f64>().ok()?;
    Some(Constant::number(number))
}
