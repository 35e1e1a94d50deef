//! A program in some language: functions that can be built and run.
//!
//! A further language is one more file below, and a line in [`load`].

mod basic;
#[cfg_attr(not(feature = "js"), path = "source/no_javascript.rs")]
mod javascript;
mod limit;
#[cfg_attr(not(feature = "llvm"), path = "source/no_llvm.rs")]
mod llvm;
#[cfg_attr(not(feature = "jit"), path = "source/no_machine.rs")]
mod machine;
mod making;
mod ssa;
mod wasm;
mod wasm_text;
mod while_language;

use crate::arguments::{Form, ReadingArguments};
use crate::built::Built;
use crate::commands::HirForm;
use crate::construction::{CertifiedBuilder, Construction};
use crate::diagnostic::{Diagnostic, counted};
use crate::language::Language;
use ssaphire::check::Program;
use ssaphire::fold::{FoldOptions, FoldStats};
use ssaphire::{Block, WithPreEntry};
use ssaphire_ir::fold::Folding;
use ssaphire_ir::judge::{Demands, Refusal};
use ssaphire_ir::measure::{Detour, Measurements};
use ssaphire_ir::memory::{OverMemory, Promotion, to_memory};
use ssaphire_ir::{BuildError, Dialect, Function};
use ssaphire_literature::{Engine, whole};
use ssaphire_wasm::{Pool, TextPlace};
use std::io;
use std::ops::Range;

/// A program that was read.
pub(crate) trait Source: Sync {
    /// Numbers of the functions that can be built.
    fn functions(&self) -> Range<usize>;

    /// What function number `index` is called.
    fn name(&self, index: usize) -> String;

    /// The functions that `name` means where one is called from outside, ascending: the one exported under the name if
    /// there is one, else all functions called so.
    fn entries_named(&self, name: &str) -> Vec<usize> {
        self.functions().filter(|&index| self.name(index) == name).collect()
    }

    /// The function exported under `name`, in a language where that is another name than its own.
    fn exported(&self, _name: &str) -> Option<usize> {
        None
    }

    /// Why variables of function number `index` stay in memory, by other ways than its own code: a reason or several.
    fn in_memory(&self, _index: usize) -> Vec<String> {
        Vec::new()
    }

    /// Whether its functions are lists of statements, if functions can be written as such a program again.
    fn is_bare(&self) -> Option<bool> {
        None
    }

    /// Whether its functions are written as one program again, all at once: by [`written`](Self::written).
    fn is_written_whole(&self) -> bool {
        false
    }

    /// Whether `opt` runs no pass on its functions unless asked to: construction is all that is wanted.
    fn has_own_passes(&self) -> bool {
        false
    }

    /// The program with these functions, by number, in place of its own. The others are built and judged here.
    ///
    /// # Errors
    /// Why it is not written.
    fn written(&self, _functions: Vec<(usize, Box<dyn Built>)>, _writing: WholeWriting) -> Result<Whole, Unwritten> {
        Err(Unwritten::Because("programs in this language are written function by function".to_owned()))
    }

    /// Writes it function by function, if it is written so: as text in which functions have places.
    fn rewriter(&self) -> Option<Box<dyn Rewriter + '_>> {
        None
    }

    /// Its functions in the HIR of React Compiler, each by itself: a text, or why there is none.
    ///
    /// # Errors
    /// If it is not JavaScript.
    fn hir(&self, _form: HirForm) -> Result<Vec<Result<String, Diagnostic>>, Vec<Diagnostic>> {
        Err(vec![Diagnostic::usage("`--emit hir` requires JavaScript or TypeScript")])
    }

    /// Where in the text of the program that stands which is at a byte offset, if it has a text.
    fn locate(&self, _byte: u64) -> Option<TextPlace> {
        None
    }

    /// Builds functions, with operations folded on the way if asked; a worker has one of its own, and uses its memory again.
    fn translator(&self, fold: Option<FoldOptions>) -> Box<dyn Translator + '_>;

    /// Runs a function.
    ///
    /// # Errors
    /// If it cannot be run. A run that ends in a trap is no error.
    fn run(&self, run: &Run<'_>, trace: &mut dyn FnMut(&str)) -> Result<Ran, NotRun>;
}

