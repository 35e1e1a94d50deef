//! A compiled program, and its runs.

use super::check::check;
use super::function::lower;
use super::held::{Arrays, PER_VALUE};
use super::site::{End, Site};
use crate::code::{CALLS, Code, Compiler};
use crate::context::{Context, NUM_CALLBACKS};
use crate::stack::on_stack;
use crate::{Error, Options, OurBuilder};
use cranelift_codegen::ir::{AbiParam, Signature, types};
use ssaphire_graph::Block;
use ssaphire_ir::basic::{BasicMachine, Datum, Op, Type};
use ssaphire_ir::interp::{Arity, Content, Flow, Limits, Machine, Trap, TrapKind};
use ssaphire_ir::{Action, Basic, Function, ValueKind};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

/// Functions of the dialect [`Basic`] in SSA form, as machine code.
pub struct Program<'f> {
    functions: &'f [Function<Basic>],
    code: Code,
    shared: Shared,
}

/// The state shared by the functions of a program while they are compiled.
pub(super) struct Shared {
    /// Identifies the calls of the program's own functions.
    pub(super) names: BasicMachine,
    /// By function, the number of its parameters.
    pub(super) num_params: Vec<usize>,
    /// Whether there is an undefined value or an array anywhere.
    pub(super) has_companions: bool,
    pub(super) sites: Vec<Site>,
    /// The number of values for which the buffer has room.
    pub(super) buffer_len: usize,
}

impl<'f> Program<'f> {
    /// Compiles all functions. They call one another by name.
    ///
    /// # Errors
    /// If a function is not in SSA form, or cannot be compiled for this machine.
    ///
    /// # Complexity
    /// Linear in the size of the functions, plus Cranelift's time.
    pub fn compile(functions: &'f [Function<Basic>], options: &Options) -> Result<Self, Error> {
        let names = BasicMachine::new(0, Vec::new()).with_functions(functions);
        check(functions, &names)?;
        let mut shared = Shared {
            names,
            num_params: functions.iter().map(|function| function.params().len()).collect(),
            has_companions: functions.iter().any(has_companions),
            sites: Vec::new(),
            buffer_len: functions.iter().map(longest).max().unwrap_or(0),
        };
        let signatures: Vec<Signature> =
            functions.iter().map(|function| signature(function.params().len(), shared.has_companions)).collect();
        let most_blocks = functions.iter().map(|function| function.num_blocks()).max().unwrap_or(0);
        let optimizes = options.optimizes && most_blocks <= options.most_optimized_blocks;
        let options = Options { optimizes, ..options.clone() };
        let mut code = Code::new(&signatures, &options)?;
        let mut compiler = Compiler::new(code.isa(), &OurBuilder, &options);
        let config = compiler.config();
        for ((number, function), signature) in functions.iter().enumerate().zip(&signatures) {
            let (func, context) = compiler.begin(number as u32, signature.clone());
            lower(function, number, func, context, config, &mut shared)?;
            let compiled = compiler.compile(number as u32, function.name())?;
            code.define(number as u32, signature, &compiled)?;
        }
        code.publish()?;
        Ok(Self { functions, code, shared })
    }

    /// Runs function number `start` like [`Interpreter::run`](ssaphire_ir::interp::Interpreter::run): with the same
    /// results, the same calls of `machine`, and the same traps at the same places.
    ///
    /// Only the stack may be exhausted sooner, if functions need much of it.
    ///
    /// # Errors
    /// The trap, if the run ends in one. [`Error::Machine`] if there is no stack to run on.
    pub fn run(
        &self,
        machine: &mut BasicMachine,
        start: usize,
        args: &[i64],
        limits: Limits,
    ) -> Result<Result<Vec<Content<Datum>>, Trap>, Error> {
        let early = |kind| Ok(Err(Trap { kind, function: start, block: Block::new(0), index: 0 }));
        let Some(entry) = self.code.entry(start) else { return early(TrapKind::Malformed) };
        let (wanted, given) = (self.shared.num_params[start], args.len());
        if limits.frames == 0 {
            return early(TrapKind::TooManyFrames { limit: 0 });
        }
        if wanted != given {
            return early(TrapKind::ArgumentCount { wanted, given });
        }
        let (functions, shared) = (self.functions, &self.shared);
        on_stack(|stack_limit| {
            let mut buffer = vec![0; (PER_VALUE * shared.buffer_len.max(given)).max(1)];
            let per_param = if shared.has_companions { PER_VALUE } else { 1 };
            for (place, &arg) in args.iter().enumerate() {
                buffer[per_param * place] = arg as u64;
            }
            let mut host = Host { functions, shared, machine, arrays: Arrays::default(), failure: None };
            let mut callbacks = [0; NUM_CALLBACKS];
            callbacks[0] = operation as *const () as usize;
            let mut context = Context {
                stack_limit,
                steps: limits.steps,
                frames: 1,
                max_frames: limits.frames as u64,
                buffer: buffer.as_mut_ptr(),
                callbacks,
                host: (&raw mut host).cast(),
                ..Context::default()
            };
            // SAFETY: the buffer holds the arguments and has room for all results; the first callback is `operation`,
            // the only one that the code calls, and the host is of the type that it expects. The code uses no other
            // field that holds an address.
            #[expect(unsafe_code, reason = "into machine code")]
            unsafe {
                entry.run(&raw mut context);
            }
            let site = context.trap.checked_sub(1).and_then(|site| shared.sites.get(site as usize));
            if let Some(site) = site {
                let (steps_left, num_results) = (context.steps, context.num_results);
                return Err(site.trap(functions, End { steps_left, num_results, failure: host.failure, limits }));
            }
            let results = buffer.chunks(PER_VALUE).take(context.num_results as usize);
            // The code has written these, and knows no other arrays.
            Ok(results.map(|held| host.arrays.content(held).unwrap_or(Content::Undefined)).collect())
        })
    }
}

