//! `native` and `native-count`: modules to machine code, by both builders.

use crate::cachegrind;
use crate::failure::Failure;
use crate::native::{Comparison, FORMS, Way, execute};
use crate::record::Record;
use crate::whole::{PROGRAMS, Program};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ssaphire_jit::host_isa;
use ssaphire_jit::wasm::Traps;
use ssaphire_wasm::Module;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub(super) struct NativeArguments {
    /// The folder of the real programs
    #[arg(long, value_name = "FOLDER")]
    corpus: PathBuf,
    /// Times to take, of which the shortest counts
    #[arg(long, value_name = "N", default_value_t = 5)]
    runs: usize,
    /// So many programs, the smallest first
    #[arg(long, value_name = "N", default_value_t = PROGRAMS.len())]
    programs: usize,
    /// Count instructions of so many programs, the smallest first; the others take long
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: usize,
}

pub(super) fn run(arguments: &NativeArguments) -> Result<(), Failure> {
    let mut record = Record::default();
    let counted = if cachegrind::is_available() { arguments.count } else { 0 };
    tables(&arguments.corpus, arguments.runs, &PROGRAMS[..arguments.programs.min(PROGRAMS.len())], counted, &mut record)
}

/// Prints the tables of the programs, and counts the instructions of the first `counted`.
pub(super) fn tables(
    corpus: &Path,
    runs: usize,
    programs: &[Program],
    counted: usize,
    record: &mut Record,
) -> Result<(), Failure> {
    let mut findings = 0;
    for (place, &(name, file)) in programs.iter().enumerate() {
        let module = corpus.join(file);
        if !module.exists() {
            println!("skipped: no {file}; `cargo xtask corpus` fetches it\n");
            continue;
        }
        let comparison = Comparison::measure(name, &module, runs, place < counted)?;
        println!("{}", comparison.table());
        for finding in comparison.findings() {
            println!("finding: {finding}");
            findings += 1;
        }
        comparison.add_to(record);
    }
    if findings == 0 { Ok(()) } else { Err(Failure::Findings { count: findings }) }
}

#[derive(Args, Debug)]
pub(super) struct NativeCallsArguments {
    /// A WebAssembly module
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(super) fn run_calls(arguments: &NativeCallsArguments) -> Result<(), Failure> {
    let failed = |message: String| Failure::Program { program: arguments.file.display().to_string(), message };
    let bytes = fs::read(&arguments.file).map_err(Failure::file(&arguments.file))?;
    let module = Module::parse_without_bodies(bytes).map_err(|error| failed(error.to_string()))?;
    let execution = execute(&module).map_err(|error| failed(error.to_string()))?;
    println!("{execution}");
    execution.differences.iter().for_each(|difference| println!("finding: {difference}"));
    match execution.differences.len() {
        0 => Ok(()),
        count => Err(Failure::Findings { count }),
    }
}

#[derive(Args, Debug)]
pub(super) struct NativeCountArguments {
    /// Which builder
    #[arg(value_name = "WAY", value_parser = way())]
    way: Way,
    /// How many times
    #[arg(value_name = "TIMES")]
    times: usize,
    /// How code ends early
    #[arg(value_name = "TRAPS", value_parser = traps())]
    traps: Traps,
    /// A WebAssembly module
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

fn way() -> impl TypedValueParser<Value = Way> {
    // What is none of the names has been refused by then.
    PossibleValuesParser::new(Way::ALL.map(Way::name)).map(|name| Way::from_name(&name).unwrap_or(Way::Skeleton))
}

fn traps() -> impl TypedValueParser<Value = Traps> {
    let names = FORMS.map(|(name, _)| name);
    let by_name = |wanted: String| FORMS.into_iter().find(|(name, _)| *name == wanted);
    PossibleValuesParser::new(names).map(move |name| by_name(name).map_or(Traps::default(), |(_, traps)| traps))
}

pub(super) fn run_count(arguments: &NativeCountArguments) -> Result<(), Failure> {
    let failed = |message: String| Failure::Program { program: arguments.way.name().to_owned(), message };
    let bytes = fs::read(&arguments.file).map_err(Failure::file(&arguments.file))?;
    let module = Module::parse_without_bodies(bytes).map_err(|error| failed(error.to_string()))?;
    let isa = host_isa(true, false).map_err(|error| failed(error.to_string()))?;
    for _ in 0..arguments.times {
        let translated = arguments.way.translate(&module, isa.frontend_config(), arguments.traps, |_, _| ());
        translated.map_err(|refused| failed(refused.to_string()))?;
    }
    Ok(())
}
