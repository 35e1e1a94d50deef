//! Programs in the While language.

use super::{Folded, NotRun, Promoted, Ran, Run, Source, Translated, Translator, Untranslated, basic};
use crate::arguments::Form;
use crate::construction::CertifiedBuilder;
use crate::diagnostic::Diagnostic;
use crate::input::text;
use ssaphire::fold::FoldOptions;
use ssaphire_ir::basic::BasicMachine;
use ssaphire_ir::fold::Folding;
use ssaphire_ir::interp::Content;
use ssaphire_ir::measure::{Detour, Measurements};
use ssaphire_ir::{Basic, BuildError};
use ssaphire_while::{
    Built, Calls, Error, Options, Program, Warning, build, build_folded, build_variable_form, interpret, parse,
};
use std::ops::Range;

/// A program that was parsed.
struct WhileProgram {
    /// What its input is called in messages.
    input: String,
    program: Program,
}

/// Parses a program.
pub(super) fn load(name: &str, bytes: Vec<u8>, is_strict: bool) -> Result<Box<dyn Source>, Vec<Diagnostic>> {
    let text = text(name, "While", bytes).map_err(|problem| vec![problem])?;
    let options = if is_strict { Options::strict() } else { Options::default() };
    let program = parse(&text, &options).map_err(|found| {
        let problem = |error: &Error| {
            Diagnostic::shown(name, error.place.line, error.place.column, error.kind.to_string(), error)
        };
        found.iter().map(problem).collect::<Vec<_>>()
    })?;
    Ok(Box::new(WhileProgram { input: name.to_owned(), program }))
}

impl WhileProgram {
    fn diagnostic(&self, warning: &Warning) -> Diagnostic {
        let place = self.program.place(warning.span);
        let shown = warning.at(&self.program);
        Diagnostic::shown(&self.input, place.line, place.column, warning.to_string(), &shown)
    }

    fn build(
        &self,
        index: usize,
        ssa: &mut CertifiedBuilder,
        folding: Option<&mut Folding<Basic>>,
    ) -> Result<Built, BuildError> {
        match folding {
            Some(folding) => build_folded(&self.program, index, ssa, folding),
            None => build(&self.program, index, ssa),
        }
    }

    fn run_tree(&self, run: &Run<'_>) -> Result<Ran, NotRun> {
        if run.is_traced {
            return Err(NotRun::new("the syntax tree has no operations to trace: use `--form ssa`"));
        }
        let function = self.program.functions().get(run.entry).ok_or_else(|| NotRun::new("no such function"))?;
        let args = basic::arguments(run, function.params.len())?;
        let machine = BasicMachine::new(run.seed, run.input.to_vec());
        let behavior = interpret(&self.program, run.entry, &args, machine, basic::limits(run), Calls::Direct);
        let ended = match behavior.outcome {
            Ok(results) => Ok(results.iter().map(Content::to_string).collect()),
            Err(trap) => Err(trap.to_string()),
        };
        Ok(Ran { printed: basic::printed(&behavior.trace), ended })
    }
}

impl Source for WhileProgram {
    fn functions(&self) -> Range<usize> {
        0..self.program.functions().len()
    }

    fn name(&self, index: usize) -> String {
        self.program.functions()[index].name.clone()
    }

    fn is_bare(&self) -> Option<bool> {
        Some(self.program.is_bare())
    }

    fn translator(&self, fold: Option<FoldOptions>) -> Box<dyn Translator + '_> {
        Box::new(WhileTranslator { source: self, folding: fold.map(Folding::new) })
    }

    fn run(&self, run: &Run<'_>, trace: &mut dyn FnMut(&str)) -> Result<Ran, NotRun> {
        match run.form {
            Form::Source if run.is_compiled => Err(NotRun::compiled_source()),
            Form::Source => self.run_tree(run),
            Form::Ssa => basic::build_and_run(self, run, trace),
        }
    }
}

/// Builds functions of a program.
struct WhileTranslator<'p> {
    source: &'p WhileProgram,
    folding: Option<Folding<Basic>>,
}

impl Translator for WhileTranslator<'_> {
    fn build(&mut self, index: usize, ssa: &mut CertifiedBuilder) -> Result<Translated, Untranslated> {
        let built = self.source.build(index, ssa, self.folding.as_mut()).map_err(Untranslated::because)?;
        let warnings = built.warnings.iter().map(|warning| self.source.diagnostic(warning)).collect();
        Ok(Translated { function: Box::new(built.function), warnings })
    }

    fn folded(&self) -> Option<&dyn Folded> {
        self.folding.as_ref().map(|folding| folding as &dyn Folded)
    }

    fn over_memory(&mut self, index: usize) -> Result<Promoted, Untranslated> {
        Promoted::of(&build_variable_form(&self.source.program, index).map_err(Untranslated::because)?)
    }

    fn measure(&mut self, index: usize, steps: u64) -> Result<Measurements, Untranslated> {
        let function = build_variable_form(&self.source.program, index).map_err(Untranslated::because)?;
        super::measure(&function, steps)
    }

    fn detour(&mut self, index: usize, ssa: &mut CertifiedBuilder) -> Result<Detour, Untranslated> {
        let program = &self.source.program;
        let function = build_variable_form(program, index).map_err(Untranslated::because)?;
        let direct = build(program, index, ssa).map_err(Untranslated::because)?;
        Detour::of(&function, &direct.function).map_err(Untranslated::because)
    }
}
