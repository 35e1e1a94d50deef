//! Textual LLVM IR: the variables of a function are its promotable slots.

use super::limit::{build_within_limit, place_of_byte};
use super::ssa::{self, Held};
use super::{
    Became, ComparedFunction, Folded, NotPromoted, NotRun, Promoted, Ran, Rewriter, Rewritten, Run, Source, Translated,
    Translator, Untranslated,
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
    Equivalence, Frame, FunctionText, Judged, Llvm, LlvmFunction, MOST_ROUNDS, Module, NotPromotion, Refusal,
    certify_promotion, judge_promotion,
};
use ssaphire_wasm::TextPlace;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// A file. Its functions are read when they are built, and kept by nobody here: a file may have more than memory has room for.
struct LlvmFile {
    module: Module<'static>,
    /// The functions of the module.
    functions: Vec<FunctionText<'static>>,
    /// Those of which blocks are mentioned by number.
    with_addresses: Vec<usize>,
}

pub(super) fn load(
    name: &str,
    bytes: Vec<u8>,
    is_by_size: bool,
    version: Option<u32>,
) -> Result<Box<dyn Source>, Vec<Diagnostic>> {
    let text = text(name, "LLVM IR", bytes).map_err(|problem| vec![problem])?;
    // All threads share what was found in it, as long as the process lasts.
    let module = module(text.leak(), version).with_slots_by_size(is_by_size);
    let functions: Vec<_> = module.functions().collect();
    if functions.is_empty() {
        require_module(name, module.text()).map_err(|problem| vec![problem])?;
    }
    let with_addresses = module.functions_with_addresses();
    Ok(Box::new(LlvmFile { module, functions, with_addresses }))
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
        0..self.functions.len()
    }

    fn name(&self, index: usize) -> String {
        bare(self.functions[index].name)
    }

    fn is_written_whole(&self) -> bool {
        true
    }

    fn has_own_passes(&self) -> bool {
        true
    }

    fn rewriter(&self) -> Option<Box<dyn Rewriter + '_>> {
        Some(Box::new(LlvmRewriter { file: self, rewriter: ssaphire_llvm::Rewriter::new(&self.module) }))
    }

    fn locate(&self, byte: u64) -> Option<TextPlace> {
        Some(place_of_byte(self.module.text(), byte))
    }

    fn translator(&self, fold: Option<FoldOptions>) -> Box<dyn Translator + '_> {
        let (folding, inspector) = (fold.map(Folding::new), Inspector::default());
        Box::new(LlvmTranslator { file: self, folding, inspector, last: None })
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
    certifies: bool,
) -> Result<Vec<ComparedFunction>, Diagnostic> {
    let judge = if certifies { certify_promotion } else { judge_promotion };
    let judged = judge(&module(before, version), &module(after, version), num_threads);
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
        word: word_of(&judged),
        name: bare(&judged.name),
        became: judged.result.map(became).map_err(not_promoted),
        certificate: judged.certificate,
    });
    Ok(compared.collect())
}

/// What is judged: a function, or whatever else a module has.
fn word_of(judged: &Judged) -> &'static str {
    match &judged.result {
        Err(Refusal { reason: NotPromotion::Global, .. }) => match judged.name.as_bytes().first() {
            Some(b'@') => "global",
            Some(b'%') => "type",
            Some(b'$') => "comdat",
            _ if judged.name.starts_with("declare ") => "declaration",
            _ => "line",
        },
        _ => "function",
    }
}

fn became(how: Equivalence) -> Became {
    match how {
        Equivalence::Exact => Became::Promoted,
        Equivalence::Refining => Became::Refining,
        Equivalence::Unchanged => Became::Unchanged,
    }
}

/// The number of instructions and phis.
fn num_parts(function: &Function<Llvm>) -> usize {
    let blocks = function.blocks().map(|block| function.block(block));
    blocks.map(|block| block.insts().len() + block.phis().len()).sum()
}

/// Writes a file.
struct LlvmRewriter<'s> {
    file: &'s LlvmFile,
    rewriter: ssaphire_llvm::Rewriter<'s, 'static>,
}

impl Rewriter for LlvmRewriter<'_> {
    fn to_note(&self) -> &[usize] {
        &self.file.with_addresses
    }

    fn note(&mut self, index: usize, new: &Rewritten) {
        self.rewriter.note(&self.file.functions[index], &new.renumbered_blocks);
    }

    fn write(&mut self, index: usize, new: &Rewritten, out: &mut dyn io::Write) -> io::Result<()> {
        self.rewriter.write(index, &new.text, out)
    }

    fn finish(self: Box<Self>, out: &mut dyn io::Write) -> io::Result<usize> {
        self.rewriter.finish(out)
    }
}

/// Builds functions of a file.
struct LlvmTranslator<'s> {
    file: &'s LlvmFile,
    folding: Option<Folding<Llvm>>,
    /// For all rounds of promotion but the last.
    inspector: Inspector,
    last: Option<Last>,
}

