//! What the functions of both builders do: every function is called, in an instance of each.

use crate::table::thousands;
use ssaphire_ir::interp::Limits;
use ssaphire_jit::wasm::{Instance, RunError, Setup};
use ssaphire_jit::{CraneliftsBuilder, Options, OurBuilder};
use ssaphire_wasm::{MissingImports, Module, Number};
use std::fmt;
use wasmparser::ValType;

/// Steps and calls that each call of a function may take.
const LIMITS: Limits = Limits { steps: 20_000, frames: 100 };

/// Steps and calls that the start function may take.
const START_LIMITS: Limits = Limits { steps: 1_000_000_000, frames: 10_000 };

/// Calls after which both instances are as they were at first.
const CALLS_PER_STATE: u32 = 16;

/// Where globals that are zero point in every other state, as if somebody had set up a stack there.
const STACK: u32 = 1 << 20;

/// Calls of each function, with other arguments.
const CALLS: u32 = 3;

/// What came of the calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Execution {
    /// Calls that returned alike.
    pub returned: u64,
    /// Calls that ended alike in a trap of the code.
    pub trapped: u64,
    /// Calls that were ended by the limits alike.
    pub limited: u64,
    /// Calls that needed something imported.
    pub imports: u64,
    /// Bytes of memory that were compared.
    pub compared: u64,
    /// Calls whose results or traps differ, and states that do, in words.
    pub differences: Vec<String>,
}

/// Calls all functions of a module in an instance by each builder.
///
/// # Errors
/// If one has no instance.
pub fn execute(module: &Module) -> Result<Execution, RunError> {
    // Imported functions cannot be had; what else a host gives is zeros, the same ones for both.
    let (missing, options) = (MissingImports::Made, Options::quick());
    let setup = || Setup { limits: START_LIMITS, options: options.clone(), missing, ..Setup::default() };
    let mut ours = Instance::with_setup(module, OurBuilder, setup())?;
    let mut theirs = Instance::with_setup(module, CraneliftsBuilder, setup())?;
    ours.set_limits(LIMITS);
    theirs.set_limits(LIMITS);
    let mut execution = Execution::default();
    let mut calls = 0;
    for index in module.defined_functions() {
        let Some(ty) = module.function_type(index) else { continue };
        for call in 0..CALLS {
            let args: Option<Vec<Number>> =
                ty.params().iter().zip(0..).map(|(&ty, place)| argument(ty, index, call, place)).collect();
            let Some(args) = args else { continue };
            let (our, their) = (ours.call(index, &args), theirs.call(index, &args));
            execution.count(&our);
            if our != their {
                let name = module.function_name(index);
                execution.differences.push(format!("`{name}` with {args:?}: {our:?}, but {their:?}"));
            }
            calls += 1;
            if calls % CALLS_PER_STATE == 0 {
                execution.compare(&ours, &theirs);
                for instance in [&mut ours, &mut theirs] {
                    instance.set_limits(START_LIMITS);
                    instance.reset()?;
                    instance.set_limits(LIMITS);
                    if calls / CALLS_PER_STATE % 2 == 1 {
                        set_up_stack(instance);
                    }
                }
            }
        }
    }
    execution.compare(&ours, &theirs);
    Ok(execution)
}

impl fmt::Display for Execution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { returned, trapped, limited, imports, compared, differences } = self;
        write!(
            f,
            "{} calls: {} returned, {} trapped, {} reached a limit, {} an import; {} MB of memory compared; \
             {} differences",
            thousands(returned + trapped + limited + imports),
            thousands(*returned),
            thousands(*trapped),
            thousands(*limited),
            thousands(*imports),
            thousands(compared / 1_000_000),
            differences.len()
        )
    }
}

impl Execution {
    fn count(&mut self, outcome: &Result<Vec<Number>, RunError>) {
        use ssaphire_ir::interp::TrapKind::{OutOfSteps, TooManyFrames};
        match outcome {
            Ok(_) => self.returned += 1,
            Err(RunError::Trap { kind: OutOfSteps { .. } | TooManyFrames { .. }, .. }) => self.limited += 1,
            Err(RunError::Trap { .. }) => self.trapped += 1,
            Err(_) => self.imports += 1,
        }
    }

    /// Compares memory and globals.
    fn compare(&mut self, ours: &Instance<'_>, theirs: &Instance<'_>) {
        let (our, their) = (ours.memory(0).unwrap_or_default(), theirs.memory(0).unwrap_or_default());
        self.compared += our.len() as u64;
        if our != their {
            self.differences.push("memory".to_owned());
        }
        let globals = |instance: &Instance<'_>| (0..).map_while(|index| instance.global(index)).collect::<Vec<_>>();
        if globals(ours) != globals(theirs) {
            self.differences.push("globals".to_owned());
        }
    }
}

/// Go's code, for one, finds its stack by globals that its host sets.
fn set_up_stack(instance: &mut Instance<'_>) {
    for index in 0.. {
        match instance.global(index) {
            None => break,
            Some(Number::I32(0)) => instance.set_global(index, Number::I32(STACK as i32)),
            Some(Number::I64(0)) => instance.set_global(index, Number::I64(STACK.into())),
            Some(_) => false,
        };
    }
}

/// Zeros first, then small numbers, then addresses in the first page; floats likewise.
fn argument(ty: ValType, function: u32, call: u32, place: u32) -> Option<Number> {
    let mixed = (function ^ place.wrapping_mul(0x9e37)).wrapping_mul(0x9e37_79b1) >> 12;
    let number = match call {
        0 => 0,
        1 => mixed % 5,
        _ => 1_024 + mixed % 60_000 / 8 * 8,
    };
    Some(match ty {
        ValType::I32 => Number::I32(number as i32),
        ValType::I64 => Number::I64(number.into()),
        ValType::F32 => Number::F32((number as f32).to_bits()),
        ValType::F64 => Number::F64(f64::from(number).to_bits()),
        _ => return None,
    })
}
