//! Textual LLVM IR: the variables of a function are its promotable slots.

use super::limit::{build_within_limit, place_of_byte};
use super::ssa::{self, Held};
use super::{
    ComparedFunction, Folded, NotPromoted, NotRun, Promoted, Ran, Run, Source, Translated, Translator, Untranslated,
    Unwritten, Whole, WholeWriting,
};
use crate::built::Built;
use crate::construction::{CertifiedBuilder, Construction};
use crate::diagnostic::Diagnostic;
use crate::input::text;
use crate::judge;
use ssaphire::fold::FoldOptions;
use ssaphire_ir::fold::Folding;
use ssaphire_ir::judge::{Demands, Inspector};
use ssaphire_ir::measure::{Detour, Measurements};
use ssaphire_ir::memory::Memory;
use ssaphire_ir::text::{FunctionText as SsaText, SyntaxErrors};
use ssaphire_ir::{Function, Syntax, to_ssa, to_ssa_folded};
use ssaphire_llvm::{
    Equivalence, Frame, FunctionText, Llvm, LlvmFunction, MOST_ROUNDS, Module, Refusal, judge_promotion,
};
use ssaphire_wasm::TextPlace;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// A file. Its functions are read when they are built: most files have thousands.
struct LlvmFile {
    text: String,
    is_by_size: bool,
    version: Option<u32>,
    /// Without sigils.
    names: Vec<String>,
    /// By function that was built last: what its text needs besides the body.
    frames: Mutex<Vec<Option<Arc<Frame>>>>,
}

pub(super) fn load(
    name: &str,
    bytes: Vec<u8>,
    is_by_size: bool,
    version: Option<u32>,
) -> Result<Box<dyn Source>, Vec<Diagnostic>> {
    let text = text(name, "LLVM IR", bytes).map_err(|problem| vec![problem])?;
    let names: Vec<String> = Module::new(&text).functions().map(|function| bare(function.name)).collect();
    if names.is_empty() {
        require_module(name, &text).map_err(|problem| vec![problem])?;
    }
    let frames = Mutex::new(vec![None; names.len()]);
    Ok(Box::new(LlvmFile { text, is_by_size, version, names, frames }))
}

/// Requires that a text without functions is a module all the same: that it has a line of one.
fn require_module(name: &str, text: &str) -> Result<(), Diagnostic> {
    const STARTS: [&str; 10] =
        ["@", "%", "!", "$", "attributes ", "declare ", "module asm ", "source_filename ", "target ", "; ModuleID"];
    let is_of_module = |line: &str| STARTS.iter().any(|start| line.starts_with(start));
    match text.lines().any(is_of_module) {
        true => Ok(()),
        false => Err(Diagnostic::of_input(name, "expected LLVM IR: found neither functions nor globals".to_owned())),
    }
}

/// The module with this text, which comes from a version of LLVM if it does not say so itself.
fn module(text: &str, version: Option<u32>) -> Module<'_> {
    let module = Module::new(text);
    match version {
        Some(version) => module.with_version(version),
        None => module,
    }
}

/// A name without its sigil.
fn bare(name: &str) -> String {
    name.strip_prefix('@').unwrap_or(name).to_owned()
}

/// The function at this byte of a text in SSA form, of dialect `llvm` or in memory form.
pub(super) fn read(text: &SsaText<'_>, byte: u64) -> Result<Box<dyn Held>, SyntaxErrors> {
    match text.dialect() {
        Some(Memory::<Llvm>::NAME) => ssa::slots::<Llvm>(text, byte),
        _ => ssa::variables::<Llvm>(text, byte),
    }
}

impl Source for LlvmFile {
    fn functions(&self) -> Range<usize> {
        0..self.names.len()
    }

    fn name(&self, index: usize) -> String {
        self.names[index].clone()
    }

    fn is_written_whole(&self) -> bool {
        true
    }

    fn has_own_passes(&self) -> bool {
        true
    }

