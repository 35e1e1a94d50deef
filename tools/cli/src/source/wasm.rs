//! Modules of WebAssembly, in either format.

use super::making::{Maker, Unmade};
use super::{Folded, NotRun, Promoted, Ran, Run, Source, Translated, Translator, Untranslated, machine};
use crate::arguments::Form;
use crate::construction::{CertifiedBuilder, Construction};
use crate::diagnostic::{Diagnostic, Place};
use crate::language::Language;
use ssaphire::fold::FoldOptions;
use ssaphire_ir::Function;
use ssaphire_ir::interp::Limits;
use ssaphire_ir::measure::{Detour, Measurements};
use ssaphire_wasm::{
    self as wasm, Error, FunctionError, Instance, Located, Module, Number, Pool, Reason, RunError, TextMap, TextPlace,
    TranslateOptions, Wasm,
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
pub(super) fn load(
    name: &str,
    language: Language,
    bytes: Vec<u8>,
    pool: &Pool,
) -> Result<Box<dyn Source>, Vec<Diagnostic>> {
    // The binary format was meant, and what is no module is no text either.
    let is_text = bytes.contains(&b'(') && str::from_utf8(&bytes).is_ok();
    let is_binary = language == Language::Wasm && !is_text;
    let text = str::from_utf8(&bytes).ok().filter(|text| !text.starts_with('\0')).map(str::to_owned);
    let module = if is_binary { Module::parse_with(bytes, pool) } else { wasm::load_with(bytes, pool) };
    let module = module.map_err(|error| vec![diagnostic(name, &error)])?;
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

    fn entries_named(&self, name: &str) -> Vec<usize> {
        self.module.functions_named(name).into_iter().map(|index| index as usize).collect()
    }

    fn exported(&self, name: &str) -> Option<usize> {
        self.module.exported_function(name).map(|index| index as usize)
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
            return Err(NotRun::new("WebAssembly runs in SSA form only"));
        }
        if run.is_traced {
            return Err(NotRun::new("`--trace` does not support WebAssembly"));
        }
        if run.is_over_memory && run.is_compiled {
            return Err(NotRun::new("`--jit` compiles WebAssembly from bytecode, so it conflicts with `--via-memory`"));
        }
        let args = arguments(&self.module, run.entry as u32, run)?;
        let ended = match run.is_compiled {
            true => machine::run_module(&self.module, run, &args)?,
            false => interpret(&self.module, self.functions_to_run(run)?, run.entry as u32, &args, run.fuel)?,
        };
        Ok(ran(ended))
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

    /// All functions in the SSA form that runs, judged unless the run says otherwise.
    ///
    /// A function that cannot be translated is an error only where it is called.
    fn functions_to_run(&self, run: &Run<'_>) -> Result<Vec<Result<Function<Wasm>, FunctionError>>, NotRun> {
        let mut maker = Maker::new(Box::new(self.translators(run.construction.fold)), run);
        let made = self.functions().map(|index| match maker.make::<Wasm>(index) {
            Ok(function) => Ok(Ok(function)),
            Err(Unmade::Untranslated(Untranslated { reason, byte })) => {
                let (name, offset) = (self.name(index), byte.unwrap_or_default());
                Ok(Err(FunctionError { index: index as u32, name, reason: Reason::Invalid(reason), offset }))
            }
            Err(unmade) => Err(unmade.of(&self.name(index))),
        });
        made.collect()
    }
}

/// The arguments of the function to run, number `entry` of `module`, as the types of its parameters have them.
pub(super) fn arguments(module: &Module, entry: u32, run: &Run<'_>) -> Result<Vec<Number>, NotRun> {
    let ty = module.function_type(entry).ok_or_else(|| NotRun::new("no such function"))?;
    run.check_number_of_arguments(ty.params().len())?;
    let number = |(arg, &ty): (&String, _)| {
        Number::parse(arg.trim(), ty).ok_or_else(|| NotRun::new(format!("`{arg}` is not a number of type {ty}")))
    };
    run.args.iter().zip(ty.params()).map(number).collect()
}

/// Interprets function number `entry` of `module`, whose functions have these SSA forms: what it returns, or the trap.
pub(super) fn interpret(
    module: &Module,
    functions: Vec<Result<Function<Wasm>, FunctionError>>,
    entry: u32,
    args: &[Number],
    fuel: u64,
) -> Result<Result<Vec<Number>, String>, NotRun> {
    let limits = Limits { steps: fuel, ..Limits::default() };
    let instance = Instance::with_translations(module, limits, functions);
    match instance.and_then(|mut instance| instance.call(entry, args)) {
        Ok(results) => Ok(Ok(results)),
        Err(RunError::Trap(trap)) => {
            let name = module.function_name(trap.function as u32);
            Ok(Err(format!("function `{name}`, {}, instruction {}: {}", trap.block, trap.index, trap.kind)))
        }
        Err(RunError::Initial(fault)) => Ok(Err(fault.to_string())),
        Err(other) => Err(NotRun::new(other.to_string())),
    }
}

/// What a run of WebAssembly came to.
pub(super) fn ran(ended: Result<Vec<Number>, String>) -> Ran {
    Ran { printed: Vec::new(), ended: ended.map(|results| results.iter().map(Number::to_string).collect()) }
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

fn untranslated(error: &FunctionError) -> Untranslated {
    Untranslated { reason: error.reason.to_string(), byte: Some(error.offset) }
}
