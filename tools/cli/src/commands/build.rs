//! `ssaphire build`: the SSA form of each function, judged.

pub(crate) mod hir;
mod in_scheme;
mod over_memory;

use super::{Status, report};
use crate::arguments::{BuildArguments, Emit};
use crate::built::{Dialects, Size, Writing};
use crate::console::Console;
use crate::construction::{CertifiedBuilder, Construction};
use crate::diagnostic::{Diagnostic, Failure, counted, plain};
use crate::input::{self, Input};
use crate::judge::{self, Demands};
use crate::pipeline::Pipeline;
use crate::progress::Progress;
use crate::source::{Folded, Translated, Translator, Untranslated};
use over_memory::Tally;
use ssaphire::check::{Mode, certificate};
use ssaphire::fold::FoldStats;
use ssaphire::{SsaBuilder, Stats};
use ssaphire_ir::analysis::{Analysis, Style};
use ssaphire_ir::judge::Inspector;
use ssaphire_ir::text::{PhiStyle, PrintOptions};
use std::io::Write;

/// What is made of each function.
struct Plan {
    writing: Writing,
    construction: Construction,
    is_over_memory: bool,
    is_judged: bool,
    demands: Demands,
}

impl Plan {
    fn new(arguments: &BuildArguments) -> Result<Self, Failure> {
        let writing = writing(arguments)?;
        let is_over_memory = over_memory::is_wanted(arguments, writing.emit)?;
        let mut construction = arguments.engine.construction();
        construction.options.report_undefined_reads = true;
        Ok(Self {
            writing,
            is_over_memory,
            is_judged: !arguments.no_judge,
            demands: construction.demands(Mode::Exact),
            construction,
        })
    }

    fn is_recording(&self) -> bool {
        self.is_judged || self.writing.emit == Emit::Cert
    }
}

/// What the arguments say is to be written.
fn writing(arguments: &BuildArguments) -> Result<Writing, Failure> {
    let is_json = arguments.common.json;
    let emit = arguments.emit.unwrap_or(if is_json { Emit::Json } else { Emit::Text });
    let has_styles = matches!(emit, Emit::Memory | Emit::Analysis(_));
    if is_json && !has_styles && emit != Emit::Json {
        return Err(wrong("`--json` requires `--emit json`, `--emit memory` or an analysis"));
    }
    if arguments.style.is_some() && !has_styles {
        let names: Vec<&str> = Analysis::ALL.iter().copied().map(Analysis::name).collect();
        let names = names.join("|");
        return Err(wrong(format!("`--as` requires `--emit memory|{names}`")));
    }
    let style = if is_json { Style::Json } else { arguments.style.unwrap_or_default() };
    let has_phi_styles = emit == Emit::Text || emit == Emit::Memory && style == Style::Text;
    if arguments.phi != PhiStyle::List && !has_phi_styles {
        return Err(wrong("`--phi` requires text output"));
    }
    if (arguments.stage.is_some() || arguments.diff) && emit != Emit::Hir {
        return Err(wrong("`--stage` and `--diff` require `--emit hir`"));
    }
    Ok(Writing { emit, printing: PrintOptions { phis: arguments.phi, names: arguments.names }, style })
}

fn wrong(message: impl Into<String>) -> Failure {
    Diagnostic::usage(message).into()
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
    /// The dialect of what is written.
    dialect: &'static str,
    size: Size,
    stats: Stats,
    folded: FoldStats,
    over_memory: Tally,
    is_built: bool,
    refusals: Vec<String>,
    /// Why it was not built, or not written.
    failure: Option<(String, Option<u64>)>,
    warnings: Vec<Diagnostic>,
}

/// What became of all functions.
#[derive(Default)]
struct Summary {
    dialects: Dialects,
    built: u64,
    failed: u64,
    refused: u64,
    size: Size,
    stats: Stats,
    folded: FoldStats,
    over_memory: Tally,
}

pub(super) fn run(arguments: &BuildArguments, console: &mut Console) -> Result<Status, Failure> {
    let plan = Plan::new(arguments)?;
    let progress = if arguments.quiet { Progress::new(false) } else { console.progress(true) };
    let pipeline = Pipeline::new(arguments.common.threads, progress);
    let inputs = input::read_all(&arguments.input, pipeline.pool(), console)?;
    pipeline.expect(&inputs);
    if plan.writing.emit == Emit::Hir {
        return hir::run(&inputs, hir::form(arguments)?, arguments.quiet, console);
    }
    let mut summary = Summary::default();
    if plan.writing.emit == Emit::Cert {
        writeln!(console.output, "{}", certificate::HEADER)?;
    }
    if plan.writing.emit == Emit::Scheme && inputs.len() > 1 {
        return Err(wrong("`--emit scheme` takes a single input"));
    }
    for (number, input) in inputs.iter().enumerate() {
        if inputs.len() > 1 && plan.writing.is_text() {
            let gap = if number == 0 { "" } else { "\n" };
            writeln!(console.output, "{gap}; {}", plain(&input.name))?;
        }
        build_all(input, &plan, &pipeline, console, &mut summary)?;
    }
    // Errors of the output come before words of success.
    console.output.flush()?;
    if !arguments.quiet {
        console.note(&summary.line(&plan));
        if plan.is_over_memory && plan.is_judged && summary.built > 0 {
            console.note(&summary.over_memory.agreement());
        }
    }
    if arguments.stats {
        console.note(&if plan.is_over_memory { summary.over_memory.counters() } else { summary.counters() });
    }
    Ok(Status::finding_if(summary.failed + summary.refused > 0))
}

