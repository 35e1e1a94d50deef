//! The operators on integers.

use super::Fault;
use super::number::Number;
use crate::dialect::Opcode;

/// The operators on integers of one width, by their names.
macro_rules! integers {
    (
        $unary:ident, $binary:ident, $number:ident, $signed:ident, $unsigned:ident;
        $eqz:ident $clz:ident $ctz:ident $popcnt:ident $extend8:ident $extend16:ident,
        $add:ident $sub:ident $mul:ident $div_s:ident $div_u:ident $rem_s:ident $rem_u:ident,
        $and:ident $or:ident $xor:ident $shl:ident $shr_s:ident $shr_u:ident $rotl:ident $rotr:ident,
        $eq:ident $ne:ident $lt_s:ident $lt_u:ident $gt_s:ident $gt_u:ident $le_s:ident $le_u:ident
        $ge_s:ident $ge_u:ident
    ) => {
        pub(super) fn $unary(opcode: Opcode, x: $signed) -> Option<Number> {
            Some(Number::$number(match opcode {
                Opcode::$eqz => return Some(Number::I32(i32::from(x == 0))),
                Opcode::$clz => x.leading_zeros() as $signed,
                Opcode::$ctz => x.trailing_zeros() as $signed,
                Opcode::$popcnt => x.count_ones() as $signed,
                Opcode::$extend8 => x as i8 as $signed,
                Opcode::$extend16 => x as i16 as $signed,
                _ => return None,
            }))
        }

        pub(super) fn $binary(opcode: Opcode, x: $signed, y: $signed) -> Option<Result<Number, Fault>> {
            let (ux, uy) = (x as $unsigned, y as $unsigned);
            Some(Ok(Number::$number(match opcode {
                Opcode::$add => x.wrapping_add(y),
                Opcode::$sub => x.wrapping_sub(y),
                Opcode::$mul => x.wrapping_mul(y),
                Opcode::$div_s | Opcode::$div_u | Opcode::$rem_s | Opcode::$rem_u if y == 0 => {
                    return Some(Err(Fault::DivideByZero));
                }
                Opcode::$div_s => match x.checked_div(y) {
                    Some(quotient) => quotient,
                    None => return Some(Err(Fault::IntegerOverflow)),
                },
                Opcode::$div_u => (ux / uy) as $signed,
                Opcode::$rem_s => x.wrapping_rem(y),
                Opcode::$rem_u => (ux % uy) as $signed,
                Opcode::$and => x & y,
                Opcode::$or => x | y,
                Opcode::$xor => x ^ y,
                Opcode::$shl => x.wrapping_shl(y as u32),
                Opcode::$shr_s => x.wrapping_shr(y as u32),
                Opcode::$shr_u => ux.wrapping_shr(y as u32) as $signed,
                // A rotation takes its count modulo the width.
                Opcode::$rotl => x.rotate_left(y as u32),
                Opcode::$rotr => x.rotate_right(y as u32),
                _ => {
                    return Some(Ok(Number::I32(i32::from(match opcode {
                        Opcode::$eq => x == y,
                        Opcode::$ne => x != y,
                        Opcode::$lt_s => x < y,
                        Opcode::$lt_u => ux < uy,
                        Opcode::$gt_s => x > y,
                        Opcode::$gt_u => ux > uy,
                        Opcode::$le_s => x <= y,
                        Opcode::$le_u => ux <= uy,
                        Opcode::$ge_s => x >= y,
                        Opcode::$ge_u => ux >= uy,
                        _ => return None,
                    }))));
                }
            })))
        }
    };
}

integers!(
    unary_i32, binary_i32, I32, i32, u32;
    I32Eqz I32Clz I32Ctz I32Popcnt I32Extend8S I32Extend16S,
    I32Add I32Sub I32Mul I32DivS I32DivU I32RemS I32RemU,
    I32And I32Or I32Xor I32Shl I32ShrS I32ShrU I32Rotl I32Rotr,
    I32Eq I32Ne I32LtS I32LtU I32GtS I32GtU I32LeS I32LeU I32GeS I32GeU
);

integers!(
    unary_i64, binary_i64, I64, i64, u64;
    I64Eqz I64Clz I64Ctz I64Popcnt I64Extend8S I64Extend16S,
    I64Add I64Sub I64Mul I64DivS I64DivU I64RemS I64RemU,
    I64And I64Or I64Xor I64Shl I64ShrS I64ShrU I64Rotl I64Rotr,
    I64Eq I64Ne I64LtS I64LtU I64GtS I64GtU I64LeS I64LeU I64GeS I64GeU
);
