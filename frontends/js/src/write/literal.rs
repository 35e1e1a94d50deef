//! Constants, strings and keys as they are written.

use crate::dialect::{Constant, JsString};
use oxc_syntax::identifier::is_identifier_name;
use oxc_syntax::keyword::is_reserved_keyword;
use std::borrow::Cow;
use std::fmt::Write;

/// Words that name no binding in some code, strict or not, and so none here.
const NO_NAMES: &[&str] = &[
    "arguments",
    "async",
    "await",
    "enum",
    "eval",
    "false",
    "implements",
    "interface",
    "let",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "static",
    "true",
    "undefined",
    "yield",
    "NaN",
    "Infinity",
    "globalThis",
];

/// Whether a binding may have this name anywhere.
pub(super) fn is_binding_name(name: &str) -> bool {
    is_identifier_name(name) && !is_reserved_keyword(name) && !NO_NAMES.contains(&name)
}

/// A string literal.
pub(super) fn string(string: &JsString) -> String {
    units(&string.units())
}

/// A string literal of a text without lone surrogates.
pub(super) fn text_string(text: &str) -> String {
    string(&JsString::new(text))
}

fn units(units: &[u16]) -> String {
    let has_double = units.contains(&u16::from(b'"'));
    let has_single = units.contains(&u16::from(b'\''));
    let quote = if has_double && !has_single { '\'' } else { '"' };
    let mut out = String::with_capacity(units.len() + 2);
    out.push(quote);
    let mut chars = char::decode_utf16(units.iter().copied()).peekable();
    while let Some(decoded) = chars.next() {
        match decoded {
            Err(lone) => write_escape(&mut out, u32::from(lone.unpaired_surrogate()), false),
            Ok('\0') if !matches!(chars.peek(), Some(Ok('0'..='9'))) => out.push_str("\\0"),
            Ok('\n') => out.push_str("\\n"),
            Ok('\r') => out.push_str("\\r"),
            Ok('\t') => out.push_str("\\t"),
            Ok('\\') => out.push_str("\\\\"),
            // What ends a script in HTML.
            Ok('/') if out.ends_with('<') => out.push_str("\\/"),
            Ok('-') if out.ends_with("<!-") => out.push_str("\\-"),
            Ok(c) if c == quote => {
                out.push('\\');
                out.push(c);
            }
            Ok(c) if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                write_escape(&mut out, u32::from(c), false);
            }
            Ok(c) => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// Writes an escape; with four digits, as JSON has them, even where two would do.
pub(super) fn write_escape(out: &mut String, unit: u32, is_long: bool) {
    let _ = if unit < 0x100 && !is_long { write!(out, "\\x{unit:02x}") } else { write!(out, "\\u{unit:04x}") };
}

/// A number that is neither `NaN` nor infinite.
fn finite(number: f64) -> String {
    let scientific = format!("{number:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-7..21).contains(&exponent) { format!("{number}") } else { format!("{digits}e{exponent}") }
}

/// The helper that is what a variable holds in its dead zone.
pub(super) const HOLE: &str = "$tdz";

/// How a constant is written; the one of a dead zone, as its helper.
pub(super) fn constant(constant: &Constant) -> Cow<'static, str> {
    match constant {
        Constant::Undefined => Cow::Borrowed("void 0"),
        Constant::Null => Cow::Borrowed("null"),
        Constant::Boolean(truth) => Cow::Borrowed(if *truth { "true" } else { "false" }),
        Constant::Number(bits) => number(f64::from_bits(*bits)),
        Constant::String(text) => Cow::Owned(string(text)),
        Constant::BigInt(digits) => Cow::Owned(format!("{digits}n")),
        Constant::Uninitialized => Cow::Borrowed(HOLE),
    }
}

/// Whether a constant is written as a prefix operator with its operand.
pub(super) fn is_prefix(constant: &Constant) -> bool {
    match constant {
        Constant::Undefined => true,
        Constant::Number(bits) => {
            let number = f64::from_bits(*bits);
            number.is_sign_negative() && !number.is_nan()
        }
        Constant::BigInt(digits) => digits.starts_with('-'),
        _ => false,
    }
}

/// Whether a constant is written as a division.
pub(super) fn is_division(constant: &Constant) -> bool {
    matches!(constant, Constant::Number(bits) if f64::from_bits(*bits).is_nan())
}

fn number(number: f64) -> Cow<'static, str> {
    if number.is_nan() {
        return Cow::Borrowed("0 / 0");
    }
    if number.is_infinite() {
        return Cow::Borrowed(if number < 0.0 { "-1e999" } else { "1e999" });
    }
    Cow::Owned(finite(number))
}

/// Whether strict code gives a word another meaning than that of a name.
pub(super) fn is_reserved_in_strict_code(name: &str) -> bool {
    matches!(
        name,
        "implements" | "interface" | "let" | "package" | "private" | "protected" | "public" | "static" | "yield"
    )
}

/// A key in an object literal or class.
pub(super) fn key(name: &JsString) -> String {
    match name.as_str() {
        Some(text) if is_identifier_name(text) => text.to_owned(),
        Some(text) if is_plain_index(text) => text.to_owned(),
        _ => string(name),
    }
}

fn is_plain_index(text: &str) -> bool {
    (1..10).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'))
}

/// The parts of a template between its values, as they are written.
pub(super) fn template_part(cooked: &JsString) -> String {
    let mut out = String::new();
    let mut chars = char::decode_utf16(cooked.units()).peekable();
    while let Some(decoded) = chars.next() {
        match decoded {
            Err(lone) => write_escape(&mut out, u32::from(lone.unpaired_surrogate()), false),
            Ok('`') => out.push_str("\\`"),
            Ok('\\') => out.push_str("\\\\"),
            Ok('$') if chars.peek() == Some(&Ok('{')) => out.push_str("\\$"),
            Ok('\n') => out.push_str("\\n"),
            Ok('\r') => out.push_str("\\r"),
            Ok('\t') => out.push_str("\\t"),
            Ok('/') if out.ends_with('<') => out.push_str("\\/"),
            Ok('-') if out.ends_with("<!-") => out.push_str("\\-"),
            Ok(c) if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                write_escape(&mut out, u32::from(c), false);
            }
            Ok(c) => out.push(c),
        }
    }
    out
}