fn build_all(
    input: &Input,
    plan: &Plan,
    pipeline: &Pipeline,
    console: &mut Console,
    summary: &mut Summary,
) -> Result<(), Failure> {
    let new_worker = || {
        let mut ssa = plan.construction.builder();
        ssa.set_recording(plan.is_recording());
        Worker { translator: input.source.translator(plan.construction.fold), ssa, inspector: Inspector::default() }
    };
    let mut is_first = true;
    let take = |index, answer: Answer| -> Result<(), Failure> {
        if !is_first && plan.writing.is_text() && !answer.text.is_empty() {
            writeln!(console.output)?;
        }
        let is_written = plan.writing.is_function_text() && !answer.text.is_empty();
        if is_written && let Some(line) = summary.dialects.line_before(answer.dialect) {
            writeln!(console.output, "{line}\n")?;
        }
        if is_first && plan.writing.emit == Emit::Scheme && !answer.text.is_empty() {
            writeln!(console.output, "{}", in_scheme::RUNTIME)?;
        }
        is_first &= answer.text.is_empty();
        console.output.write_all(answer.text.as_bytes())?;
        summary.add(&answer);
        report(input, index, console, &answer.warnings, answer.failure, answer.refusals);
        Ok(())
    };
    pipeline.run(&input.functions, new_worker, |worker, index| worker.build(index, plan), take)?;
    if plan.writing.emit == Emit::Scheme && !is_first {
        write!(console.output, "\n{}", in_scheme::start(input))?;
    }
    Ok(())
}

impl Worker<'_> {
    fn build(&mut self, index: usize, plan: &Plan) -> Answer {
        let built = self.translator.build(index, &mut self.ssa);
        let answer = built.and_then(|translated| {
            if plan.is_over_memory {
                return self.build_over_memory(index, translated, plan);
            }
            Ok(self.finish(translated, plan))
        });
        let failed = |Untranslated { reason, byte }| Answer { failure: Some((reason, byte)), ..Answer::default() };
        answer.unwrap_or_else(failed)
    }

    fn finish(&mut self, Translated { function, warnings }: Translated, plan: &Plan) -> Answer {
        let function = &*function;
        let (size, stats) = (function.size(), *self.ssa.stats());
        let dialect = function.dialect();
        let mut answer = Answer { is_built: true, dialect, size, stats, warnings, ..Answer::default() };
        if plan.is_judged {
            let Self { translator, ssa, inspector } = self;
            let demands = translator.demands(plan.demands);
            let refusals = judge::refusals(inspector, function, translator.folded(), ssa, demands);
            answer.refusals = refusals.iter().map(ToString::to_string).collect();
        }
        answer.folded = self.translator.folded().map(Folded::stats).unwrap_or_default();
        let written = match plan.writing.emit {
            Emit::Cert => {
                let folded = self.translator.folded();
                judge::write_certificate(&mut self.inspector, function.name(), &mut self.ssa, folded, &mut answer.text)
            }
            _ => function.emit(plan.writing, &mut answer.text).map_err(|error| error.to_string()),
        };
        answer.failure = written.err().map(|reason| (reason, None));
        answer
    }
}

impl Summary {
    fn add(&mut self, answer: &Answer) {
        self.built += u64::from(answer.is_built);
        self.failed += u64::from(answer.failure.is_some());
        self.refused += u64::from(!answer.refusals.is_empty());
        self.size += answer.size;
        self.stats += answer.stats;
        self.folded += answer.folded;
        self.over_memory += &answer.over_memory;
    }

    fn line(&self, plan: &Plan) -> String {
        let judged = match self.refused {
            _ if !plan.is_judged => "not judged".to_owned(),
            _ if self.built == 0 => "nothing to judge".to_owned(),
            0 => "judged: accepted".to_owned(),
            refused => format!("judged: {refused} refused"),
        };
        let failed = if self.failed == 0 { String::new() } else { format!(", {} not built", self.failed) };
        let folded = match plan.construction.fold {
            Some(_) => format!(", {} of {} operations folded", self.folded.folded(), self.folded.operations),
            None => String::new(),
        };
        let (blocks, phis) = (counted(self.size.blocks, "block"), counted(self.size.phis, "phi"));
        format!("{}{failed}, {blocks}, {phis}{folded}, {judged}", counted(self.built, "function"))
    }

    /// What was folded, in a line of its own, if operations were.
    fn fold_counters(&self) -> String {
        let FoldStats { operations, constants, identities, common, branches, late, .. } = self.folded;
        if operations + branches == 0 {
            return String::new();
        }
        let operations = counted(operations, "operation");
        format!(
            "\n{operations}: {constants} constant, {identities} simplified, {common} common, {late} late; branches decided: {branches}"
        )
    }

    fn counters(&self) -> String {
        let Stats { reads, writes, lookups, phis_made, phis_kept, trivial_phis, redundant_phis, work, .. } = self.stats;
        let variables = counted(self.size.variables, "variable");
        let (reads, writes) = (counted(reads, "read"), counted(writes, "write"));
        let (lookups, steps) = (counted(lookups, "lookup"), counted(work, "step"));
        format!(
            "{reads} and {writes} of {variables}, {lookups}, {steps}\n\
             {} made, {trivial_phis} trivial, {redundant_phis} redundant, {phis_kept} kept{}",
            counted(phis_made, "phi"),
            self.fold_counters()
        )
    }
}
