//! What the translation of a function holds, and what all of its parts do with it.

use super::coverage::NotCovered;
use super::trap::Reason;
use crate::Front;
use crate::code::CALLS;
use cranelift_codegen::ir::{
    AbiParam, Block, BlockArg, FuncRef, Function, Inst, InstBuilder, MemFlagsData, SigRef, Signature, Type, Value,
    types,
};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use ssaphire_wasm::Module;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use wasmparser::{FuncType, ValType};

/// How functions are called by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Calls {
    /// By name.
    #[default]
    Named,
    /// Through the table of addresses in the context: the callee need not exist when the caller is compiled.
    Listed,
}

/// How code ends a run early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Traps {
    /// The code stores the reason in the context and returns through all callers to the entry.
    #[default]
    Returned,
    /// With Cranelift's trapping instructions; the embedder handles the signals they raise. Blocks are not split for them.
    Instructions,
}

/// The state of a translation. Its methods return `None` for unsupported constructs.
pub(super) struct Translation<'m, 'f, F: Front<'f>> {
    pub(super) module: &'m Module,
    pub(super) index: u32,
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
    pub(super) traps: BTreeMap<(Reason, u32), Block>,
    pub(super) not_covered: Vec<NotCovered>,
    /// The block that returns after a callee has trapped.
    pub(super) bail: Option<Block>,
    pub(super) callees: BTreeMap<u32, FuncRef>,
    pub(super) signatures: BTreeMap<u32, SigRef>,
    builds: PhantomData<&'f mut Function>,
}

impl<'m, 'f, F: Front<'f>> Translation<'m, 'f, F> {
    pub(super) fn new(module: &'m Module, index: u32, builder: F, config: TargetFrontendConfig) -> Self {
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

    pub(super) fn trap_block(&mut self, reason: Reason) -> Block {
        let operator = self.not_covered.len() as u32;
        let which = if reason == Reason::NotCovered { operator } else { 0 };
        *self.traps.entry((reason, which)).or_insert_with(|| {
            let block = self.builder.create_block();
            self.builder.func_mut().layout.set_cold(block);
            block
        })
    }

    /// Ends the run here.
    pub(super) fn trap(&mut self, reason: Reason) {
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
}

/// An open frame of structured control.
pub(super) struct Frame {
    pub(super) kind: Kind,
    /// The block where control continues after the frame.
    pub(super) end: Block,
    pub(super) num_params: usize,
    pub(super) num_results: usize,
    /// The number of operands below the frame.
    pub(super) height: usize,
    /// Whether an edge leads to its end.
    pub(super) is_left: bool,
    /// The operands at the start of the `else` of a conditional.
    pub(super) params: Vec<Value>,
}

/// The kind of a frame.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Block,
    Loop {
        header: Block,
    },
    /// `otherwise` is the block of the `else`, until the `else` is read.
    If {
        otherwise: Option<Block>,
    },
}

/// The current stretch of operators.
#[derive(Default)]
pub(super) struct Meter {
    /// The constant to patch, once there is a step to count.
    pub(super) number: Option<Inst>,
    pub(super) count: i64,
}

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

/// The signature of a function; if it is not supported, one that nobody calls.
pub(super) fn signature_or_none(module: &Module, index: u32) -> Signature {
    module.function_type(index).and_then(|ty| signature(ty, CALLS)).unwrap_or_else(|| {
        let mut none = Signature::new(CALLS);
        none.params.push(AbiParam::new(types::I64));
        none
    })
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