/// A function before its last round of promotion.
struct LastRound {
    /// With its promotable slots as variables, or as it is if it has none.
    function: LlvmFunction,
    /// Its SSA form, if that was constructed to find out that this round is the last one. It is not judged yet.
    built: Option<Function<Llvm>>,
}

/// The function built last, before its last round of promotion.
struct Last {
    /// What its text needs besides the body.
    frame: Arc<Frame>,
    num_parts: usize,
    has_phis: bool,
}

impl Last {
    fn of(function: &LlvmFunction) -> Self {
        let body = function.body();
        let has_phis = body.blocks().any(|block| !body.block(block).phis().is_empty());
        Self { frame: function.frame().clone(), num_parts: num_parts(body), has_phis }
    }

    /// The function with this body as LLVM leaves it; `None` if it is still the one of the source.
    ///
    /// # Errors
    /// Why it cannot be written.
    fn around(self, body: Function<Llvm>) -> Result<Option<LlvmFunction>, String> {
        if !self.frame.has_promoted_slots() && num_parts(&body) == self.num_parts {
            // Passes on it take things away, if they do anything.
            return Ok(None);
        }
        let lost = |name: &str| format!("`{name}` has lost blocks: use `--emit ssa` with `--fold`");
        let name = body.name().to_owned();
        let function = self.frame.around(body).ok_or_else(|| lost(&name))?;
        function.cleaned().map(Some).map_err(|error| format!("`{name}`: {error}"))
    }
}

impl LlvmTranslator<'_> {
    fn read(&self, index: usize) -> Result<LlvmFunction, Untranslated> {
        let text = self.file.functions.get(index).ok_or_else(|| Untranslated::because("no such function"))?;
        let read = self.file.module.read(text);
        read.map_err(|error| Untranslated { reason: error.to_string(), byte: Some(error.offset as u64) })
    }

    /// The function with the variables of its last round of promotion, or as it is if it has none.
    fn variables(&mut self, index: usize, ssa: &mut CertifiedBuilder) -> Result<LastRound, Untranslated> {
        let byte = self.byte(index);
        let function = self.read(index)?;
        let Some(mut variables) = function.to_variables()? else { return Ok(LastRound { function, built: None }) };
        for _ in 1..MOST_ROUNDS {
            if !variables.may_free_others() {
                break;
            }
            let body = build_within_limit(variables.body(), byte, ssa, |ssa| to_ssa(variables.body(), ssa))?;
            let promoted = variables.frame().around(body.clone());
            let promoted = promoted.ok_or_else(|| Untranslated::because("blocks were lost"))?;
            let Some(next) = promoted.cleaned()?.to_variables()? else {
                return Ok(LastRound { function: variables, built: Some(body) });
            };
            let refusals = judge::refusals(&mut self.inspector, &body, None, ssa, judge::SOUND);
            // A command that judges nothing records nothing.
            if let Some(refusal) = refusals.iter().find(|refusal| refusal.rule != "no-certificate") {
                return Err(Untranslated::because(refusal));
            }
            variables = next;
        }
        Ok(LastRound { function: variables, built: None })
    }

    fn byte(&self, index: usize) -> u64 {
        self.file.functions.get(index).map_or(0, |text| text.offset as u64)
    }
}

impl Translator for LlvmTranslator<'_> {
    fn build(&mut self, index: usize, ssa: &mut CertifiedBuilder) -> Result<Translated, Untranslated> {
        let LastRound { function, built } = self.variables(index, ssa)?;
        let byte = self.byte(index);
        let body = function.body();
        self.last = Some(Last::of(&function));
        let built = match built.filter(|_| self.folding.is_none()) {
            Some(built) => built,
            None => build_within_limit(body, byte, ssa, |ssa| match &mut self.folding {
                Some(folding) => to_ssa_folded(body, ssa, folding),
                None => to_ssa(body, ssa),
            })?,
        };
        Ok(Translated { function: Box::new(built), warnings: Vec::new() })
    }

    fn rewritten(&mut self, index: usize, function: Box<dyn Built>) -> Result<Option<Rewritten>, String> {
        let body = function.into_any().downcast::<Function<Llvm>>();
        let Some((last, body)) = self.last.take().zip(body.ok()) else { return Ok(None) };
        let function = last.around(*body)?;
        let is_noted = self.file.with_addresses.binary_search(&index).is_ok();
        Ok(function.map(|function| Rewritten {
            text: function.to_string(),
            renumbered_blocks: if is_noted { function.renumbered_blocks() } else { Vec::new() },
        }))
    }

    /// Phis of the source stay, whether they are needed or not.
    fn demands(&self, usual: Demands) -> Demands {
        if self.last.as_ref().is_some_and(|last| last.has_phis) {
            Demands { irredundant: false, pruned: false, ..usual }
        } else {
            usual
        }
    }

    fn folded(&self) -> Option<&dyn Folded> {
        self.folding.as_ref().map(|folding| folding as &dyn Folded)
    }

    fn over_memory(&mut self, index: usize) -> Result<Promoted, Untranslated> {
        let last_round = self.variables(index, &mut Construction::default().builder())?;
        Promoted::of(last_round.function.body())
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
