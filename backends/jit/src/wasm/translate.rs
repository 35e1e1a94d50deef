//! Translates a function, operator by operator.
//!
//! Locals are variables. The operands that branches carry to a label are block
//! parameters, as on the operand stack: they are the same for every builder.

use super::callback::Callback;
use super::control::opens_block;
use super::coverage::{NotCovered, TranslateError, not_covered};
use super::translation::{Calls, Meter, Translation, Traps, number_type, signature, zero};
use super::trap::{Reason, Stop};
use crate::code::CALLS;
use crate::context;
use crate::{Front, FrontError};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Function, InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use ssaphire_wasm::{Module, Opcode};
use std::collections::BTreeMap;
use wasmparser::{FuncType, FunctionBody, Operator};

/// The options of the translation of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TranslateOptions {
    /// Whether code counts steps and calls, so that a run can be limited.
    pub is_metered: bool,
    /// How code ends a run early.
    pub traps: Traps,
    /// How functions are called by number.
    pub calls: Calls,
}

/// Translates function number `index` of the module into the empty function `func`; returns the unsupported operators.
///
/// Code stops where control reaches one of those. Calls by name use `UserExternalName`s of namespace 0, numbered like
/// the functions. An imported function becomes one that calls back.
///
/// # Contract
/// The module is valid, with its bodies.
///
/// # Errors
/// If the type of the function or of a local is not supported, or the builder refuses the function.
///
/// # Complexity
/// Linear in the body, plus the builder's time.
pub fn translate<'f, F: Front<'f>>(
    module: &Module,
    index: u32,
    func: &'f mut Function,
    context: &'f mut F::Context,
    config: TargetFrontendConfig,
    options: TranslateOptions,
) -> Result<Vec<NotCovered>, TranslateError> {
    let offset = module.body(index).map_or(0, |body| body.range().start);
    let ty = module.function_type(index).and_then(|ty| Some((ty, signature(ty, CALLS)?)));
    let (ty, signature) = ty.ok_or_else(|| not_covered("function type", offset))?;
    func.signature = signature;
    let mut translation = Translation::new(module, index, F::begin(func, context), config);
    translation.meter = options.is_metered.then(Meter::default);
    translation.traps_by = options.traps;
    translation.calls = options.calls;
    match module.body(index) {
        Some(body) => translation.body(ty, &body)?,
        None => translation.import(ty),
    }
    Ok(translation.end()?)
}

/// Builds a function that reports this one as unsupported, in `func`, which has only its signature.
pub(super) fn refuse<'f, F: Front<'f>>(
    module: &Module,
    index: u32,
    func: &'f mut Function,
    context: &'f mut F::Context,
    config: TargetFrontendConfig,
) -> Result<(), TranslateError> {
    let mut translation = Translation::new(module, index, F::begin(func, context), config);
    translation.begin();
    translation.trap(Reason::NotCovered);
    Ok(translation.end().map(drop)?)
}

impl<'f, F: Front<'f>> Translation<'_, 'f, F> {
    fn body(&mut self, ty: &FuncType, body: &FunctionBody<'_>) -> Result<(), TranslateError> {
        self.begin();
        self.declare(body)?;
        self.check_stack();
        let offset = body.range().start;
        self.open_function(ty).ok_or_else(|| not_covered("result type", offset))?;
        let mut operators = body.get_operators_reader()?;
        while !operators.eof() {
            let offset = operators.original_position();
            let operator = operators.read()?;
            if self.operator(&operator).is_none() {
                self.stop_at(&operator, offset);
            }
        }
        Ok(())
    }

    /// Opens the entry.
    fn begin(&mut self) {
        let entry = self.builder.create_block();
        let params: Vec<Type> = self.builder.func().signature.params.iter().map(|param| param.value_type).collect();
        self.stack = params.into_iter().map(|ty| self.builder.func_mut().dfg.append_block_param(entry, ty)).collect();
        self.builder.switch_to_block(entry);
        self.builder.seal_block(entry);
        self.base = self.stack.remove(0);
    }

    /// Declares parameters, which are on the operand stack, and locals.
    fn declare(&mut self, body: &FunctionBody<'_>) -> Result<(), TranslateError> {
        for param in std::mem::take(&mut self.stack) {
            let ty = self.builder.func().dfg.value_type(param);
            let local = self.builder.declare_var(ty);
            self.builder.def_var(local, param);
            self.locals.push(local);
        }
        let mut zeros = BTreeMap::new();
        for local in body.get_locals_reader()? {
            let (count, ty) = local?;
            let offset = body.range().start;
            let ty = number_type(ty).ok_or_else(|| not_covered(format!("local of type {ty}"), offset))?;
            for _ in 0..count {
                let local = self.builder.declare_var(ty);
                let zero =
                    *zeros.entry(ty.bits() + u32::from(ty.is_float())).or_insert_with(|| zero(&mut self.builder, ty));
                self.builder.def_var(local, zero);
                self.locals.push(local);
            }
        }
        Ok(())
    }

