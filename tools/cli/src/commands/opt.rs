//! `ssaphire opt`: the SSA form of each function after some passes.

mod in_place;

use super::{Status, report};
use crate::arguments::{Emit, OptArguments, Outcome};
use crate::built::{Built, Copies, Dialects, JudgedPass, Size, Writing};
use crate::console::Console;
use crate::construction::{CertifiedBuilder, Construction};
use crate::destination::Destination;
use crate::diagnostic::{Diagnostic, Failure, counted, plain};
use crate::input::{self, Input};
use crate::judge;
use crate::pipeline::Pipeline;
use crate::source::{Rewritten, Translator, Untranslated, Unwritten, WholeWriting};
use ssaphire::destruct::Method;
use ssaphire_ir::analysis::Style;
use ssaphire_ir::judge::Inspector;
use ssaphire_ir::passes::{Pass, PassOptions};
use ssaphire_ir::text::PrintOptions;
use std::io::Write;
use std::path::Path;

/// What is made of each function.
struct Plan {
    passes: Vec<Pass>,
    options: PassOptions,
    writing: Writing,
    /// What is written; none said.
    outcome: Option<Outcome>,
    leave: Method,
    /// Where the source map goes.
    source_map: Option<String>,
    /// Whether functions that no pass has changed are written anew, too.
    rewrites: bool,
    construction: Construction,
}

impl Plan {
    fn new(arguments: &OptArguments) -> Self {
        let mut options = PassOptions::default();
        (options.dead_code.keep_loops, options.phi_tags) = (arguments.keep_loops, arguments.phi_tags);
        let emit = if arguments.common.json { Emit::Json } else { Emit::Text };
        let printing = PrintOptions { phis: arguments.phi, names: arguments.names };
        let construction = arguments.engine.construction();
        Self {
            passes: arguments.passes(),
            options,
            writing: Writing { emit, printing, style: Style::default() },
            outcome: arguments.emit.or(arguments.common.json.then_some(Outcome::Ssa)),
            leave: arguments.leave,
            source_map: arguments.source_map.clone(),
            rewrites: arguments.rewrite,
            construction,
        }
    }

    /// Whether `input` is written as a module in LLVM IR.
    fn is_module(&self, input: &Input) -> bool {
        input.source.has_own_passes() && self.outcome(input) == Outcome::Program
    }

    /// What is written of the functions of `input`.
    fn outcome(&self, input: &Input) -> Outcome {
        let is_program = input.source.is_bare().is_some() || input.source.is_written_whole();
        let usual = if is_program { Outcome::Program } else { Outcome::Ssa };
        self.outcome.unwrap_or(usual)
    }
}

/// How functions that are right are written.
#[derive(Clone, Copy)]
enum Way {
    /// Each by itself: as statements alone if it `is_bare`.
    ByItself { outcome: Outcome, is_bare: bool },
    /// All at once: they are kept.
    AtOnce,
    /// Each in its place in the text of the program.
    InPlace,
}

/// What a worker keeps from function to function.
struct Worker<'s> {
    translator: Box<dyn Translator + 's>,
    ssa: CertifiedBuilder,
    inspector: Inspector,
}

/// What became of one function.
#[derive(Default)]
struct Answer {
    text: String,
    /// It as a program, or why it is none; not asked for if none.
    program: Option<Result<String, String>>,
    /// It itself, if all are written at once.
    function: Option<Box<dyn Built>>,
    /// It in its place, or why it cannot be written; none if it stays as it stands.
    rewritten: Option<Result<Rewritten, String>>,
    dialect: &'static str,
    before: Size,
    after: Size,
    /// What leaving SSA form took, if it has been left.
    copies: Option<Copies>,
    /// By pass, what it has done, and whether the result is proven to do the same as before.
    done: Vec<JudgedPass>,
    refusals: Vec<String>,
    /// Why there is no result.
    failure: Option<(String, Option<u64>)>,
    warnings: Vec<Diagnostic>,
}

/// What became of all functions.
#[derive(Default)]
struct Summary {
    dialects: Dialects,
    functions: u64,
    failed: u64,
    refused: u64,
    before: Size,
    after: Size,
    copies: Option<Copies>,
    /// By pass.
    done: Vec<Done>,
    /// Whether a result was refused, or a program cannot be written: then no file takes the place of another.
    is_withheld: bool,
}

