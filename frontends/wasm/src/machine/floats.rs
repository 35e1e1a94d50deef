//! The operators on floats.
//!
//! Where WebAssembly allows any of several NaNs as the result of arithmetic,
//! this machine returns the canonical one. Sign operators preserve the payload.

use super::number::Number;
use crate::dialect::{NAN_32, NAN_64, Opcode};

/// The operators on floats of one width, by their names.
macro_rules! floats {
    (
        $unary:ident, $binary:ident, $canonical:ident, $number:ident, $float:ident, $bits:ident, $nan:ident;
        $abs:ident $neg:ident $ceil:ident $floor:ident $trunc:ident $nearest:ident $sqrt:ident,
        $add:ident $sub:ident $mul:ident $div:ident $min:ident $max:ident $copysign:ident,
        $eq:ident $ne:ident $lt:ident $gt:ident $le:ident $ge:ident
    ) => {
        pub(super) fn $canonical(x: $float) -> Number {
            Number::$number(if x.is_nan() { $nan } else { x.to_bits() })
        }

        pub(super) fn $unary(opcode: Opcode, bits: $bits) -> Option<Number> {
            const SIGN: $bits = 1 << ($bits::BITS - 1);
            let x = $float::from_bits(bits);
            Some($canonical(match opcode {
                Opcode::$abs => return Some(Number::$number(bits & !SIGN)),
                Opcode::$neg => return Some(Number::$number(bits ^ SIGN)),
                Opcode::$ceil => x.ceil(),
                Opcode::$floor => x.floor(),
                Opcode::$trunc => x.trunc(),
                Opcode::$nearest => x.round_ties_even(),
                Opcode::$sqrt => x.sqrt(),
                _ => return None,
            }))
        }

        pub(super) fn $binary(opcode: Opcode, x_bits: $bits, y_bits: $bits) -> Option<Number> {
            const SIGN: $bits = 1 << ($bits::BITS - 1);
            let (x, y) = ($float::from_bits(x_bits), $float::from_bits(y_bits));
            let is_nan = x.is_nan() || y.is_nan();
            Some($canonical(match opcode {
                Opcode::$add => x + y,
                Opcode::$sub => x - y,
                Opcode::$mul => x * y,
                Opcode::$div => x / y,
                Opcode::$min | Opcode::$max if is_nan => $float::NAN,
                // Of two zeros, the negative one is the smaller.
                Opcode::$min if x == y => $float::from_bits(x_bits | y_bits),
                Opcode::$max if x == y => $float::from_bits(x_bits & y_bits),
                Opcode::$min => x.min(y),
                Opcode::$max => x.max(y),
                Opcode::$copysign => return Some(Number::$number(x_bits & !SIGN | y_bits & SIGN)),
                _ => {
                    return Some(Number::I32(i32::from(match opcode {
                        Opcode::$eq => x == y,
                        Opcode::$ne => x != y,
                        Opcode::$lt => x < y,
                        Opcode::$gt => x > y,
                        Opcode::$le => x <= y,
                        Opcode::$ge => x >= y,
                        _ => return None,
                    })));
                }
            }))
        }
    };
}

floats!(
    unary_f32, binary_f32, canonical_f32, F32, f32, u32, NAN_32;
    F32Abs F32Neg F32Ceil F32Floor F32Trunc F32Nearest F32Sqrt,
    F32Add F32Sub F32Mul F32Div F32Min F32Max F32Copysign,
    F32Eq F32Ne F32Lt F32Gt F32Le F32Ge
);

floats!(
    unary_f64, binary_f64, canonical_f64, F64, f64, u64, NAN_64;
    F64Abs F64Neg F64Ceil F64Floor F64Trunc F64Nearest F64Sqrt,
    F64Add F64Sub F64Mul F64Div F64Min F64Max F64Copysign,
    F64Eq F64Ne F64Lt F64Gt F64Le F64Ge
);
