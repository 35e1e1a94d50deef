//! Operators that compute numbers.

use super::translation::{Translation, zero};
use super::trap::Reason;
use crate::Front;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type, Value, types};
use types::{F32, F64, I8, I16, I32, I64};
use wasmparser::Operator;

/// The bounds of a conversion to an integer: a number above `above` and below `below` fits.
struct Bounds {
    above: f64,
    below: f64,
}

impl Bounds {
    /// The bounds for type `from`, whose numbers may have gaps between the integers.
    fn of(from: Type, to: Type, is_signed: bool) -> Self {
        let below = 2f64.powi(to.bits() as i32 - i32::from(is_signed));
        let above = match (is_signed, from == F32 || to == I64) {
            (false, _) => -1.0,
            // The next smaller number of this type is the first that does not fit.
            (true, true) => Self::before(-below, from),
            (true, false) => -below - 1.0,
        };
        Self { above, below }
    }

    fn before(number: f64, ty: Type) -> f64 {
        if ty == F32 { f64::from((number as f32).next_down()) } else { number.next_down() }
    }
}

impl<'f, F: Front<'f>> Translation<'_, 'f, F> {
    /// Translates an operator that computes numbers.
    pub(super) fn numeric(&mut self, operator: &Operator<'_>) -> Option<()> {
        self.constant(operator)
            .or_else(|| self.integer(operator))
            .or_else(|| self.float(operator))
            .or_else(|| self.comparison(operator))
            .or_else(|| self.division(operator))
            .or_else(|| self.conversion(operator))
            .or_else(|| self.truncation(operator))
    }

    fn constant(&mut self, operator: &Operator<'_>) -> Option<()> {
        let value = match *operator {
            Operator::I32Const { value } => self.builder.ins().iconst(I32, i64::from(value as u32)),
            Operator::I64Const { value } => self.builder.ins().iconst(I64, value),
            Operator::F32Const { value } => {
                self.builder.ins().f32const(cranelift_codegen::ir::immediates::Ieee32::with_bits(value.bits()))
            }
            Operator::F64Const { value } => {
                self.builder.ins().f64const(cranelift_codegen::ir::immediates::Ieee64::with_bits(value.bits()))
            }
            _ => return None,
        };
        self.push(value)
    }

