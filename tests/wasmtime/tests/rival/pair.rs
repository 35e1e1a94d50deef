//! One module, one instance in each engine, and the same calls for both.

use crate::outcome::{self, Held, NoOutcome, Outcome};
use crate::wasmtime_side;
use ssaphire::Certified;
use ssaphire_ir::interp::Limits;
use ssaphire_jit::wasm as jit;
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_wasm::{Instance, Module, Number, RunError};
use wasmtime::{ExternType, Store};

/// Enough for all tests, and a call stack that is soon exhausted.
const LIMITS: Limits = Limits { steps: 10_000_000, frames: 2_000 };

/// An instance of a module in each engine.
pub(crate) struct Pair<'m> {
    module: &'m Module,
    ours: Ours<'m>,
    store: Store<()>,
    theirs: wasmtime::Instance,
}

/// How our side runs a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// In SSA form as this engine builds it, interpreted.
    Interpreted(Engine),
    /// As machine code.
    Compiled,
}

enum Ours<'m> {
    Interpreted(Box<Instance<'m>>),
    Compiled(Box<jit::Instance<'m>>),
}

impl<'m> Ours<'m> {
    fn new(module: &'m Module, how: How) -> Result<Self, RunError> {
        match how {
            How::Interpreted(engine) => {
                let mut ssa = Certified::with_builder(AnyBuilder::new(engine));
                Instance::with_builder(module, LIMITS, &mut ssa).map(|instance| Self::Interpreted(Box::new(instance)))
            }
            How::Compiled => {
                let options = ssaphire_jit::Options::quick();
                jit::Instance::new(module, LIMITS, &options)
                    .map(|instance| Self::Compiled(Box::new(instance)))
                    .map_err(outcome::of_code)
            }
        }
    }

    fn call(&mut self, function: u32, args: &[Number]) -> Result<Vec<Number>, RunError> {
        match self {
            Self::Interpreted(instance) => instance.call(function, args),
            Self::Compiled(instance) => instance.call(function, args).map_err(outcome::of_code),
        }
    }

    fn global(&self, index: u32) -> Option<Number> {
        match self {
            Self::Interpreted(instance) => instance.global(index),
            Self::Compiled(instance) => instance.global(index),
        }
    }

    fn memory(&self, index: u32) -> Option<&[u8]> {
        match self {
            Self::Interpreted(instance) => instance.memory(index),
            Self::Compiled(instance) => instance.memory(index),
        }
    }
}

/// What both engines make of something alike.
pub(crate) enum Both<T> {
    Same(T),
    Trapped,
    /// Our machine does not cover it, so that there was nothing to compare.
    NotCovered,
}

/// What one engine says and the other does not.
pub(crate) type Disagreement = String;

impl<'m> Pair<'m> {
    /// An instance in each engine.
    pub(crate) fn new(rival: &wasmtime::Engine, module: &'m Module, how: How) -> Result<Both<Self>, Disagreement> {
        let ours = Ours::new(module, how);
        let (ours, wanted) = match ours {
            Ok(instance) => (Some(instance), Outcome::Returned(Vec::new())),
            Err(error) => match outcome::of_ours(Err(error)) {
                Ok(trapped) => (None, trapped),
                Err(NoOutcome::NotCovered) => return Ok(Both::NotCovered),
                Err(NoOutcome::Failed(error)) => return Err(error),
            },
        };
        let compiled = wasmtime::Module::new(rival, module.bytes()).map_err(|error| format!("refused: {error:#}"))?;
        let mut store = Store::new(rival, ());
        let theirs = wasmtime_side::instantiate(&mut store, &compiled);
        match (ours, theirs) {
            (Some(ours), Ok(theirs)) => Ok(Both::Same(Self { module, ours, store, theirs })),
            (_, Ok(_)) => same(&wanted, &Outcome::Returned(Vec::new())).map(|()| Both::Trapped),
            (_, Err(error)) => same(&wanted, &wasmtime_side::trap(&error)?).map(|()| Both::Trapped),
        }
    }

    /// Calls the function that is exported under a name, in both engines.
    pub(crate) fn call(&mut self, name: &str, args: &[Number]) -> Result<Both<()>, Disagreement> {
        let Some(function) = self.module.function_named(name) else { return Ok(Both::NotCovered) };
        let ours = match outcome::of_ours(self.ours.call(function, args)) {
            Ok(outcome) => outcome,
            Err(NoOutcome::NotCovered) => return Ok(Both::NotCovered),
            Err(NoOutcome::Failed(error)) => return Err(error),
        };
        let theirs = wasmtime_side::call(&mut self.store, self.theirs, name, args)?;
        same(&ours, &theirs)?;
        Ok(if matches!(ours, Outcome::Trapped(_)) { Both::Trapped } else { Both::Same(()) })
    }

    /// Compares the global that is exported under a name.
    pub(crate) fn compare_global(&mut self, name: &str) -> Result<Both<()>, Disagreement> {
        let index = self.module.exported_global(name);
        let Some(ours) = index.and_then(|index| self.ours.global(index)) else { return Ok(Both::NotCovered) };
        let global = self.theirs.get_global(&mut self.store, name).ok_or("no such global")?;
        let (ours, theirs) = (Held::from(ours), Held::from(&global.get(&mut self.store)));
        if ours == theirs { Ok(Both::Same(())) } else { Err(format!("`{name}`: {ours:?}, but {theirs:?}")) }
    }

    /// Compares all globals and memories that are exported: how many of both.
    pub(crate) fn compare_state(&mut self) -> Result<u32, Disagreement> {
        let exports: Vec<_> = self.theirs.exports(&mut self.store).map(|export| export.name().to_owned()).collect();
        let mut compared = 0;
        for name in exports {
            if self.module.exported_global(&name).is_some() {
                self.compare_global(&name)?;
                compared += 1;
            }
            if let Some(index) = self.module.exported_memory(&name) {
                let ours = self.ours.memory(index).ok_or("no such memory")?;
                let memory = self.theirs.get_memory(&mut self.store, &name).ok_or("no such memory")?;
                if ours != memory.data(&self.store) {
                    return Err(format!("memory `{name}` differs"));
                }
                compared += 1;
            }
        }
        Ok(compared)
    }
}

/// The names of the functions a module exports.
pub(crate) fn exported_functions(rival: &wasmtime::Engine, module: &Module) -> Vec<String> {
    let compiled = wasmtime::Module::new(rival, module.bytes());
    let compiled = compiled.unwrap_or_else(|error| panic!("{error:#}"));
    let functions = compiled.exports().filter(|export| matches!(export.ty(), ExternType::Func(_)));
    functions.map(|export| export.name().to_owned()).collect()
}

fn same(ours: &Outcome, theirs: &Outcome) -> Result<(), Disagreement> {
    if ours == theirs { Ok(()) } else { Err(format!("{ours:?}, but {theirs:?}")) }
}
