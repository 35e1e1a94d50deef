//! Machine code of functions that call each other by number, and the entry into it.
//!
//! All `unsafe` code that enters machine code is here; callbacks are defined next to the code that needs them.

use crate::context::{BUFFER, Context};
use crate::options::host_isa;
use crate::{Builders, Error, Options};
use cranelift_codegen::FinalizedMachReloc;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{AbiParam, Function, InstBuilder, MemFlagsData, Signature, UserFuncName, types};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa, TargetFrontendConfig, TargetIsa};
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, ModuleReloc, default_libcall_names};
use ssaphire_cranelift::{FinalizeError, FunctionBuilder, FunctionBuilderContext};
use std::collections::BTreeMap;
use std::mem::{self, ManuallyDrop};

/// Address space for the code of one program: small enough for direct calls between any two places.
const CODE_SPACE: usize = 1 << 30;

/// The largest frame that one function may have, in bytes.
const LARGEST_FRAME: u64 = 1 << 22;

/// The calling convention within a program: it allows any number of results.
pub(crate) const CALLS: CallConv = CallConv::Tail;

/// Compiles functions one after another, on any thread.
pub(crate) struct Compiler<B: Builders> {
    isa: OwnedTargetIsa,
    context: cranelift_codegen::Context,
    builder: B::Context,
}

/// The code of a function that is not placed in memory yet.
pub(crate) struct Compiled {
    bytes: Vec<u8>,
    align: u64,
    relocations: Vec<ModuleReloc>,
}

/// Machine code that can be extended.
pub(crate) struct Code {
    /// The owner of the memory.
    module: ManuallyDrop<JITModule>,
    isa: OwnedTargetIsa,
    /// By kind of signature, the trampoline for functions of this kind.
    trampolines: BTreeMap<String, FuncId>,
    /// By defined function, its trampoline.
    entered_by: Vec<Option<FuncId>>,
}

/// Reads the arguments from the buffer, calls the code at the given address, and writes the results to the buffer.
type Enter = extern "C" fn(*mut Context, usize);

/// The entry into a function.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    enter: Enter,
    address: usize,
}

impl<B: Builders> Compiler<B> {
    pub(crate) fn new(isa: &OwnedTargetIsa, builders: &B, options: &Options) -> Self {
        Self { isa: isa.clone(), context: cranelift_codegen::Context::new(), builder: builders.context(options) }
    }

    pub(crate) fn config(&self) -> TargetFrontendConfig {
        self.isa.frontend_config()
    }

    /// The function to build for `number`, and the builder's context.
    pub(crate) fn begin(&mut self, number: u32, signature: Signature) -> (&mut Function, &mut B::Context) {
        self.context.clear();
        self.context.func.signature = signature;
        self.context.func.name = UserFuncName::user(0, number);
        (&mut self.context.func, &mut self.builder)
    }

    /// Compiles the function that was built as number `number`.
    pub(crate) fn compile(&mut self, number: u32, name: &str) -> Result<Compiled, Error> {
        compile(&*self.isa, &mut self.context, FuncId::from_u32(number), name)
    }
}

fn compile(
    isa: &dyn TargetIsa,
    context: &mut cranelift_codegen::Context,
    id: FuncId,
    name: &str,
) -> Result<Compiled, Error> {
    let code =
        context.compile(isa, &mut ControlPlane::default()).map_err(|error| Error::refused(name, &error.inner))?;
    let bytes = code.buffer.frame_layout().map_or(0, |layout| u64::from(layout.frame_to_fp_offset));
    if bytes > LARGEST_FRAME {
        return Err(Error::TooLargeFrame { function: name.to_owned(), bytes });
    }
    let alignments =
        [u64::from(code.buffer.alignment), isa.function_alignment().minimum.into(), isa.symbol_alignment()];
    let align = alignments.into_iter().fold(1, u64::max);
    let (bytes, relocations) = (code.code_buffer().to_vec(), code.buffer.relocs().to_vec());
    let relocation = |found: &FinalizedMachReloc| ModuleReloc::from_mach_reloc(found, &context.func, id);
    Ok(Compiled { bytes, align, relocations: relocations.iter().map(relocation).collect() })
}

impl Code {
    /// Declares functions with these signatures, in the order of their numbers; none of them has code yet.
    pub(crate) fn new(signatures: &[Signature], options: &Options) -> Result<Self, Error> {
        let isa = host_isa(options.optimizes, options.verifies)?;
        let mut builder = JITBuilder::with_isa(isa.clone(), default_libcall_names());
        builder.memory_provider(Box::new(ArenaMemoryProvider::new_with_size(CODE_SPACE).map_err(Error::machine)?));
        let (trampolines, entered_by) = (BTreeMap::new(), vec![None; signatures.len()]);
        let module = ManuallyDrop::new(JITModule::new(builder));
        let mut code = Self { module, isa, trampolines, entered_by };
        // Declared before all others, so that a function has the same number there.
        for signature in signatures {
            code.module.declare_anonymous_function(signature).map_err(Error::machine)?;
        }
        Ok(code)
    }