/// Options of writing a whole program.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "js"), expect(dead_code, reason = "only JavaScript is written back with all of this"))]
pub(crate) struct WholeWriting {
    /// With a source map.
    pub(crate) is_mapped: bool,
    /// Functions that no pass has changed stay as they stand in the source.
    pub(crate) keeps_unchanged: bool,
}

/// A program written as a whole.
pub(crate) struct Whole {
    pub(crate) text: String,
    /// Where its statements come from, if that was asked for.
    pub(crate) source_map: Option<String>,
}

/// Why a program is not written as a whole.
#[cfg_attr(not(feature = "js"), expect(dead_code, reason = "only JavaScript is written back with all of this"))]
pub(crate) enum Unwritten {
    /// The judge refuses a function that was not given.
    Refused {
        /// Its number.
        index: usize,
        /// Why.
        refusals: Vec<Refusal>,
    },
    /// A function that was not given has no SSA form.
    Unbuilt {
        /// Its number.
        index: usize,
        /// Why.
        reason: String,
    },
    /// It cannot be written.
    Because(String),
}

/// Writes a program from its beginning to its end, with new texts in place of some of its functions. Nobody has to keep them.
pub(crate) trait Rewriter {
    /// The functions whose new texts have to be noted before anything is written, ascending: others mention their blocks.
    fn to_note(&self) -> &[usize];

    /// Notes the new text of function number `index`.
    fn note(&mut self, index: usize, new: &Rewritten);

    /// Writes what comes before function number `index` and is not written yet, and the new text in place of the function.
    ///
    /// # Errors
    /// Where `out` has one.
    fn write(&mut self, index: usize, new: &Rewritten, out: &mut dyn io::Write) -> io::Result<()>;

    /// Writes the rest. The number of orders of uses that were dropped.
    ///
    /// # Errors
    /// Where `out` has one.
    fn finish(self: Box<Self>, out: &mut dyn io::Write) -> io::Result<usize>;
}

/// A function in the language of its program.
#[cfg_attr(not(feature = "llvm"), allow(dead_code, reason = "only LLVM IR is written so, and a test"))]
pub(crate) struct Rewritten {
    pub(crate) text: String,
    /// The numbers of its blocks before and after, where they differ and the text is to be noted.
    pub(crate) renumbered_blocks: Vec<(u32, u32)>,
}

/// Builds functions of one program.
pub(crate) trait Translator: Send {
    /// The SSA form of function number `index`; `ssa` can certify it.
    ///
    /// # Errors
    /// Why there is none.
    fn build(&mut self, index: usize, ssa: &mut CertifiedBuilder) -> Result<Translated, Untranslated>;

    /// What is written in place of function number `index`, which was built last and is `function` after passes;
    /// `None` if it stays as it stands.
    ///
    /// # Errors
    /// Why it cannot be written.
    fn rewritten(&mut self, _index: usize, _function: Box<dyn Built>) -> Result<Option<Rewritten>, String> {
        Ok(None)
    }

    /// Makes values of the slots of functions in memory form, from here on, before they are built.
    fn promote_slots(&mut self) {}

    /// What is demanded of the function built last, where so much is demanded of others.
    fn demands(&self, usual: Demands) -> Demands {
        usual
    }

    /// What was folded in the function built last; `None` if operations are not folded.
    fn folded(&self) -> Option<&dyn Folded>;

    /// Function number `index` with slots for its variables, and in the SSA form that mem2reg makes of that.
    ///
    /// # Errors
    /// Why there is none.
    fn over_memory(&mut self, index: usize) -> Result<Promoted, Untranslated>;

    /// What there is to construct in function number `index`, counted in so many `steps` in its variable form.
    ///
    /// # Errors
    /// Why there is nothing to count.
    fn measure(&mut self, index: usize, steps: u64) -> Result<Measurements, Untranslated>;

