//! Modules of WebAssembly, in either format.

use super::{Folded, NotRun, Promoted, Ran, Run, Source, Translated, Translator, Untranslated, machine};
use crate::arguments::Form;
use crate::construction::{CertifiedBuilder, Construction};
use crate::diagnostic::{Diagnostic, Place};
use ssaphire::fold::FoldOptions;
use ssaphire_ir::Function;
use ssaphire_ir::interp::Limits;
use ssaphire_ir::measure::{Detour, Measurements};
use ssaphire_ir::memory::OverMemory;
use ssaphire_wasm::{
    self as wasm, Error, Instance, Located, Module, Number, Pool, RunError, TextMap, TextPlace, TranslateOptions, Wasm,
};
use std::ops::Range;
use std::str;
use std::sync::OnceLock;

/// A valid module.
struct WasmModule {
    module: Module,
    /// What it was assembled from, if that is a text.
    text: Option<String>,
    /// Where its parts stand in the text, once somebody has asked.
    map: OnceLock<Option<TextMap>>,
}

/// Reads and validates a module.
pub(super) fn load(name: &str, bytes: Vec<u8>, pool: &Pool) -> Result<Box<dyn Source>, Vec<Diagnostic>> {
    let text = str::from_utf8(&bytes).ok().filter(|text| !text.starts_with('\0')).map(str::to_owned);
    let module = wasm::load_with(bytes, pool).map_err(|error| vec![diagnostic(name, &error)])?;
    Ok(Box::new(WasmModule { module, text, map: OnceLock::new() }))
}

fn diagnostic(name: &str, error: &Error) -> Diagnostic {
    match error {
        Error::Text { message, place } => Diagnostic::of_input(name, message.as_str()).in_text(place),
        Error::Invalid { message, located: Located { place, function } } => {
            let problem = Diagnostic::of_input(name, message.as_str()).in_text(place);
            match function {
                Some((index, function)) => problem.in_function(*index as usize, function.clone()),
                None => problem,
            }
        }
        Error::Binary { message, offset } => Diagnostic::of_input(name, message.as_str()).at(Place::Byte(*offset)),
        _ => Diagnostic::of_input(name, error.to_string()),
    }
}

impl Source for WasmModule {
    fn functions(&self) -> Range<usize> {
        let functions = self.module.defined_functions();
        functions.start as usize..functions.end as usize
    }

    fn name(&self, index: usize) -> String {
        self.module.function_name(index as u32)
    }

    fn locate(&self, byte: u64) -> Option<TextPlace> {
        let text = self.text.as_deref()?;
        let map = self.map.get_or_init(|| TextMap::new(text)).as_ref()?;
        map.locate(self.module.bytes(), byte).map(|located| located.place)
    }

    fn translator(&self, fold: Option<FoldOptions>) -> Box<dyn Translator + '_> {
        Box::new(self.translators(fold))
    }

    fn run(&self, run: &Run<'_>, _: &mut dyn FnMut(&str)) -> Result<Ran, NotRun> {
        if run.form == Form::Source {
            return Err(NotRun::new("WebAssembly has no other form to run than SSA form"));
        }
        if run.is_traced {
            return Err(NotRun::new("runs of WebAssembly cannot be traced"));
        }
        if run.is_over_memory && run.is_compiled {
            return Err(NotRun::new("machine code of WebAssembly is made of the bytecode: not by way of memory"));
        }
        let args = self.arguments(run)?;
        let ended = match run.is_compiled {
            true => machine::run_module(&self.module, run, &args)?,
            false => self.interpret(run, &args)?,
        };
        let ended = ended.map(|results| results.iter().map(Number::to_string).collect());
        Ok(Ran { printed: Vec::new(), ended })
    }
}

