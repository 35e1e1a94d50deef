//! `detour` and `detour-count`: over memory into SSA form, and directly.

use crate::cachegrind;
use crate::detour::{Comparison, Way};
use crate::failure::Failure;
use crate::record::Record;
use crate::whole::{PROGRAMS, Program};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ssaphire_wasm::Module;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub(super) struct DetourArguments {
    /// The folder of the real programs
    #[arg(long, value_name = "FOLDER")]
    corpus: PathBuf,
    /// So many programs, the smallest first
    #[arg(long, value_name = "N", default_value_t = PROGRAMS.len())]
    programs: usize,
    /// Count instructions of so many programs, the smallest first; the others take long
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: usize,
}

pub(super) fn run(arguments: &DetourArguments) -> Result<(), Failure> {
    let counted = if cachegrind::is_available() { arguments.count } else { 0 };
    tables(&arguments.corpus, &PROGRAMS[..arguments.programs.min(PROGRAMS.len())], counted, &mut Record::default())
}

/// Prints the tables of the programs, and counts the instructions of the first `counted`.
pub(super) fn tables(corpus: &Path, programs: &[Program], counted: usize, record: &mut Record) -> Result<(), Failure> {
    for (place, &(name, file)) in programs.iter().enumerate() {
        let module = corpus.join(file);
        if !module.exists() {
            println!("skipped: no {file}; `cargo xtask corpus` fetches it\n");
            continue;
        }
        let comparison = Comparison::measure(name, &module, place < counted)?;
        println!("{}", comparison.table());
        comparison.add_to(record);
    }
    Ok(())
}

#[derive(Args, Debug)]
pub(super) struct DetourCountArguments {
    /// Which way
    #[arg(value_name = "WAY", value_parser = way())]
    way: Way,
    /// How many times
    #[arg(value_name = "TIMES")]
    times: usize,
    /// A WebAssembly module
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

fn way() -> impl TypedValueParser<Value = Way> {
    // What is none of the names has been refused by then.
    PossibleValuesParser::new(Way::all().into_iter().map(Way::name))
        .map(|name| Way::from_name(&name).unwrap_or(Way::Variables))
}

pub(super) fn run_count(arguments: &DetourCountArguments) -> Result<(), Failure> {
    let failed = |message: String| Failure::Program { program: arguments.way.name().to_owned(), message };
    let bytes = fs::read(&arguments.file).map_err(Failure::file(&arguments.file))?;
    let module = Module::parse_without_bodies(bytes).map_err(|error| failed(error.to_string()))?;
    for _ in 0..arguments.times {
        arguments.way.go(&module).map_err(|refused| failed(refused.to_string()))?;
    }
    Ok(())
}