    /// Builds a function that calls back, with the arguments and results in the buffer.
    fn import(&mut self, ty: &FuncType) {
        self.begin();
        let args = std::mem::take(&mut self.stack);
        let buffer = self.context(types::I64, context::BUFFER);
        for (place, &arg) in args.iter().enumerate() {
            self.builder.ins().store(MemFlagsData::trusted(), arg, buffer, 8 * place as i32);
        }
        let index = self.builder.ins().iconst(types::I64, i64::from(self.index));
        let trap = self.call_back(Callback::Import, &[index]);
        let bail = self.bail();
        self.go_on_unless(trap, bail);
        let tys: Vec<Type> = ty.results().iter().filter_map(|&ty| number_type(ty)).collect();
        let load =
            |(place, ty): (usize, Type)| self.builder.ins().load(ty, MemFlagsData::trusted(), buffer, 8 * place as i32);
        let results: Vec<Value> = tys.into_iter().enumerate().map(load).collect();
        self.builder.ins().return_(&results);
    }

    /// Traps if the stack is exhausted.
    fn check_stack(&mut self) {
        let limit = self.context(types::I64, context::STACK_LIMIT);
        let at = self.builder.ins().get_stack_pointer(types::I64);
        let is_below = self.builder.ins().icmp(IntCC::UnsignedLessThan, at, limit);
        self.trap_if(is_below, Reason::Stack);
    }

    /// Fills the blocks that return after a trap, and finalizes the function.
    fn end(mut self) -> Result<Vec<NotCovered>, FrontError> {
        self.stop_metering();
        for ((reason, operator), block) in std::mem::take(&mut self.traps) {
            self.builder.switch_to_block(block);
            self.builder.seal_block(block);
            let stop = Stop { reason, function: self.index, operator };
            let number = self.builder.ins().iconst(types::I64, stop.number() as i64);
            self.builder.ins().store(MemFlagsData::trusted(), number, self.base, context::TRAP);
            let bail = self.bail();
            self.builder.ins().jump(bail, &[]);
        }
        if let Some(bail) = self.bail.take() {
            self.builder.switch_to_block(bail);
            self.builder.seal_block(bail);
            let returns: Vec<Type> =
                self.builder.func().signature.returns.iter().map(|result| result.value_type).collect();
            let zeros: Vec<Value> = returns.into_iter().map(|ty| zero(&mut self.builder, ty)).collect();
            self.builder.ins().return_(&zeros);
        }
        self.builder.finalize(self.config)?;
        Ok(self.not_covered)
    }

    /// Ends the run where control reaches an unsupported operator.
    fn stop_at(&mut self, operator: &Operator<'_>, offset: u64) {
        self.trap(Reason::NotCovered);
        let name = Opcode::of(operator).map_or("operator", Opcode::name).to_owned();
        self.not_covered.push(NotCovered { name, offset });
        self.is_reachable = false;
        // If it opens a block, everything up to the `end` of this block is skipped.
        self.skipped = u32::from(opens_block(operator));
    }

    fn operator(&mut self, operator: &Operator<'_>) -> Option<()> {
        if !self.is_reachable {
            return self.skip(operator);
        }
        self.count_step(operator);
        match *operator {
            Operator::Nop => Some(()),
            Operator::Unreachable => {
                self.trap(Reason::Unreachable);
                self.leave()
            }
            Operator::Drop => self.pop().map(drop),
            Operator::Select => {
                let condition = self.pop()?;
                let [left, right] = self.pop_many(2)?.try_into().ok()?;
                let chosen = self.builder.ins().select(condition, left, right);
                self.push(chosen)
            }
            Operator::LocalGet { local_index } => {
                let value = self.builder.use_var(*self.locals.get(local_index as usize)?);
                self.push(value)
            }
            Operator::LocalSet { local_index } => {
                let value = self.pop()?;
                self.builder.def_var(*self.locals.get(local_index as usize)?, value);
                Some(())
            }
            Operator::LocalTee { local_index } => {
                let value = *self.stack.last()?;
                self.builder.def_var(*self.locals.get(local_index as usize)?, value);
                Some(())
            }
            Operator::GlobalGet { global_index } => {
                let ty = self.global_type(global_index)?;
                let globals = self.context(types::I64, context::GLOBALS);
                let value = self.builder.ins().load(ty, MemFlagsData::trusted(), globals, global_index as i32 * 8);
                self.push(value)
            }
            Operator::GlobalSet { global_index } => {
                let value = self.pop()?;
                let globals = self.context(types::I64, context::GLOBALS);
                self.builder.ins().store(MemFlagsData::trusted(), value, globals, global_index as i32 * 8);
                Some(())
            }
            Operator::Call { function_index } => self.call(function_index),
            Operator::CallIndirect { type_index, table_index: 0 } => self.call_indirect(type_index),
            _ => self.control(operator).or_else(|| self.access(operator)).or_else(|| self.numeric(operator)),
        }
    }

    /// The type of a global, if it is a number.
    fn global_type(&self, global: u32) -> Option<Type> {
        let types = self.module.types().as_ref();
        let ty = (global < types.global_count()).then(|| types.global_at(global))?;
        number_type(ty.content_type)
    }
}
