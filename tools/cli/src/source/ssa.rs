//! Programs in the text form of the reference IR, of any dialect that the command knows.

use super::limit::{build_within_limit, place_of_byte};
use super::{
    Folded, NotRun, Promoted, Ran, Run, Source, Translated, Translator, Untranslated, basic, javascript, llvm,
    wasm_text,
};
use crate::arguments::Form;
use crate::construction::CertifiedBuilder;
use crate::diagnostic::Diagnostic;
use crate::input::text;
use ssaphire::fold::FoldOptions;
use ssaphire_ir::fold::Folding;
use ssaphire_ir::measure::{Detour, Measurements};
use ssaphire_ir::memory::{Memory, OverMemory};
use ssaphire_ir::text::{FunctionText, Outline, SyntaxError, SyntaxErrorKind, SyntaxErrors};
use ssaphire_ir::{Basic, Dialect, Function, Syntax, to_ssa, to_ssa_folded};
use ssaphire_wasm::{TextPlace, Wasm};
use std::any::Any;
use std::ops::Range;

/// Functions in variable form, SSA form, or mixed.
struct SsaText {
    text: String,
    functions: Vec<Box<dyn Held>>,
}

/// Reads functions. What breaks the rules of SSA form is wrong in the input: no engine is to answer for it.
pub(super) fn load(name: &str, bytes: Vec<u8>) -> Result<Box<dyn Source>, Vec<Diagnostic>> {
    let text = text(name, "the text form of the reference IR", bytes).map_err(|problem| vec![problem])?;
    let functions = read_all(&text).map_err(|found| {
        let problem =
            |error: &SyntaxError| Diagnostic::shown(name, error.line, error.column, error.kind.to_string(), error);
        found.errors.iter().map(problem).collect::<Vec<_>>()
    })?;
    if functions.is_empty() {
        return Err(vec![Diagnostic::of_input(name, SyntaxErrorKind::NoFunction.to_string())]);
    }
    Ok(Box::new(SsaText { text, functions }))
}

/// The functions, or what is wrong with all of them, up to a limit.
fn read_all(text: &str) -> Result<Vec<Box<dyn Held>>, SyntaxErrors> {
    let (mut functions, mut errors) = (Vec::new(), Vec::new());
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    for function in Outline::new(text)?.functions() {
        match read(&function, starts.get(function.line() - 1).copied().unwrap_or(0) as u64) {
            Ok(function) => functions.push(function),
            Err(found) => errors.extend(found.errors),
        }
        if errors.len() >= SyntaxErrors::LIMIT {
            break;
        }
    }
    errors.truncate(SyntaxErrors::LIMIT);
    if errors.is_empty() { Ok(functions) } else { Err(SyntaxErrors { errors }) }
}

/// The function at this byte, by the dialect that the text says; a text that says none is of `basic`.
fn read(text: &FunctionText<'_>, byte: u64) -> Result<Box<dyn Held>, SyntaxErrors> {
    match text.dialect() {
        None | Some(Basic::NAME) => variables::<Basic>(text, byte),
        Some(Wasm::NAME) => variables::<Wasm>(text, byte),
        Some(Memory::<Basic>::NAME) => slots::<Basic>(text, byte),
        Some(Memory::<Wasm>::NAME) => slots::<Wasm>(text, byte),
        Some("llvm" | "memory.llvm") => llvm::read(text, byte),
        Some(_) => javascript::read(text, byte),
    }
}

pub(super) fn variables<D: Dialect<Op: Sync + Send, Type: Sync + Send, Constant: Sync + Send>>(
    text: &FunctionText<'_>,
    byte: u64,
) -> Result<Box<dyn Held>, SyntaxErrors> {
    Ok(Box::new(Variables(text.parse_valid::<D>()?, byte)))
}

pub(super) fn slots<D: Dialect<Op: Sync + Send, Type: Sync + Send, Constant: Sync + Send>>(
    text: &FunctionText<'_>,
    byte: u64,
) -> Result<Box<dyn Held>, SyntaxErrors> {
    Ok(Box::new(Slots(text.parse_valid::<Memory<D>>()?, byte)))
}

