//! Branches that look at a reference.
//!
//! Each ends its block with two ways out, and defines the reference as it is
//! known on the first of them. Where that way leads to a label, a block of its
//! own takes the reference there, for a result belongs to one edge alone.

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

    /// The reference that a cast looks at, and all that it takes: a descriptor may come after it.
    fn pop_cast(&mut self, op: &Op) -> Outcome<(Value, List<Value, 4>)> {
        let descriptor = if op.opcode.compares_descriptor() { Some(self.pop()?) } else { None };
        let reference = self.pop()?;
        Ok((reference, iter::once(reference).chain(descriptor).collect()))
    }

    /// Branches from the block at hand, with these values on top of the stack.
    pub(super) fn carry(&mut self, depth: u32, values: &[Value]) -> Outcome {
        let height = self.scratch.stack.len();
        self.scratch.stack.extend_from_slice(values);
        self.br(depth)?;
        self.scratch.stack.truncate(height);
        Ok(())
    }

    /// A reference that failed a cast: not null, if null would have passed.
    fn rest(&mut self, reference: Value, from: RefType, to: RefType) -> Outcome<Value> {
        let ty = self.non_null(reference);
        if RefType::difference(from, to).is_nullable() || *self.builder.function().value(reference).ty == ty {
            return Ok(reference);
        }
        Ok(self.builder.push_one(bare(Opcode::RefAsNonNull), &[reference], ty)?)
    }

    /// The type of a reference that turned out not to be null.
    fn non_null(&self, reference: Value) -> Type {
        match *self.builder.function().value(reference).ty {
            Type(ValType::Ref(ty)) => Type(ValType::Ref(ty.as_non_null())),
            other => other,
        }
    }
}

/// The types before and after a cast.
fn cast(op: &Op) -> Outcome<(RefType, RefType)> {
    match op.immediates {
        Immediates::Cast { from, to } => Ok((from, to)),
        _ => Err(invalid()),
    }
}