/// What a pass has done to all functions.
#[derive(Clone, Copy, Default)]
struct Done {
    changes: usize,
    /// Functions that the judge decided to do what they did before it.
    equivalent: u64,
    /// Functions of which no more than their form was checked after it.
    form_checked: u64,
}

pub(super) fn run(arguments: &OptArguments, console: &mut Console) -> Result<Status, Failure> {
    let mut plan = Plan::new(arguments);
    let progress = console.progress(!arguments.quiet);
    let pipeline = Pipeline::new(arguments.common.threads, progress);
    let inputs = input::read_all(&arguments.input, pipeline.pool(), console)?;
    let is_mapped = |input: &Input| {
        let is_javascript = input.source.is_written_whole() && !input.source.has_own_passes();
        is_javascript && plan.outcome(input) == Outcome::Program
    };
    if plan.source_map.is_some() && !matches!(&inputs[..], [input] if is_mapped(input)) {
        return Err(Diagnostic::usage("`--source-map` requires a single JavaScript file, written as a program").into());
    }
    if plan.rewrites && !inputs.iter().any(is_mapped) {
        return Err(Diagnostic::usage("`--rewrite` requires JavaScript, written as a program").into());
    }
    if arguments.has_usual_passes() && inputs.iter().all(|input| input.source.has_own_passes()) {
        plan.passes.clear();
    }
    require_simple_passes(&inputs, &plan)?;
    if inputs.len() > 1 && inputs.iter().any(|input| plan.is_module(input)) {
        return Err(Diagnostic::usage(MANY_MODULES).into());
    }
    pipeline.expect(&inputs);
    optimize_inputs(&inputs, &plan, &pipeline, arguments.quiet, console)
}

/// Why several inputs are refused where one is in LLVM IR.
const MANY_MODULES: &str = "LLVM IR is written as a program file by file: two modules in one file are none. Use `ssaphire opt` once for each \
                            file, or `--emit ssa`";

/// Passes that leave blocks and effects as they are.
const SIMPLE: [Pass; 3] = [Pass::Copies, Pass::RedundantPhis, Pass::Unused];

/// Refuses passes that change more of a program in LLVM IR than values: what its blocks and instructions mean besides is not known.
fn require_simple_passes(inputs: &[Input], plan: &Plan) -> Result<(), Failure> {
    match plan.passes.iter().find(|pass| !SIMPLE.contains(pass)) {
        Some(pass) if inputs.iter().any(|input| plan.is_module(input)) => {
            let message = format!(
                "the pass `{pass}` cannot be run on LLVM IR that is written as a program: use `--emit ssa`, or LLVM's `opt`"
            );
            Err(Diagnostic::usage(&message).into())
        }
        _ => Ok(()),
    }
}

/// Writes all inputs: with a finding where one of their functions is not as it has to be.
fn optimize_inputs(
    inputs: &[Input],
    plan: &Plan,
    pipeline: &Pipeline,
    is_quiet: bool,
    console: &mut Console,
) -> Result<Status, Failure> {
    let mut summary = Summary { done: vec![Done::default(); plan.passes.len()], ..Summary::default() };
    for (number, input) in inputs.iter().enumerate() {
        if inputs.len() > 1 && plan.writing.is_text() {
            let gap = if number == 0 { "" } else { "\n" };
            let is_program = plan.outcome(input) == Outcome::Program;
            let comment = if is_program { "//" } else { ";" };
            writeln!(console.output, "{gap}{comment} {}", plain(&input.name))?;
        }
        optimize_all(input, plan, pipeline, console, &mut summary)?;
    }
    // Errors of the output come before words of success.
    console.output.flush()?;
    if !is_quiet {
        console.note(&summary.lines(plan));
    }
    if summary.is_withheld {
        return Ok(Status::Withheld);
    }
    Ok(Status::finding_if(summary.failed + summary.refused > 0))
}

/// Writes functions one after another.
struct Texts {
    /// Whether a blank line separates them, and a line of its own says where the dialect changes.
    is_separated: bool,
    is_first: bool,
}

