//! `detour` and `leaving`: modules gone through in several ways; `detour-count` and `leaving-count`: one of them.

use crate::cachegrind;
use crate::failure::Failure;
use crate::leaving::{Judged, judge};
use crate::record::Record;
use crate::ways::{Comparison, Way, failed, load};
use crate::whole::{PROGRAMS, Program};
use crate::{detour, leaving};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub(super) struct TableArguments {
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

#[derive(Args, Debug)]
pub(super) struct LeavingArguments {
    #[command(flatten)]
    table: TableArguments,
    /// Judge every function by every method, and compare its structured program with its graph
    #[arg(long)]
    judge: bool,
}

impl TableArguments {
    fn programs(&self) -> &'static [Program] {
        &PROGRAMS[..self.programs.min(PROGRAMS.len())]
    }

    fn print<W: Way>(&self) -> Result<(), Failure> {
        let counted = if cachegrind::is_available() { self.count } else { 0 };
        tables::<W>(&self.corpus, self.programs(), counted, &mut Record::default())
    }
}

pub(super) fn run_detour(arguments: &TableArguments) -> Result<(), Failure> {
    arguments.print::<detour::Way>()
}

pub(super) fn run_leaving(arguments: &LeavingArguments) -> Result<(), Failure> {
    let LeavingArguments { table, judge } = arguments;
    if *judge { judge_all(&table.corpus, table.programs()) } else { table.print::<leaving::Way>() }
}

/// Says what the judge finds.
fn judge_all(corpus: &Path, programs: &[Program]) -> Result<(), Failure> {
    let mut num_refused = 0;
    for &(name, file) in programs {
        let module = load(name, &corpus.join(file))?;
        let Judged { functions, irreducible, refused, copies } =
            judge(&module).map_err(|refused| failed(name, &refused))?;
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
pub(super) fn tables<W: Way>(
    corpus: &Path,
    programs: &[Program],
    counted: usize,
    record: &mut Record,
) -> Result<(), Failure> {
    for (place, &(name, file)) in programs.iter().enumerate() {
        let module = corpus.join(file);
        if !module.exists() {
            println!("skipped: no {file}; `cargo xtask corpus` fetches it\n");
            continue;
        }
        let comparison = Comparison::<W>::measure(name, &module, place < counted)?;
        println!("{}", comparison.table());
        comparison.add_to(record);
    }
    Ok(())
}

#[derive(Args, Debug)]
pub(super) struct CountArguments<W: Way> {
    /// Which way
    #[arg(value_name = "WAY", value_parser = way::<W>())]
    way: W,
    /// How many times
    #[arg(value_name = "TIMES")]
    times: usize,
    /// A WebAssembly module
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

fn way<W: Way>() -> impl TypedValueParser<Value = W> {
    let named = |name: String| W::all().into_iter().find(|way| way.name() == name);
    PossibleValuesParser::new(W::all().into_iter().map(Way::name)).try_map(move |name| named(name).ok_or("no such way"))
}

pub(super) fn run_count<W: Way>(arguments: &CountArguments<W>) -> Result<(), Failure> {
    let name = arguments.way.name();
    let module = load(name, &arguments.file)?;
    for _ in 0..arguments.times {
        arguments.way.go(&module).map_err(|refused| failed(name, &refused))?;
    }
    Ok(())
}
