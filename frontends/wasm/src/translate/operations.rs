//! Operators that compute, constants and locals.

use super::structure::signature;
use super::{Outcome, Translation, invalid, unsupported};
use crate::dialect::{Constant, Op, Type};
use ssaphire::{SsaBuilder, Value, Variable};
use ssaphire_ir::{List, ValueKind};
use wasmparser::{BlockType, Operator, WasmModuleResources};

impl<B: SsaBuilder> Translation<'_, '_, B> {
    /// Translates an operator that is rare, or whose operands must be counted.
    pub(super) fn operator(&mut self, operator: &Operator<'_>) -> Outcome {
        if !self.is_live() {
            self.validator.op(self.offset, operator)?;
            if let Operator::TryTable { .. } = operator {
                self.look_at_frame();
                self.skipped += 1;
            }
            return Ok(());
        }
        let arity = operator.operator_arity(&self.validator);
        // The validator knows the types of the results afterwards; those of the arguments are in their values.
        self.validator.op(self.offset, operator)?;
        let (args, results) = arity.ok_or_else(|| unsupported(operator))?;
        match operator {
            Operator::TryTable { try_table } => {
                self.look_at_frame();
                self.open_try(try_table)
            }
            Operator::BrOnNull { relative_depth } => self.br_on_null(*relative_depth),
            Operator::BrOnNonNull { relative_depth } => self.br_on_non_null(*relative_depth),
            Operator::BrOnCast { relative_depth, .. } | Operator::BrOnCastDescEq { relative_depth, .. } => {
                self.br_on_cast(operator, *relative_depth)
            }
            Operator::BrOnCastFail { relative_depth, .. } | Operator::BrOnCastDescEqFail { relative_depth, .. } => {
                self.br_on_cast_fail(operator, *relative_depth)
            }
            Operator::Resume { resume_table, .. }
            | Operator::ResumeThrow { resume_table, .. }
            | Operator::ResumeThrowRef { resume_table, .. } => {
                self.resume(operator, args as usize, results as usize, resume_table)
            }
            Operator::V128Const { value } => self.constant(Constant::V128((*value).into())),
            Operator::RefNull { hty } => self.constant(Constant::Null(*hty)),
            _ => self.operation(self.op(operator)?, args as usize, results as usize),
        }
    }

    /// Asks the validator for the frame of the next operator.
    pub(super) fn look_at_frame(&mut self) {
        self.frame = self.validator.get_control_frame(0).map(|frame| frame.kind);
    }

    /// Translates an operation that pops its arguments and pushes its results.
    pub(super) fn operation(&mut self, op: Op, args: usize, results: usize) -> Outcome {
        if op.opcode.may_throw() {
            return self.throwing(op, self.below(args), results);
        }
        if op.opcode.is_terminator() {
            let rest = self.below(args);
            self.builder.terminate(op, &self.scratch.stack[rest..], &[])?;
            self.scratch.stack.truncate(rest);
            return Ok(());
        }
        self.append(op, args, results)
    }

    /// Translates an operation after which control falls through.
    #[inline]
    pub(super) fn append(&mut self, op: Op, args: usize, results: usize) -> Outcome {
        match results {
            0 => self.append_without_result(op, args),
            1 => self.append_with_one(op, args),
            _ => self.append_with_many(op, args, results),
        }
    }

    fn append_without_result(&mut self, op: Op, args: usize) -> Outcome {
        let rest = self.below(args);
        self.builder.push_effect(op, &self.scratch.stack[rest..])?;
        self.scratch.stack.truncate(rest);
        Ok(())
    }

    fn append_with_one(&mut self, op: Op, args: usize) -> Outcome {
        let rest = self.below(args);
        let ty = self.result_type(0);
        let result = self.builder.push_one(op, &self.scratch.stack[rest..], ty)?;
        self.scratch.stack.truncate(rest);
        self.scratch.stack.push(result);
        Ok(())
    }

    fn append_with_many(&mut self, op: Op, args: usize, results: usize) -> Outcome {
        let rest = self.below(args);
        let types = self.result_types(results);
        let results = self.builder.push(op, &self.scratch.stack[rest..], &types)?;
        self.scratch.stack.truncate(rest);
        self.scratch.stack.extend_from_slice(&results);
        Ok(())
    }

    /// The number of operands below the topmost `args`.
    pub(super) fn below(&self, args: usize) -> usize {
        self.scratch.stack.len().saturating_sub(args)
    }

    pub(super) fn op(&self, operator: &Operator<'_>) -> Outcome<Op> {
        Op::new(operator, |function| self.module.name_of(function)).ok_or_else(|| unsupported(operator))
    }

    /// Translates a call of a function; with `chooses`, an indirect call through the topmost operand, of type `ty`.
    pub(super) fn call(&mut self, op: Op, ty: Option<u32>, chooses: bool) -> Outcome {
        let ty = BlockType::FuncType(ty.ok_or_else(invalid)?);
        let (params, results) = signature(&self.validator, &ty);
        let (args, results) = (params.len() + usize::from(chooses), results.len());
        self.throwing(op, self.below(args), results)
    }

    /// The number of the type of a function.
    pub(super) fn type_of(&self, function: u32) -> Option<u32> {
        self.validator.resources().type_index_of_function(function)
    }

    /// The types of the topmost operands, as left by the validator.
    pub(super) fn result_types(&self, results: usize) -> List<Type, 4> {
        (0..results).rev().map(|depth| self.result_type(depth)).collect()
    }

    /// The type of the operand with `depth` others above it.
    pub(super) fn result_type(&self, depth: usize) -> Type {
        let ty = self.validator.get_operand_type(depth).flatten();
        ty.map(|ty| self.module.numbered(ty)).unwrap_or_default()
    }

    pub(super) fn constant(&mut self, constant: Constant) -> Outcome {
        let value = self.intern(constant);
        self.scratch.stack.push(value);
        Ok(())
    }

    /// The value of a constant.
    pub(super) fn intern(&mut self, constant: Constant) -> Value {
        let Self { scratch, builder, .. } = self;
        scratch.constants.get(constant, |constant| builder.constant(constant))
    }

    fn local(&self, index: u32) -> Outcome<Variable> {
        self.scratch.locals.get(index as usize).copied().ok_or_else(invalid)
    }

    pub(super) fn local_get(&mut self, index: u32) -> Outcome {
        let value = self.builder.read(self.local(index)?)?;
        self.scratch.stack.push(value);
        Ok(())
    }

    pub(super) fn local_set(&mut self, index: u32) -> Outcome {
        let (variable, value) = (self.local(index)?, self.pop()?);
        let data = self.builder.function().value(value);
        // A result first written to a local is named after it; a value that already has a name keeps it.
        if data.name.is_none() && data.kind == ValueKind::Result {
            self.builder.function_mut().set_value_name(value, Some(variable));
        }
        Ok(self.builder.write(variable, value)?)
    }

    pub(super) fn local_tee(&mut self, index: u32) -> Outcome {
        self.local_set(index)?;
        self.local_get(index)
    }

    pub(super) fn pop(&mut self) -> Outcome<Value> {
        self.scratch.stack.pop().ok_or_else(invalid)
    }
}