    /// The target that the code is compiled for.
    pub(crate) fn isa(&self) -> &OwnedTargetIsa {
        &self.isa
    }

    /// Defines function `number`, which has this signature.
    pub(crate) fn define(&mut self, number: u32, signature: &Signature, code: &Compiled) -> Result<(), Error> {
        self.entered_by[number as usize] = Some(self.trampoline(signature)?);
        self.take(FuncId::from_u32(number), code)
    }

    fn take(&mut self, id: FuncId, code: &Compiled) -> Result<(), Error> {
        self.module.define_function_bytes(id, code.align, &code.bytes, &code.relocations).map_err(Error::machine)
    }

    /// Adds a function without a number.
    pub(crate) fn add(
        &mut self,
        name: &str,
        signature: Signature,
        build: impl FnOnce(&mut FunctionBuilder<'_>),
    ) -> Result<FuncId, Error> {
        let id = self.module.declare_anonymous_function(&signature).map_err(Error::machine)?;
        let mut context = cranelift_codegen::Context::new();
        context.func.signature = signature;
        let mut building = FunctionBuilderContext::new();
        let mut builder = FunctionBuilder::new(&mut context.func, &mut building);
        build(&mut builder);
        let refused = |error: FinalizeError| Error::Refused { function: name.to_owned(), message: error.to_string() };
        builder.try_finalize(self.isa.frontend_config()).map_err(refused)?;
        let code = compile(&*self.isa, &mut context, id, name)?;
        self.take(id, &code)?;
        Ok(id)
    }

    /// The trampoline for functions of this signature.
    fn trampoline(&mut self, signature: &Signature) -> Result<FuncId, Error> {
        let kind = signature.to_string();
        if let Some(&id) = self.trampolines.get(&kind) {
            return Ok(id);
        }
        let mut own = Signature::new(self.isa.frontend_config().default_call_conv);
        own.params.extend([AbiParam::new(types::I64); 2]);
        let id = self.add("entry", own, |builder| build_trampoline(builder, signature))?;
        self.trampolines.insert(kind, id);
        Ok(id)
    }

    /// Makes the code defined since the last call ready to run.
    ///
    /// # Contract
    /// All functions that it calls by name have been defined, too.
    pub(crate) fn publish(&mut self) -> Result<(), Error> {
        self.module.finalize_definitions().map_err(Error::machine)
    }

    /// The entry into function `number`, once its code is [ready](Self::publish).
    pub(crate) fn entry(&self, number: usize) -> Option<Entry> {
        let trampoline = (*self.entered_by.get(number)?)?;
        let enter = enter(self.module.get_finalized_function(trampoline));
        Some(Entry { enter, address: self.address(FuncId::from_u32(number as u32)) as usize })
    }

    /// The address of a function whose code is [ready](Self::publish).
    pub(crate) fn address(&self, id: FuncId) -> u64 {
        self.module.get_finalized_function(id) as u64
    }
}

/// Loads the parameters from the buffer in order, 8 bytes each, and stores the results there in the same way.
fn build_trampoline(builder: &mut FunctionBuilder<'_>, signature: &Signature) {
    let block = builder.create_block();
    builder.append_block_params_for_function_params(block);
    builder.switch_to_block(block);
    builder.seal_block(block);
    let (base, code) = (builder.block_params(block)[0], builder.block_params(block)[1]);
    let buffer = builder.ins().load(types::I64, MemFlagsData::trusted(), base, BUFFER);
    let mut args = vec![base];
    for (place, param) in signature.params[1..].iter().enumerate() {
        args.push(builder.ins().load(param.value_type, MemFlagsData::trusted(), buffer, 8 * place as i32));
    }
    let callee = builder.import_signature(signature.clone());
    let call = builder.ins().call_indirect(callee, code, &args);
    for (place, result) in builder.inst_results(call).to_vec().into_iter().enumerate() {
        builder.ins().store(MemFlagsData::trusted(), result, buffer, 8 * place as i32);
    }
    builder.ins().return_(&[]);
}

#[expect(unsafe_code, reason = "machine code has no type")]
fn enter(address: *const u8) -> Enter {
    // SAFETY: the address is that of a function which `build_trampoline` built with this signature, for the default
    // calling convention of this machine. It lives as long as the `Code` that holds it.
    unsafe { mem::transmute::<*const u8, Enter>(address) }
}

impl Drop for Code {
    #[expect(unsafe_code, reason = "the code may be running, as far as its owner knows")]
    fn drop(&mut self) {
        // SAFETY: the module is not used after this. The caller of `Entry::run` guarantees that the `Code` has not
        // been dropped, so none of its functions is running.
        unsafe { ManuallyDrop::take(&mut self.module).free_memory() };
    }
}

impl Entry {
    /// Runs the function.
    ///
    /// # Safety
    /// The [`Code`] that owns it has not been dropped. The context is of the type that the code expects, its addresses
    /// are valid, and its buffer holds the arguments and has room for the results.
    #[expect(unsafe_code, reason = "machine code goes wherever the context says")]
    pub(crate) unsafe fn run(self, context: *mut Context) {
        (self.enter)(context, self.address);
    }
}
