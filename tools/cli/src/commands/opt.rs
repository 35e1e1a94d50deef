//! `ssaphire opt`: the SSA form of each function after some passes.

use super::{Status, report};
use crate::arguments::{Emit, OptArguments};
use crate::built::{Dialects, Size, Writing};
use crate::console::Console;
use crate::construction::{CertifiedBuilder, Construction};
use crate::diagnostic::{Diagnostic, Failure, counted, plain};
use crate::input::{self, Input};
use crate::judge::Demands;
use crate::pipeline::Pipeline;
use crate::source::{Translated, Translator, Untranslated};
use ssaphire::check::Mode;
use ssaphire_ir::analysis::Style;
use ssaphire_ir::judge::Inspector;
use ssaphire_ir::passes::{Pass, PassOptions};
use ssaphire_ir::text::PrintOptions;
use std::io::Write;

/// What is made of each function.
struct Plan {
    passes: Vec<Pass>,
    options: PassOptions,
    writing: Writing,
    construction: Construction,
    demands: Demands,
}

impl Plan {
    fn new(arguments: &OptArguments) -> Self {
        let mut options = PassOptions::default();
        (options.dead_code.keep_loops, options.phi_tags) = (arguments.keep_loops, arguments.phi_tags);
        let emit = if arguments.common.json { Emit::Json } else { Emit::Text };
        let printing = PrintOptions { phis: arguments.phi, names: arguments.names };
        let construction = arguments.engine.construction();
        Self {
            passes: arguments.passes.clone(),
            options,
            writing: Writing { emit, printing, style: Style::default() },
            // A text may have phis that are redundant, or dead until a pass brings them to life.
            demands: Demands { mode: Mode::Exact, irredundant: false, pruned: false },
            construction,
        }
    }
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
    dialect: &'static str,
    before: Size,
    after: Size,
    /// By pass, what it has done.
    done: Vec<usize>,
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
    done: Vec<usize>,
}

pub(super) fn run(arguments: &OptArguments, console: &mut Console) -> Result<Status, Failure> {
    let plan = Plan::new(arguments);
    let progress = console.progress(!arguments.quiet);
    let pipeline = Pipeline::new(arguments.common.threads, progress);
    let inputs = input::read_all(&arguments.input, pipeline.pool())?;
    pipeline.expect(&inputs);
    let mut summary = Summary { done: vec![0; plan.passes.len()], ..Summary::default() };
    for (number, input) in inputs.iter().enumerate() {
        if inputs.len() > 1 && plan.writing.is_text() {
            let gap = if number == 0 { "" } else { "\n" };
            writeln!(console.output, "{gap}; {}", plain(&input.name))?;
        }
        optimize_all(input, &plan, &pipeline, console, &mut summary)?;
    }
    // Errors of the output come before words of success.
    console.output.flush()?;
    if !arguments.quiet {
        console.note(&summary.lines(&plan));
    }
    Ok(Status::finding_if(summary.failed + summary.refused > 0))
}

fn optimize_all(
    input: &Input,
    plan: &Plan,
    pipeline: &Pipeline,
    console: &mut Console,
    summary: &mut Summary,
) -> Result<(), Failure> {
    let new_worker = || {
        let mut ssa = plan.construction.builder();
        ssa.set_recording(true);
        Worker { translator: input.source.translator(plan.construction.fold), ssa, inspector: Inspector::default() }
    };
    let mut is_first = true;
    let take = |index, answer: Answer| -> Result<(), Failure> {
        if !answer.text.is_empty() && plan.writing.is_text() {
            if !is_first {
                writeln!(console.output)?;
            }
            if let Some(line) = summary.dialects.line_before(answer.dialect) {
                writeln!(console.output, "{line}\n")?;
            }
            is_first = false;
        }
        console.output.write_all(answer.text.as_bytes())?;
        summary.add(&answer);
        report(input, index, console, &answer.warnings, answer.failure, answer.refusals);
        Ok(())
    };
    pipeline.run(&input.functions, new_worker, |worker, index| worker.optimize(index, plan), take)
}

impl Worker<'_> {
    fn optimize(&mut self, index: usize, plan: &Plan) -> Answer {
        match self.translator.build(index, &mut self.ssa) {
            Ok(translated) => self.judge_and_run_passes(translated, plan),
            Err(Untranslated { reason, byte }) => Answer { failure: Some((reason, byte)), ..Answer::default() },
        }
    }

    /// Judges the function, and looks at it again after each pass: what is refused goes through no other.
    fn judge_and_run_passes(&mut self, Translated { mut function, warnings }: Translated, plan: &Plan) -> Answer {
        let function = &mut *function;
        let mut answer = Answer { dialect: function.dialect(), before: function.size(), warnings, ..Answer::default() };
        let judgement = function.judge(&mut self.inspector, &mut self.ssa, plan.demands);
        answer.refusals = judgement.refusals.iter().map(ToString::to_string).collect();
        if let Some(folded) = self.translator.folded() {
            let refused = folded.judge_equations(self.inspector.program_mut());
            answer.refusals.extend(refused.iter().map(ToString::to_string));
        }
        for &pass in &plan.passes {
            if !answer.refusals.is_empty() {
                return answer;
            }
            match function.run_pass(pass, plan.options) {
                Ok(done) => answer.done.push(done),
                Err(error) => {
                    answer.failure = Some((format!("{pass}: {error}"), None));
                    return answer;
                }
            }
            let broken = function.broken_rules(&mut self.inspector);
            answer.refusals = broken.iter().map(|refusal| format!("after {pass}: {refusal}")).collect();
        }
        function.canonicalize();
        answer.after = function.size();
        if let Err(error) = function.emit(plan.writing, &mut answer.text) {
            answer.failure = Some((error.to_string(), None));
        }
        answer
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
        }
        self.done.iter_mut().zip(&answer.done).for_each(|(sum, done)| *sum += done);
    }

    /// What each pass has done, then what became of the functions.
    fn lines(&self, plan: &Plan) -> String {
        let passes = plan.passes.iter().zip(&self.done).map(|(pass, done)| format!("{pass} {done}"));
        let passes: Vec<String> = passes.collect();
        let Self { before, after, failed, refused, .. } = self;
        let refused = if *refused == 0 { "none refused".to_owned() } else { format!("{refused} refused") };
        let failed = if *failed == 0 { String::new() } else { format!(", {failed} not built") };
        format!(
            "changes: {}\n{}{failed}, blocks {} -> {}, phis {} -> {}, instructions {} -> {}, judged: {refused}",
            passes.join(", "),
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