    fn written(&self, functions: Vec<(usize, Box<dyn Built>)>, _: WholeWriting) -> Result<Whole, Unwritten> {
        let mut bodies: Vec<Option<Function<Llvm>>> = vec![None; self.names.len()];
        for (index, function) in functions {
            bodies[index] = function.into_any().downcast::<Function<Llvm>>().ok().map(|body| *body);
        }
        let mut frames = std::mem::take(&mut *self.frames.lock().unwrap_or_else(PoisonError::into_inner));
        let mut unwritten = None;
        let mut text = Vec::with_capacity(self.text.len());
        let module = Module::new(&self.text);
        let written = module.rewrite(&mut text, |index, source| {
            let Some((body, frame)) = bodies[index].take().zip(frames[index].take()) else { return Ok(None) };
            if !frame.has_promoted_slots() && num_parts(&body) == num_parts(module.read(source)?.body()) {
                // Passes on it take things away, if they do anything.
                return Ok(None);
            }
            match frame.around(body) {
                Some(function) => Ok(Some(function.cleaned()?)),
                None => {
                    unwritten.get_or_insert(index);
                    Ok(None)
                }
            }
        });
        if let Some(index) = unwritten {
            let name = &self.names[index];
            return Err(Unwritten::Because(format!("`{name}` has lost blocks: use `--emit ssa` with `--fold`")));
        }
        let promotion = written.map_err(|error| Unwritten::Because(error.to_string()))?;
        if let Some((function, reason)) = promotion.skipped.first() {
            return Err(Unwritten::Because(format!("`{}`: {reason}", bare(function.name))));
        }
        String::from_utf8(text)
            .map(|text| Whole { text, source_map: None })
            .map_err(|error| Unwritten::Because(error.to_string()))
    }

    fn locate(&self, byte: u64) -> Option<TextPlace> {
        Some(place_of_byte(&self.text, byte))
    }

    fn translator(&self, fold: Option<FoldOptions>) -> Box<dyn Translator + '_> {
        let module = module(&self.text, self.version).with_slots_by_size(self.is_by_size);
        let texts = module.functions().collect();
        let (folding, inspector) = (fold.map(Folding::new), Inspector::default());
        Box::new(LlvmTranslator { file: self, module, texts, folding, inspector, has_phis: false })
    }

    fn run(&self, _: &Run<'_>, _: &mut dyn FnMut(&str)) -> Result<Ran, NotRun> {
        Err(NotRun::new("LLVM IR cannot be interpreted: use `ssaphire opt` to write a file, and run that with `lli`"))
    }
}

/// Judges each function of a file in LLVM IR by what has become of it in another; `name` is that of the first.
///
/// # Errors
/// If the file is no module.
pub(crate) fn compare_promotion(
    name: &str,
    [before, after]: [&str; 2],
    version: Option<u32>,
    num_threads: usize,
) -> Result<Vec<ComparedFunction>, Diagnostic> {
    let judged = judge_promotion(&module(before, version), &module(after, version), num_threads);
    if judged.is_empty() {
        require_module(name, before)?;
    }
    let place = |text: &str, offset: Option<usize>| offset.map(|offset| place_of_byte(text, offset as u64));
    let not_promoted = |refusal: Refusal| NotPromoted {
        reason: refusal.to_string(),
        before: place(before, refusal.before),
        after: place(after, refusal.after),
        path: refusal.path,
    };
    let compared = judged.into_iter().map(|judged| ComparedFunction {
        name: bare(&judged.name),
        is_exact: judged.result.map(|how| how == Equivalence::Exact).map_err(not_promoted),
    });
    Ok(compared.collect())
}

/// The number of instructions and phis.
fn num_parts(function: &Function<Llvm>) -> usize {
    let blocks = function.blocks().map(|block| function.block(block));
    blocks.map(|block| block.insts().len() + block.phis().len()).sum()
}