    fn unary(&mut self, compute: impl FnOnce(F::Ins<'_>, Value) -> Value) -> Option<()> {
        let operand = self.pop()?;
        let result = compute(self.builder.ins(), operand);
        self.push(result)
    }

    fn binary(&mut self, compute: impl FnOnce(F::Ins<'_>, Value, Value) -> Value) -> Option<()> {
        let [left, right] = self.pop_many(2)?.try_into().ok()?;
        let result = compute(self.builder.ins(), left, right);
        self.push(result)
    }

    fn integer(&mut self, operator: &Operator<'_>) -> Option<()> {
        use Operator::*;
        match operator {
            I32Clz | I64Clz => self.unary(|ins, x| ins.clz(x)),
            I32Ctz | I64Ctz => self.unary(|ins, x| ins.ctz(x)),
            I32Popcnt | I64Popcnt => self.unary(|ins, x| ins.popcnt(x)),
            I32Add | I64Add => self.binary(|ins, x, y| ins.iadd(x, y)),
            I32Sub | I64Sub => self.binary(|ins, x, y| ins.isub(x, y)),
            I32Mul | I64Mul => self.binary(|ins, x, y| ins.imul(x, y)),
            I32And | I64And => self.binary(|ins, x, y| ins.band(x, y)),
            I32Or | I64Or => self.binary(|ins, x, y| ins.bor(x, y)),
            I32Xor | I64Xor => self.binary(|ins, x, y| ins.bxor(x, y)),
            I32Shl | I64Shl => self.binary(|ins, x, y| ins.ishl(x, y)),
            I32ShrS | I64ShrS => self.binary(|ins, x, y| ins.sshr(x, y)),
            I32ShrU | I64ShrU => self.binary(|ins, x, y| ins.ushr(x, y)),
            I32Rotl | I64Rotl => self.binary(|ins, x, y| ins.rotl(x, y)),
            I32Rotr | I64Rotr => self.binary(|ins, x, y| ins.rotr(x, y)),
            _ => None,
        }
    }

    fn float(&mut self, operator: &Operator<'_>) -> Option<()> {
        use Operator::*;
        match operator {
            F32Abs | F64Abs => self.unary(|ins, x| ins.fabs(x)),
            F32Neg | F64Neg => self.unary(|ins, x| ins.fneg(x)),
            F32Ceil | F64Ceil => self.unary(|ins, x| ins.ceil(x)),
            F32Floor | F64Floor => self.unary(|ins, x| ins.floor(x)),
            F32Trunc | F64Trunc => self.unary(|ins, x| ins.trunc(x)),
            F32Nearest | F64Nearest => self.unary(|ins, x| ins.nearest(x)),
            F32Sqrt | F64Sqrt => self.unary(|ins, x| ins.sqrt(x)),
            F32Add | F64Add => self.binary(|ins, x, y| ins.fadd(x, y)),
            F32Sub | F64Sub => self.binary(|ins, x, y| ins.fsub(x, y)),
            F32Mul | F64Mul => self.binary(|ins, x, y| ins.fmul(x, y)),
            F32Div | F64Div => self.binary(|ins, x, y| ins.fdiv(x, y)),
            F32Min | F64Min => self.binary(|ins, x, y| ins.fmin(x, y)),
            F32Max | F64Max => self.binary(|ins, x, y| ins.fmax(x, y)),
            F32Copysign | F64Copysign => self.binary(|ins, x, y| ins.fcopysign(x, y)),
            _ => None,
        }
    }

    fn comparison(&mut self, operator: &Operator<'_>) -> Option<()> {
        use Operator::*;
        let integers = match operator {
            I32Eqz | I64Eqz => {
                let operand = *self.stack.last()?;
                let ty = self.builder.func().dfg.value_type(operand);
                let zero = zero(&mut self.builder, ty);
                self.push(zero)?;
                Some(IntCC::Equal)
            }
            I32Eq | I64Eq => Some(IntCC::Equal),
            I32Ne | I64Ne => Some(IntCC::NotEqual),
            I32LtS | I64LtS => Some(IntCC::SignedLessThan),
            I32LtU | I64LtU => Some(IntCC::UnsignedLessThan),
            I32GtS | I64GtS => Some(IntCC::SignedGreaterThan),
            I32GtU | I64GtU => Some(IntCC::UnsignedGreaterThan),
            I32LeS | I64LeS => Some(IntCC::SignedLessThanOrEqual),
            I32LeU | I64LeU => Some(IntCC::UnsignedLessThanOrEqual),
            I32GeS | I64GeS => Some(IntCC::SignedGreaterThanOrEqual),
            I32GeU | I64GeU => Some(IntCC::UnsignedGreaterThanOrEqual),
            _ => None,
        };
        if let Some(condition) = integers {
            self.binary(|ins, x, y| ins.icmp(condition, x, y))?;
            return self.unary(|ins, x| ins.uextend(I32, x));
        }
        let floats = match operator {
            F32Eq | F64Eq => FloatCC::Equal,
            F32Ne | F64Ne => FloatCC::NotEqual,
            F32Lt | F64Lt => FloatCC::LessThan,
            F32Gt | F64Gt => FloatCC::GreaterThan,
            F32Le | F64Le => FloatCC::LessThanOrEqual,
            F32Ge | F64Ge => FloatCC::GreaterThanOrEqual,
            _ => return None,
        };
        self.binary(|ins, x, y| ins.fcmp(floats, x, y))?;
        self.unary(|ins, x| ins.uextend(I32, x))
    }

    fn division(&mut self, operator: &Operator<'_>) -> Option<()> {
        use Operator::*;
        let [left, right] = match operator {
            I32DivS | I64DivS | I32DivU | I64DivU | I32RemS | I64RemS | I32RemU | I64RemU => {
                self.pop_many(2)?.try_into().ok()?
            }
            _ => return None,
        };
        let ty = self.builder.func().dfg.value_type(left);
        let zero = zero(&mut self.builder, ty);
        let is_by_zero = self.builder.ins().icmp(IntCC::Equal, right, zero);
        self.trap_if(is_by_zero, Reason::DivideByZero);
        let result = match operator {
            I32DivS | I64DivS => {
                let overflows = self.is_smallest_by_minus_one(left, right, ty);
                self.trap_if(overflows, Reason::IntegerOverflow);
                self.builder.ins().sdiv(left, right)
            }
            I32RemS | I64RemS => {
                // The quotient would overflow, but the remainder is zero, as for a divisor of one.
                let overflows = self.is_smallest_by_minus_one(left, right, ty);
                let one = self.builder.ins().iconst(ty, 1);
                let right = self.builder.ins().select(overflows, one, right);
                self.builder.ins().srem(left, right)
            }
            I32DivU | I64DivU => self.builder.ins().udiv(left, right),
            _ => self.builder.ins().urem(left, right),
        };
        self.push(result)
    }

    fn is_smallest_by_minus_one(&mut self, left: Value, right: Value, ty: Type) -> Value {
        let (smallest, minus_one) = if ty == I32 { (1 << 31, 0xffff_ffff) } else { (i64::MIN, -1) };
        let smallest = self.builder.ins().iconst(ty, smallest);
        let is_smallest = self.builder.ins().icmp(IntCC::Equal, left, smallest);
        let minus_one = self.builder.ins().iconst(ty, minus_one);
        let is_minus_one = self.builder.ins().icmp(IntCC::Equal, right, minus_one);
        self.builder.ins().band(is_smallest, is_minus_one)
    }

    fn conversion(&mut self, operator: &Operator<'_>) -> Option<()> {
        use Operator::*;
        let flags = MemFlagsData::new();
        match operator {
            I32WrapI64 => self.unary(|ins, x| ins.ireduce(I32, x)),
            I64ExtendI32S => self.unary(|ins, x| ins.sextend(I64, x)),
            I64ExtendI32U => self.unary(|ins, x| ins.uextend(I64, x)),
            I32Extend8S => self.extend(I8, I32),
            I32Extend16S => self.extend(I16, I32),
            I64Extend8S => self.extend(I8, I64),
            I64Extend16S => self.extend(I16, I64),
            I64Extend32S => self.extend(I32, I64),
            F32ConvertI32S | F32ConvertI64S => self.unary(|ins, x| ins.fcvt_from_sint(F32, x)),
            F32ConvertI32U | F32ConvertI64U => self.unary(|ins, x| ins.fcvt_from_uint(F32, x)),
            F64ConvertI32S | F64ConvertI64S => self.unary(|ins, x| ins.fcvt_from_sint(F64, x)),
            F64ConvertI32U | F64ConvertI64U => self.unary(|ins, x| ins.fcvt_from_uint(F64, x)),
            F32DemoteF64 => self.unary(|ins, x| ins.fdemote(F32, x)),
            F64PromoteF32 => self.unary(|ins, x| ins.fpromote(F64, x)),
            I32ReinterpretF32 => self.unary(|ins, x| ins.bitcast(I32, flags, x)),
            I64ReinterpretF64 => self.unary(|ins, x| ins.bitcast(I64, flags, x)),
            F32ReinterpretI32 => self.unary(|ins, x| ins.bitcast(F32, flags, x)),
            F64ReinterpretI64 => self.unary(|ins, x| ins.bitcast(F64, flags, x)),
            I32TruncSatF32S | I32TruncSatF64S => self.unary(|ins, x| ins.fcvt_to_sint_sat(I32, x)),
            I32TruncSatF32U | I32TruncSatF64U => self.unary(|ins, x| ins.fcvt_to_uint_sat(I32, x)),
            I64TruncSatF32S | I64TruncSatF64S => self.unary(|ins, x| ins.fcvt_to_sint_sat(I64, x)),
            I64TruncSatF32U | I64TruncSatF64U => self.unary(|ins, x| ins.fcvt_to_uint_sat(I64, x)),
            _ => None,
        }
    }

    fn extend(&mut self, from: Type, to: Type) -> Option<()> {
        self.unary(|ins, x| ins.ireduce(from, x))?;
        self.unary(|ins, x| ins.sextend(to, x))
    }

    fn truncation(&mut self, operator: &Operator<'_>) -> Option<()> {
        use Operator::*;
        let (to, is_signed) = match operator {
            I32TruncF32S | I32TruncF64S => (I32, true),
            I32TruncF32U | I32TruncF64U => (I32, false),
            I64TruncF32S | I64TruncF64S => (I64, true),
            I64TruncF32U | I64TruncF64U => (I64, false),
            _ => return None,
        };
        let operand = self.pop()?;
        let from = self.builder.func().dfg.value_type(operand);
        let is_no_number = self.builder.ins().fcmp(FloatCC::Unordered, operand, operand);
        self.trap_if(is_no_number, Reason::InvalidConversion);
        let Bounds { above, below } = Bounds::of(from, to, is_signed);
        for (condition, bound) in [(FloatCC::LessThanOrEqual, above), (FloatCC::GreaterThanOrEqual, below)] {
            let bound = match from {
                F32 => self.builder.ins().f32const(bound as f32),
                _ => self.builder.ins().f64const(bound),
            };
            let is_beyond = self.builder.ins().fcmp(condition, operand, bound);
            self.trap_if(is_beyond, Reason::IntegerOverflow);
        }
        let result = match is_signed {
            true => self.builder.ins().fcvt_to_sint_sat(to, operand),
            false => self.builder.ins().fcvt_to_uint_sat(to, operand),
        };
        self.push(result)
    }
}
