//! `ssaphire check`: every engine on every function, each result judged.

mod budget;
mod by_file;
mod over_memory;
mod promotion;

use super::Status;
use crate::arguments::{By, CheckArguments};
use crate::built::Built;
use crate::console::Console;
use crate::construction::{CertifiedBuilder, Construction};
use crate::diagnostic::{Diagnostic, Failure, counted, plain};
use crate::input::{self, Input};
use crate::judge::{self, Demands, Judgement, Refusal};
use crate::pipeline::Pipeline;
use crate::source::{Translator, Untranslated};
use crate::table::{Align, Table};
use budget::Budget;
use over_memory::OverMemory;
use serde_json::{Value as Json, json};
use ssaphire::check::Mode;
use ssaphire::{SsaBuilder, Stopped};
use ssaphire_ir::judge::Inspector;
use ssaphire_literature::Engine;
use std::io::Write;
use std::time::{Duration, Instant};

/// So many refusals are listed; the rest is counted.
const MOST_LISTED: usize = 100;

/// What is asked of which engines.
struct Plan {
    constructions: Vec<Construction>,
    demands: Vec<Demands>,
    /// Whether results have no phis that they do not need, so that there is one answer.
    is_minimal: bool,
    /// Whether there is a line for the way over memory, the last one.
    is_over_memory: bool,
    /// What a line of the table is about.
    by: By,
}

/// What a worker keeps from function to function.
struct Worker<'s> {
    translator: Box<dyn Translator + 's>,
    ssa: Vec<CertifiedBuilder>,
    budget: Budget,
    over_memory: Option<OverMemory>,
    inspector: Inspector,
}

/// What became of one function under one engine, or over memory.
#[derive(Default)]
struct Answer {
    made: u64,
    kept: u64,
    judgement: Judgement,
    /// Whether it is another result than that of the first engine, or over memory of direct construction.
    is_different: bool,
    /// Whether it has something in place of undefined values.
    is_refined: bool,
    time: Duration,
}

/// What became of one function under one engine, or over memory.
enum Outcome {
    Built(Answer),
    /// It cannot build the function.
    NoForm,
    /// It would have taken more steps, and memory, than what the size of the function allows.
    OverBudget,
}

/// What became of one function under all engines.
struct Checked {
    /// By line.
    outcomes: Vec<Outcome>,
    /// Why there is no form over memory.
    obstacle: Option<Untranslated>,
}

/// What became of all functions of an input under one engine.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    functions: u64,
    made: u64,
    kept: u64,
    redundant: u64,
    dead: u64,
    differing: u64,
    refused: u64,
    /// Functions that have something in place of undefined values.
    refined: u64,
    /// Functions that the engine cannot build.
    no_form: u64,
    /// Functions for which the engine would have taken more than its budget.
    over_budget: u64,
    time: Duration,
}

impl Tally {
    /// Functions that the engine has built.
    fn results(&self) -> u64 {
        self.functions - self.no_form - self.over_budget
    }
}

/// Everything found.
#[derive(Default)]
struct Report {
    /// By input, then engine.
    tallies: Vec<Vec<Tally>>,
    not_built: u64,
    /// By input.
    not_built_of: Vec<u64>,
    /// Functions that cannot be made over memory.
    obstacles: u64,
    listed: Vec<Listed>,
    num_refusals: u64,
}

/// A refusal with its place.
struct Listed {
    input: String,
    index: usize,
    name: String,
    engine: &'static str,
    refusal: Refusal,
}

