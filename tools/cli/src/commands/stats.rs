//! `ssaphire stats`: what constructions do, counted.

mod braun1;
mod braun3;
mod copies;
mod cytron;
mod gather;
mod measured;
mod plots;

use super::Status;
use crate::arguments::{Counter, Measured, StatsArguments};
use crate::built::Size;
use crate::console::Console;
use crate::construction::{CertifiedBuilder, Construction};
use crate::diagnostic::{Diagnostic, Failure, counted, plain};
use crate::input::{self, Input};
use crate::pipeline::Pipeline;
use crate::source::{Translator, Untranslated};
use crate::table::{Align, Table};
use serde_json::{Map, Value as Json, json};
use ssaphire::{SsaBuilder, Stats};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::Write;

/// The counters of one function.
struct Row {
    /// The input's number.
    input: usize,
    /// The function's number.
    index: usize,
    name: String,
    counts: Counts,
}

/// Counters of one function, or the sum over several.
type Counts = [u64; COUNTERS.len()];

/// The counters, with their titles.
const COUNTERS: [(Counter, &str); 7] = [
    (Counter::Blocks, "blocks"),
    (Counter::Variables, "variables"),
    (Counter::Accesses, "accesses"),
    (Counter::Made, "made"),
    (Counter::Removed, "removed"),
    (Counter::Kept, "kept"),
    (Counter::Steps, "steps"),
];

fn count(size: Size, stats: &Stats) -> Counts {
    COUNTERS.map(|(counter, _)| match counter {
        Counter::Blocks => size.blocks,
        Counter::Variables => size.variables,
        Counter::Accesses => stats.reads + stats.writes,
        Counter::Made => stats.phis_made,
        Counter::Removed => stats.phis_made.saturating_sub(stats.phis_kept),
        Counter::Kept => stats.phis_kept,
        Counter::Steps => stats.work,
    })
}

/// What was counted.
#[derive(Default)]
struct Census {
    rows: Vec<Row>,
    sum: Counts,
    built: usize,
    failed: usize,
    /// The functions some of whose variables stay in memory, and by reason how many that holds for.
    in_memory: usize,
    reasons: BTreeMap<String, usize>,
}

pub(super) fn run(arguments: &StatsArguments, console: &mut Console) -> Result<Status, Failure> {
    let pipeline = Pipeline::new(arguments.common.threads, console.progress(false));
    let inputs = input::read_all(&arguments.input, pipeline.pool(), console)?;
    pipeline.expect(&inputs);
    match arguments.table {
        None => {}
        Some(Measured::Cytron) => return cytron::run(arguments, &inputs, &pipeline, console),
        Some(Measured::Braun1) if arguments.svg => {
            return Err(Diagnostic::usage("`--svg` does not support `--table braun1`").into());
        }
        Some(Measured::Braun3) if arguments.svg => {
            return Err(Diagnostic::usage("`--svg` does not support `--table braun3`").into());
        }
        Some(Measured::Copies) if arguments.svg => {
            return Err(Diagnostic::usage("`--svg` does not support `--table copies`").into());
        }
        Some(Measured::Copies) => return copies::run(arguments, &inputs, &pipeline, console),
        Some(Measured::Braun3) => return braun3::run(arguments, &inputs, &pipeline, console),
        Some(Measured::Braun1) => return braun1::run(arguments, &inputs, &pipeline, console),
    }
    let mut census = Census::default();
    for (number, input) in inputs.iter().enumerate() {
        census.count(number, input, &arguments.engine.construction(), &pipeline, console);
    }
    census.arrange(arguments);
    match (console.is_json, arguments.csv) {
        (true, _) => console.json(&census.to_json(&inputs))?,
        (false, true) => census.write_csv(&inputs, console)?,
        (false, false) => census.write_table(&inputs, console)?,
    }
    // Errors of the output come before words about it.
    console.output.flush()?;
    if census.in_memory + census.failed > 0 {
        console.note(&census.summary());
    }
    Ok(Status::finding_if(census.failed > 0))
}

