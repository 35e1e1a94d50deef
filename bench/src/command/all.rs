//! `all`: every table, and the record.

use super::{families, native, passes, repair, ways, whole};
use crate::child::Limits;
use crate::comparison::{Comparison, Extent, Instructions};
use crate::failure::Failure;
use crate::families::Family;
use crate::figure11;
use crate::record::{Machine, Record};
use crate::trace::words;
use crate::whole::{PROGRAMS, Program};
use crate::{cachegrind, detour, input, judge, leaving};
use clap::{Args, ValueEnum};
use ssaphire_literature::Engine;
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
    /// Only these tables; those of a record of the same day that are not taken anew stay in it
    #[arg(long = "table", value_name = "TABLE")]
    tables: Vec<Part>,
    /// Only these real programs
    #[arg(long = "program", value_name = "NAME", value_parser = program)]
    programs: Vec<Program>,
    /// Judge every function of every engine
    #[arg(long)]
    judge: bool,
    /// Only the smallest program, with one run each and without counting instructions
    #[arg(long)]
    quick: bool,
    /// Count the instructions of every engine on every program, not on the smallest only
    #[arg(long)]
    every_engine: bool,
    /// Times to take, of which the shortest counts; traces are not timed where it is 0
    #[arg(long, value_name = "N", default_value_t = 9)]
    runs: usize,
}

/// A part of what is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Traces through every builder
    Replay,
    /// Whole modules, beside waffle
    Whole,
    /// To machine code, beside Cranelift's builder
    Native,
    /// Over memory, and directly
    Detour,
    /// Out of SSA form
    Leaving,
    /// A value read by conditionals in a row
    Figure11,
    /// Families of functions that grow
    Families,
    /// Repair of finished functions that grow
    Repair,
    /// Passes over functions that grow
    Passes,
}

impl AllArguments {
    fn wants(&self, part: Part) -> bool {
        self.tables.is_empty() || self.tables.contains(&part)
    }
}

/// The program on which everything is measured.
const SMALLEST: &str = PROGRAMS[0].0;

/// The program of that name.
fn program(name: &str) -> Result<Program, String> {
    let names = PROGRAMS.map(|(name, _)| name).join(", ");
    let found = PROGRAMS.into_iter().find(|&(other, _)| other == name);
    found.ok_or_else(|| format!("unknown program; choose one of {names}"))
}

/// What was measured so far, and where it is kept.
struct Taken<'a> {
    record: Record,
    machine: Machine,
    folder: Option<&'a Path>,
}

impl Taken<'_> {
    /// Writes the record: whatever stops a long run, what it has measured stays. Where the file is, if there is one.
    fn keep(&self) -> Result<Option<PathBuf>, Failure> {
        self.folder.map(|folder| self.record.write(folder, &self.machine)).transpose()
    }
}

pub(super) fn run(arguments: &AllArguments) -> Result<(), Failure> {
    let folder = arguments.record.as_deref();
    let mut taken = Taken { record: Record::default(), machine: Machine::here(), folder };
    println!("{}, {}\n", taken.machine.processor, taken.machine.date);
    let programs = match (arguments.quick, arguments.programs.as_slice()) {
        (true, _) => &PROGRAMS[..1],
        (false, []) => &PROGRAMS[..],
        (false, some) => some,
    };
    let refused = if arguments.wants(Part::Replay) { replays(arguments, programs, &mut taken)? } else { 0 };
    others(arguments, programs, &mut taken)?;
    if let Some(file) = taken.keep()? {
        println!("{}", file.display());
    }
    if refused == 0 { Ok(()) } else { Err(Failure::Refused { functions: refused }) }
}