pub(super) fn run(arguments: &CheckArguments, console: &mut Console) -> Result<Status, Failure> {
    if let Some(pairs) = promotion::pairs(arguments) {
        return promotion::run(pairs, arguments, console);
    }
    if arguments.certify.is_some() {
        return Err(Diagnostic::usage(
            "`--certify` requires two files or folders in LLVM IR: see also `build --emit cert`",
        )
        .into());
    }
    let pipeline = Pipeline::new(arguments.common.threads, console.progress(false));
    let CheckArguments { inputs, reading, functions, .. } = arguments;
    let inputs = input::read_and_select(inputs, reading, functions, pipeline.pool(), console)?;
    pipeline.expect(&inputs);
    let plan = Plan::new(arguments);
    let mut report = Report::default();
    for input in &inputs {
        check_all(input, &plan, &pipeline, console, &mut report);
    }
    if console.is_json {
        console.json(&report.to_json(&inputs, &plan))?;
    } else {
        report.write(&inputs, &plan, console)?;
    }
    Ok(Status::finding_if(report.num_refusals + report.not_built + report.obstacles > 0))
}

impl Plan {
    fn new(arguments: &CheckArguments) -> Self {
        let mut engines: Vec<Engine> = Vec::new();
        for &engine in &arguments.algorithm {
            if !engines.contains(&engine) {
                engines.push(engine);
            }
        }
        if engines.is_empty() {
            engines.extend(Engine::ALL);
        }
        let mode = if arguments.refine { Mode::Refine } else { Mode::Exact };
        let constructions: Vec<Construction> =
            engines.into_iter().map(|engine| arguments.construction.by(engine)).collect();
        let demands = constructions.iter().map(|construction| construction.demands(mode)).collect();
        let is_minimal = arguments.construction.minimizes();
        Self { constructions, demands, is_minimal, is_over_memory: arguments.via_memory, by: arguments.by }
    }

    /// What the lines of the table are called.
    fn lines(&self) -> impl Iterator<Item = &'static str> {
        let over_memory = self.is_over_memory.then_some(over_memory::NAME);
        self.constructions.iter().map(|construction| construction.engine.name()).chain(over_memory)
    }

    /// The columns that say something: with redundant phis, results may differ.
    fn columns(&self) -> impl Iterator<Item = &'static Column> {
        COLUMNS.iter().filter(|(title, _)| *title != DIFFER || self.is_minimal)
    }
}

fn check_all(input: &Input, plan: &Plan, pipeline: &Pipeline, console: &Console, report: &mut Report) {
    let new_worker = || Worker {
        translator: input.source.translator(None),
        ssa: plan.constructions.iter().map(Construction::builder).collect(),
        budget: Budget::default(),
        over_memory: plan.is_over_memory.then(OverMemory::new),
        inspector: Inspector::default(),
    };
    report.tallies.push(vec![Tally::default(); plan.lines().count()]);
    report.not_built_of.push(0);
    let take = |index, checked| {
        if let Some(diagnostic) = report.take(input, index, plan, checked) {
            console.error(&diagnostic);
        }
        Ok::<(), Failure>(())
    };
    // What `take` returns is never an error.
    let _ = pipeline.run(&input.functions, new_worker, |worker, index| worker.check(index, plan), take);
}

impl Worker<'_> {
    fn check(&mut self, index: usize, plan: &Plan) -> Result<Checked, Untranslated> {
        let mut first: Option<Box<dyn Built>> = None;
        let mut outcomes = Vec::new();
        let limit = self.budget.of_function(&mut *self.translator, index)?;
        for ((ssa, &demands), construction) in self.ssa.iter_mut().zip(&plan.demands).zip(&plan.constructions) {
            let work_limit = construction.options.work_limit;
            let start = Instant::now();
            ssa.set_work_limit(Some(work_limit.unwrap_or(limit.steps)));
            let function = match self.translator.build(index, ssa) {
                Ok(translated) => translated.function,
                Err(error) => {
                    outcomes.push(match ssa.builder().stopped() {
                        Some(Stopped::Refused) => Outcome::NoForm,
                        Some(Stopped::OutOfWork { .. }) if work_limit.is_none() => Outcome::OverBudget,
                        _ => return Err(error),
                    });
                    limit.free(ssa, construction);
                    continue;
                }
            };
            let mut judgement = function.judge(&mut self.inspector, ssa, self.translator.demands(demands));
            let time = start.elapsed();
            // Those that a text has brought are kept, too.
            let (made, kept) = (ssa.stats().phis_made, function.size().phis);
            // Only where no phi is redundant is there one answer, whoever found it.
            let compared = first.as_ref().filter(|_| plan.is_minimal);
            let difference = compared.and_then(|first| first.difference(&*function));
            let is_different = difference.is_some();
            let refusal =
                difference.map(|difference| Refusal::of_difference(plan.constructions[0].engine.name(), &difference));
            judgement.refusals.extend(refusal);
            outcomes.push(Outcome::Built(Answer { made, kept, judgement, is_different, is_refined: false, time }));
            first.get_or_insert(function);
            limit.free(ssa, construction);
        }
        let mut obstacle = None;
        if let Some(over_memory) = &mut self.over_memory {
            // What the engines made is counted all the same.
            match over_memory.check(index, &mut *self.translator, &mut self.inspector) {
                Ok(answer) => outcomes.push(Outcome::Built(answer)),
                Err(error) => {
                    outcomes.push(Outcome::NoForm);
                    let reason = format!("{}: {}", over_memory::NAME, error.reason);
                    obstacle = Some(Untranslated { reason, ..error });
                }
            }
        }
        if limit.is_large {
            self.inspector = Inspector::default();
        }
        Ok(Checked { outcomes, obstacle })
    }
}

