//! `time`: times and results, for a quick look.

use crate::failure::Failure;
use crate::subject::Subject;
use crate::{input, results, times};
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(super) struct TimeArguments {
    /// Traces, or WebAssembly modules
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Times to take, of which the shortest counts
    #[arg(long, value_name = "N", default_value_t = 7)]
    runs: usize,
}

pub(super) fn run(arguments: &TimeArguments) -> Result<(), Failure> {
    for path in &arguments.files {
        let trace = input::load(path)?;
        let events = trace.counts().events;
        println!("{}: {events} events", path.display());
        let subjects = Subject::all();
        let times = times::shortest(&subjects, &trace, arguments.runs);
        for (subject, time) in subjects.iter().zip(times) {
            println!("  {subject:<14} {:8.2} ns/event", time.as_nanos() as f64 / events as f64);
        }
        for subject in subjects {
            match subject {
                Subject::Engine(engine) => {
                    let stats = results::of_engine(engine, &trace);
                    let (made, kept) = (stats.phis_made, stats.phis_kept);
                    println!("  {subject:<14} phis made {made} kept {kept} operands {}", stats.operands_kept);
                }
                Subject::Cranelift => println!("  {subject:<14} {:?}", results::of_cranelift(&trace)),
                _ => {}
            }
        }
    }
    Ok(())
}