    /// The sizes of function number `index` on its way over memory, and directly by `ssa`.
    ///
    /// # Errors
    /// Why there are none.
    fn detour(&mut self, index: usize, ssa: &mut CertifiedBuilder) -> Result<Detour, Untranslated>;
}

impl From<BuildError> for Untranslated {
    fn from(error: BuildError) -> Self {
        Self::because(error)
    }
}

/// What was folded in a function, whatever its dialect.
pub(crate) trait Folded {
    /// Why the equations are refused on which the certificate relies.
    fn judge_equations(&self, program: &Program) -> Vec<Refusal>;

    /// Names operators and constants in the certificate.
    fn name_operators(&self, program: &mut Program);

    /// How much was folded.
    fn stats(&self) -> FoldStats;
}

impl<D: Dialect> Folded for Folding<D> {
    fn judge_equations(&self, program: &Program) -> Vec<Refusal> {
        self.judge_equations(program)
    }

    fn name_operators(&self, program: &mut Program) {
        self.name_operators(program);
    }

    fn stats(&self) -> FoldStats {
        *self.stats()
    }
}

/// A function in SSA form.
pub(crate) struct Translated {
    /// The function.
    pub(crate) function: Box<dyn Built>,
    /// What is doubtful about its source.
    pub(crate) warnings: Vec<Diagnostic>,
}

/// A function that was made over memory.
pub(crate) struct Promoted {
    /// With a slot for each variable.
    pub(crate) slots: Box<dyn Built>,
    /// In SSA form.
    pub(crate) function: Box<dyn Built>,
    /// What became of the slots.
    pub(crate) promotion: Promotion,
}

impl Promoted {
    /// Takes a function in variable form over memory.
    fn of<D: Dialect<Op: Send, Type: Send, Constant: Send>>(function: &Function<D>) -> Result<Self, Untranslated> {
        let slots = to_memory(function);
        let OverMemory { function, promotion } =
            OverMemory::from_slots(slots.clone()).map_err(Untranslated::because)?;
        Ok(Self { slots: Box::new(slots), function: Box::new(function), promotion })
    }
}

/// Why a function has no SSA form.
pub(crate) struct Untranslated {
    /// Why.
    pub(crate) reason: String,
    /// Offset in bytes of the place in question.
    pub(crate) byte: Option<u64>,
}

impl Untranslated {
    /// Nothing more is known than this.
    #[expect(clippy::needless_pass_by_value, reason = "so it can be handed to `map_err` by name")]
    pub(crate) fn because(reason: impl ToString) -> Self {
        Self { reason: reason.to_string(), byte: None }
    }
}

/// What there is to construct in a function in variable form; placing phis may take so many `steps`.
fn measure<D: Dialect>(function: &Function<D>, steps: u64) -> Result<Measurements, Untranslated> {
    if function.num_blocks() == 0 {
        return Ok(Measurements::default());
    }
    let whole = match WithPreEntry::is_needed(function) {
        true => whole::Function::new(&WithPreEntry::new(function)),
        false => whole::Function::new(function),
    };
    let placed = whole.map_err(Untranslated::because)?.solve_within(Engine::Cytron, steps);
    let phis: Vec<Block> = placed.map_err(Untranslated::because)?.phis().iter().map(|phi| phi.block).collect();
    Measurements::of(function, &phis).map_err(Untranslated::because)
}

/// What a function is to the one of that name in another file.
pub(crate) struct ComparedFunction {
    /// Its name.
    pub(crate) name: String,
    /// What it is: `function`, or `global`, `declaration` and so on where something else differs.
    pub(crate) word: &'static str,
    pub(crate) became: Result<Became, NotPromoted>,
    /// Its certificate, if it is accepted and that was asked for.
    pub(crate) certificate: Option<String>,
}