/// The signature of a function: the context, then the parameters, each followed by its companion if values have
/// companions.
pub(super) fn signature(num_params: usize, has_companions: bool) -> Signature {
    let mut signature = Signature::new(CALLS);
    signature.params.push(AbiParam::new(types::I64));
    for _ in 0..num_params {
        signature.params.push(AbiParam::new(types::I64));
        if has_companions {
            signature.params.push(AbiParam::new(types::I8));
        }
    }
    signature
}

fn has_companions(function: &Function<Basic>) -> bool {
    let mut values = function.values().map(|value| function.value(value));
    // The elements of an array may be undefined.
    values.any(|data| matches!(data.kind, ValueKind::Undefined) || *data.ty == Type::Array)
}

/// The largest number of operands or results of an instruction.
fn longest(function: &Function<Basic>) -> usize {
    let insts = function.blocks().flat_map(|block| function.block(block).insts().iter());
    insts.map(|inst| inst.args.len().max(inst.results.len())).max().unwrap_or(0)
}

/// The host of running code: executes the operations that are left to the machine.
struct Host<'r> {
    functions: &'r [Function<Basic>],
    shared: &'r Shared,
    machine: &'r mut BasicMachine,
    arrays: Arrays,
    failure: Option<TrapKind>,
}

impl Host<'_> {
    /// Executes the operation at a site; returns the slot of the next edge, or the trap.
    fn execute(&mut self, site: u64, buffer: &mut [u64]) -> Result<u32, TrapKind> {
        let site = self.shared.sites.get(site as usize).ok_or(TrapKind::Malformed)?;
        let function = self.functions.get(site.function as usize).ok_or(TrapKind::Malformed)?;
        let inst = function.block(site.block).insts().get(site.index as usize).ok_or(TrapKind::Malformed)?;
        let Action::Op(op) = inst.action else { return Err(TrapKind::Malformed) };
        let args = buffer.chunks(PER_VALUE).take(inst.args.len()).map(|held| self.arrays.content(held));
        let args = args.collect::<Result<Vec<_>, _>>()?;
        let (wanted, targets) = (inst.results.len(), inst.targets.len());
        let mut results = Vec::new();
        let slot = match self.machine.execute(op, &args, Arity { results: wanted, targets }, &mut results)? {
            Flow::Next => 0,
            Flow::Slot(slot) if (slot as usize) < targets => slot,
            _ => return Err(TrapKind::Malformed),
        };
        let given = results.len();
        if given < wanted && slot == 0 {
            return Err(TrapKind::ResultCount { wanted, given });
        }
        for (place, content) in buffer.chunks_mut(PER_VALUE).zip(results) {
            place.copy_from_slice(&self.arrays.words(content));
        }
        Ok(slot)
    }
}

/// Executes the operation at a site, with arguments and results in the buffer.
///
/// Returns the slot of the next edge, or -1.
///
/// # Safety
/// The context is one that [`Program::run`] has made.
#[expect(unsafe_code, reason = "machine code calls it")]
unsafe extern "C" fn operation(context: *mut Context, site: u64) -> i64 {
    // SAFETY: `run` lets nobody else use the context, the host or the buffer while the code runs, and the buffer has
    // that length.
    let (host, buffer) = unsafe {
        let host = &mut *(*context).host.cast::<Host<'_>>();
        let len = PER_VALUE * host.shared.buffer_len;
        (host, slice::from_raw_parts_mut((*context).buffer, len))
    };
    // Machine code cannot be unwound.
    let executed = catch_unwind(AssertUnwindSafe(|| host.execute(site, buffer)));
    match executed.unwrap_or(Err(TrapKind::Malformed)) {
        Ok(slot) => i64::from(slot),
        Err(kind) => {
            host.failure = Some(kind);
            -1
        }
    }
}

/// Whether the machine executes the operation, instead of the code.
pub(super) fn is_left_to_machine(op: &Op, names: &BasicMachine) -> bool {
    match op {
        Op::Print | Op::Read | Op::Access | Op::Update | Op::HiddenUpdate => true,
        Op::Call(call) => names.callee(call).is_none(),
        _ => false,
    }
}
