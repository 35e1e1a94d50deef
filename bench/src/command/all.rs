//! `all`: every table, and the record.

use super::{families, whole};
use crate::comparison::{Comparison, Extent};
use crate::failure::Failure;
use crate::families::{Family, Limits};
use crate::figure11;
use crate::record::{Machine, Record};
use crate::trace::words;
use crate::{callgrind, input};
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub(super) struct AllArguments {
    /// The folder of the real programs
    #[arg(long, value_name = "FOLDER")]
    corpus: PathBuf,
    /// A folder for traces
    #[arg(long, value_name = "FOLDER")]
    traces: PathBuf,
    /// The folder of the records; none is written where it is not given
    #[arg(long, value_name = "FOLDER")]
    record: Option<PathBuf>,
    /// Only the smallest program, with one run each and without counting instructions
    #[arg(long)]
    quick: bool,
    /// Times to take, of which the shortest counts
    #[arg(long, value_name = "N", default_value_t = 9)]
    runs: usize,
}

/// The programs, the smallest first: name and file.
const PROGRAMS: [(&str, &str); 4] =
    [("sql.js", "sql-wasm.wasm"), ("esbuild", "esbuild.wasm"), ("swc", "swc.wasm"), ("duckdb", "duckdb-mvp.wasm")];

pub(super) fn run(arguments: &AllArguments) -> Result<(), Failure> {
    let machine = Machine::here();
    println!("{}, {}\n", machine.processor, machine.date);
    let mut record = Record::default();
    replays(arguments, &mut record)?;
    others(arguments, &mut record)?;
    if let Some(folder) = &arguments.record {
        println!("{}", record.write(folder, &machine)?.display());
    }
    Ok(())
}

/// The real programs, through everything.
fn replays(arguments: &AllArguments, record: &mut Record) -> Result<(), Failure> {
    let has_valgrind = callgrind::is_available();
    if !has_valgrind {
        println!("skipped: no valgrind, so no instructions\n");
    }
    let runs = if arguments.quick { 1 } else { arguments.runs };
    let extent = Extent { runs, instructions: has_valgrind && !arguments.quick };
    for (name, file) in PROGRAMS.into_iter().take(if arguments.quick { 1 } else { PROGRAMS.len() }) {
        let module = arguments.corpus.join(file);
        if !module.exists() {
            println!("skipped: no {file}; `cargo xtask corpus` fetches it\n");
            continue;
        }
        let comparison = compare(name, &module, &arguments.traces, extent)?;
        println!("{}", comparison.table());
        if let Some(table) = comparison.profile_table() {
            println!("{table}");
        }
        comparison.add_to(record);
    }
    Ok(())
}

/// What is not a trace: whole modules, the program of Figure 11, the families.
fn others(arguments: &AllArguments, record: &mut Record) -> Result<(), Failure> {
    let (runs, programs, n, at_most) = if arguments.quick {
        (1, 1, 10_000, 10_000)
    } else {
        (arguments.runs, usize::MAX, figure11::LARGEST, u64::MAX)
    };
    whole::tables(&arguments.corpus, runs, programs, record)?;
    super::figure11::table(n, runs, record)?;
    families::table(&Family::ALL, &families::subjects(), at_most, Limits::default(), record)
}

fn compare(name: &str, module: &Path, traces: &Path, extent: Extent) -> Result<Comparison, Failure> {
    let trace = input::load(module)?;
    fs::create_dir_all(traces).map_err(Failure::file(traces))?;
    let file = traces.join(format!("{name}.words"));
    fs::write(&file, words::to_bytes(&trace)).map_err(Failure::file(&file))?;
    Comparison::measure(name, &trace, &file, extent)
}