/// The real programs, through everything: how many functions the judge refused.
fn replays(arguments: &AllArguments, programs: &[Program], taken: &mut Taken<'_>) -> Result<usize, Failure> {
    let has_valgrind = cachegrind::is_available();
    if !has_valgrind {
        println!("skipped: no valgrind, so no instructions\n");
    }
    let runs = if arguments.quick { 1 } else { arguments.runs };
    let instructions = |name| match (has_valgrind && !arguments.quick, arguments.every_engine || name == SMALLEST) {
        (false, _) => Instructions::None,
        (true, false) => Instructions::Default,
        (true, true) => Instructions::All,
    };
    let mut refused = 0;
    for &(name, file) in programs {
        let module = arguments.corpus.join(file);
        if !module.exists() {
            println!("skipped: no {file}; `cargo xtask corpus` fetches it\n");
            continue;
        }
        let extent = Extent { runs, instructions: instructions(name) };
        let comparison = compare(name, &module, &arguments.traces, extent)?;
        println!("{}", comparison.table());
        if let Some(table) = comparison.profile_table() {
            println!("{table}");
        }
        comparison.add_to(&mut taken.record);
        if arguments.judge {
            refused += judged(name, &arguments.traces, &mut taken.record)?;
        }
        taken.keep()?;
    }
    Ok(refused)
}

/// Judges every function of every engine: how many were refused.
fn judged(name: &str, traces: &Path, record: &mut Record) -> Result<usize, Failure> {
    let trace = input::load(&words_of(name, traces))?;
    let mut sum = 0;
    for &engine in Engine::ALL {
        let refused = judge::refusals(engine, &trace).len();
        println!("{name}, {engine}: {} functions judged, {refused} refused", trace.len());
        record.add("judge", name, engine.name(), "functions judged", trace.len() as f64);
        record.add("judge", name, engine.name(), "functions refused", refused as f64);
        sum += refused;
    }
    println!();
    Ok(sum)
}

/// The file of words of a program.
fn words_of(name: &str, traces: &Path) -> PathBuf {
    traces.join(format!("{name}.words"))
}

/// What is not a trace: whole modules, the program of Figure 11, the families, what is done to finished functions.
fn others(arguments: &AllArguments, programs: &[Program], taken: &mut Taken<'_>) -> Result<(), Failure> {
    let (runs, n, at_most) =
        if arguments.quick { (1, 10_000, 10_000) } else { (arguments.runs.max(1), figure11::LARGEST, u64::MAX) };
    let corpus = &arguments.corpus;
    let has_valgrind = cachegrind::is_available() && !arguments.quick;
    let counted = usize::from(has_valgrind);
    if arguments.wants(Part::Whole) {
        whole::tables(corpus, runs, programs, &mut taken.record)?;
        taken.keep()?;
    }
    if arguments.wants(Part::Native) {
        native::tables(corpus, runs.min(3), programs, counted, &mut taken.record)?;
        taken.keep()?;
    }
    if arguments.wants(Part::Detour) {
        let counted = if has_valgrind && arguments.every_engine { programs.len() } else { counted };
        ways::tables::<detour::Way>(corpus, programs, counted, &mut taken.record)?;
        taken.keep()?;
    }
    if arguments.wants(Part::Leaving) {
        let counted = if has_valgrind && arguments.every_engine { programs.len() } else { counted };
        ways::tables::<leaving::Way>(corpus, programs, counted, &mut taken.record)?;
        taken.keep()?;
    }
    if arguments.wants(Part::Figure11) {
        super::figure11::tables(n, runs, &mut taken.record)?;
        taken.keep()?;
    }
    if arguments.wants(Part::Families) {
        families::table(&Family::ALL, &families::subjects(), at_most, Limits::default(), &mut taken.record)?;
        let at_most = at_most.min(families::AT_MOST_FOR_ALL);
        families::table(&families::OF_ALL, &families::others(), at_most, Limits::default(), &mut taken.record)?;
        taken.keep()?;
    }
    growing(arguments, taken)
}

/// Repair and passes, by size.
fn growing(arguments: &AllArguments, taken: &mut Taken<'_>) -> Result<(), Failure> {
    let at_most = if arguments.quick { 1_000 } else { u32::MAX };
    if arguments.wants(Part::Repair) {
        repair::table(at_most, &mut taken.record)?;
        taken.keep()?;
    }
    if arguments.wants(Part::Passes) {
        passes::table(at_most, &mut taken.record)?;
    }
    Ok(())
}

fn compare(name: &str, module: &Path, traces: &Path, extent: Extent) -> Result<Comparison, Failure> {
    let trace = input::load(module)?;
    fs::create_dir_all(traces).map_err(Failure::file(traces))?;
    let file = words_of(name, traces);
    fs::write(&file, words::to_bytes(&trace)).map_err(Failure::file(&file))?;
    Comparison::measure(name, &trace, &file, extent)
}
