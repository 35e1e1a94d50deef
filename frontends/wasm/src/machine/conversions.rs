//! Conversions between the types of numbers.

use super::Fault;
use super::floats::{canonical_f32, canonical_f64};
use super::number::Number;
use crate::dialect::Opcode;

/// The result of a conversion; `None` if the operator is not a conversion from this type.
pub(super) fn convert(opcode: Opcode, number: Number) -> Option<Result<Number, Fault>> {
    match number {
        Number::I32(x) => from_i32(opcode, x).map(Ok),
        Number::I64(x) => from_i64(opcode, x).map(Ok),
        Number::F32(bits) => {
            let x = f32::from_bits(bits);
            match opcode {
                Opcode::F64PromoteF32 => Some(Ok(canonical_f64(x.into()))),
                Opcode::I32ReinterpretF32 => Some(Ok(Number::I32(bits as i32))),
                _ => from_f32(opcode, x),
            }
        }
        Number::F64(bits) => {
            let x = f64::from_bits(bits);
            match opcode {
                Opcode::F32DemoteF64 => Some(Ok(canonical_f32(x as f32))),
                Opcode::I64ReinterpretF64 => Some(Ok(Number::I64(bits as i64))),
                _ => from_f64(opcode, x),
            }
        }
        _ => None,
    }
}

fn from_i32(opcode: Opcode, x: i32) -> Option<Number> {
    let unsigned = x as u32;
    Some(match opcode {
        Opcode::I64ExtendI32S => Number::I64(x.into()),
        Opcode::I64ExtendI32U => Number::I64(unsigned.into()),
        Opcode::F32ConvertI32S => canonical_f32(x as f32),
        Opcode::F32ConvertI32U => canonical_f32(unsigned as f32),
        Opcode::F64ConvertI32S => canonical_f64(x.into()),
        Opcode::F64ConvertI32U => canonical_f64(unsigned.into()),
        Opcode::F32ReinterpretI32 => Number::F32(unsigned),
        _ => return None,
    })
}

fn from_i64(opcode: Opcode, x: i64) -> Option<Number> {
    let unsigned = x as u64;
    Some(match opcode {
        Opcode::I32WrapI64 => Number::I32(x as i32),
        Opcode::I64Extend32S => Number::I64((x as i32).into()),
        Opcode::F32ConvertI64S => canonical_f32(x as f32),
        Opcode::F32ConvertI64U => canonical_f32(unsigned as f32),
        Opcode::F64ConvertI64S => canonical_f64(x as f64),
        Opcode::F64ConvertI64U => canonical_f64(unsigned as f64),
        Opcode::F64ReinterpretI64 => Number::F64(unsigned),
        _ => return None,
    })
}

/// Converts through doubles, which represent every float exactly.
fn from_f32(opcode: Opcode, x: f32) -> Option<Result<Number, Fault>> {
    let same = match opcode {
        Opcode::I32TruncF32S => Opcode::I32TruncF64S,
        Opcode::I32TruncF32U => Opcode::I32TruncF64U,
        Opcode::I64TruncF32S => Opcode::I64TruncF64S,
        Opcode::I64TruncF32U => Opcode::I64TruncF64U,
        Opcode::I32TruncSatF32S => Opcode::I32TruncSatF64S,
        Opcode::I32TruncSatF32U => Opcode::I32TruncSatF64U,
        Opcode::I64TruncSatF32S => Opcode::I64TruncSatF64S,
        Opcode::I64TruncSatF32U => Opcode::I64TruncSatF64U,
        _ => return None,
    };
    from_f64(same, x.into())
}

fn from_f64(opcode: Opcode, x: f64) -> Option<Result<Number, Fault>> {
    // The largest number that is too small and the smallest that is too large are themselves doubles.
    let fits = |below: f64, above: f64| match x.trunc() {
        x if x.is_nan() => Err(Fault::InvalidConversion),
        x if x < below || x >= above => Err(Fault::IntegerOverflow),
        _ => Ok(()),
    };
    const TWO_31: f64 = 2_147_483_648.0;
    const TWO_63: f64 = 9_223_372_036_854_775_808.0;
    // A cast rounds towards zero, and stops at the ends.
    Some(match opcode {
        Opcode::I32TruncF64S => fits(-TWO_31, TWO_31).map(|()| Number::I32(x as i32)),
        Opcode::I32TruncF64U => fits(0.0, 2.0 * TWO_31).map(|()| Number::I32(x as u32 as i32)),
        Opcode::I64TruncF64S => fits(-TWO_63, TWO_63).map(|()| Number::I64(x as i64)),
        Opcode::I64TruncF64U => fits(0.0, 2.0 * TWO_63).map(|()| Number::I64(x as u64 as i64)),
        Opcode::I32TruncSatF64S => Ok(Number::I32(x as i32)),
        Opcode::I32TruncSatF64U => Ok(Number::I32(x as u32 as i32)),
        Opcode::I64TruncSatF64S => Ok(Number::I64(x as i64)),
        Opcode::I64TruncSatF64U => Ok(Number::I64(x as u64 as i64)),
        _ => return None,
    })
}
