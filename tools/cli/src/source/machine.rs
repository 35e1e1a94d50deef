//! Running functions as machine code.

use super::basic::{arguments, ended, limits, printed};
use super::{NotRun, Ran, Run};
use crate::construction::Construction;
use ssaphire_cranelift::{FunctionBuilder, FunctionBuilderContext, Undefined};
use ssaphire_ir::basic::BasicMachine;
use ssaphire_ir::{Basic, Function};
use ssaphire_jit::basic::Program;
use ssaphire_jit::wasm::{Compile, Instance, RunError, Setup};
use ssaphire_jit::{Builders, Error, Options};
use ssaphire_literature::AnyBuilder;
use ssaphire_wasm::{self as wasm, Module, Number};

/// Runs one of `functions`, which are in SSA form.
pub(super) fn run_basic(functions: &[Function<Basic>], run: &Run<'_>) -> Result<Ran, NotRun> {
    let entry = functions.get(run.entry).ok_or_else(|| NotRun::new("no such function"))?;
    let args = arguments(run, entry.params().len())?;
    let mut machine = BasicMachine::new(run.seed, run.input.to_vec()).with_functions(functions);
    let not_run = |error: Error| NotRun::new(error.to_string());
    let program = Program::compile(functions, &Options::default()).map_err(not_run)?;
    let outcome = program.run(&mut machine, run.entry, &args, limits(run)).map_err(not_run)?;
    Ok(Ran { printed: printed(machine.trace()), ended: ended(outcome, functions) })
}

/// Runs a function of a module: what is returned, or the trap.
pub(super) fn run_module(
    module: &Module,
    run: &Run<'_>,
    args: &[Number],
) -> Result<Result<Vec<Number>, String>, NotRun> {
    let setup = Setup { limits: limits(run), compile: Compile::WhenCalled, ..Setup::default() };
    let builders = AnyBuilders { construction: run.construction.clone(), is_judged: run.is_judged };
    let instance = Instance::with_setup(module, builders, setup);
    match instance.and_then(|mut instance| instance.call(run.entry as u32, args)) {
        Ok(results) => Ok(Ok(results)),
        Err(RunError::Trap { kind, function }) => {
            Ok(Err(format!("function `{}`: {kind}", module.function_name(function))))
        }
        Err(RunError::Refused(wasm::RunError::Initial(fault))) => Ok(Err(fault.to_string())),
        Err(RunError::Code(Error::Judged { function, message })) => Err(NotRun::refused(&function, &message)),
        Err(other) => Err(NotRun::new(other.to_string())),
    }
}

/// Builders of machine code's functions, by any constructor.
#[derive(Clone)]
struct AnyBuilders {
    construction: Construction,
    is_judged: bool,
}

impl Builders for AnyBuilders {
    type Context = FunctionBuilderContext<AnyBuilder>;
    type Builder<'f> = FunctionBuilder<'f, AnyBuilder>;

    fn context(&self, _: &Options) -> Self::Context {
        let Construction { engine, options, .. } = self.construction.clone();
        let builder = AnyBuilder::with_options(engine, options.with_undefined_reads());
        let mut context = FunctionBuilderContext::with_builder(Undefined::Error, builder);
        context.set_judging(self.is_judged);
        context
    }
}
