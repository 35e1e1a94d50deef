//! The functions of a module as machine code, compiled all at once or each on its first call.
//!
//! With compilation on the first call, running code makes each call through a
//! table of addresses in the context. For a function without code, the table
//! has the *stand-in* of its signature: a stub that calls back to compile the
//! function and some of its callees, and then continues there.

use super::callback::Callback;
use super::coverage::{NotCovered, TranslateError};
use super::setup::{Compile, RunError, Setup};
use super::translate::{self, TranslateOptions};
use super::translation::{Calls, signature_or_none, zero};
use crate::code::{Code, Compiled, Compiler, Entry};
use crate::context;
use crate::{Builders, Error};
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Signature, types};
use cranelift_codegen::isa::CallConv;
use cranelift_module::FuncId;
use ssaphire_cranelift::FunctionBuilder;
use ssaphire_wasm::{MadeImport, Module, RunError as Refusal, Uses};
use std::collections::BTreeMap;
use std::sync::Arc;
use wasmparser::ExternalKind;

/// The number of callees compiled together with a called function, for each additional thread.
const AHEAD: usize = 8;

/// The functions of a module as machine code.
pub(super) struct Functions<'m> {
    module: &'m Module,
    setup: Setup,
    /// Imports that do not exist, and were replaced with defaults.
    absent: Vec<MadeImport>,
    signatures: Vec<Signature>,
    code: Code,
    is_compiled: Vec<bool>,
    /// By function, the address that running code calls: the code or a stand-in.
    addresses: Vec<u64>,
    /// Compiles some functions, with the builder of this instance.
    compile_all: CompileAll<'m>,
    gaps: Gaps,
}

/// Compiles some functions, with a builder of a fixed kind.
type CompileAll<'m> = Arc<dyn Fn(&mut Functions<'m>, &[u32]) -> Result<(), Error> + Send + Sync>;

/// The unsupported operators of a module, by function and position in the function.
type Gaps = BTreeMap<(u32, u32), NotCovered>;

impl<'m> Functions<'m> {
    /// Compiles all functions, or none, as `setup` says; functions that use an import in `absent` are refused.
    pub(super) fn new<B: Builders>(
        module: &'m Module,
        builders: B,
        setup: Setup,
        absent: Vec<MadeImport>,
    ) -> Result<Self, Error> {
        let signatures: Vec<_> = (0..module.num_functions()).map(|index| signature_or_none(module, index)).collect();
        let code = Code::new(&signatures, &setup.options)?;
        let (is_compiled, addresses) = (vec![false; signatures.len()], vec![0; signatures.len()]);
        let compile_all: CompileAll<'m> =
            Arc::new(move |functions: &mut Self, numbers: &[u32]| compile_all(functions, &builders, numbers));
        let gaps = Gaps::new();
        let mut functions = Self { module, setup, absent, signatures, code, is_compiled, addresses, compile_all, gaps };
        match functions.setup.compile {
            Compile::AtOnce => functions.compile_all(&(0..module.num_functions()).collect::<Vec<_>>())?,
            Compile::WhenCalled => functions.stand_in()?,
        }
        Ok(functions)
    }

    fn compile_all(&mut self, numbers: &[u32]) -> Result<(), Error> {
        let compile_all = Arc::clone(&self.compile_all);
        compile_all(self, numbers)
    }

    /// By function, the address that running code calls.
    pub(super) fn addresses(&self) -> &[u64] {
        &self.addresses
    }

    /// The unsupported operators, in module order.
    pub(super) fn not_covered(&self) -> impl Iterator<Item = &NotCovered> {
        self.gaps.values()
    }

    /// The unsupported operator with this number in its function.
    pub(super) fn not_covered_at(&self, function: u32, operator: u32) -> Option<&NotCovered> {
        self.gaps.get(&(function, operator))
    }

    /// The entry into a function of the module.
    ///
    /// # Errors
    /// If the function has no code.
    pub(super) fn entry(&mut self, function: u32) -> Result<Entry, RunError> {
        self.compile(function)?;
        self.code.entry(function as usize).ok_or(Refusal::NoSuchFunction(function).into())
    }

    /// The address of a function's code; compiles the function first if necessary.
    ///
    /// # Errors
    /// If an import that it uses does not exist, or it cannot be compiled.
    pub(super) fn compile(&mut self, function: u32) -> Result<u64, RunError> {
        if !self.is_compiled[function as usize] {
            let uses = self.uses(function)?;
            if let Some(made) = self.absent_of(&uses) {
                return Err(made.absent.clone().into());
            }
            let functions = self.with_some_callees(function, &uses.calls)?;
            self.compile_all(&functions)?;
        }
        Ok(self.addresses[function as usize])
    }

    /// The function, and as many of its callees as the number of threads allows.
    fn with_some_callees(&self, function: u32, calls: &[u32]) -> Result<Vec<u32>, Refusal> {
        let most = 1 + AHEAD * (self.setup.pool.most_threads() - 1);
        let mut functions = vec![function];
        for &callee in calls {
            if functions.len() == most {
                break;
            }
            let is_new = callee != function && !self.is_compiled[callee as usize];
            if is_new && (self.absent.is_empty() || self.absent_of(&self.uses(callee)?).is_none()) {
                functions.push(callee);
            }
        }
        Ok(functions)
    }

    fn uses(&self, function: u32) -> Result<Uses, Refusal> {
        Ok(self.module.uses(function)?)
    }

