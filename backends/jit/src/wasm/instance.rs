//! A module that runs.

use super::callbacks::{Host, callbacks};
use super::coverage::{NotCovered, TranslateError};
use super::translate::{self, TranslateOptions, signature_or_none};
use super::trap::{Reason, Stop};
use crate::code::{Code, CodeBuilder, Compiled, Compiler};
use crate::context::{Context, Element};
use crate::stack::on_stack;
use crate::{Builders, Error, Options, OurBuilder};
use cranelift_codegen::ir::Signature;
use ssaphire_ir::interp::{Limits, TrapKind};
use ssaphire_wasm::{
    Initial, InstanceMemory, MadeImport, MissingImports, Module, Number, Pool, Reach, RunError as Refusal,
};
use std::fmt;
use std::mem;
use wasmparser::{ExternalKind, ValType};

/// A module with its memory, table and globals, as machine code.
///
/// It runs what [`ssaphire_wasm::Instance`] runs, with the same answers, and `memory.copy` and `memory.fill`. Steps
/// are counted less finely: a run may take some more than the limit.
pub struct Instance<'m> {
    module: &'m Module,
    missing: MissingImports,
    code: Code,
    data: Initial,
    /// By global, its bits. References are not changed by what is covered.
    globals: Vec<u64>,
    elements: Vec<Element>,
    /// What has no code, with its function and its number in that, in order.
    not_covered: Gaps,
    limits: Limits,
}

/// Why a run did not return.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunError {
    /// It trapped.
    Trap {
        /// Why.
        kind: TrapKind,
        /// In the function of this number.
        function: u32,
    },
    /// It could not be run, or not go on.
    Refused(Refusal),
    /// There is no machine code for it.
    Code(Error),
    /// It is none of the functions that were to be called, nor reached by one.
    NotCompiled {
        /// The number of the function.
        function: u32,
    },
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trap { kind, function } => write!(f, "function {function}: {kind}"),
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Code(error) => error.fmt(f),
            Self::NotCompiled { function } => {
                write!(f, "function {function} was not compiled: it is none of those that were to be called")
            }
        }
    }
}

impl std::error::Error for RunError {}

impl From<Refusal> for RunError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Error> for RunError {
    fn from(error: Error) -> Self {
        Self::Code(error)
    }
}

/// How an instance is made.
#[derive(Debug, Default)]
pub struct Setup<'s> {
    /// What runs may take, that of the start function included.
    pub limits: Limits,
    /// How machine code is made.
    pub options: Options,
    /// What becomes of imported memories, tables and globals that there are not.
    pub missing: MissingImports,
    /// The functions that will be called. They, the start function and what they [reach](Reach) are compiled, and
    /// imports that none of these uses need not be there. Where this is `None`, it is all functions of the module.
    pub roots: Option<&'s [u32]>,
    /// The threads that compile.
    pub pool: Pool,
}

impl<'m> Instance<'m> {
    /// Compiles all functions, makes memory, table and globals, and runs the start function if there is one.
    ///
    /// What is not covered is an error only when control comes there.
    ///
    /// # Errors
    /// If the module is not valid, something initial cannot be had, there is no machine code here, or the start function does not return.
    ///
    /// # Complexity
    /// Linear in the module and the memory it asks for, beside what Cranelift takes.
    pub fn new(module: &'m Module, limits: Limits, options: &Options) -> Result<Self, RunError> {
        Self::with_setup::<OurBuilder>(module, &Setup { limits, options: options.clone(), ..Setup::default() })
    }

