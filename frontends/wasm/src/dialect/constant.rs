//! Constants and their spelling.
//!
//! A number without suffix is an `i32`; the others carry their type: `7_i64`,
//! `0.5_f32`, `-inf_f64`. A float with a long decimal spelling is spelled by
//! its bits, `0x00000001_f32`, and so is every NaN except the canonical one.

use super::types::{Type, parse_heap_type, print_heap_type, print_type};
use ssaphire_ir::json::Fields;
use std::fmt;
use wasmparser::{HeapType, RefType, ValType};

/// A value known before control enters. Floats are represented by their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    /// An integer of 32 bits.
    I32(i32),
    /// An integer of 64 bits.
    I64(i64),
    /// The bits of a float.
    F32(u32),
    /// The bits of a double.
    F64(u64),
    /// A vector, its first byte the lowest.
    V128(u128),
    /// The null reference of a heap type.
    Null(HeapType),
}

/// The bits of the canonical NaN.
pub(crate) const NAN_32: u32 = 0x7fc0_0000;
/// The bits of the canonical NaN.
pub(crate) const NAN_64: u64 = 0x7ff8_0000_0000_0000;

/// Floats whose decimal spelling is longer are spelled by their bits.
const LONGEST_DECIMAL: usize = 20;

impl Constant {
    /// The initial value of a local of this type, or `None` for a non-nullable reference type.
    pub fn default_of(ty: ValType) -> Option<Self> {
        match ty {
            ValType::I32 => Some(Self::I32(0)),
            ValType::I64 => Some(Self::I64(0)),
            ValType::F32 => Some(Self::F32(0)),
            ValType::F64 => Some(Self::F64(0)),
            ValType::V128 => Some(Self::V128(0)),
            ValType::Ref(ty) => ty.is_nullable().then(|| Self::Null(ty.heap_type())),
        }
    }

    /// Its type.
    pub fn ty(&self) -> Type {
        Type(match *self {
            Self::I32(_) => ValType::I32,
            Self::I64(_) => ValType::I64,
            Self::F32(_) => ValType::F32,
            Self::F64(_) => ValType::F64,
            Self::V128(_) => ValType::V128,
            // Every heap type that a module can have fits; the fallback is for a `ref.null` without a valid type.
            Self::Null(heap) => ValType::Ref(RefType::new(true, heap).unwrap_or(RefType::NULLREF)),
        })
    }

    pub(super) fn print(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        match *self {
            Self::I32(number) => write!(out, "{number}"),
            Self::I64(number) => write!(out, "{number}_i64"),
            Self::F32(NAN_32) => out.write_str("nan_f32"),
            Self::F64(NAN_64) => out.write_str("nan_f64"),
            Self::F32(bits) => match decimal(f32::from_bits(bits)) {
                Some(decimal) => write!(out, "{decimal}_f32"),
                None => write!(out, "{bits:#010x}_f32"),
            },
            Self::F64(bits) => match decimal(f64::from_bits(bits)) {
                Some(decimal) => write!(out, "{decimal}_f64"),
                None => write!(out, "{bits:#018x}_f64"),
            },
            Self::V128(bits) => write!(out, "{bits:#034x}_v128"),
            Self::Null(heap) => {
                out.write_str("null.")?;
                print_heap_type(heap, out)
            }
        }
    }

    /// Writes the constant as fields of a JSON object. Floats are written as bits: JSON has no infinities.
    pub(super) fn write_fields(&self, out: &mut Fields<'_>) -> fmt::Result {
        out.text("type", |out| print_type(self.ty().0, out))?;
        match *self {
            Self::I32(number) => out.integer("value", number),
            Self::I64(number) => out.integer("value", number),
            Self::F32(bits) => out.text("bits", |out| write!(out, "{bits:#010x}")),
            Self::F64(bits) => out.text("bits", |out| write!(out, "{bits:#018x}")),
            Self::V128(bits) => out.text("bits", |out| write!(out, "{bits:#034x}")),
            Self::Null(heap) => out.text("null", |out| print_heap_type(heap, out)),
        }
    }

    pub(super) fn parse(token: &str) -> Option<Self> {
        if let Some(heap) = token.strip_prefix("null.") {
            return parse_heap_type(heap).map(Self::Null);
        }
        let Some((number, suffix)) = token.rsplit_once('_') else {
            return integer(token)?.parse().ok().map(Self::I32);
        };
        let bits = |number: &str| u128::from_str_radix(number.strip_prefix("0x")?, 16).ok();
        match suffix {
            "i64" => integer(number)?.parse().ok().map(Self::I64),
            "f32" if number == "nan" => Some(Self::F32(NAN_32)),
            "f64" if number == "nan" => Some(Self::F64(NAN_64)),
            "f32" => match bits(number) {
                Some(bits) => bits.try_into().ok().map(Self::F32),
                None => float(number)?.parse().ok().map(|number: f32| Self::F32(number.to_bits())),
            },
            "f64" => match bits(number) {
                Some(bits) => bits.try_into().ok().map(Self::F64),
                None => float(number)?.parse().ok().map(|number: f64| Self::F64(number.to_bits())),
            },
            "v128" => bits(number).map(Self::V128),
            _ => None,
        }
    }
}

fn decimal(number: impl fmt::Display) -> Option<String> {
    let decimal = number.to_string();
    (decimal.len() <= LONGEST_DECIMAL && !decimal.contains('N')).then_some(decimal)
}

fn integer(token: &str) -> Option<&str> {
    let digits = token.strip_prefix('-').unwrap_or(token);
    digits.bytes().all(|byte| byte.is_ascii_digit()).then_some(token)
}

/// Accepts the spellings that [`decimal`] produces, not the many others that the standard library parses.
fn float(token: &str) -> Option<&str> {
    let digits = token.strip_prefix('-').unwrap_or(token);
    (digits == "inf" || digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')).then_some(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(constant: Constant) -> String {
        let mut text = String::new();
        constant.print(&mut text).expect("a string takes everything");
        text
    }

    #[test]
    fn constants_survive_printing() {
        let doubles = [0.0, -0.0, 0.1, -1e300, 5e-324, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -f64::NAN];
        let mut constants = vec![Constant::I32(i32::MIN), Constant::I64(i64::MIN), Constant::V128(u128::MAX)];
        constants.extend(doubles.map(|number| Constant::F64(number.to_bits())));
        constants.extend([0x7f80_0001, 0xffc0_0000, 1, 0x3f80_0000, NAN_32].map(Constant::F32));
        constants.extend(["null.func", "null.12", "null.shared.i31"].into_iter().filter_map(Constant::parse));
        for constant in constants {
            assert_eq!(Constant::parse(&text(constant)), Some(constant), "{}", text(constant));
        }
    }

    #[test]
    fn spelling_says_the_type() {
        assert_eq!(text(Constant::I64(-7)), "-7_i64");
        assert_eq!(text(Constant::F32(0.5f32.to_bits())), "0.5_f32");
        assert_eq!(text(Constant::F64(f64::NEG_INFINITY.to_bits())), "-inf_f64");
        assert_eq!(text(Constant::F64(1)), "0x0000000000000001_f64");
        assert_eq!(text(Constant::F32(NAN_32)), "nan_f32");
    }

    #[test]
    fn what_is_no_constant_is_none() {
        for token in
            ["", "-", "x", "x_i64", "1e3_f64", "2147483648", "null.", "null.x", "0x1ffffffff_f32", "_f32", "inf"]
        {
            assert_eq!(Constant::parse(token), None, "{token}");
        }
    }
}
