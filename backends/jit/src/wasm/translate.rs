//! Translates a function, operator by operator.
//!
//! Locals are variables. The operands that branches carry to a label are block
//! parameters, as on the operand stack: they are the same for every builder.

use super::callbacks::Callback;
use super::control::{Frame, opens_block};
use super::coverage::{NotCovered, TranslateError, not_covered};
use super::meter::Meter;
use super::trap::{Reason, Stop};
use crate::code::CALLS;
use crate::context;
use crate::{Front, FrontError};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Block, BlockArg, FuncRef, Function, InstBuilder, MemFlagsData, SigRef, Signature, Type, Value, types,
};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use ssaphire_wasm::{Module, Opcode};
use std::collections::BTreeMap;
use std::marker::PhantomData;
use wasmparser::{FuncType, FunctionBody, Operator, ValType};

/// The Cranelift type of a number type.
pub(super) fn number_type(ty: ValType) -> Option<Type> {
    match ty {
        ValType::I32 => Some(types::I32),
        ValType::I64 => Some(types::I64),
        ValType::F32 => Some(types::F32),
        ValType::F64 => Some(types::F64),
        _ => None,
    }
}

/// The machine signature of a function: the address of the context comes first.
///
/// `None` if a parameter or a result is not a number.
pub fn signature(ty: &FuncType, conv: CallConv) -> Option<Signature> {
    let mut signature = Signature::new(conv);
    signature.params.push(AbiParam::new(types::I64));
    for &param in ty.params() {
        signature.params.push(AbiParam::new(number_type(param)?));
    }
    for &result in ty.results() {
        signature.returns.push(AbiParam::new(number_type(result)?));
    }
    Some(signature)
}

/// The options of the translation of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TranslateOptions {
    /// Whether code counts steps and calls, so that a run can be limited.
    pub is_metered: bool,
    /// The way in which code ends early.
    pub traps: Traps,
    /// The way in which functions are called by number.
    pub calls: Calls,
}

/// The way in which functions are called by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Calls {
    /// By name.
    #[default]
    Named,
    /// Through the table of addresses in the context: the callee need not exist when the caller is compiled.
    Listed,
}

/// The way in which code ends early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Traps {
    /// The code stores the reason in the context and returns through all callers to the entry.
    #[default]
    Returned,
    /// With Cranelift's trapping instructions; the embedder handles the signals they raise. Blocks are not split for them.
    Instructions,
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

/// The signature of a function; if it is not supported, one that nobody calls.
pub(super) fn signature_or_none(module: &Module, index: u32) -> Signature {
    module.function_type(index).and_then(|ty| signature(ty, CALLS)).unwrap_or_else(|| {
        let mut none = Signature::new(CALLS);
        none.params.push(AbiParam::new(types::I64));
        none
    })
}

/// The state of a translation. Its methods return `None` for unsupported constructs.
pub(super) struct Translation<'m, 'f, F: Front<'f>> {
    pub(super) module: &'m Module,
    index: u32,
    pub(super) config: TargetFrontendConfig,
    pub(super) builder: F,
    /// The address of the context.
    pub(super) base: Value,
    pub(super) locals: Vec<F::Variable>,
    pub(super) stack: Vec<Value>,
    pub(super) frames: Vec<Frame>,
    pub(super) is_reachable: bool,
    /// The number of open frames in unreachable code.
    pub(super) skipped: u32,
    pub(super) meter: Option<Meter>,
    pub(super) traps_by: Traps,
    pub(super) calls: Calls,
    /// The block of each trap, by reason and by number of the unsupported operator.
    traps: BTreeMap<(Reason, u32), Block>,
    not_covered: Vec<NotCovered>,
    /// The block that returns after a callee has trapped.
    bail: Option<Block>,
    pub(super) callees: BTreeMap<u32, FuncRef>,
    pub(super) signatures: BTreeMap<u32, SigRef>,
    builds: PhantomData<&'f mut Function>,
}

impl<'m, 'f, F: Front<'f>> Translation<'m, 'f, F> {
    fn new(module: &'m Module, index: u32, builder: F, config: TargetFrontendConfig) -> Self {
        Self {
            module,
            index,
            config,
            builder,
            base: Value::from_u32(0),
            locals: Vec::new(),
            stack: Vec::new(),
            frames: Vec::new(),
            is_reachable: true,
            skipped: 0,
            meter: None,
            traps_by: Traps::Returned,
            calls: Calls::Named,
            traps: BTreeMap::new(),
            not_covered: Vec::new(),
            bail: None,
            callees: BTreeMap::new(),
            signatures: BTreeMap::new(),
            builds: PhantomData,
        }
    }

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

    /// Loads a field of the context.
    pub(super) fn context(&mut self, ty: Type, offset: i32) -> Value {
        self.builder.ins().load(ty, MemFlagsData::trusted(), self.base, offset)
    }

    pub(super) fn bail(&mut self) -> Block {
        *self.bail.get_or_insert_with(|| {
            let block = self.builder.create_block();
            self.builder.func_mut().layout.set_cold(block);
            block
        })
    }

    fn trap_block(&mut self, reason: Reason) -> Block {
        let operator = self.not_covered.len() as u32;
        let which = if reason == Reason::NotCovered { operator } else { 0 };
        *self.traps.entry((reason, which)).or_insert_with(|| {
            let block = self.builder.create_block();
            self.builder.func_mut().layout.set_cold(block);
            block
        })
    }

    /// Ends the run here.
    fn trap(&mut self, reason: Reason) {
        if self.traps_by == Traps::Instructions {
            self.builder.ins().trap(reason.code());
            return;
        }
        let block = self.trap_block(reason);
        self.builder.ins().jump(block, &[]);
    }

    /// Traps if `condition` is not zero.
    pub(super) fn trap_if(&mut self, condition: Value, reason: Reason) {
        if self.traps_by == Traps::Instructions {
            self.builder.ins().trapnz(condition, reason.code());
            return;
        }
        let block = self.trap_block(reason);
        self.go_on_unless(condition, block);
    }

    pub(super) fn go_on_unless(&mut self, condition: Value, other: Block) {
        let next = self.builder.create_block();
        self.builder.ins().brif(condition, other, &[], next, &[]);
        self.builder.switch_to_block(next);
        self.builder.seal_block(next);
    }

    pub(super) fn push(&mut self, value: Value) -> Option<()> {
        self.stack.push(value);
        Some(())
    }

    pub(super) fn pop(&mut self) -> Option<Value> {
        self.stack.pop()
    }

    /// Pops the topmost values, in the order in which they were pushed.
    pub(super) fn pop_many(&mut self, count: usize) -> Option<Vec<Value>> {
        Some(self.stack.split_off(self.stack.len().checked_sub(count)?))
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

/// The zero of a type.
pub(super) fn zero<'f, F: Front<'f>>(builder: &mut F, ty: Type) -> Value {
    match ty {
        types::F32 => builder.ins().f32const(0.0),
        types::F64 => builder.ins().f64const(0.0),
        _ => builder.ins().iconst(ty, 0),
    }
}

/// Values as branch arguments.
pub(super) fn block_args(values: &[Value]) -> Vec<BlockArg> {
    values.iter().map(|&value| value.into()).collect()
}