/// Builds functions of a file.
struct LlvmTranslator<'s> {
    file: &'s LlvmFile,
    module: Module<'s>,
    texts: Vec<FunctionText<'s>>,
    folding: Option<Folding<Llvm>>,
    /// For all rounds of promotion but the last.
    inspector: Inspector,
    /// Whether the function built last had phis before its last round.
    has_phis: bool,
}

impl LlvmTranslator<'_> {
    fn read(&self, index: usize) -> Result<LlvmFunction, Untranslated> {
        let text = self.texts.get(index).ok_or_else(|| Untranslated::because("no such function"))?;
        let read = self.module.read(text);
        read.map_err(|error| Untranslated { reason: error.to_string(), byte: Some(error.offset as u64) })
    }

    /// The function with the variables of its last round of promotion, or as it is if it has none.
    fn variables(&mut self, index: usize, ssa: &mut CertifiedBuilder) -> Result<LlvmFunction, Untranslated> {
        let byte = self.byte(index);
        let mut function = self.read(index)?;
        let Some(mut variables) = function.to_variables().map_err(Untranslated::because)? else { return Ok(function) };
        for _ in 1..MOST_ROUNDS {
            if !variables.may_free_others() {
                break;
            }
            let body = build_within_limit(variables.body(), byte, ssa, |ssa| to_ssa(variables.body(), ssa))?;
            let refusals = judge::refusals(&mut self.inspector, &body, None, ssa, judge::SOUND);
            // A command that judges nothing records nothing.
            if let Some(refusal) = refusals.iter().find(|refusal| refusal.rule != "no-certificate") {
                return Err(Untranslated::because(refusal));
            }
            let promoted = variables.frame().around(body).ok_or_else(|| Untranslated::because("blocks were lost"))?;
            function = promoted.cleaned().map_err(Untranslated::because)?;
            match function.to_variables().map_err(Untranslated::because)? {
                Some(next) => variables = next,
                None => break,
            }
        }
        Ok(variables)
    }

    fn byte(&self, index: usize) -> u64 {
        self.texts.get(index).map_or(0, |text| text.offset as u64)
    }
}

impl Translator for LlvmTranslator<'_> {
    fn build(&mut self, index: usize, ssa: &mut CertifiedBuilder) -> Result<Translated, Untranslated> {
        let function = self.variables(index, ssa)?;
        let byte = self.byte(index);
        let body = function.body();
        self.has_phis = body.blocks().any(|block| !body.block(block).phis().is_empty());
        let built = build_within_limit(body, byte, ssa, |ssa| match &mut self.folding {
            Some(folding) => to_ssa_folded(body, ssa, folding),
            None => to_ssa(body, ssa),
        })?;
        self.file.frames.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(function.frame().clone());
        Ok(Translated { function: Box::new(built), warnings: Vec::new() })
    }

    /// Phis of the source stay, whether they are needed or not.
    fn demands(&self, usual: Demands) -> Demands {
        if self.has_phis { Demands { irredundant: false, pruned: false, ..usual } } else { usual }
    }

    fn folded(&self) -> Option<&dyn Folded> {
        self.folding.as_ref().map(|folding| folding as &dyn Folded)
    }

    fn over_memory(&mut self, index: usize) -> Result<Promoted, Untranslated> {
        let function = self.variables(index, &mut Construction::default().builder())?;
        Promoted::of(function.body())
    }

    fn measure(&mut self, index: usize, steps: u64) -> Result<Measurements, Untranslated> {
        let function = self.read(index)?;
        let variables = function.to_slot_variables().map_err(Untranslated::because)?;
        super::measure(variables.as_ref().unwrap_or(&function).body(), steps)
    }

    fn detour(&mut self, index: usize, ssa: &mut CertifiedBuilder) -> Result<Detour, Untranslated> {
        let function = self.read(index)?;
        let variables = function.to_slot_variables().map_err(Untranslated::because)?;
        let body = variables.as_ref().unwrap_or(&function).body();
        let direct = to_ssa(body, ssa).map_err(Untranslated::because)?;
        Detour::of(body, &direct).map_err(Untranslated::because)
    }
}
