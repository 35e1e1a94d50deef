//! Programs in the text form of the reference IR.

use super::{NotRun, Promoted, Ran, Run, Source, Translated, Translator, Untranslated, basic};
use crate::arguments::Form;
use crate::diagnostic::Diagnostic;
use crate::input::text;
use ssaphire::Certified;
use ssaphire_ir::measure::{Detour, Measurements};
use ssaphire_ir::memory::OverMemory;
use ssaphire_ir::text::{SyntaxError, SyntaxErrorKind, parse_all};
use ssaphire_ir::{Basic, Function, to_ssa};
use std::ops::Range;

/// Functions in variable form, SSA form, or mixed.
struct SsaText {
    functions: Vec<Function<Basic>>,
}

/// Reads functions.
pub(super) fn load(name: &str, bytes: Vec<u8>) -> Result<Box<dyn Source>, Vec<Diagnostic>> {
    let text = text(name, "the text form of the reference IR", bytes).map_err(|problem| vec![problem])?;
    let functions = parse_all::<Basic>(&text).map_err(|found| {
        let problem =
            |error: &SyntaxError| Diagnostic::shown(name, error.line, error.column, error.kind.to_string(), error);
        found.errors.iter().map(problem).collect::<Vec<_>>()
    })?;
    if functions.is_empty() {
        return Err(vec![Diagnostic::of_input(name, SyntaxErrorKind::NoFunction.to_string())]);
    }
    Ok(Box::new(SsaText { functions }))
}

impl Source for SsaText {
    fn functions(&self) -> Range<usize> {
        0..self.functions.len()
    }

    fn name(&self, index: usize) -> String {
        self.functions[index].name().to_owned()
    }

    fn translator(&self) -> Box<dyn Translator + '_> {
        Box::new(self)
    }

    fn run(&self, run: &Run<'_>, trace: &mut dyn FnMut(&str)) -> Result<Ran, NotRun> {
        match run.form {
            Form::Source if run.is_compiled => Err(NotRun::compiled_source()),
            Form::Source => basic::run(&self.functions, run, trace),
            Form::Ssa if run.is_over_memory => basic::build_and_run(self, run, trace, |index, _| {
                OverMemory::of(&self.functions[index]).map(|made| made.function).map_err(NotRun::because)
            }),
            Form::Ssa => basic::build_and_run(self, run, trace, |index, ssa| {
                to_ssa(&self.functions[index], ssa).map_err(NotRun::because)
            }),
        }
    }
}

impl Translator for &SsaText {
    fn build(&mut self, index: usize, ssa: &mut Certified) -> Result<Translated, Untranslated> {
        let function = to_ssa(&self.functions[index], ssa)
            .map_err(|error| Untranslated { reason: error.to_string(), byte: None })?;
        Ok(Translated { function: Box::new(function), warnings: Vec::new() })
    }

    fn over_memory(&mut self, index: usize) -> Result<Promoted, Untranslated> {
        Promoted::of(&self.functions[index])
    }

    fn measure(&mut self, index: usize, steps: u64) -> Result<Measurements, Untranslated> {
        Measurements::of(&self.functions[index], steps).map_err(Untranslated::because)
    }

    fn detour(&mut self, index: usize, ssa: &mut Certified) -> Result<Detour, Untranslated> {
        let direct = to_ssa(&self.functions[index], ssa).map_err(Untranslated::because)?;
        Detour::of(&self.functions[index], &direct).map_err(Untranslated::because)
    }
}