impl Texts {
    fn write(
        &mut self,
        text: &str,
        dialect: &'static str,
        console: &mut Console,
        summary: &mut Summary,
    ) -> Result<(), Failure> {
        if !text.is_empty() && self.is_separated {
            if !self.is_first {
                writeln!(console.output)?;
            }
            if let Some(line) = summary.dialects.line_before(dialect) {
                writeln!(console.output, "{line}\n")?;
            }
            self.is_first = false;
        }
        Ok(console.output.write_all(text.as_bytes())?)
    }
}

fn optimize_all(
    input: &Input,
    plan: &Plan,
    pipeline: &Pipeline,
    console: &mut Console,
    summary: &mut Summary,
) -> Result<(), Failure> {
    let outcome = plan.outcome(input);
    if outcome == Outcome::Program
        && let Some(rewriter) = input.source.rewriter()
    {
        return in_place::optimize(input, rewriter, plan, pipeline, console, summary);
    }
    let mut texts = Texts { is_separated: plan.writing.is_text(), is_first: true };
    let num_refused = summary.refused;
    // What is a program is one as a whole.
    let mut kept = Vec::new();
    let take = |index, mut answer: Answer| -> Result<(), Failure> {
        summary.add(&answer);
        report(input, index, console, &answer.warnings, answer.failure.take(), std::mem::take(&mut answer.refusals));
        match outcome {
            Outcome::Program => kept.push((index, answer)),
            Outcome::Variables | Outcome::Ssa => texts.write(&answer.text, answer.dialect, console, summary)?,
        }
        Ok(())
    };
    let is_bare = input.source.is_bare().unwrap_or(false);
    let is_whole = outcome == Outcome::Program && input.source.is_written_whole();
    let way = if is_whole { Way::AtOnce } else { Way::ByItself { outcome, is_bare } };
    let work = |worker: &mut Worker<'_>, index| worker.optimize(index, way, plan);
    pipeline.run(&input.functions, || Worker::new(input, plan), work, take)?;
    if summary.refused > num_refused {
        summary.is_withheld = true;
        // A program without a function is another program. As text, each function is by itself.
        if outcome == Outcome::Program {
            return Ok(());
        }
    }
    if is_whole {
        return write_whole(input, kept, plan, console, summary);
    }
    let refusal = kept.iter().find_map(|(_, answer)| answer.program.as_ref()?.as_ref().err());
    if let Some(refusal) = refusal {
        console.note(&format!("{}: written as text: {refusal}", plain(&input.name)));
    }
    for (_, answer) in &kept {
        let text = match &answer.program {
            Some(Ok(program)) if refusal.is_none() => program,
            _ => &answer.text,
        };
        texts.write(text, answer.dialect, console, summary)?;
    }
    Ok(())
}

/// Writes a program with the functions that have been optimized in place of its own, one that was not asked for or could
/// not be built as it is; and its source map.
fn write_whole(
    input: &Input,
    kept: Vec<(usize, Answer)>,
    plan: &Plan,
    console: &mut Console,
    summary: &mut Summary,
) -> Result<(), Failure> {
    let writing = WholeWriting { is_mapped: plan.source_map.is_some(), keeps_unchanged: !plan.rewrites };
    let reported: Vec<usize> =
        kept.iter().filter(|(_, answer)| answer.function.is_none()).map(|&(index, _)| index).collect();
    let functions = kept.into_iter().filter_map(|(index, answer)| Some((index, answer.function?)));
    match input.source.written(functions.collect(), writing) {
        Ok(mut whole) => {
            if let (Some(file), Some(map)) = (&plan.source_map, &whole.source_map) {
                let mut destination = Destination::open(Some(file))?;
                let written = destination.write_all(map.as_bytes()).and_then(|()| destination.commit());
                written.map_err(|error| Diagnostic::of_input(file, error.to_string()))?;
                let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
                if !whole.text.ends_with('\n') {
                    whole.text.push('\n');
                }
                whole.text += &format!("//# sourceMappingURL={}\n", name.replace('%', "%25").replace(' ', "%20"));
            }
            Ok(console.output.write_all(whole.text.as_bytes())?)
        }
        Err(unwritten) => {
            summary.is_withheld = true;
            match unwritten {
                Unwritten::Refused { index, refusals } => {
                    summary.refused += 1;
                    report(input, index, console, &[], None, refusals.iter().map(ToString::to_string).collect());
                }
                Unwritten::Unbuilt { index, .. } if reported.contains(&index) => {}
                Unwritten::Unbuilt { reason, .. } | Unwritten::Because(reason) => {
                    summary.failed += 1;
                    console.error(&Diagnostic::of_input(&input.name, reason));
                }
            }
            Ok(())
        }
    }
}