/// A function of some dialect.
pub(super) trait Held: Sync {
    fn name(&self) -> &str;

    fn dialect(&self) -> &'static str;

    fn build(&self, ssa: &mut CertifiedBuilder, foldings: &mut Foldings) -> Result<Translated, Untranslated>;

    fn over_memory(&self) -> Result<Promoted, Untranslated>;

    fn measure(&self, steps: u64) -> Result<Measurements, Untranslated>;

    fn detour(&self, ssa: &mut CertifiedBuilder) -> Result<Detour, Untranslated>;

    /// The function, to be run.
    fn as_any(&self) -> &dyn Any;
}

/// A function that is constructed from its variables, and the byte where it begins.
struct Variables<D: Dialect>(Function<D>, u64);

/// A function in memory form, and the byte where it begins.
struct Slots<D: Dialect>(Function<Memory<D>>, u64);

impl<D: Dialect<Op: Sync + Send, Type: Sync + Send, Constant: Sync + Send>> Held for Variables<D> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn dialect(&self) -> &'static str {
        D::NAME
    }

    fn build(&self, ssa: &mut CertifiedBuilder, foldings: &mut Foldings) -> Result<Translated, Untranslated> {
        build(&self.0, self.1, ssa, foldings)
    }

    fn over_memory(&self) -> Result<Promoted, Untranslated> {
        Promoted::of(&self.0)
    }

    fn measure(&self, steps: u64) -> Result<Measurements, Untranslated> {
        super::measure(&self.0, steps)
    }

    fn detour(&self, ssa: &mut CertifiedBuilder) -> Result<Detour, Untranslated> {
        let direct = to_ssa(&self.0, ssa).map_err(Untranslated::because)?;
        Detour::of(&self.0, &direct).map_err(Untranslated::because)
    }

    fn as_any(&self) -> &dyn Any {
        &self.0
    }
}

impl<D: Dialect<Op: Sync + Send, Type: Sync + Send, Constant: Sync + Send>> Held for Slots<D> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn dialect(&self) -> &'static str {
        Memory::<D>::NAME
    }

    fn build(&self, ssa: &mut CertifiedBuilder, foldings: &mut Foldings) -> Result<Translated, Untranslated> {
        if !foldings.promotes {
            return build(&self.0, self.1, ssa, foldings);
        }
        let promoted = OverMemory::from_slots(self.0.clone()).map_err(Untranslated::because)?;
        build(&promoted.function, self.1, ssa, foldings)
    }

    fn over_memory(&self) -> Result<Promoted, Untranslated> {
        Err(already_in_memory())
    }

    fn measure(&self, steps: u64) -> Result<Measurements, Untranslated> {
        super::measure(&self.0, steps)
    }

    fn detour(&self, _: &mut CertifiedBuilder) -> Result<Detour, Untranslated> {
        Err(already_in_memory())
    }

    fn as_any(&self) -> &dyn Any {
        &self.0
    }
}

fn already_in_memory() -> Untranslated {
    Untranslated::because("already in memory form: `--via-memory` requires variables")
}

fn build<D: Dialect<Op: Sync + Send, Type: Send, Constant: Send>>(
    function: &Function<D>,
    byte: u64,
    ssa: &mut CertifiedBuilder,
    foldings: &mut Foldings,
) -> Result<Translated, Untranslated> {
    let function = build_within_limit(function, byte, ssa, |ssa| match foldings.of::<D>() {
        Some(folding) => to_ssa_folded(function, ssa, folding),
        None => to_ssa(function, ssa),
    })?;
    Ok(Translated { function: Box::new(function), warnings: Vec::new() })
}

/// What is folded, by dialect.
pub(super) struct Foldings {
    fold: Option<FoldOptions>,
    /// Whether slots are made values first.
    promotes: bool,
    /// The one used last stands last.
    list: Vec<Box<dyn DialectFolding>>,
}