/// What a function is to the one of that name in the file before.
#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(feature = "llvm"), allow(dead_code, reason = "only LLVM IR is compared so"))]
pub(crate) enum Became {
    /// It is the promoted one, and undefined wherever that one is.
    Promoted,
    /// The same, with values for what was undefined.
    Refining,
    /// It is still the one before, though slots could have been promoted.
    Unchanged,
}

/// Why a function is not the promoted one of another file.
pub(crate) struct NotPromoted {
    /// What is wrong, and on which path.
    pub(crate) reason: String,
    /// Places in the file before promotion, and in the one after.
    pub(crate) before: Option<TextPlace>,
    pub(crate) after: Option<TextPlace>,
    /// The blocks of the path.
    pub(crate) path: Vec<String>,
}

pub(crate) use llvm::compare_promotion;

/// What is to be run.
pub(crate) struct Run<'a> {
    /// The number of the function.
    pub(crate) entry: usize,
    /// Its arguments, as written.
    pub(crate) args: &'a [String],
    /// What it may read.
    pub(crate) input: &'a [i64],
    /// What opaque calls answer follows from this.
    pub(crate) seed: u64,
    /// Operations after which it ends.
    pub(crate) fuel: u64,
    /// Which form runs.
    pub(crate) form: Form,
    /// How the SSA form is built.
    pub(crate) construction: &'a Construction,
    /// Whether it is built over memory, and not as `construction` says.
    pub(crate) is_over_memory: bool,
    /// Whether `trace` is wanted.
    pub(crate) is_traced: bool,
    /// Whether machine code runs, and not the interpreter.
    pub(crate) is_compiled: bool,
    /// Whether the SSA form is judged before it runs.
    pub(crate) is_judged: bool,
}

impl Run<'_> {
    /// Checks that there are as many arguments as parameters.
    fn check_number_of_arguments(&self, num_parameters: usize) -> Result<(), NotRun> {
        let given = self.args.len();
        if given == num_parameters {
            return Ok(());
        }
        let wanted = counted(num_parameters as u64, "argument");
        Err(NotRun::new(format!("the function takes {wanted}, got {given}")))
    }
}

/// What came of a run.
pub(crate) struct Ran {
    /// Lines the program printed.
    pub(crate) printed: Vec<String>,
    /// What it returned, or the trap it ended with.
    pub(crate) ended: Result<Vec<String>, String>,
}

/// Why something cannot be run.
pub(crate) struct NotRun {
    /// Why.
    pub(crate) reason: String,
    /// Whether it could have been run, but the judge refuses its SSA form: a finding.
    pub(crate) is_refused: bool,
}

impl NotRun {
    /// Machine code was wanted of something else than SSA form.
    pub(crate) fn compiled_source() -> Self {
        Self::new("`--jit` compiles the SSA form, so it conflicts with `--form source`")
    }

    pub(crate) fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), is_refused: false }
    }

    /// The judge refuses a function.
    pub(crate) fn refused(name: &str, refusals: &str) -> Self {
        let reason =
            format!("function `{name}`: refused: {refusals}; nothing was run (use `--no-judge` to run it anyway)");
        Self { reason, is_refused: true }
    }
}

/// Reads a program. `name` is what its input is called in messages.
///
/// # Errors
/// All that is wrong with it.
pub(crate) fn load(
    name: &str,
    language: Language,
    bytes: Vec<u8>,
    reading: &ReadingArguments,
    pool: &Pool,
) -> Result<Box<dyn Source>, Vec<Diagnostic>> {
    match language {
        Language::Ssa => ssa::load(name, bytes),
        Language::While => while_language::load(name, bytes, reading.strict_while),
        Language::Wasm | Language::Wat => wasm::load(name, language, bytes, pool),
        // rustc makes arrays of bytes of all slots.
        Language::Rs => llvm::load(name, bytes, true, reading.llvm_version),
        Language::Ll | Language::Bc | Language::C | Language::Cpp | Language::F90 => {
            llvm::load(name, bytes, reading.slots_by_size, reading.llvm_version)
        }
        language => javascript::load(name, language, bytes, reading.warn),
    }
}