impl<'s> Worker<'s> {
    fn new(input: &'s Input, plan: &Plan) -> Self {
        let mut ssa = plan.construction.builder();
        ssa.set_recording(true);
        Self { translator: input.source.translator(plan.construction.fold), ssa, inspector: Inspector::default() }
    }

    fn optimize(&mut self, index: usize, way: Way, plan: &Plan) -> Answer {
        match self.translator.build(index, &mut self.ssa) {
            Ok(mut translated) => {
                let mut answer = self.judge_and_run_passes(&mut *translated.function, plan);
                answer.warnings = translated.warnings;
                if answer.failure.is_none() && answer.refusals.is_empty() {
                    match way {
                        Way::ByItself { outcome, is_bare } => {
                            answer.write(&*translated.function, outcome, is_bare, plan);
                        }
                        Way::AtOnce => answer.function = Some(translated.function),
                        Way::InPlace => {
                            answer.rewritten = self.translator.rewritten(index, translated.function).transpose();
                        }
                    }
                }
                answer
            }
            Err(Untranslated { reason, byte }) => Answer { failure: Some((reason, byte)), ..Answer::default() },
        }
    }

    /// Judges the function, and looks at it again after each pass: what is refused goes through no other.
    ///
    /// A text may have phis that are redundant, or dead until a pass brings them to life: these are no reason to refuse.
    fn judge_and_run_passes(&mut self, function: &mut dyn Built, plan: &Plan) -> Answer {
        let mut answer = Answer { dialect: function.dialect(), before: function.size(), ..Answer::default() };
        let Self { translator, ssa, inspector } = self;
        let refusals = judge::refusals(inspector, function, translator.folded(), ssa, judge::SOUND);
        answer.refusals = refusals.iter().map(ToString::to_string).collect();
        for &pass in &plan.passes {
            if !answer.refusals.is_empty() {
                return answer;
            }
            match function.run_judged_pass(pass, plan.options) {
                Ok(done) => {
                    answer
                        .refusals
                        .extend(judge::refusal_of_pass(pass, plan.options, done.proof).map(|it| it.to_string()));
                    answer.done.push(done);
                }
                Err(error) => {
                    answer.failure = Some((format!("{pass}: {error}"), None));
                    return answer;
                }
            }
            let broken = function.broken_rules(&mut self.inspector);
            answer.refusals.extend(broken.iter().map(ToString::to_string));
            answer.refusals.iter_mut().for_each(|refusal| *refusal = format!("after {pass}: {refusal}"));
        }
        if answer.refusals.is_empty() {
            function.canonicalize();
            answer.after = function.size();
        }
        answer
    }
}

impl Answer {
    /// Writes what has become of the function.
    fn write(&mut self, function: &dyn Built, outcome: Outcome, is_bare: bool, plan: &Plan) {
        let written = match outcome {
            Outcome::Ssa => function.emit(plan.writing, &mut self.text).map_err(|error| error.to_string()),
            Outcome::Variables | Outcome::Program => match function.leave(plan.leave) {
                Ok((left, copies)) => {
                    self.copies = Some(copies);
                    if outcome == Outcome::Program {
                        self.program = Some(left.program(is_bare));
                    }
                    left.emit(plan.writing, &mut self.text).map_err(|error| error.to_string())
                }
                Err(error) => Err(error.to_string()),
            },
        };
        if let Err(reason) = written {
            self.failure = Some((reason, None));
        }
    }
}

