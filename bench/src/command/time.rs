//! `time`: times and results, for a quick look.

use crate::failure::Failure;
use crate::subject::Subject;
use crate::table::{Table, thousands};
use crate::trace::Trace;
use crate::{input, judge, results, times};
use clap::Args;
use ssaphire_literature::Engine;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(super) struct TimeArguments {
    /// Traces, or WebAssembly modules
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Times to take, of which the shortest counts
    #[arg(long, value_name = "N", default_value_t = 7)]
    runs: usize,
    /// Judge every function of every engine
    #[arg(long)]
    judge: bool,
}

pub(super) fn run(arguments: &TimeArguments) -> Result<(), Failure> {
    let mut refused = 0;
    for path in &arguments.files {
        let trace = input::load(path)?;
        println!("{}: {} events", path.display(), thousands(trace.counts().events));
        println!("{}", table(&trace, arguments.runs));
        if arguments.judge {
            refused += print_refusals(&trace);
        }
    }
    if refused == 0 { Ok(()) } else { Err(Failure::Refused { functions: refused }) }
}

fn table(trace: &Trace, runs: usize) -> Table {
    let subjects = Subject::all();
    let times = times::shortest(&subjects, trace, runs);
    let mut table = Table::new(["", "ns/event", "phis made", "kept", "operands"]);
    let mut line = |name: &str, time: Option<f64>, counts: [Option<u64>; 3]| {
        let time = time.map_or(String::new(), |time| format!("{time:.2}"));
        let counts = counts.map(|count| count.map_or(String::new(), thousands));
        table.line([name.to_owned(), time].into_iter().chain(counts));
    };
    for (subject, time) in subjects.into_iter().zip(times) {
        let counts = match subject {
            Subject::Engine(engine) => {
                let stats = results::of_engine(engine, trace);
                [stats.phis_made, stats.phis_kept, stats.operands_kept].map(Some)
            }
            _ => [None; 3],
        };
        line(subject.name(), Some(time.as_nanos() as f64 / trace.counts().events as f64), counts);
    }
    let result = results::of_cranelift(trace);
    for (name, params) in [("cranelift", result.built), ("cranelift-cleaned", result.cleaned)] {
        line(name, None, [None, Some(params.params), Some(params.arguments)]);
    }
    table
}

/// Prints what the judge refuses: the number of functions.
fn print_refusals(trace: &Trace) -> usize {
    let mut refused = 0;
    for &engine in Engine::ON_THE_FLY {
        let refusals = judge::refusals(engine, trace);
        println!("{engine}: {} functions judged, {} refused", trace.len(), refusals.len());
        refusals.iter().take(10).for_each(|refusal| println!("  {refusal}"));
        refused += refusals.len();
    }
    refused
}
