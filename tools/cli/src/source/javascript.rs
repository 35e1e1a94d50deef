//! JavaScript and TypeScript, with JSX or without.

use super::limit::{build_within_limit, place_of_byte};
use super::ssa::{self, Held};
use super::{
    Folded, NotRun, Promoted, Ran, Run, Source, Translated, Translator, Untranslated, Unwritten, Whole, WholeWriting,
};
use crate::arguments::Warn;
use crate::built::Built;
use crate::commands::HirForm;
use crate::construction::{CertifiedBuilder, Construction};
use crate::diagnostic::Diagnostic;
use crate::input::text;
use crate::judge;
use crate::language::Language;
use ssaphire::fold::FoldOptions;
use ssaphire_ir::fold::Folding;
use ssaphire_ir::judge::Inspector;
use ssaphire_ir::measure::{Detour, Measurements};
use ssaphire_ir::memory::Memory;
use ssaphire_ir::source::Source as Text;
use ssaphire_ir::text::{FunctionText, SyntaxErrors};
use ssaphire_ir::{Function, Syntax, to_ssa, to_ssa_folded};
use ssaphire_js::facts::{Facts, Idioms};
use ssaphire_js::program::Program;
use ssaphire_js::source::{SourceError, SourceKind, with_parsed, with_types};
use ssaphire_js::write::{WriteOptions, write};
use ssaphire_js::{Js, LowerError, lower_to_variables};
use ssaphire_react as hir;
use ssaphire_wasm::TextPlace;
use std::ops::Range;

/// A file, its functions in variable form: any engine can build any of them, on any thread.
struct JsFile {
    name: String,
    kind: SourceKind,
    text: String,
    program: Program,
    /// By function, the doubtful accesses to its variables.
    warnings: Vec<Vec<Diagnostic>>,
}

/// Reads a file, and finds doubtful accesses to its variables if warnings are asked for.
pub(super) fn load(
    name: &str,
    language: Language,
    bytes: Vec<u8>,
    warn: Option<Warn>,
) -> Result<Box<dyn Source>, Vec<Diagnostic>> {
    let text = text(name, &language.to_string(), bytes).map_err(|problem| vec![problem])?;
    let Some(kind) = SourceKind::from_extension(language.extension()) else {
        return Err(vec![Diagnostic::of_input(name, format!("expected a {language} file"))]);
    };
    let lowered = with_parsed(&text, kind, |parsed| {
        let program = lower_to_variables(&parsed)?;
        let findings = match warn {
            Some(Warn::Likely) => Facts::new(&parsed)?.findings(Idioms::Skipped),
            Some(Warn::All) => Facts::new(&parsed)?.findings(Idioms::Reported),
            None => Vec::new(),
        };
        Ok((program, findings))
    });
    let lowered = lowered.map_err(|errors| diagnostics(name, &text, &errors.0))?;
    let (program, findings) = lowered.map_err(|error: LowerError| {
        let problem = SourceError { message: error.to_string(), span: error.span() };
        diagnostics(name, &text, &[problem])
    })?;
    let mut warnings = vec![Vec::new(); program.functions.len()];
    let lines = Text::new(&text);
    for finding in findings {
        let place = lines.place(finding.span.into());
        warnings[finding.function.index()].push(Diagnostic::at_place(name, &place, finding.to_string()));
    }
    Ok(Box::new(JsFile { name: name.to_owned(), kind, text, program, warnings }))
}

/// The function at this byte of a text in SSA form, of dialect `js` or in memory form.
pub(super) fn read(text: &FunctionText<'_>, byte: u64) -> Result<Box<dyn Held>, SyntaxErrors> {
    match text.dialect() {
        Some(Js::NAME) => ssa::variables::<Js>(text, byte),
        Some(Memory::<Js>::NAME) => ssa::slots::<Js>(text, byte),
        _ => Err(text.unknown_dialect()),
    }
}

/// What is wrong with a file, each with its line.
fn diagnostics(name: &str, text: &str, errors: &[SourceError]) -> Vec<Diagnostic> {
    let text = Text::new(text);
    let diagnostic = |error: &SourceError| {
        let place = text.place(error.span.into());
        Diagnostic::at_place(name, &place, error.message.clone())
    };
    errors.iter().map(diagnostic).collect()
}

impl Source for JsFile {
    fn functions(&self) -> Range<usize> {
        0..self.program.functions.len()
    }

    fn name(&self, index: usize) -> String {
        self.program.functions[index].body.name().to_owned()
    }

    fn in_memory(&self, index: usize) -> Vec<String> {
        self.program.functions[index].memory.iter().map(|memory| memory.reason.to_string()).collect()
    }

    fn is_written_whole(&self) -> bool {
        true
    }