    /// [`new`](Self::new), with functions built by that builder, made as `setup` says.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_setup<B: Builders>(module: &'m Module, setup: &Setup<'_>) -> Result<Self, RunError> {
        module.validate_bodies(&setup.pool).map_err(|error| Refusal::Module(error.to_string()))?;
        let (data, functions) = match setup.roots {
            None => (Initial::new(module, setup.missing)?, (0..module.num_functions()).collect()),
            Some(roots) => reached(module, roots, setup.missing)?,
        };
        let (code, not_covered) = compile::<B>(module, &functions, setup)?;
        let globals = data.globals.iter().map(|&number| bits(number)).collect();
        let first = data.tables.first().map_or(&[][..], |table| table);
        let elements = first.iter().map(|&number| element(module, &code, number)).collect();
        let start = data.start;
        // What was made for an import once is made again.
        let missing = if data.made.is_empty() { setup.missing } else { MissingImports::Made };
        let mut instance = Self { module, missing, code, data, globals, elements, not_covered, limits: setup.limits };
        if let Some(start) = start {
            instance.call(start, &[])?;
        }
        Ok(instance)
    }

    /// Makes memory, table and globals anew, and runs the start function again.
    ///
    /// # Errors
    /// If the start function does not return.
    pub fn reset(&mut self) -> Result<(), RunError> {
        self.data = Initial::new(self.module, self.missing)?;
        self.globals = self.data.globals.iter().map(|&number| bits(number)).collect();
        match self.data.start {
            Some(start) => self.call(start, &[]).map(drop),
            None => Ok(()),
        }
    }

    /// Calls function number `index`: what it returns.
    ///
    /// # Errors
    /// If it does not return.
    pub fn call(&mut self, index: u32, args: &[Number]) -> Result<Vec<Number>, RunError> {
        let ty = self.module.function_type(index).ok_or(Refusal::NoSuchFunction(index))?;
        let entry = self.code.entry(index as usize).ok_or(RunError::NotCompiled { function: index })?;
        let fits = args.len() == ty.params().len() && args.iter().zip(ty.params()).all(|(arg, &ty)| arg.fits(ty));
        if !fits {
            return Err(Refusal::Arguments.into());
        }
        let limits = self.limits;
        if limits.frames == 0 {
            return Err(RunError::Trap { kind: Reason::Frames.kind(limits), function: index });
        }
        let mut buffer = vec![0; self.longest().max(1)];
        for (place, &arg) in buffer.iter_mut().zip(args) {
            *place = bits(arg);
        }
        let Initial { memories, imports, .. } = &mut self.data;
        let (memory, globals, elements) = (memories.first_mut(), &mut self.globals, &self.elements);
        let (trap, refusal) = on_stack(|stack_limit| {
            let mut host = Host { memory, imports, refusal: None };
            let mut context = Context {
                stack_limit,
                steps: limits.steps,
                frames: 1,
                max_frames: limits.frames as u64,
                buffer: buffer.as_mut_ptr(),
                callbacks: callbacks(),
                globals: globals.as_mut_ptr(),
                table: elements.as_ptr(),
                table_len: elements.len() as u64,
                ..Context::default()
            };
            host.show_memory(&mut context);
            context.host = (&raw mut host).cast();
            // SAFETY: the code is that of this module, which is valid, and Cranelift has verified it. So it uses the globals there are, and tests each access of
            // memory and table against the lengths given here. The buffer holds the arguments and is long enough for
            // arguments and results of every function. The host is what the callbacks expect.
            #[expect(unsafe_code, reason = "into machine code")]
            unsafe {
                entry.run(&raw mut context);
            }
            (context.trap, host.refusal)
        })?;
        match Stop::from_number(trap) {
            None => Ok(ty.results().iter().zip(buffer).filter_map(|(&ty, bits)| number(ty, bits)).collect()),
            Some(Stop { reason: Reason::NotCovered, function, operator }) => {
                let place = self.not_covered.binary_search_by_key(&(function, operator), |&(place, _)| place);
                let name = place.map_or_else(|_| "operator".to_owned(), |place| self.not_covered[place].1.name.clone());
                Err(Refusal::Operator(name).into())
            }
            Some(Stop { reason, function, .. }) => {
                Err(refusal.map_or(RunError::Trap { kind: reason.kind(limits), function }, RunError::Refused))
            }
        }
    }

    /// The most arguments or results that a function has.
    fn longest(&self) -> usize {
        let tys = (0..self.module.num_functions()).filter_map(|index| self.module.function_type(index));
        tys.map(|ty| ty.params().len().max(ty.results().len())).max().unwrap_or(0)
    }

    /// What a global holds.
    pub fn global(&self, index: u32) -> Option<Number> {
        let initial = *self.data.globals.get(index as usize)?;
        let bits = *self.globals.get(index as usize)?;
        Some(match initial {
            Number::I32(_) => Number::I32(bits as i32),
            Number::I64(_) => Number::I64(bits as i64),
            Number::F32(_) => Number::F32(bits as u32),
            Number::F64(_) => Number::F64(bits),
            other => other,
        })
    }

    /// Changes what a global holds, also one that the code cannot change: whether there is one of that type.
    pub fn set_global(&mut self, index: u32, number: Number) -> bool {
        let is_such = self.global(index).is_some_and(|held| mem::discriminant(&held) == mem::discriminant(&number));
        match self.globals.get_mut(index as usize).filter(|_| is_such) {
            Some(global) => *global = bits(number),
            None => return false,
        }
        true
    }

    /// Changes what calls may take from here on.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// The bytes of a memory.
    pub fn memory(&self, index: u32) -> Option<&[u8]> {
        self.data.memories.get(index as usize).map(InstanceMemory::bytes)
    }

    /// What has no code, in the order of the module.
    pub fn not_covered(&self) -> impl Iterator<Item = &NotCovered> {
        self.not_covered.iter().map(|(_, what)| what)
    }
}

