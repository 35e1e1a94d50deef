//! `passes` and `pass-member`: passes over functions in SSA form, and one member of one family by one way.

use crate::cachegrind;
use crate::child::Limits;
use crate::failure::Failure;
use crate::growth::Growth;
use crate::passes::{self, Family, Way};
use crate::record::Record;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ssaphire_ir::passes::Pass;
use std::io::stdout;
use std::time::Duration;

#[derive(Args, Debug)]
pub(super) struct PassesArguments {
    /// Only these families
    #[arg(value_name = "FAMILY", value_parser = family())]
    families: Vec<Family>,
    /// Only these passes, or ways with live ranges
    #[arg(long = "way", value_name = "WAY", value_parser = way())]
    ways: Vec<Way>,
    /// Members of at most this size
    #[arg(long, value_name = "N", default_value_t = u32::MAX)]
    at_most: u32,
    /// Seconds a run may take
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    seconds: u64,
    /// Count instructions, too: needs Valgrind
    #[arg(long)]
    instructions: bool,
}

pub(super) fn run(arguments: &PassesArguments) -> Result<(), Failure> {
    let families = if arguments.families.is_empty() { Family::all() } else { arguments.families.clone() };
    let ways = if arguments.ways.is_empty() { Way::all() } else { arguments.ways.clone() };
    let limits = Limits { time: Duration::from_secs(arguments.seconds), ..Limits::default() };
    let growth = Growth { limits, counted: if arguments.instructions { COUNTED } else { 0 }, ..GROWTH };
    growth.print(passes::series(&families, &ways), arguments.at_most, &mut Record::default(), &mut stdout().lock())
}

const GROWTH: Growth = Growth {
    name: "passes",
    command: "pass-member",
    result: "changes",
    limits: Limits { time: Duration::from_secs(20), memory: 16_000_000 },
    counted: 0,
};

/// The largest members of which instructions are counted.
const COUNTED: u32 = 10_000;

/// Prints the table, with instructions where Valgrind is there.
pub(super) fn table(at_most: u32, record: &mut Record) -> Result<(), Failure> {
    let growth = Growth { counted: if cachegrind::is_available() { COUNTED } else { 0 }, ..GROWTH };
    growth.print(passes::series(&Family::all(), &Way::all()), at_most, record, &mut stdout().lock())?;
    println!();
    Ok(())
}

#[derive(Args, Debug)]
pub(super) struct MemberArguments {
    /// The family
    #[arg(value_name = "FAMILY", value_parser = family())]
    family: Family,
    /// Its parameter
    #[arg(value_name = "N")]
    n: u32,
    /// The pass, or the way with a live range
    #[arg(value_name = "WAY", value_parser = way())]
    way: Way,
    /// Go it so many times, and do nothing else: for a profiler
    #[arg(long, value_name = "TIMES")]
    times: Option<usize>,
}

pub(super) fn run_member(arguments: &MemberArguments) {
    let &MemberArguments { family, n, way, times } = arguments;
    match times {
        Some(times) => passes::measure_times(family, n, way, times),
        None => print!("{}", passes::measure(family, n, way).text()),
    }
}

// What is none of the names has been refused before it is looked for.
fn family() -> impl TypedValueParser<Value = Family> {
    let names = Family::all().into_iter().map(Family::name);
    PossibleValuesParser::new(names).map(|name| Family::from_name(&name).unwrap_or(Family::Block))
}

fn way() -> impl TypedValueParser<Value = Way> {
    let names = Way::all().into_iter().map(Way::name);
    PossibleValuesParser::new(names).map(|name| Way::from_name(&name).unwrap_or(Way::Pass(Pass::Copies)))
}
