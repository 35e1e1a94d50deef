//! `ssaphire stats --table braun3`: Table 3 of Braun et al. 2013, for any functions.
//!
//! Nodes are instructions, terminators included, and phis, those left out that have no effect and that nothing uses: a graph of
//! nodes does not reach them. Construction is what the front end takes from its input to SSA form; behind it come all passes
//! that there are, in the order of [`Pass::ALL`]. Times are the least of [`RUNS`] runs.
//!
//! # Departures
//! The paper counts nodes of libFirm's graphs, and the time of its whole front end. Functions in memory form are promoted before, and
//! that is not part of the times.

use super::gather::Gathered;
use super::{Status, quoted};
use crate::arguments::StatsArguments;
use crate::console::Console;
use crate::construction::CertifiedBuilder;
use crate::diagnostic::{Failure, plain};
use crate::input::Input;
use crate::pipeline::Pipeline;
use crate::source::{Translator, Untranslated};
use crate::table::{Align, Table};
use serde_json::{Map, Value as Json, json};
use ssaphire::fold::FoldOptions;
use ssaphire_ir::passes::{Pass, PassOptions};
use std::io::Write;
use std::ops::AddAssign;
use std::time::{Duration, Instant};

/// The least time of so many runs counts.
const RUNS: usize = 3;

/// One way to the end: without or with folding.
#[derive(Clone, Copy, Default)]
struct Way {
    nodes: u64,
    construction: Duration,
    nodes_after: u64,
    /// Construction and passes.
    total: Duration,
}

/// One function, or the sum of several: without folding, and with it.
#[derive(Clone, Copy, Default)]
struct Pair([Way; 2]);

impl AddAssign for Pair {
    fn add_assign(&mut self, other: Self) {
        for (sum, way) in self.0.iter_mut().zip(other.0) {
            sum.nodes += way.nodes;
            sum.construction += way.construction;
            sum.nodes_after += way.nodes_after;
            sum.total += way.total;
        }
    }
}

/// What builds functions without folding, and with it.
struct Worker<'i> {
    translators: [Box<dyn Translator + 'i>; 2],
    ssa: CertifiedBuilder,
}

pub(super) fn run<'i>(
    arguments: &StatsArguments,
    inputs: &'i [Input],
    pipeline: &Pipeline,
    console: &mut Console,
) -> Result<Status, Failure> {
    let construction = arguments.engine.construction();
    let new_worker = |input: &'i Input| -> Worker<'i> {
        let mut ssa = construction.builder();
        ssa.set_recording(false);
        let mut translators = [None, Some(FoldOptions::ALL)].map(|fold| input.source.translator(fold));
        translators.iter_mut().for_each(|translator| translator.promote_slots());
        Worker { translators, ssa }
    };
    let gathered = Gathered::by_workers(inputs, pipeline, console, new_worker, Worker::measure);
    if console.is_json {
        console.json(&to_json(&gathered))?;
    } else if arguments.csv {
        write_csv(&gathered, console)?;
    } else {
        write_table(&gathered, console)?;
    }
    Ok(Status::finding_if(gathered.failed > 0))
}

impl Worker<'_> {
    fn measure(&mut self, index: usize) -> Result<Pair, Untranslated> {
        let mut ways: [Option<Way>; 2] = [None; 2];
        for _ in 0..RUNS {
            for (translator, least) in self.translators.iter_mut().zip(&mut ways) {
                let way = measure(&mut **translator, &mut self.ssa, index)?;
                let before = least.unwrap_or(way);
                *least = Some(Way {
                    construction: way.construction.min(before.construction),
                    total: way.total.min(before.total),
                    ..way
                });
            }
        }
        Ok(Pair(ways.map(Option::unwrap_or_default)))
    }
}

fn measure(translator: &mut dyn Translator, ssa: &mut CertifiedBuilder, index: usize) -> Result<Way, Untranslated> {
    let start = Instant::now();
    let mut function = translator.build(index, ssa)?.function;
    let construction = start.elapsed();
    let nodes = nodes(&*function);
    let start = Instant::now();
    for &pass in Pass::ALL {
        function.run_pass(pass, PassOptions::default()).map_err(Untranslated::because)?;
    }
    let total = construction + start.elapsed();
    Ok(Way { nodes, construction, nodes_after: self::nodes(&*function), total })
}

fn nodes(function: &dyn crate::built::Built) -> u64 {
    let size = function.size();
    size.insts + size.phis - function.num_unused()
}

