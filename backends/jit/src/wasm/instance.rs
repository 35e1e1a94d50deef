//! A module that runs.

use super::callbacks::{Host, callbacks};
use super::coverage::{NotCovered, TranslateError};
use super::translate::{self, TranslateOptions, signature_or_none};
use super::trap::{Reason, Stop};
use crate::code::{Code, CodeBuilder};
use crate::context::{Context, Element};
use crate::stack::on_stack;
use crate::{Builders, Error, Options, OurBuilder};
use cranelift_codegen::ir::Signature;
use ssaphire_ir::interp::{Limits, TrapKind};
use ssaphire_wasm::{Initial, InstanceMemory, MissingImports, Module, Number, RunError as Refusal};
use std::fmt;
use std::mem;
use wasmparser::ValType;

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
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trap { kind, function } => write!(f, "function {function}: {kind}"),
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Code(error) => error.fmt(f),
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
        Self::with_builder::<OurBuilder>(module, MissingImports::Refused, limits, options)
    }

    /// [`new`](Self::new), with functions built by another builder, and imports that there are not treated so.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_builder<B: Builders>(
        module: &'m Module,
        missing: MissingImports,
        limits: Limits,
        options: &Options,
    ) -> Result<Self, RunError> {
        module.validate_bodies().map_err(|error| Refusal::Module(error.to_string()))?;
        let data = Initial::new(module, missing)?;
        let (code, not_covered) = compile::<B>(module, options)?;
        let globals = data.globals.iter().map(|&number| bits(number)).collect();
        let first = data.tables.first().map_or(&[][..], |table| table);
        let elements = first.iter().map(|&number| element(module, &code, number)).collect();
        let start = data.start;
        let mut instance = Self { module, missing, code, data, globals, elements, not_covered, limits };
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
        let entry = self.code.entry(index as usize).ok_or(Refusal::NoSuchFunction(index))?;
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

/// Compiles all functions of a module.
fn compile<B: Builders>(module: &Module, options: &Options) -> Result<(Code, Gaps), Error> {
    let functions = 0..module.num_functions();
    let signatures: Vec<_> = functions.clone().map(|index| signature_or_none(module, index)).collect();
    let mut code = CodeBuilder::<B>::new(&signatures, options)?;
    let mut gaps = Gaps::new();
    for (index, signature) in functions.zip(signatures) {
        let name = module.function_name(index);
        let found = compile_function(module, index, signature, &mut code)
            .map_err(|error| Error::Refused { function: name.clone(), message: error.to_string() })?;
        gaps.extend(found.into_iter().zip(0..).map(|(what, number)| ((index, number), what)));
        code.define(index as usize, &name)?;
    }
    Ok((code.finish()?, gaps))
}

/// Builds a function: what of it is not covered.
fn compile_function<B: Builders>(
    module: &Module,
    index: u32,
    signature: Signature,
    code: &mut CodeBuilder<B>,
) -> Result<Vec<NotCovered>, TranslateError> {
    let config = code.config();
    let metered = TranslateOptions { is_metered: true, ..TranslateOptions::default() };
    let (func, context) = code.begin(index as usize, signature.clone());
    match translate::translate::<B::Builder<'_>>(module, index, func, context, config, metered) {
        Err(TranslateError::NotCovered(what)) => {
            let (func, context) = code.begin(index as usize, signature);
            translate::refuse::<B::Builder<'_>>(module, index, func, context, config)?;
            Ok(vec![what])
        }
        other => other,
    }
}

fn element(module: &Module, code: &Code, number: Number) -> Element {
    match number {
        Number::Function(function) => {
            let ty = module.type_number(function).map_or(u64::MAX, u64::from);
            Element { code: code.address(function as usize), ty }
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