impl Census {
    fn count(
        &mut self,
        number: usize,
        input: &Input,
        construction: &Construction,
        pipeline: &Pipeline,
        console: &Console,
    ) {
        let new_worker = || {
            let mut ssa = construction.builder();
            ssa.set_recording(false);
            (input.source.translator(construction.fold), ssa)
        };
        let work = |(translator, ssa): &mut (Box<dyn Translator + '_>, CertifiedBuilder), index| {
            let translated = translator.build(index, ssa)?;
            Ok(count(translated.function.size(), ssa.stats()))
        };
        let take = |index, counts: Result<Counts, Untranslated>| {
            let name = input.source.name(index);
            let reasons = input.source.in_memory(index);
            self.in_memory += usize::from(!reasons.is_empty());
            for reason in reasons {
                *self.reasons.entry(reason).or_default() += 1;
            }
            match counts {
                Ok(counts) => self.add(Row { input: number, index, name, counts }),
                Err(error) => {
                    self.failed += 1;
                    console.error(&input.problem(index, error.reason, error.byte));
                }
            }
            Ok::<(), Failure>(())
        };
        // What `take` returns is never an error.
        let _ = pipeline.run(&input.functions, new_worker, work, take);
    }

    fn add(&mut self, row: Row) {
        self.built += 1;
        self.sum.iter_mut().zip(row.counts).for_each(|(sum, count)| *sum += count);
        self.rows.push(row);
    }

    /// Sorts and limits the rows; the sum stays that of all.
    fn arrange(&mut self, arguments: &StatsArguments) {
        let by = arguments.by.or(arguments.top.map(|_| Counter::Kept));
        if let Some(place) = by.and_then(|by| COUNTERS.iter().position(|&(counter, _)| counter == by)) {
            // A stable sort: equal ones stay in the order of the inputs and functions.
            self.rows.sort_by_key(|row| Reverse(row.counts[place]));
        }
        self.rows.truncate(arguments.top.unwrap_or(usize::MAX));
    }

    /// How many functions were built, and what keeps variables in memory.
    fn summary(&self) -> String {
        let mut text = format!("{} of {} built", self.built, counted((self.built + self.failed) as u64, "function"));
        if self.in_memory > 0 {
            let reasons = self.reasons.iter().map(|(reason, count)| format!("{reason} ({count})"));
            let reasons: Vec<String> = reasons.collect();
            text += &format!("; variables stay in memory in {}: {}", self.in_memory, reasons.join(", "));
        }
        text
    }

    fn write_table(&self, inputs: &[Input], console: &mut Console) -> Result<(), Failure> {
        let has_inputs = inputs.len() > 1;
        let head = COUNTERS.map(|(_, title)| (title, Align::Right)).into_iter();
        let head = [("function", Align::Left)].into_iter().chain(head);
        let mut table = Table::new(has_inputs.then_some(("input", Align::Left)).into_iter().chain(head));
        let counts = |counts: &Counts| counts.map(|count| count.to_string());
        for row in &self.rows {
            let input = has_inputs.then(|| plain(&inputs[row.input].name));
            table.row(input.into_iter().chain([plain(&row.name)]).chain(counts(&row.counts)));
        }
        let sum = format!("sum of {}", self.built);
        table.row(has_inputs.then(String::new).into_iter().chain([sum]).chain(counts(&self.sum)));
        Ok(table.write(console.width(), &console.styles, &mut console.output)?)
    }

    fn write_csv(&self, inputs: &[Input], console: &mut Console) -> Result<(), Failure> {
        let titles = COUNTERS.map(|(_, title)| title).join(",");
        writeln!(console.output, "input,index,function,{titles}")?;
        for Row { input, index, name, counts } in &self.rows {
            let (input, name) = (quoted(&inputs[*input].name), quoted(name));
            let counts = counts.map(|count| count.to_string()).join(",");
            writeln!(console.output, "{input},{index},{name},{counts}")?;
        }
        Ok(())
    }

    fn to_json(&self, inputs: &[Input]) -> Json {
        let functions = self.rows.iter().map(|row| {
            let mut object = titled(&row.counts);
            object.insert("input".to_owned(), inputs[row.input].name.as_str().into());
            object.insert("index".to_owned(), row.index.into());
            object.insert("name".to_owned(), row.name.as_str().into());
            Json::Object(object)
        });
        let functions: Json = functions.collect();
        json!({
            "format": "ssaphire-stats/1",
            "functions": functions,
            "sum": titled(&self.sum),
            "num_functions": self.built,
            "not_built": self.failed,
            "in_memory": self.in_memory,
            "reasons": self.reasons,
        })
    }
}

fn titled(counts: &Counts) -> Map<String, Json> {
    COUNTERS.iter().zip(counts).map(|((_, title), &count)| ((*title).to_owned(), count.into())).collect()
}

/// A field of comma-separated values.
fn quoted(field: &str) -> String {
    if field.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}
