//! `repair` and `repair-member`: repair of finished functions, and one member of one family by one way.

use crate::cachegrind;
use crate::child::Limits;
use crate::failure::Failure;
use crate::growth::Growth;
use crate::record::Record;
use crate::repair::{self, Family, Way};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::io::stdout;
use std::time::Duration;

#[derive(Args, Debug)]
pub(super) struct RepairArguments {
    /// Only these families
    #[arg(value_name = "FAMILY", value_parser = family())]
    families: Vec<Family>,
    /// Only these ways
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

pub(super) fn run(arguments: &RepairArguments) -> Result<(), Failure> {
    let families = if arguments.families.is_empty() { Family::ALL } else { &arguments.families };
    let ways = if arguments.ways.is_empty() { Way::ALL } else { &arguments.ways };
    let limits = Limits { time: Duration::from_secs(arguments.seconds), ..Limits::default() };
    let growth = Growth { limits, counted: if arguments.instructions { COUNTED } else { 0 }, ..GROWTH };
    growth.print(repair::series(families, ways), arguments.at_most, &mut Record::default(), &mut stdout().lock())
}

const GROWTH: Growth = Growth {
    name: "repair",
    command: "repair-member",
    result: "phis",
    limits: Limits { time: Duration::from_secs(20), memory: 16_000_000 },
    counted: 0,
};

/// The largest members of which instructions are counted.
const COUNTED: u32 = 100_000;

/// Prints the table, with instructions where Valgrind is there.
pub(super) fn table(at_most: u32, record: &mut Record) -> Result<(), Failure> {
    let growth = Growth { counted: if cachegrind::is_available() { COUNTED } else { 0 }, ..GROWTH };
    growth.print(repair::series(Family::ALL, Way::ALL), at_most, record, &mut stdout().lock())?;
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
    /// The way
    #[arg(value_name = "WAY", value_parser = way())]
    way: Way,
    /// Go it so many times, and do nothing else: for a profiler
    #[arg(long, value_name = "TIMES")]
    times: Option<usize>,
}

pub(super) fn run_member(arguments: &MemberArguments) {
    let &MemberArguments { family, n, way, times } = arguments;
    match times {
        Some(times) => repair::measure_times(family, n, way, times),
        None => print!("{}", repair::measure(family, n, way).text()),
    }
}

// What is none of the names has been refused before it is looked for.
fn family() -> impl TypedValueParser<Value = Family> {
    let names = Family::ALL.iter().map(|family| family.name());
    PossibleValuesParser::new(names).map(|name| Family::from_name(&name).unwrap_or(Family::Chain))
}

fn way() -> impl TypedValueParser<Value = Way> {
    let names = Way::ALL.iter().map(|way| way.name());
    PossibleValuesParser::new(names).map(|name| Way::from_name(&name).unwrap_or(Way::Repair))
}
