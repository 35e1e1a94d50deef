//! Operations: operands that may be undefined, and control.

use super::function::{Held, Lowering};
use super::held::PER_VALUE;
use super::program::is_left_to_machine;
use super::site::Why;
use crate::Error;
use crate::context::{BUFFER, NUM_RESULTS};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockCall, InstBuilder, JumpTableData, MemFlagsData, Value, types};
use ssaphire_ir::basic::{BinaryOp, Op, UnaryOp};
use ssaphire_ir::interp::TrapKind;
use ssaphire_ir::{Basic, InstRef};
use types::{I8, I32, I64};

impl Lowering<'_, '_> {
    pub(super) fn operation(&mut self, op: &Op, inst: InstRef<'_, Basic>) -> Result<(), Error> {
        let args = self.args(inst)?;
        if is_left_to_machine(op, &self.shared.names) {
            return self.ask_machine(inst, &args);
        }
        match (op, &args[..]) {
            (Op::Unary(op), &[x]) => {
                let number = self.unary(*op, x.number);
                self.define(inst, [Held { number, ..x }]);
            }
            (Op::Binary(op), &[x, y]) => {
                let held = self.binary(*op, x, y);
                self.define(inst, [held]);
            }
            (Op::Call(call), _) => {
                let callee = self.shared.names.callee(call);
                self.call(callee.unwrap_or_default(), inst, &args)?;
            }
            (Op::Jump, _) => {
                let (target, passed) = self.edge(0)?;
                self.builder.ins().jump(target, &passed);
            }
            (Op::Branch, &[condition]) => {
                self.require(condition);
                let (then, passed) = self.edge(0)?;
                let (otherwise, passed_otherwise) = self.edge(1)?;
                self.builder.ins().brif(condition.number, then, &passed, otherwise, &passed_otherwise);
            }
            (Op::Switch, &[chosen]) => {
                self.require(chosen);
                self.go_to_slot(chosen.number, inst.targets.len())?;
            }
            (Op::Return, _) => self.return_values(&args),
            (Op::Unreachable, _) => self.end_here(TrapKind::Unreachable),
            _ => self.end_here(TrapKind::Malformed),
        }
        Ok(())
    }

    /// Ends the run and the current block.
    fn end_here(&mut self, kind: TrapKind) {
        let block = self.trap_block(Why::Kind(kind));
        self.builder.ins().jump(block, &[]);
    }

    /// Traps if the value is undefined.
    fn require(&mut self, held: Held) {
        if let Some(undefined) = held.undefined {
            self.trap_if(undefined, Why::Kind(TrapKind::Undefined));
        }
    }

    /// Branches along the edge in slot `number`, or along the last one if the number is too large.
    pub(super) fn go_to_slot(&mut self, number: Value, num_targets: usize) -> Result<(), Error> {
        let last = num_targets.saturating_sub(1);
        // Numbers that do not fit in 32 bits are beyond all slots, as are negative ones.
        let limit = self.builder.ins().iconst(I64, last as i64);
        let is_within = self.builder.ins().icmp(IntCC::UnsignedLessThan, number, limit);
        let number = self.builder.ins().select(is_within, number, limit);
        let number = self.builder.ins().ireduce(I32, number);
        let mut calls = Vec::with_capacity(num_targets);
        for slot in 0..num_targets as u32 {
            let (target, passed) = self.edge(slot)?;
            let pool = &mut self.builder.func.dfg.value_lists;
            calls.push(BlockCall::new(target, passed, pool));
        }
        if let Some(default) = calls.pop() {
            let table = self.builder.create_jump_table(JumpTableData::new(default, &calls));
            self.builder.ins().br_table(number, table);
        }
        Ok(())
    }

    fn return_values(&mut self, args: &[Held]) {
        self.pass(args);
        let count = self.builder.ins().iconst(I64, args.len() as i64);
        self.store(count, NUM_RESULTS);
        self.builder.ins().return_(&[]);
    }

    /// Writes values into the buffer.
    pub(super) fn pass(&mut self, args: &[Held]) {
        let buffer = self.load(I64, BUFFER);
        for (place, &held) in args.iter().enumerate() {
            let offset = (8 * PER_VALUE * place) as i32;
            self.builder.ins().store(MemFlagsData::trusted(), held.number, buffer, offset);
            let undefined = self.undefined(held);
            let undefined = self.builder.ins().uextend(I64, undefined);
            self.builder.ins().store(MemFlagsData::trusted(), undefined, buffer, offset + 8);
        }
    }

