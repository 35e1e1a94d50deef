//! Branches on references.
//!
//! Each ends its block with two edges, and its result is the refined reference
//! on the first of them. If this edge leads to a label, a block of its own
//! carries the reference there, because a result belongs to a single edge.

use super::{Outcome, Translation, bare, invalid};
use crate::dialect::{Immediates, Op, Opcode, Type};
use ssaphire::{SsaBuilder, Value};
use ssaphire_ir::List;
use std::iter;
use wasmparser::{Operator, RefType, ValType};

impl<B: SsaBuilder> Translation<'_, '_, B> {
    pub(super) fn br_on_null(&mut self, depth: u32) -> Outcome {
        let reference = self.pop()?;
        let frame = self.frame_at(depth)?;
        let target = self.branch_target(frame)?;
        let next = self.builder.create_block();
        let ty = self.non_null(reference);
        let op = bare(Opcode::BrOnNull);
        let refined = self.builder.terminate_with_results(op, &[reference], &[next, target], &[ty])?;
        self.builder.seal(next)?;
        self.builder.switch_to(next);
        self.scratch.stack.extend_from_slice(&refined);
        Ok(())
    }

    pub(super) fn br_on_non_null(&mut self, depth: u32) -> Outcome {
        let reference = self.pop()?;
        let (taken, next) = (self.builder.create_block(), self.builder.create_block());
        let ty = self.non_null(reference);
        let op = bare(Opcode::BrOnNonNull);
        let refined = self.builder.terminate_with_results(op, &[reference], &[taken, next], &[ty])?;
        self.builder.seal(taken)?;
        self.builder.seal(next)?;
        self.builder.switch_to(taken);
        self.carry(depth, &refined)?;
        self.builder.switch_to(next);
        Ok(())
    }

    pub(super) fn br_on_cast(&mut self, operator: &Operator<'_>, depth: u32) -> Outcome {
        let op = self.op(operator)?;
        let (from, to) = cast(&op)?;
        let (reference, args) = self.pop_cast(&op)?;
        let (taken, next) = (self.builder.create_block(), self.builder.create_block());
        let ty = Type(ValType::Ref(to));
        let refined = self.builder.terminate_with_results(op, &args, &[taken, next], &[ty])?;
        self.builder.seal(taken)?;
        self.builder.seal(next)?;
        self.builder.switch_to(taken);
        self.carry(depth, &refined)?;
        self.builder.switch_to(next);
        let rest = self.rest(reference, from, to)?;
        self.scratch.stack.push(rest);
        Ok(())
    }

    pub(super) fn br_on_cast_fail(&mut self, operator: &Operator<'_>, depth: u32) -> Outcome {
        let op = self.op(operator)?;
        let (from, to) = cast(&op)?;
        let (reference, args) = self.pop_cast(&op)?;
        let (next, taken) = (self.builder.create_block(), self.builder.create_block());
        let ty = Type(ValType::Ref(to));
        let refined = self.builder.terminate_with_results(op, &args, &[next, taken], &[ty])?;
        self.builder.seal(taken)?;
        self.builder.seal(next)?;
        self.builder.switch_to(taken);
        let rest = self.rest(reference, from, to)?;
        self.carry(depth, &[rest])?;
        self.builder.switch_to(next);
        self.scratch.stack.extend_from_slice(&refined);
        Ok(())
    }

    /// Pops the reference of a cast, and returns it with all operands: a descriptor may follow it.
    fn pop_cast(&mut self, op: &Op) -> Outcome<(Value, List<Value, 4>)> {
        let descriptor = if op.opcode.compares_descriptor() { Some(self.pop()?) } else { None };
        let reference = self.pop()?;
        Ok((reference, iter::once(reference).chain(descriptor).collect()))
    }

    /// Branches from the current block, with these values on top of the stack.
    pub(super) fn carry(&mut self, depth: u32, values: &[Value]) -> Outcome {
        let height = self.scratch.stack.len();
        self.scratch.stack.extend_from_slice(values);
        self.br(depth)?;
        self.scratch.stack.truncate(height);
        Ok(())
    }

    /// The reference after a failed cast: not null, if the cast would have passed null.
    fn rest(&mut self, reference: Value, from: RefType, to: RefType) -> Outcome<Value> {
        let ty = self.non_null(reference);
        if RefType::difference(from, to).is_nullable() || *self.builder.function().value(reference).ty == ty {
            return Ok(reference);
        }
        Ok(self.builder.push_one(bare(Opcode::RefAsNonNull), &[reference], ty)?)
    }

    /// The non-null type of a reference.
    fn non_null(&self, reference: Value) -> Type {
        match *self.builder.function().value(reference).ty {
            Type(ValType::Ref(ty)) => Type(ValType::Ref(ty.as_non_null())),
            other => other,
        }
    }
}

/// The source and target types of a cast.
fn cast(op: &Op) -> Outcome<(RefType, RefType)> {
    match op.immediates {
        Immediates::Cast { from, to } => Ok((from, to)),
        _ => Err(invalid()),
    }
}