impl Summary {
    fn add(&mut self, answer: &Answer) {
        let is_refused = !answer.refusals.is_empty();
        self.failed += u64::from(answer.failure.is_some());
        self.refused += u64::from(is_refused);
        if answer.failure.is_none() && !is_refused {
            self.functions += 1;
            self.before += answer.before;
            self.after += answer.after;
            if let Some(copies) = answer.copies {
                *self.copies.get_or_insert_default() += copies;
            }
        }
        for (sum, JudgedPass { changes, proof }) in self.done.iter_mut().zip(&answer.done) {
            sum.changes += changes;
            sum.equivalent += u64::from(proof.is_ok());
            sum.form_checked += u64::from(proof.is_err());
        }
    }

    /// How far results of passes were checked; nothing where there was no pass.
    fn checked(&self, plan: &Plan) -> String {
        if plan.passes.is_empty() {
            return String::new();
        }
        let equivalent: u64 = self.done.iter().map(|done| done.equivalent).sum();
        let open = plan.passes.iter().zip(&self.done).filter(|(_, done)| done.form_checked > 0);
        let open: Vec<String> = open.map(|(pass, done)| format!("{pass} {}", done.form_checked)).collect();
        let form = if open.is_empty() { String::new() } else { format!(", form checked: {}", open.join(", ")) };
        format!("\nafter passes: {} judged equivalent{form}", counted(equivalent, "result"))
    }

    /// What each pass has done and how it was checked, then what became of the functions.
    fn lines(&self, plan: &Plan) -> String {
        let passes = plan.passes.iter().zip(&self.done).map(|(pass, done)| format!("{pass} {}", done.changes));
        let passes: Vec<String> = passes.collect();
        let Self { before, after, failed, refused, .. } = self;
        let refused = if *refused == 0 { "none refused".to_owned() } else { format!("{refused} refused") };
        let left = |copies: Copies| {
            let Copies { all, of_arrays, split_edges } = copies;
            format!("\ncopies in place of phis: {all}, copies of arrays: {of_arrays}, blocks on edges: {split_edges}")
        };
        let left = self.copies.map(left).unwrap_or_default();
        let failed = if *failed == 0 { String::new() } else { format!(", {failed} not built") };
        format!(
            "changes: {}{}\n{}{failed}, blocks {} -> {}, phis {} -> {}, instructions {} -> {}, judged: {refused}{left}",
            passes.join(", "),
            self.checked(plan),
            counted(self.functions, "function"),
            before.blocks,
            after.blocks,
            before.phis,
            after.phis,
            before.insts,
            after.insts,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Plan, optimize_inputs};
    use crate::arguments::{Arguments, Command};
    use crate::built::Built;
    use crate::commands::{Status, end};
    use crate::console::Console;
    use crate::construction::CertifiedBuilder;
    use crate::input::{self, Input};
    use crate::pipeline::Pipeline;
    use crate::progress::Progress;
    use crate::source::{
        Folded, NotRun, Promoted, Ran, Rewriter, Rewritten, Run, Source, Translated, Translator, Untranslated,
        Unwritten, Whole, WholeWriting,
    };
    use clap::Parser;
    use ssaphire::fold::FoldOptions;
    use ssaphire_ir::measure::{Detour, Measurements};
    use std::ops::Range;
    use std::path::Path;
    use std::{env, fs, process};

    /// A program whose function number `refused` the judge refuses, whatever has built it: its journal is lost.
    struct Refused {
        source: Box<dyn Source>,
        refused: usize,
    }

    struct Loser<'s> {
        translator: Box<dyn Translator + 's>,
        refused: usize,
    }

    impl Source for Refused {
        fn functions(&self) -> Range<usize> {
            self.source.functions()
        }

        fn name(&self, index: usize) -> String {
            self.source.name(index)
        }

        fn is_bare(&self) -> Option<bool> {
            self.source.is_bare()
        }

        fn is_written_whole(&self) -> bool {
            self.source.is_written_whole()
        }

        fn written(&self, functions: Vec<(usize, Box<dyn Built>)>, writing: WholeWriting) -> Result<Whole, Unwritten> {
            self.source.written(functions, writing)
        }

        fn has_own_passes(&self) -> bool {
            self.source.has_own_passes()
        }

        fn rewriter(&self) -> Option<Box<dyn Rewriter + '_>> {
            self.source.rewriter()
        }