    /// Reads `count` values from the buffer.
    pub(super) fn take(&mut self, count: usize) -> Vec<Held> {
        let buffer = self.load(I64, BUFFER);
        let flags = MemFlagsData::trusted();
        let held = |place: usize| {
            let offset = (8 * PER_VALUE * place) as i32;
            let number = self.builder.ins().load(I64, flags, buffer, offset);
            let undefined = self.shared.has_companions.then(|| self.builder.ins().load(I8, flags, buffer, offset + 8));
            Held { number, undefined }
        };
        (0..count).map(held).collect()
    }

    fn unary(&mut self, op: UnaryOp, x: Value) -> Value {
        match op {
            UnaryOp::Neg => self.builder.ins().ineg(x),
            UnaryOp::Not => self.builder.ins().bnot(x),
            UnaryOp::LogicalNot => self.compare_with_zero(IntCC::Equal, x),
        }
    }

    fn compare_with_zero(&mut self, condition: IntCC, x: Value) -> Value {
        let zero = self.builder.ins().iconst(I64, 0);
        self.compare(condition, x, zero)
    }

    fn compare(&mut self, condition: IntCC, x: Value, y: Value) -> Value {
        let holds = self.builder.ins().icmp(condition, x, y);
        self.builder.ins().uextend(I64, holds)
    }

    fn binary(&mut self, op: BinaryOp, x: Held, y: Held) -> Held {
        let undefined = match (x.undefined, y.undefined) {
            (undefined, _) if matches!(op, BinaryOp::Div | BinaryOp::Rem) => undefined,
            (Some(x), Some(y)) => Some(self.builder.ins().bor(x, y)),
            (one, other) => one.or(other),
        };
        let (left, right) = (x.number, y.number);
        let number = match op {
            BinaryOp::Add => self.builder.ins().iadd(left, right),
            BinaryOp::Sub => self.builder.ins().isub(left, right),
            BinaryOp::Mul => self.builder.ins().imul(left, right),
            BinaryOp::And => self.builder.ins().band(left, right),
            BinaryOp::Or => self.builder.ins().bor(left, right),
            BinaryOp::Xor => self.builder.ins().bxor(left, right),
            BinaryOp::Shl => self.builder.ins().ishl(left, right),
            BinaryOp::Shr => self.builder.ins().sshr(left, right),
            BinaryOp::Eq => self.compare(IntCC::Equal, left, right),
            BinaryOp::Ne => self.compare(IntCC::NotEqual, left, right),
            BinaryOp::Lt => self.compare(IntCC::SignedLessThan, left, right),
            BinaryOp::Le => self.compare(IntCC::SignedLessThanOrEqual, left, right),
            BinaryOp::Gt => self.compare(IntCC::SignedGreaterThan, left, right),
            BinaryOp::Ge => self.compare(IntCC::SignedGreaterThanOrEqual, left, right),
            BinaryOp::LogicalAnd | BinaryOp::LogicalOr => {
                let [left, right] = [left, right].map(|x| self.compare_with_zero(IntCC::NotEqual, x));
                match op {
                    BinaryOp::LogicalAnd => self.builder.ins().band(left, right),
                    _ => self.builder.ins().bor(left, right),
                }
            }
            BinaryOp::Div | BinaryOp::Rem => self.divide(op, left, y),
        };
        Held { number, undefined }
    }

    /// Division that traps if the divisor is undefined or zero, and wraps around where the quotient does not fit.
    fn divide(&mut self, op: BinaryOp, x: Value, y: Held) -> Value {
        self.require(y);
        let zero = self.builder.ins().iconst(I64, 0);
        let is_zero = self.builder.ins().icmp(IntCC::Equal, y.number, zero);
        self.trap_if(is_zero, Why::Kind(TrapKind::DivisionByZero));
        let [one, minus_one] = [1, -1].map(|number| self.builder.ins().iconst(I64, number));
        let is_minus_one = self.builder.ins().icmp(IntCC::Equal, y.number, minus_one);
        let divisor = self.builder.ins().select(is_minus_one, one, y.number);
        match op {
            BinaryOp::Div => {
                let quotient = self.builder.ins().sdiv(x, divisor);
                let negative = self.builder.ins().ineg(x);
                self.builder.ins().select(is_minus_one, negative, quotient)
            }
            _ => self.builder.ins().srem(x, divisor),
        }
    }
}
