//! Run-time values.

use crate::dialect::Constant;
use std::fmt;
use wasmparser::{HeapType, ValType};

/// A run-time value. Floats are represented by their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// An integer of 32 bits.
    I32(i32),
    /// An integer of 64 bits.
    I64(i64),
    /// The bits of a float.
    F32(u32),
    /// The bits of a double.
    F64(u64),
    /// A vector: passed around, but not computed with.
    V128(u128),
    /// The null reference.
    Null(HeapType),
    /// A reference to the function of this number.
    Function(u32),
    /// A reference to the exception of this number, among those of its instance that were caught by reference.
    Exception(u32),
}

impl From<Constant> for Number {
    fn from(constant: Constant) -> Self {
        match constant {
            Constant::I32(number) => Self::I32(number),
            Constant::I64(number) => Self::I64(number),
            Constant::F32(bits) => Self::F32(bits),
            Constant::F64(bits) => Self::F64(bits),
            Constant::V128(bits) => Self::V128(bits),
            Constant::Null(heap) => Self::Null(heap),
        }
    }
}

impl Number {
    /// The equal constant, if the value can be known before control enters.
    pub(super) fn constant(self) -> Option<Constant> {
        Some(match self {
            Self::I32(number) => Constant::I32(number),
            Self::I64(number) => Constant::I64(number),
            Self::F32(bits) => Constant::F32(bits),
            Self::F64(bits) => Constant::F64(bits),
            Self::V128(bits) => Constant::V128(bits),
            Self::Null(heap) => Constant::Null(heap),
            Self::Function(_) | Self::Exception(_) => return None,
        })
    }

    /// Parses a number of type `ty`: in decimal, or its bits as `0x` and hexadecimal digits.
    pub fn parse(text: &str, ty: ValType) -> Option<Self> {
        if let Some(digits) = text.strip_prefix("0x") {
            let bits = u64::from_str_radix(digits, 16).ok()?;
            let short = u32::try_from(bits).ok();
            return match ty {
                ValType::I32 => short.map(|bits| Self::I32(bits as i32)),
                ValType::I64 => Some(Self::I64(bits as i64)),
                ValType::F32 => short.map(Self::F32),
                ValType::F64 => Some(Self::F64(bits)),
                _ => None,
            };
        }
        match ty {
            ValType::I32 => text.parse().ok().map(Self::I32),
            ValType::I64 => text.parse().ok().map(Self::I64),
            ValType::F32 => text.parse().ok().map(|number: f32| Self::F32(number.to_bits())),
            ValType::F64 => text.parse().ok().map(|number: f64| Self::F64(number.to_bits())),
            _ => None,
        }
    }

    /// Whether a parameter of this type accepts it.
    pub fn fits(self, ty: ValType) -> bool {
        match self {
            Self::I32(_) => ty == ValType::I32,
            Self::I64(_) => ty == ValType::I64,
            Self::F32(_) => ty == ValType::F32,
            Self::F64(_) => ty == ValType::F64,
            Self::V128(_) => ty == ValType::V128,
            Self::Null(_) => matches!(ty, ValType::Ref(ty) if ty.is_nullable()),
            Self::Function(_) => matches!(ty, ValType::Ref(ty) if ty.heap_type() == HeapType::FUNC),
            // An exception reference is meaningless to callers outside of the instance.
            Self::Exception(_) => false,
        }
    }
}

/// Prints a constant as the text format of functions does, but without the type.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::I32(number) => write!(f, "{number}"),
            Self::I64(number) => write!(f, "{number}"),
            Self::F32(bits) => write!(f, "{}", f32::from_bits(bits)),
            Self::F64(bits) => write!(f, "{}", f64::from_bits(bits)),
            Self::V128(bits) => write!(f, "{bits:#034x}"),
            Self::Null(_) => f.write_str("null"),
            Self::Function(index) => write!(f, "function {index}"),
            Self::Exception(index) => write!(f, "exception {index}"),
        }
    }
}