/// What is folded in functions of some dialect.
trait DialectFolding: Folded + Send {
    fn as_any_mut(&mut self) -> &mut dyn Any;

    fn as_folded(&self) -> &dyn Folded;
}

impl<D: Dialect<Op: Send, Type: Send, Constant: Send>> DialectFolding for Folding<D> {
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn as_folded(&self) -> &dyn Folded {
        self
    }
}

impl Foldings {
    /// That of a dialect, if anything is folded.
    fn of<D: Dialect<Op: Send, Type: Send, Constant: Send>>(&mut self) -> Option<&mut Folding<D>> {
        let fold = self.fold?;
        let is_of = |folding: &mut Box<dyn DialectFolding>| folding.as_any_mut().is::<Folding<D>>();
        match self.list.iter_mut().position(is_of) {
            Some(place) => {
                let last = self.list.len() - 1;
                self.list.swap(place, last);
            }
            None => self.list.push(Box::new(Folding::<D>::new(fold))),
        }
        self.list.last_mut()?.as_any_mut().downcast_mut()
    }
}

impl SsaText {
    /// The functions, if all of them can be run.
    fn runnable(&self) -> Result<Vec<Function<Basic>>, NotRun> {
        let function = |held: &dyn Held| {
            let (name, dialect) = (held.name(), held.dialect());
            let basic = held.as_any().downcast_ref::<Function<Basic>>().cloned();
            basic.ok_or_else(|| {
                NotRun::new(format!("function `{name}` is of dialect `{dialect}`: all functions of a text that is run must be of `basic`, or all of `wasm`"))
            })
        };
        self.functions.iter().map(|held| function(&**held)).collect()
    }
}

impl Source for SsaText {
    fn functions(&self) -> Range<usize> {
        0..self.functions.len()
    }

    fn name(&self, index: usize) -> String {
        self.functions[index].name().to_owned()
    }

    fn locate(&self, byte: u64) -> Option<TextPlace> {
        Some(place_of_byte(&self.text, byte))
    }

    fn translator(&self, fold: Option<FoldOptions>) -> Box<dyn Translator + '_> {
        Box::new(SsaTranslator { source: self, foldings: Foldings { fold, promotes: false, list: Vec::new() } })
    }

    fn run(&self, run: &Run<'_>, trace: &mut dyn FnMut(&str)) -> Result<Ran, NotRun> {
        if self.functions.iter().all(|held| held.dialect() == Wasm::NAME) {
            return match run.form {
                Form::Source => Err(NotRun::new("functions of dialect `wasm` run in SSA form only")),
                Form::Ssa => wasm_text::run(self, run),
            };
        }
        let functions = self.runnable()?;
        match run.form {
            Form::Source if run.is_compiled => Err(NotRun::compiled_source()),
            Form::Source => basic::run(&functions, run, trace),
            Form::Ssa => basic::build_and_run(self, run, trace),
        }
    }
}

/// Builds functions of a text.
struct SsaTranslator<'t> {
    source: &'t SsaText,
    foldings: Foldings,
}

impl Translator for SsaTranslator<'_> {
    fn build(&mut self, index: usize, ssa: &mut CertifiedBuilder) -> Result<Translated, Untranslated> {
        self.source.functions[index].build(ssa, &mut self.foldings)
    }

    fn promote_slots(&mut self) {
        self.foldings.promotes = true;
    }

    fn folded(&self) -> Option<&dyn Folded> {
        self.foldings.list.last().map(|folding| folding.as_folded())
    }

    fn over_memory(&mut self, index: usize) -> Result<Promoted, Untranslated> {
        self.source.functions[index].over_memory()
    }

    fn measure(&mut self, index: usize, steps: u64) -> Result<Measurements, Untranslated> {
        self.source.functions[index].measure(steps)
    }

    fn detour(&mut self, index: usize, ssa: &mut CertifiedBuilder) -> Result<Detour, Untranslated> {
        self.source.functions[index].detour(ssa)
    }
}