        fn translator(&self, fold: Option<FoldOptions>) -> Box<dyn Translator + '_> {
            Box::new(Loser { translator: self.source.translator(fold), refused: self.refused })
        }

        fn run(&self, run: &Run<'_>, trace: &mut dyn FnMut(&str)) -> Result<Ran, NotRun> {
            self.source.run(run, trace)
        }
    }

    impl Translator for Loser<'_> {
        fn build(&mut self, index: usize, ssa: &mut CertifiedBuilder) -> Result<Translated, Untranslated> {
            let built = self.translator.build(index, ssa);
            if index == self.refused {
                ssa.clear();
            }
            built
        }

        fn rewritten(&mut self, index: usize, function: Box<dyn Built>) -> Result<Option<Rewritten>, String> {
            self.translator.rewritten(index, function)
        }

        fn folded(&self) -> Option<&dyn Folded> {
            self.translator.folded()
        }

        fn over_memory(&mut self, index: usize) -> Result<Promoted, Untranslated> {
            self.translator.over_memory(index)
        }

        fn measure(&mut self, index: usize, steps: u64) -> Result<Measurements, Untranslated> {
            self.translator.measure(index, steps)
        }

        fn detour(&mut self, index: usize, ssa: &mut CertifiedBuilder) -> Result<Detour, Untranslated> {
            self.translator.detour(index, ssa)
        }
    }

    /// Optimizes `text` as `file` with `options` into a file, its function number `refused` refused: the status, and the
    /// file, which said "before".
    fn optimized(folder: &Path, file: &str, text: &str, options: &[&str], refused: usize) -> (u8, String) {
        let (input, output) = (folder.join(file), folder.join("out"));
        fs::write(&input, text).unwrap();
        fs::write(&output, "before").unwrap();
        let (input, output) = (input.to_str().unwrap(), output.to_str().unwrap());
        let words = ["ssaphire", "opt", input, "-q", "-o", output].into_iter().chain(options.iter().copied());
        let Command::Opt(arguments) = Arguments::parse_from(words).command else { unreachable!("`opt` was said") };
        let plan = Plan::new(&arguments);
        let pipeline = Pipeline::new(None, Progress::new(false));
        let mut console = Console::new(Some(output), false).unwrap();
        let inputs = input::read_all(&arguments.input, pipeline.pool(), &mut console).unwrap();
        let refuse = |input: Input| Input { source: Box::new(Refused { source: input.source, refused }), ..input };
        let inputs: Vec<Input> = inputs.into_iter().map(refuse).collect();
        let status = optimize_inputs(&inputs, &plan, &pipeline, true, &mut console).unwrap();
        assert_eq!(status == Status::Withheld, inputs[0].functions.contains(&refused));
        (end(status, console), fs::read_to_string(output).unwrap())
    }

    #[cfg(feature = "llvm")]
    const TWO_IN_LLVM_IR: &str = "\
define i32 @f(i32 %x) {
  %s = alloca i32
  store i32 %x, ptr %s
  %r = load i32, ptr %s
  ret i32 %r
}

define i32 @g(i32 %x) {
  %s = alloca i32
  store i32 %x, ptr %s
  %r = load i32, ptr %s
  ret i32 %r
}
";

    #[test]
    fn a_refused_function_is_written_in_no_language_and_no_form() {
        let folder = env::temp_dir().join(format!("ssaphire-opt-refused-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let texts = [
            ("a.js", "function f(a) { let x = 1; if (a) { x = 2 } return x }"),
            ("a.ssa", "func f(x) {\na:\n  return x\n}\n"),
            ("a.while", "func f(x) { while x > 0 { x := x - 1; } return x; }"),
            ("a.wat", "(module (func $f (param i32) (result i32) (local.get 0)))"),
            #[cfg(feature = "llvm")]
            ("a.ll", TWO_IN_LLVM_IR),
        ];
        let options: [&[&str]; 4] = [&[], &["--emit", "ssa"], &["--emit", "variables"], &["--json"]];
        for (file, text) in texts {
            // The last function: others may be written already.
            let refused = usize::from(file == "a.ll");
            for options in options {
                let (status, written) = optimized(&folder, file, text, options, refused);
                assert_eq!((status, &*written), (1, "before"), "{file} {options:?}");
                let (status, written) = optimized(&folder, file, text, options, 9);
                assert!(status == 0 && written != "before", "{file} {options:?}: {status} {written}");
            }
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