impl Report {
    /// Counts what became of a function: what has kept it, or its form over memory, from being made.
    fn take(
        &mut self,
        input: &Input,
        index: usize,
        plan: &Plan,
        checked: Result<Checked, Untranslated>,
    ) -> Option<Diagnostic> {
        let error = match checked {
            Ok(Checked { outcomes, obstacle }) => {
                self.add(input, index, plan, outcomes);
                self.obstacles += u64::from(obstacle.is_some());
                obstacle
            }
            Err(error) => {
                self.not_built += 1;
                self.not_built_of.last_mut().into_iter().for_each(|count| *count += 1);
                Some(error)
            }
        };
        error.map(|Untranslated { reason, byte }| input.problem(index, reason, byte))
    }

    fn add(&mut self, input: &Input, index: usize, plan: &Plan, outcomes: Vec<Outcome>) {
        let Some(tallies) = self.tallies.last_mut() else { return };
        for ((outcome, engine), tally) in outcomes.into_iter().zip(plan.lines()).zip(tallies) {
            tally.functions += 1;
            let answer = match outcome {
                Outcome::Built(answer) => answer,
                Outcome::NoForm => {
                    tally.no_form += 1;
                    continue;
                }
                Outcome::OverBudget => {
                    tally.over_budget += 1;
                    continue;
                }
            };
            let mut refusals = answer.judgement.refusals;
            *tally = Tally {
                functions: tally.functions,
                made: tally.made + answer.made,
                kept: tally.kept + answer.kept,
                redundant: tally.redundant + answer.judgement.needless.redundant,
                dead: tally.dead + answer.judgement.needless.dead,
                differing: tally.differing + u64::from(answer.is_different),
                refused: tally.refused + u64::from(!refusals.is_empty()),
                refined: tally.refined + u64::from(answer.is_refined),
                no_form: tally.no_form,
                over_budget: tally.over_budget,
                time: tally.time + answer.time,
            };
            self.num_refusals += refusals.len() as u64;
            refusals.truncate(MOST_LISTED - self.listed.len());
            let name = || input.source.name(index);
            let listed = refusals.into_iter();
            let input = &input.name;
            self.listed.extend(listed.map(|refusal| Listed {
                input: input.clone(),
                index,
                name: name(),
                engine,
                refusal,
            }));
        }
    }