/// What a module has that is not covered: with its function and its number in that, in order.
type Gaps = Vec<((u32, u32), NotCovered)>;

/// What is there at first, and the functions that `roots` and the start function reach.
///
/// # Errors
/// If something they use is imported, and is to be there.
fn reached(module: &Module, roots: &[u32], missing: MissingImports) -> Result<(Initial, Vec<u32>), Refusal> {
    let data = Initial::new(module, MissingImports::Made)?;
    let roots: Vec<u32> = roots.iter().copied().chain(data.start).collect();
    let reach = Reach::new(module, &roots)?;
    let is_used = |made: &&MadeImport| {
        made.is_read
            || match made.kind {
                ExternalKind::Memory => reach.uses_memory(made.number),
                ExternalKind::Table => reach.uses_table(made.number),
                _ => reach.uses_global(made.number),
            }
    };
    match data.made.iter().find(is_used) {
        Some(used) if missing == MissingImports::Refused => Err(used.absent.clone()),
        _ => Ok((data, reach.functions().collect())),
    }
}

/// Compiles these functions of a module, which call no others.
fn compile<B: Builders>(module: &Module, functions: &[u32], setup: &Setup<'_>) -> Result<(Code, Gaps), Error> {
    let signatures: Vec<_> = (0..module.num_functions()).map(|index| signature_or_none(module, index)).collect();
    let mut code = CodeBuilder::new(&signatures, &setup.options)?;
    let isa = code.isa().clone();
    let mut gaps = Gaps::new();
    let new_compiler = || Compiler::<B>::new(&isa, &setup.options);
    let work = |compiler: &mut Compiler<B>, &index: &u32| {
        compile_function(module, index, &signatures[index as usize], compiler)
    };
    setup.pool.run(functions, new_compiler, work, |&index, result| {
        let (compiled, found) = result?;
        gaps.extend(found.into_iter().zip(0..).map(|(what, number)| ((index, number), what)));
        code.define(index, &signatures[index as usize], &compiled)
    })?;
    Ok((code.finish()?, gaps))
}

/// Compiles a function: its code, and what of it is not covered.
fn compile_function<B: Builders>(
    module: &Module,
    index: u32,
    signature: &Signature,
    compiler: &mut Compiler<B>,
) -> Result<(Compiled, Vec<NotCovered>), Error> {
    let name = module.function_name(index);
    let found = build_function(module, index, signature, compiler)
        .map_err(|error| Error::Refused { function: name.clone(), message: error.to_string() })?;
    Ok((compiler.compile(index, &name)?, found))
}

/// Builds a function: what of it is not covered.
fn build_function<B: Builders>(
    module: &Module,
    index: u32,
    signature: &Signature,
    compiler: &mut Compiler<B>,
) -> Result<Vec<NotCovered>, TranslateError> {
    let config = compiler.config();
    let metered = TranslateOptions { is_metered: true, ..TranslateOptions::default() };
    let (func, context) = compiler.begin(index, signature.clone());
    match translate::translate::<B::Builder<'_>>(module, index, func, context, config, metered) {
        Err(TranslateError::NotCovered(what)) => {
            let (func, context) = compiler.begin(index, signature.clone());
            translate::refuse::<B::Builder<'_>>(module, index, func, context, config)?;
            Ok(vec![what])
        }
        other => other,
    }
}

/// Where the code of a function is that has none: no call by its type is reached.
const NO_CODE: u64 = 1;

fn element(module: &Module, code: &Code, number: Number) -> Element {
    match number {
        Number::Function(function) => {
            let ty = module.type_number(function).map_or(u64::MAX, u64::from);
            Element { code: code.address(function as usize).unwrap_or(NO_CODE), ty }
        }
        _ => Element::default(),
    }
}

/// How a number lies in the buffer and among the globals.
fn bits(number: Number) -> u64 {
    match number {
        Number::I32(number) => u64::from(number as u32),
        Number::I64(number) => number as u64,
        Number::F32(bits) => bits.into(),
        Number::F64(bits) => bits,
        _ => 0,
    }
}

fn number(ty: ValType, bits: u64) -> Option<Number> {
    match ty {
        ValType::I32 => Some(Number::I32(bits as i32)),
        ValType::I64 => Some(Number::I64(bits as i64)),
        ValType::F32 => Some(Number::F32(bits as u32)),
        ValType::F64 => Some(Number::F64(bits)),
        _ => None,
    }
}
