//! `leaving` and `leaving-count`: out of SSA form by each method.

use crate::cachegrind;
use crate::failure::Failure;
use crate::leaving::{Comparison, Judged, Way, judge};
use crate::record::Record;
use crate::whole::{PROGRAMS, Program};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ssaphire_wasm::Module;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub(super) struct LeavingArguments {
    /// The folder of the real programs
    #[arg(long, value_name = "FOLDER")]
    corpus: PathBuf,
    /// So many programs, the smallest first
    #[arg(long, value_name = "N", default_value_t = PROGRAMS.len())]
    programs: usize,
    /// Judge every function by every method, and compare its structured program with its graph
    #[arg(long)]
    judge: bool,
    /// Count instructions of so many programs, the smallest first; the others take long
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: usize,
}

pub(super) fn run(arguments: &LeavingArguments) -> Result<(), Failure> {
    if arguments.judge {
        return judge_all(&arguments.corpus, &PROGRAMS[..arguments.programs.min(PROGRAMS.len())]);
    }
    let counted = if cachegrind::is_available() { arguments.count } else { 0 };
    tables(&arguments.corpus, &PROGRAMS[..arguments.programs.min(PROGRAMS.len())], counted, &mut Record::default())
}

/// Says what the judge finds.
fn judge_all(corpus: &Path, programs: &[Program]) -> Result<(), Failure> {
    let mut num_refused = 0;
    for &(name, file) in programs {
        let file = corpus.join(file);
        let failed = |message: String| Failure::Program { program: name.to_owned(), message };
        let bytes = fs::read(&file).map_err(Failure::file(&file))?;
        let module = Module::parse_without_bodies(bytes).map_err(|error| failed(error.to_string()))?;
        let Judged { functions, irreducible, refused, copies } =
            judge(&module).map_err(|refused| failed(refused.to_string()))?;
        println!(
            "{name}: {functions} functions, {irreducible} irreducible, copies {copies:?}, {} findings",
            refused.len()
        );
        refused.iter().for_each(|found| println!("  {found}"));
        num_refused += refused.len();
    }
    if num_refused == 0 { Ok(()) } else { Err(Failure::Refused { functions: num_refused }) }
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
pub(super) struct LeavingCountArguments {
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
        .map(|name| Way::from_name(&name).unwrap_or(Way::Translation))
}

pub(super) fn run_count(arguments: &LeavingCountArguments) -> Result<(), Failure> {
    let failed = |message: String| Failure::Program { program: arguments.way.name().to_owned(), message };
    let bytes = fs::read(&arguments.file).map_err(Failure::file(&arguments.file))?;
    let module = Module::parse_without_bodies(bytes).map_err(|error| failed(error.to_string()))?;
    for _ in 0..arguments.times {
        arguments.way.go(&module).map_err(|refused| failed(refused.to_string()))?;
    }
    Ok(())
}