    fn write(&self, inputs: &[Input], plan: &Plan, console: &mut Console) -> Result<(), Failure> {
        let (width, styles) = (console.width(), console.styles);
        let table = match plan.by {
            By::File => by_file::table(self, inputs, plan),
            By::Engine => self.table(inputs, plan, console.is_terminal),
        };
        table.write(width, &styles, &mut console.output)?;
        for Listed { input, index, name, engine, refusal } in &self.listed {
            let (input, name) = (plain(input), plain(name));
            writeln!(console.output, "{input}: function {index} `{name}`: {engine}: {refusal}")?;
        }
        let more = self.num_refusals - self.listed.len() as u64;
        if more > 0 {
            writeln!(console.output, "and {more} more")?;
        }
        if self.not_built > 0 {
            writeln!(console.output, "{} could not be built", counted(self.not_built, "function"))?;
        }
        for (line, count) in self.sums(plan, |tally| tally.no_form) {
            writeln!(console.output, "{line} cannot build {}", counted(count, "function"))?;
        }
        for (line, count) in self.sums(plan, |tally| tally.over_budget) {
            writeln!(console.output, "{line} exceeds its work budget on {}", counted(count, "function"))?;
        }
        for (line, count) in self.sums(plan, |tally| tally.refined) {
            writeln!(
                console.output,
                "{line} has defined values in place of undefined ones in {}",
                counted(count, "function")
            )?;
        }
        let refused: u64 = self.tallies.iter().flatten().map(|tally| tally.refused).sum();
        let results: u64 = self.tallies.iter().flatten().map(Tally::results).sum();
        match refused {
            _ if results == 0 => writeln!(console.output, "nothing to judge")?,
            0 => writeln!(console.output, "{}every result is accepted{:#}", styles.good, styles.good)?,
            _ => writeln!(console.output, "{}refused: {}{:#}", styles.error, counted(refused, "result"), styles.error)?,
        }
        Ok(())
    }

    /// By line, what is counted over all inputs, where there is any.
    fn sums(&self, plan: &Plan, count: fn(&Tally) -> u64) -> impl Iterator<Item = (&'static str, u64)> {
        let sum = move |place: usize| self.tallies.iter().map(|tallies| count(&tallies[place])).sum();
        let sums = plan.lines().enumerate().map(move |(place, line)| (line, sum(place)));
        sums.filter(|&(_, sum)| sum > 0)
    }

    fn table(&self, inputs: &[Input], plan: &Plan, has_time: bool) -> Table {
        let has_inputs = inputs.len() > 1;
        let head = has_inputs.then_some(("input", Align::Left)).into_iter().chain([("engine", Align::Left)]);
        let head = head.chain(plan.columns().map(|&(title, _)| (title, Align::Right)));
        let mut table = Table::new(head.chain(has_time.then_some(("time", Align::Right))));
        for (input, tallies) in inputs.iter().zip(&self.tallies) {
            for (engine, tally) in plan.lines().zip(tallies) {
                let names = has_inputs.then(|| plain(&input.name)).into_iter().chain([engine.to_owned()]);
                let counts = plan.columns().map(|(_, count)| count(tally).to_string());
                let time = has_time.then(|| format!("{:.1} s", tally.time.as_secs_f64()));
                table.row(names.chain(counts).chain(time));
            }
        }
        table
    }

    fn to_json(&self, inputs: &[Input], plan: &Plan) -> Json {
        let mut results = Vec::new();
        for (input, tallies) in inputs.iter().zip(&self.tallies) {
            for (engine, tally) in plan.lines().zip(tallies) {
                let mut row = json!({ "input": input.name, "engine": engine });
                for (title, count) in plan.columns() {
                    row[*title] = count(tally).into();
                }
                row["no_form"] = tally.no_form.into();
                row["over_budget"] = tally.over_budget.into();
                row["refined"] = tally.refined.into();
                results.push(row);
            }
        }
        json!({
            "format": "ssaphire-check/1",
            "results": results,
            "not_built": self.not_built,
            "num_refusals": self.num_refusals,
            "refusals": self.listed.iter().map(Listed::to_json).collect::<Json>(),
        })
    }
}

impl Listed {
    fn to_json(&self) -> Json {
        let mut object = judge::to_json(&self.refusal);
        object["input"] = self.input.as_str().into();
        object["function"] = json!({ "index": self.index, "name": self.name });
        object["engine"] = self.engine.into();
        object
    }
}