    fn written(&self, functions: Vec<(usize, Box<dyn Built>)>, writing: WholeWriting) -> Result<Whole, Unwritten> {
        let mut is_new = vec![false; self.program.functions.len()];
        functions.iter().for_each(|&(index, _)| is_new[index] = true);
        // What is new is built only to be compared with what passes have made of it.
        let (mut original, mut keeps_unchanged) = (self.program.clone(), writing.keeps_unchanged);
        let (mut ssa, mut inspector) = (Construction::default().builder(), Inspector::default());
        for (index, function) in original.functions.iter_mut().enumerate() {
            if is_new[index] && !keeps_unchanged {
                continue;
            }
            ssa.set_recording(!is_new[index]);
            let byte = u64::from(function.span.start);
            let built = build_within_limit(&function.body, byte, &mut ssa, |ssa| to_ssa(&function.body, ssa));
            if is_new[index] && built.is_err() {
                // The user's limits allow more than the usual ones: there is nothing to compare with.
                keeps_unchanged = false;
                continue;
            }
            let unbuilt = |error: Untranslated| Unwritten::Unbuilt {
                index,
                reason: format!("`{}`: {}", function.body.name(), error.reason),
            };
            function.body = built.map_err(unbuilt)?;
            if is_new[index] {
                continue;
            }
            let refusals = judge::refusals(&mut inspector, &function.body, None, &mut ssa, judge::SOUND);
            if !refusals.is_empty() {
                return Err(Unwritten::Refused { index, refusals });
            }
        }
        let mut program = original.clone();
        for (index, function) in functions {
            let function = function.into_any().downcast::<Function<Js>>();
            let no_function = |_| Unwritten::Because("expected a JavaScript function".to_owned());
            program.functions[index].body = *function.map_err(no_function)?;
        }
        let mut options = WriteOptions::default();
        options.original = keeps_unchanged.then_some(&original);
        let written = write(&program, &self.text, &options).map_err(|error| Unwritten::Because(error.to_string()))?;
        let source_map = writing.is_mapped.then(|| written.source_map(&self.name, &self.text));
        Ok(Whole { text: written.text, source_map })
    }

    fn hir(&self, form: HirForm) -> Result<Vec<Result<String, Diagnostic>>, Vec<Diagnostic>> {
        let text = |root: hir::Root| write_hir(root, form);
        let written = with_types(&self.text, self.kind, |parsed| {
            hir::lower(&parsed, hir::Roots::TopLevel).into_iter().map(text).collect::<Vec<_>>()
        });
        let written = written.map_err(|errors| diagnostics(&self.name, &self.text, &errors.0))?;
        let lines = Text::new(&self.text);
        let place =
            |error: hir::Unsupported| Diagnostic::at_place(&self.name, &lines.place(error.span.into()), error.reason);
        Ok(written.into_iter().map(|one| one.map_err(place)).collect())
    }

    fn locate(&self, byte: u64) -> Option<TextPlace> {
        Some(place_of_byte(&self.text, byte))
    }

    fn translator(&self, fold: Option<FoldOptions>) -> Box<dyn Translator + '_> {
        Box::new(JsTranslator { source: self, folding: fold.map(Folding::new) })
    }

    fn run(&self, _: &Run<'_>, _: &mut dyn FnMut(&str)) -> Result<Ran, NotRun> {
        Err(NotRun::new(
            "JavaScript cannot be interpreted: use `ssaphire opt` to write a file, and run that in any engine",
        ))
    }
}

/// Builds functions of a file.
struct JsTranslator<'s> {
    source: &'s JsFile,
    folding: Option<Folding<Js>>,
}

impl JsTranslator<'_> {
    fn function(&self, index: usize) -> Result<&Function<Js>, Untranslated> {
        let function = self.source.program.functions.get(index);
        function.map(|function| &function.body).ok_or_else(|| Untranslated::because("no such function"))
    }
}

impl Translator for JsTranslator<'_> {
    fn build(&mut self, index: usize, ssa: &mut CertifiedBuilder) -> Result<Translated, Untranslated> {
        let functions = &self.source.program.functions;
        let function = functions.get(index).ok_or_else(|| Untranslated::because("no such function"))?;
        let byte = u64::from(function.span.start);
        let function = build_within_limit(&function.body, byte, ssa, |ssa| match &mut self.folding {
            Some(folding) => to_ssa_folded(&function.body, ssa, folding),
            None => to_ssa(&function.body, ssa),
        })?;
        Ok(Translated { function: Box::new(function), warnings: self.source.warnings[index].clone() })
    }

    fn folded(&self) -> Option<&dyn Folded> {
        self.folding.as_ref().map(|folding| folding as &dyn Folded)
    }

    fn over_memory(&mut self, index: usize) -> Result<Promoted, Untranslated> {
        Promoted::of(self.function(index)?)
    }

    fn measure(&mut self, index: usize, steps: u64) -> Result<Measurements, Untranslated> {
        super::measure(self.function(index)?, steps)
    }

    fn detour(&mut self, index: usize, ssa: &mut CertifiedBuilder) -> Result<Detour, Untranslated> {
        let function = self.function(index)?;
        let direct = to_ssa(function, ssa).map_err(Untranslated::because)?;
        Detour::of(function, &direct).map_err(Untranslated::because)
    }
}

/// A function in the wanted form of the HIR.
fn write_hir(root: hir::Root, form: HirForm) -> Result<String, hir::Unsupported> {
    let lowered = root.hir?;
    let run_to = |stage| {
        let mut function = lowered.clone();
        hir::run_to(&mut function, stage, hir::ZeroSigns::AsInReact100).map(|()| function)
    };
    match form {
        HirForm::Diff => Ok(hir::side_by_side(&lowered, &run_to(hir::Stage::Ssa)?, hir::Style::React100)),
        HirForm::Stage(number) => {
            let stage = hir::Stage::ALL.get(number).copied().unwrap_or(hir::Stage::Hir);
            Ok(hir::print(&run_to(stage)?, hir::Style::React100))
        }
    }
}