impl WasmModule {
    fn translators(&self, fold: Option<FoldOptions>) -> Translators<'_> {
        let mut keeping = TranslateOptions::default();
        (keeping.canonical, keeping.keeps_variables) = (false, true);
        let mut options = TranslateOptions::default();
        options.fold = fold;
        let direct = wasm::Translator::new(&self.module, options);
        Translators {
            direct,
            keeping: wasm::Translator::new(&self.module, keeping),
            unused: Construction::default().builder(),
        }
    }

    /// All functions, made over memory.
    fn functions_over_memory(&self) -> Result<Vec<Function<Wasm>>, NotRun> {
        let mut translators = self.translators(None);
        let made = self.functions().map(|index| {
            let function = translators.keep_variables(index).map_err(|error| NotRun::new(error.reason))?;
            OverMemory::of(function).map(|made| made.function).map_err(NotRun::because)
        });
        made.collect()
    }

    /// All functions, with operations folded.
    fn folded_functions(&self, run: &Run<'_>) -> Result<Vec<Function<Wasm>>, NotRun> {
        let mut translators = self.translators(run.construction.fold);
        let mut ssa = run.construction.builder();
        ssa.set_recording(false);
        let built = self.functions().map(|index| {
            translators.direct.translate(index as u32, &mut ssa).map_err(|error| NotRun::because(error.reason))
        });
        built.collect()
    }

    /// The arguments, as the types of the parameters have them.
    fn arguments(&self, run: &Run<'_>) -> Result<Vec<Number>, NotRun> {
        let ty = self.module.function_type(run.entry as u32).ok_or_else(|| NotRun::new("no such function"))?;
        let (wanted, given) = (ty.params().len(), run.args.len());
        if wanted != given {
            return Err(NotRun::new(format!("{given} arguments for {wanted} parameters")));
        }
        let number = |(arg, &ty): (&String, _)| {
            Number::parse(arg.trim(), ty).ok_or_else(|| NotRun::new(format!("`{arg}`: not a number of type {ty}")))
        };
        run.args.iter().zip(ty.params()).map(number).collect()
    }

    /// Runs the SSA form: what is returned, or the trap.
    fn interpret(&self, run: &Run<'_>, args: &[Number]) -> Result<Result<Vec<Number>, String>, NotRun> {
        let limits = Limits { steps: run.fuel, ..Limits::default() };
        let instance = match run.is_over_memory {
            true => Instance::with_functions(&self.module, limits, self.functions_over_memory()?),
            false if run.construction.fold.is_some() => {
                Instance::with_functions(&self.module, limits, self.folded_functions(run)?)
            }
            false => Instance::with_builder(&self.module, limits, &mut run.construction.builder()),
        };
        match instance.and_then(|mut instance| instance.call(run.entry as u32, args)) {
            Ok(results) => Ok(Ok(results)),
            Err(RunError::Trap(trap)) => {
                let name = self.module.function_name(trap.function as u32);
                Ok(Err(format!("function `{name}`, {}, instruction {}: {}", trap.block, trap.index, trap.kind)))
            }
            Err(RunError::Initial(fault)) => Ok(Err(fault.to_string())),
            Err(other) => Err(NotRun::new(other.to_string())),
        }
    }
}

/// To SSA form, and to variable form.
struct Translators<'m> {
    direct: wasm::Translator<'m>,
    keeping: wasm::Translator<'m>,
    /// What a translation to variable form takes, and has nothing to say to.
    unused: CertifiedBuilder,
}

impl Translators<'_> {
    /// The variable form.
    fn keep_variables(&mut self, index: usize) -> Result<&Function<Wasm>, Untranslated> {
        self.unused.set_recording(false);
        self.keeping.translate_in_place(index as u32, &mut self.unused).map_err(|error| untranslated(&error))
    }
}

impl Translator for Translators<'_> {
    fn build(&mut self, index: usize, ssa: &mut CertifiedBuilder) -> Result<Translated, Untranslated> {
        let function = self.direct.translate(index as u32, ssa).map_err(|error| untranslated(&error))?;
        Ok(Translated { function: Box::new(function), warnings: Vec::new() })
    }

    fn folded(&self) -> Option<&dyn Folded> {
        self.direct.folding().map(|folding| folding as &dyn Folded)
    }

    fn over_memory(&mut self, index: usize) -> Result<Promoted, Untranslated> {
        Promoted::of(self.keep_variables(index)?)
    }

    fn measure(&mut self, index: usize, steps: u64) -> Result<Measurements, Untranslated> {
        let function = self.keep_variables(index)?;
        super::measure(function, steps)
    }

    fn detour(&mut self, index: usize, ssa: &mut CertifiedBuilder) -> Result<Detour, Untranslated> {
        self.unused.set_recording(false);
        let direct = self.direct.translate_in_place(index as u32, ssa).map_err(|error| untranslated(&error))?;
        let function =
            self.keeping.translate_in_place(index as u32, &mut self.unused).map_err(|error| untranslated(&error))?;
        Detour::of(function, direct).map_err(Untranslated::because)
    }
}

fn untranslated(error: &wasm::FunctionError) -> Untranslated {
    Untranslated { reason: error.reason.to_string(), byte: Some(error.offset) }
}