/// A column of the table: its title and its count.
type Column = (&'static str, fn(&Tally) -> u64);

/// How often results are not those of the first engine.
const DIFFER: &str = "differ";

/// The columns that are the same on every machine.
const COLUMNS: &[Column] = &[
    ("functions", |tally| tally.functions),
    ("made", |tally| tally.made),
    ("kept", |tally| tally.kept),
    ("redundant", |tally| tally.redundant),
    ("dead", |tally| tally.dead),
    (DIFFER, |tally| tally.differing),
    ("accepted", |tally| tally.results() - tally.refused),
    ("refused", |tally| tally.refused),
];

#[cfg(test)]
mod tests {
    use super::{Budget, By, Input, Inspector, OverMemory, Plan, Report, Tally, Worker, over_memory};
    use crate::arguments::ReadingArguments;
    use crate::construction::{CertifiedBuilder, Construction};
    use crate::language::Language;
    use crate::source::{Folded, Promoted, Translated, Translator, Untranslated, load};
    use ssaphire::check::Mode;
    use ssaphire_ir::measure::{Detour, Measurements};
    use ssaphire_literature::Engine;
    use ssaphire_wasm::Pool;

    /// Has no form over memory for any function.
    struct NoDetour<'s>(Box<dyn Translator + 's>);

    impl Translator for NoDetour<'_> {
        fn build(&mut self, index: usize, ssa: &mut CertifiedBuilder) -> Result<Translated, Untranslated> {
            self.0.build(index, ssa)
        }

        fn folded(&self) -> Option<&dyn Folded> {
            self.0.folded()
        }

        fn over_memory(&mut self, _: usize) -> Result<Promoted, Untranslated> {
            Err(Untranslated::because("v3: a volatile access in block1"))
        }

        fn measure(&mut self, index: usize, steps: u64) -> Result<Measurements, Untranslated> {
            self.0.measure(index, steps)
        }

        fn detour(&mut self, index: usize, ssa: &mut CertifiedBuilder) -> Result<Detour, Untranslated> {
            self.0.detour(index, ssa)
        }
    }

    #[test]
    fn a_function_without_a_form_over_memory_is_counted_in_every_line() {
        let text = "func f(x) {\na:\n  return x\n}\n";
        let reading =
            ReadingArguments { lang: None, strict_while: false, slots_by_size: false, llvm_version: None, warn: None };
        let source = load("f.ssa", Language::Ssa, text.into(), &reading, &Pool::alone())
            .unwrap_or_else(|_| panic!("a good text"));
        let input = Input { name: "f.ssa".to_owned(), source, functions: vec![0] };
        let construction = Construction { engine: Engine::Marker, ..Construction::default() };
        let demands = vec![construction.demands(Mode::Exact)];
        let ssa = vec![construction.builder()];
        let constructions = vec![construction];
        let plan = Plan { constructions, demands, is_minimal: true, is_over_memory: true, by: By::Engine };
        let mut worker = Worker {
            translator: Box::new(NoDetour(input.source.translator(None))),
            ssa,
            over_memory: Some(OverMemory::new()),
            budget: Budget::default(),
            inspector: Inspector::default(),
        };
        let mut report =
            Report { tallies: vec![vec![Tally::default(); 2]], not_built_of: vec![0], ..Report::default() };
        let checked = worker.check(0, &plan);
        let diagnostic = report.take(&input, 0, &plan, checked).map(|diagnostic| diagnostic.to_string());
        let expected = "f.ssa: function 0 `f`: mem2reg: v3: a volatile access in block1";
        assert_eq!(diagnostic.as_deref(), Some(expected));
        let counts = report.tallies[0].iter().map(|tally| (tally.functions, tally.no_form, tally.refused));
        assert_eq!(counts.collect::<Vec<_>>(), [(1, 0, 0), (1, 1, 0)]);
        assert_eq!((report.obstacles, report.not_built), (1, 0));
        assert_eq!(report.sums(&plan, |tally| tally.no_form).collect::<Vec<_>>(), [(over_memory::NAME, 1)]);
        assert_eq!(report.to_json(std::slice::from_ref(&input), &plan)["results"][1]["no_form"], 1);
    }
}
