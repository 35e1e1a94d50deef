//! A running module.

use super::callbacks::{Host, callbacks};
use super::coverage::NotCovered;
use super::functions::Functions;
use super::setup::{Compile, RunError, Setup};
use super::trap::{Reason, Stop};
use crate::context::{Context, Element, NO_FUNCTION};
use crate::stack::on_stack;
use crate::{Builders, Options, OurBuilder};
use ssaphire_ir::interp::Limits;
use ssaphire_wasm::{Initial, InstanceMemory, MadeImport, MissingImports, Module, Number, RunError as Refusal};
use std::mem;
use wasmparser::ValType;

/// A module with its memory, table and globals, as machine code.
///
/// It runs whatever [`ssaphire_wasm::Instance`] runs, with the same results, and `memory.copy` and `memory.fill`. Steps
/// are counted less finely: a run may take somewhat more steps than the limit.
pub struct Instance<'m> {
    module: &'m Module,
    missing: MissingImports,
    functions: Functions<'m>,
    data: Initial,
    /// By global, its bits. Supported code never changes references.
    globals: Vec<u64>,
    elements: Vec<Element>,
    limits: Limits,
}

impl<'m> Instance<'m> {
    /// Compiles all functions, creates memory, table and globals, and runs the start function, if any.
    ///
    /// An unsupported operator is an error only when control reaches it.
    ///
    /// # Errors
    /// If the module is not valid, an import or an initial value is unavailable, this machine is not supported, or the
    /// start function does not return.
    ///
    /// # Complexity
    /// Linear in the module and its initial memory, plus Cranelift's time.
    pub fn new(module: &'m Module, limits: Limits, options: &Options) -> Result<Self, RunError> {
        Self::with_setup(module, OurBuilder, Setup { limits, options: options.clone(), ..Setup::default() })
    }

    /// [`new`](Self::new) with builders of a given kind, and the options in `setup`.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_setup<B: Builders>(module: &'m Module, builders: B, setup: Setup) -> Result<Self, RunError> {
        module.validate_bodies(&setup.pool).map_err(|error| Refusal::Module(error.to_string()))?;
        let (data, absent) = initial(module, &setup)?;
        let globals = data.globals.iter().map(|&number| bits(number)).collect();
        let first = data.tables.first().map_or(&[][..], |table| table);
        let elements = first.iter().map(|&number| element(module, number)).collect();
        let (start, limits) = (data.start, setup.limits);
        // Imports that were replaced with defaults once are replaced again.
        let missing = if absent.is_empty() { setup.missing } else { MissingImports::Made };
        let functions = Functions::new(module, builders, setup, absent)?;
        let mut instance = Self { module, missing, functions, data, globals, elements, limits };
        if let Some(start) = start {
            instance.call(start, &[])?;
        }
        Ok(instance)
    }

    /// Creates memory, table and globals anew, and runs the start function again.
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

    /// Calls function number `index`; returns its results.
    ///
    /// # Errors
    /// If it does not return.
    pub fn call(&mut self, index: u32, args: &[Number]) -> Result<Vec<Number>, RunError> {
        let ty = self.module.function_type(index).ok_or(Refusal::NoSuchFunction(index))?;
        let fits = args.len() == ty.params().len() && args.iter().zip(ty.params()).all(|(arg, &ty)| arg.fits(ty));
        if !fits {
            return Err(Refusal::Arguments.into());
        }
        let limits = self.limits;
        if limits.frames == 0 {
            return Err(RunError::Trap { kind: Reason::Frames.kind(limits), function: index });
        }
        let entry = self.functions.entry(index)?;
        let mut buffer = vec![0; self.longest().max(1)];
        for (place, &arg) in buffer.iter_mut().zip(args) {
            *place = bits(arg);
        }
        let Initial { memories, imports, .. } = &mut self.data;
        let (memory, globals, elements) = (memories.first_mut(), &mut self.globals, &self.elements);
        let functions = &mut self.functions;
        let (trap, refusal) = on_stack(|stack_limit| {
            let mut host = Host { functions, memory, imports, refusal: None };
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
            host.show_functions(&mut context);
            context.host = (&raw mut host).cast();
            // SAFETY: the code was compiled from this module, which is valid, so it accesses only existing globals, and
            // tests each access of memory and table against the lengths given here. The buffer holds the arguments,
            // and has room for the arguments and results of every function. The host has the type that the callbacks
            // expect.
            #[expect(unsafe_code, reason = "into machine code")]
            unsafe {
                entry.run(&raw mut context);
            }
            (context.trap, host.refusal)
        })?;
        match Stop::from_number(trap) {
            None => Ok(ty.results().iter().zip(buffer).filter_map(|(&ty, bits)| number(ty, bits)).collect()),
            Some(Stop { reason: Reason::NotCovered, function, operator }) => {
                let what = self.functions.not_covered_at(function, operator);
                let name = what.map_or_else(|| "operator".to_owned(), |what| what.name.clone());
                Err(Refusal::Operator(name).into())
            }
            Some(Stop { reason, function, .. }) => {
                Err(refusal.unwrap_or(RunError::Trap { kind: reason.kind(limits), function }))
            }
        }
    }

    /// The largest number of arguments or results of a function.
    fn longest(&self) -> usize {
        let tys = (0..self.module.num_functions()).filter_map(|index| self.module.function_type(index));
        tys.map(|ty| ty.params().len().max(ty.results().len())).max().unwrap_or(0)
    }

    /// The value of a global.
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

    /// Sets a global, even an immutable one; returns whether a global of this type exists.
    pub fn set_global(&mut self, index: u32, number: Number) -> bool {
        let is_such = self.global(index).is_some_and(|held| mem::discriminant(&held) == mem::discriminant(&number));
        match self.globals.get_mut(index as usize).filter(|_| is_such) {
            Some(global) => *global = bits(number),
            None => return false,
        }
        true
    }

    /// Sets the limits of later calls.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// The bytes of a memory.
    pub fn memory(&self, index: u32) -> Option<&[u8]> {
        self.data.memories.get(index as usize).map(InstanceMemory::bytes)
    }

    /// The unsupported operators of the functions compiled so far, in module order.
    pub fn not_covered(&self) -> impl Iterator<Item = &NotCovered> {
        self.functions.not_covered()
    }
}

/// The initial state of the module, and its imports that do not exist.
///
/// # Errors
/// If an import does not exist that is needed from the beginning.
fn initial(module: &Module, setup: &Setup) -> Result<(Initial, Vec<MadeImport>), Refusal> {
    if (setup.compile, setup.missing) != (Compile::WhenCalled, MissingImports::Refused) {
        return Ok((Initial::new(module, setup.missing)?, Vec::new()));
    }
    let mut data = Initial::new(module, MissingImports::Made)?;
    let absent = mem::take(&mut data.made);
    match absent.iter().find(|made| made.is_read) {
        Some(made) => Err(made.absent.clone()),
        None => Ok((data, absent)),
    }
}

/// A table element in the form that running code reads.
fn element(module: &Module, number: Number) -> Element {
    match number {
        Number::Function(function) => {
            let ty = module.type_number(function).map_or(u64::MAX, u64::from);
            Element { function: function.into(), ty }
        }
        _ => Element { function: NO_FUNCTION, ty: 0 },
    }
}

/// The bits of a number in the buffer and among the globals.
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