    /// An import among `uses` that does not exist.
    fn absent_of(&self, uses: &Uses) -> Option<&MadeImport> {
        self.absent.iter().find(|made| {
            let used = match made.kind {
                ExternalKind::Memory => &uses.memories,
                ExternalKind::Table => &uses.tables,
                _ => &uses.globals,
            };
            used.contains(&made.number)
        })
    }

    /// Installs stand-ins for all functions without code.
    fn stand_in(&mut self) -> Result<(), Error> {
        let mut stand_ins: BTreeMap<String, FuncId> = BTreeMap::new();
        let mut by_function = Vec::new();
        let conv = self.code.isa().frontend_config().default_call_conv;
        for signature in &self.signatures {
            let kind = signature.to_string();
            let stand_in = match stand_ins.get(&kind) {
                Some(&stand_in) => stand_in,
                None => self.code.add("stand-in", signature.clone(), |builder| build_stand_in(builder, conv))?,
            };
            stand_ins.insert(kind, stand_in);
            by_function.push(stand_in);
        }
        self.code.publish()?;
        self.addresses = by_function.into_iter().map(|stand_in| self.code.address(stand_in)).collect();
        Ok(())
    }
}

/// Builds a stand-in: it has the called function compiled and continues there, or returns to the caller if there is no
/// code.
fn build_stand_in(builder: &mut FunctionBuilder<'_>, conv: CallConv) {
    let [entry, go_on, fail] = [(); 3].map(|()| builder.create_block());
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    builder.seal_block(entry);
    let args = builder.block_params(entry).to_vec();
    let signature = builder.func.signature.clone();
    let mut back = Signature::new(conv);
    back.params.push(AbiParam::new(types::I64));
    back.returns.push(AbiParam::new(types::I64));
    let back = builder.import_signature(back);
    let offset = context::callback(Callback::Compile as usize);
    let callback = builder.ins().load(types::I64, MemFlagsData::trusted(), args[0], offset);
    let call = builder.ins().call_indirect(back, callback, &args[..1]);
    let code = builder.inst_results(call)[0];
    builder.ins().brif(code, go_on, &[], fail, &[]);
    builder.switch_to_block(go_on);
    builder.seal_block(go_on);
    let own = builder.import_signature(signature.clone());
    let call = builder.ins().call_indirect(own, code, &args);
    let results = builder.inst_results(call).to_vec();
    builder.ins().return_(&results);
    builder.switch_to_block(fail);
    builder.seal_block(fail);
    let zeros: Vec<_> = signature.returns.iter().map(|result| zero(builder, result.value_type)).collect();
    builder.ins().return_(&zeros);
}

/// Compiles some functions of a module that have no code yet.
fn compile_all<B: Builders>(functions: &mut Functions<'_>, builders: &B, numbers: &[u32]) -> Result<(), Error> {
    let Functions { module, setup, signatures, code, gaps, is_compiled, addresses, .. } = functions;
    let calls = match setup.compile {
        Compile::AtOnce => Calls::Named,
        Compile::WhenCalled => Calls::Listed,
    };
    let isa = code.isa().clone();
    let new_compiler = || Compiler::new(&isa, builders, &setup.options);
    let work = |compiler: &mut Compiler<B>, &index: &u32| {
        compile_function(module, index, &signatures[index as usize], calls, compiler)
    };
    let mut taken = Vec::new();
    let done = setup.pool.run(numbers, new_compiler, work, |&index, result| {
        let (compiled, found) = match result {
            // This callee was compiled ahead; the error is reported when it is called.
            Err(_) if setup.compile == Compile::WhenCalled && index != numbers[0] => return Ok(()),
            result => result?,
        };
        code.define(index, &signatures[index as usize], &compiled)?;
        gaps.extend(found.into_iter().zip(0..).map(|(what, number)| ((index, number), what)));
        taken.push(index);
        Ok(())
    });
    if calls == Calls::Named && done.is_err() {
        return done;
    }
    code.publish()?;
    for index in taken {
        is_compiled[index as usize] = true;
        addresses[index as usize] = code.address(FuncId::from_u32(index));
    }
    done
}

/// Compiles a function; returns its code and its unsupported operators.
fn compile_function<B: Builders>(
    module: &Module,
    index: u32,
    signature: &Signature,
    calls: Calls,
    compiler: &mut Compiler<B>,
) -> Result<(Compiled, Vec<NotCovered>), Error> {
    let name = module.function_name(index);
    let found = build_function(module, index, signature, calls, compiler).map_err(|error| match error {
        TranslateError::Judge(message) => Error::Judged { function: name.clone(), message },
        other => Error::Refused { function: name.clone(), message: other.to_string() },
    })?;
    Ok((compiler.compile(index, &name)?, found))
}

/// Builds a function; returns its unsupported operators.
fn build_function<B: Builders>(
    module: &Module,
    index: u32,
    signature: &Signature,
    calls: Calls,
    compiler: &mut Compiler<B>,
) -> Result<Vec<NotCovered>, TranslateError> {
    let config = compiler.config();
    let options = TranslateOptions { is_metered: true, calls, ..TranslateOptions::default() };
    let (func, context) = compiler.begin(index, signature.clone());
    match translate::translate::<B::Builder<'_>>(module, index, func, context, config, options) {
        Err(TranslateError::NotCovered(what)) => {
            let (func, context) = compiler.begin(index, signature.clone());
            translate::refuse::<B::Builder<'_>>(module, index, func, context, config)?;
            Ok(vec![what])
        }
        other => other,
    }
}
