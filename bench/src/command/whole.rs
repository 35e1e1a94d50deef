//! `whole` and `whole-memory`: modules into SSA form, beside `waffle`.

use crate::failure::Failure;
use crate::measure;
use crate::record::Record;
use crate::whole::{Comparison, PROGRAMS, Program, Way};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub(super) struct WholeArguments {
    /// The folder of the real programs
    #[arg(long, value_name = "FOLDER")]
    corpus: PathBuf,
    /// Times to take, of which the shortest counts
    #[arg(long, value_name = "N", default_value_t = 5)]
    runs: usize,
}

pub(super) fn run(arguments: &WholeArguments) -> Result<(), Failure> {
    tables(&arguments.corpus, arguments.runs, &PROGRAMS, &mut Record::default())
}

/// Prints the tables of the programs.
pub(super) fn tables(corpus: &Path, runs: usize, programs: &[Program], record: &mut Record) -> Result<(), Failure> {
    for &(name, file) in programs {
        let module = corpus.join(file);
        if !module.exists() {
            println!("skipped: no {file}; `cargo xtask corpus` fetches it\n");
            continue;
        }
        let comparison = Comparison::measure(name, &module, runs)?;
        println!("{}", comparison.table());
        comparison.add_to(record);
    }
    Ok(())
}

#[derive(Args, Debug)]
pub(super) struct WholeMemoryArguments {
    /// Which way
    #[arg(value_name = "WAY", value_parser = way())]
    way: Way,
    /// A WebAssembly module
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

fn way() -> impl TypedValueParser<Value = Way> {
    // What is none of the names has been refused by then.
    PossibleValuesParser::new(Way::ALL.map(Way::name)).map(|name| Way::from_name(&name).unwrap_or(Way::Waffle))
}

pub(super) fn run_memory(arguments: &WholeMemoryArguments) -> Result<(), Failure> {
    let bytes = fs::read(&arguments.file).map_err(Failure::file(&arguments.file))?;
    let (result, memory) = measure::memory(|| arguments.way.go(&bytes));
    result
        .map_err(|error| Failure::Program { program: arguments.way.name().to_owned(), message: error.to_string() })?;
    let memory = memory.ok_or(Failure::NotCounting)?;
    println!("{} {}", memory.peak, memory.allocations);
    Ok(())
}