/// The figures, by name where machines read them; with their titles for people.
const FIGURES: [(&str, &str); 8] = [
    ("nodes", "nodes"),
    ("nodes_folded", "folded"),
    ("construction_us", "built in us"),
    ("construction_folded_us", "folded"),
    ("nodes_after", "after passes"),
    ("nodes_after_folded", "folded"),
    ("total_us", "total us"),
    ("total_folded_us", "folded"),
];

fn figures(Pair([plain, folded]): &Pair) -> [u64; FIGURES.len()] {
    let us = |duration: Duration| duration.as_nanos().div_ceil(1000) as u64;
    [
        plain.nodes,
        folded.nodes,
        us(plain.construction),
        us(folded.construction),
        plain.nodes_after,
        folded.nodes_after,
        us(plain.total),
        us(folded.total),
    ]
}

/// Nodes, construction time and total time with folding, as parts of those without.
fn ratios(Pair([plain, folded]): &Pair) -> [Option<f64>; 3] {
    let ratio = |one: f64, of: f64| (of > 0.0).then(|| one / of);
    [
        ratio(folded.nodes as f64, plain.nodes as f64),
        ratio(folded.construction.as_secs_f64(), plain.construction.as_secs_f64()),
        ratio(folded.total.as_secs_f64(), plain.total.as_secs_f64()),
    ]
}

fn write_table(gathered: &Gathered<'_, Pair>, console: &mut Console) -> Result<(), Failure> {
    let head = [("per input", Align::Left), ("functions", Align::Right)].into_iter();
    let figures_head = FIGURES.map(|(_, title)| (title, Align::Right));
    let ratios_head = ["nodes %", "built %", "total %"].map(|title| (title, Align::Right));
    let mut table = Table::new(head.chain(figures_head).chain(ratios_head));
    let (mut functions, mut sum) = (0, Pair::default());
    let mut row = |name: String, functions: usize, pair: &Pair| {
        let ratios = ratios(pair).map(|ratio| ratio.map_or("-".to_owned(), |ratio| format!("{:.1}", 100.0 * ratio)));
        let figures = figures(pair).map(|figure| figure.to_string());
        table.row([name, functions.to_string()].into_iter().chain(figures).chain(ratios));
    };
    for (number, input) in gathered.inputs.iter().enumerate() {
        let (count, pair) = gathered.sum(number);
        functions += count;
        sum += pair;
        row(plain(&input.name), count, &pair);
    }
    if gathered.inputs.len() > 1 {
        row("sum".to_owned(), functions, &sum);
    }
    Ok(table.write(console.width(), &console.styles, &mut console.output)?)
}

fn write_csv(gathered: &Gathered<'_, Pair>, console: &mut Console) -> Result<(), Failure> {
    writeln!(console.output, "input,index,function,{}", FIGURES.map(|(name, _)| name).join(","))?;
    for row in &gathered.rows {
        let (input, name) = (quoted(&gathered.inputs[row.input].name), quoted(&row.name));
        let figures = figures(&row.counts).map(|figure| figure.to_string()).join(",");
        writeln!(console.output, "{input},{},{name},{figures}", row.index)?;
    }
    Ok(())
}

fn to_json(gathered: &Gathered<'_, Pair>) -> Json {
    let titled = |pair: &Pair| -> Map<String, Json> {
        let figures = FIGURES.iter().zip(figures(pair)).map(|((name, _), figure)| ((*name).to_owned(), figure.into()));
        let names = ["nodes_ratio", "construction_ratio", "total_ratio"];
        figures
            .chain(names.into_iter().zip(ratios(pair)).map(|(name, ratio)| (name.to_owned(), ratio.into())))
            .collect()
    };
    let functions = gathered.rows.iter().map(|row| {
        let mut object = titled(&row.counts);
        object.insert("input".to_owned(), gathered.inputs[row.input].name.as_str().into());
        object.insert("index".to_owned(), row.index.into());
        object.insert("name".to_owned(), row.name.as_str().into());
        Json::Object(object)
    });
    let mut total = Pair::default();
    let inputs: Json = gathered
        .inputs
        .iter()
        .enumerate()
        .map(|(number, input)| {
            let (functions, sum) = gathered.sum(number);
            total += sum;
            let mut object = titled(&sum);
            object.insert("name".to_owned(), input.name.as_str().into());
            object.insert("functions".to_owned(), functions.into());
            Json::Object(object)
        })
        .collect();
    json!({
        "format": "ssaphire-stats-braun3/1",
        "functions": functions.collect::<Json>(),
        "inputs": inputs,
        "sum": titled(&total),
        "not_built": gathered.failed,
    })
}
