//! Conversions of numbers, as the language defines them: to strings, from strings, and to the integers of bitwise operators.

use oxc_syntax::number::ToJsString;

/// The string that a number is converted to (`Number::toString`).
pub fn to_string(number: f64) -> String {
    number.to_js_string()
}

/// The 32-bit integer of a number (`ToInt32`).
pub fn to_int32(number: f64) -> i32 {
    const TWO_TO_32: f64 = 4_294_967_296.0;
    if !number.is_finite() {
        return 0;
    }
    let wrapped = number.trunc() % TWO_TO_32;
    let unsigned = if wrapped < 0.0 { wrapped + TWO_TO_32 } else { wrapped };
    unsigned as u32 as i32
}

/// The number that a text spells (`StringToNumber`), or NaN.
pub(crate) fn from_string(text: &str) -> f64 {
    let text = text.trim_matches(is_space);
    let radix = match text.get(..2) {
        Some("0x" | "0X") => Some(16),
        Some("0o" | "0O") => Some(8),
        Some("0b" | "0B") => Some(2),
        _ => None,
    };
    if let Some(radix) = radix {
        return digits_to_number(&text[2..], radix);
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    match unsigned {
        "" if text.is_empty() => 0.0,
        "" => f64::NAN,
        "Infinity" if text.starts_with('-') => f64::NEG_INFINITY,
        "Infinity" => f64::INFINITY,
        _ if is_decimal(unsigned) => text.parse().unwrap_or(f64::NAN),
        _ => f64::NAN,
    }
}

/// White space and line ends, as `String.prototype.trim` has them.
fn is_space(c: char) -> bool {
    matches!(
        c,
        '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{feff}'
    )
}

/// Digits with a point and an exponent; digits on one side of the point are enough.
fn is_decimal(text: &str) -> bool {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let has_mantissa = is_digits(whole) && is_digits(fraction) && !(whole.is_empty() && fraction.is_empty());
    has_mantissa
        && exponent.is_none_or(|exponent| {
            let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            !digits.is_empty() && is_digits(digits)
        })
}

/// The number of digits in a radix that is a power of two. More than 53 bits are rounded, to even.
fn digits_to_number(digits: &str, radix: u32) -> f64 {
    if digits.is_empty() {
        return f64::NAN;
    }
    let mut value: u128 = 0;
    for c in digits.chars() {
        let Some(digit) = c.to_digit(radix) else { return f64::NAN };
        let Some(next) = value.checked_mul(u128::from(radix)).map(|value| value + u128::from(digit)) else {
            return long_digits(digits, radix);
        };
        value = next;
    }
    value as f64
}

/// The same for more digits than 128 bits hold: those behind count only in that they are not all zero.
fn long_digits(digits: &str, radix: u32) -> f64 {
    let significant = digits.trim_start_matches('0');
    let per_digit = radix.trailing_zeros() as usize;
    let kept = 120 / per_digit;
    let (head, tail) = significant.split_at(kept.min(significant.len()));
    if tail.chars().any(|c| c.to_digit(radix).is_none()) {
        return f64::NAN;
    }
    let mut value = head
        .chars()
        .filter_map(|c| c.to_digit(radix))
        .fold(0u128, |value, digit| value * u128::from(radix) + u128::from(digit));
    value |= u128::from(tail.bytes().any(|byte| byte != b'0'));
    let scale = (tail.len() * per_digit).min(2_000) as i32;
    value as f64 * f64::powi(2.0, scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_numbers_as_the_language_has_it() {
        let cases = [
            ("", 0.0),
            (" \n 12.5e1 \u{feff}", 125.0),
            ("0x1F", 31.0),
            ("0b101", 5.0),
            ("-Infinity", f64::NEG_INFINITY),
            (".5", 0.5),
            ("5.", 5.0),
            ("-0", -0.0),
            ("0x20000000000001", 9_007_199_254_740_992.0),
            ("0x1000000000000000000000000000000000", 16f64.powi(33)),
        ];
        for (text, number) in cases {
            assert_eq!(from_string(text).to_bits(), number.to_bits(), "{text:?}");
        }
        for text in ["1px", "-0x1", "+", ".", "1e", "inf", "nan", "1_000", "0x", "0b2", "infinity"] {
            assert!(from_string(text).is_nan(), "{text:?}");
        }
    }

    #[test]
    fn integers_wrap() {
        let cases = [(4_294_967_295.0, -1), (-4_294_967_297.0, -1), (1e20, 1_661_992_960), (f64::NAN, 0), (-1.9, -1)];
        for (number, integer) in cases {
            assert_eq!(to_int32(number), integer, "{number}");
        }
    }
}
