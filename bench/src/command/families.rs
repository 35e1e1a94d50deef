//! `families` and `family`: the pathological families, and one member of one.

use crate::child::Limits;
use crate::failure::Failure;
use crate::families::{self, Entry, Family, Member, Size, Subject};
use crate::record::Record;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ssaphire_literature::Engine;
use std::io::stdout;
use std::time::Duration;

#[derive(Args, Debug)]
pub(super) struct FamiliesArguments {
    /// Only these families
    #[arg(value_name = "FAMILY", value_parser = family())]
    families: Vec<Family>,
    /// Builders; the default engine and Cranelift's where none is named
    #[arg(long = "builder", value_name = "NAME", value_parser = subject())]
    subjects: Vec<Subject>,
    /// Members with at most so many blocks and accesses, or n x m of them
    #[arg(long, value_name = "N", default_value_t = u64::MAX)]
    at_most: u64,
    /// Seconds a run may take
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    seconds: u64,
    /// What it takes to judge the members by their certificates, instead of what it takes to build them
    #[arg(long)]
    judge: bool,
    /// Count the instructions of judging, too: needs Valgrind
    #[arg(long, requires = "judge")]
    instructions: bool,
}

pub(super) fn run(arguments: &FamiliesArguments) -> Result<(), Failure> {
    let limits = Limits { time: Duration::from_secs(arguments.seconds), ..Limits::default() };
    let or = |given: &[Family]| if given.is_empty() { Family::ALL.to_vec() } else { given.to_vec() };
    let subjects = if arguments.subjects.is_empty() { subjects() } else { arguments.subjects.clone() };
    if arguments.judge {
        let engines: Vec<Engine> = subjects.iter().filter_map(|subject| subject.engine()).collect();
        let (families, at_most, counts) = (or(&arguments.families), arguments.at_most, arguments.instructions);
        return families::judging_table(&families, &engines, at_most, limits, counts, &mut stdout().lock());
    }
    table(&or(&arguments.families), &subjects, arguments.at_most, limits, &mut Record::default())
}

/// The default engine, and the rival.
pub(super) fn subjects() -> Vec<Subject> {
    vec![Subject::Engine(Engine::default()), Subject::Cranelift]
}

/// The families that every engine is measured on.
pub(super) const OF_ALL: [Family; 3] = [Family::Dead, Family::Switch, Family::Nest];

/// So many blocks and accesses, or *n* x *m* of them, are enough to see how an engine grows, and no more than the
/// memory of one that is quadratic can take.
pub(super) const AT_MOST_FOR_ALL: u64 = 1_000_000;

/// All engines but the default one.
pub(super) fn others() -> Vec<Subject> {
    Engine::ALL.iter().copied().filter(|&engine| engine != Engine::default()).map(Subject::Engine).collect()
}

/// Prints the table as it grows.
pub(super) fn table(
    families: &[Family],
    subjects: &[Subject],
    at_most: u64,
    limits: Limits,
    record: &mut Record,
) -> Result<(), Failure> {
    let entries = families::table(families, subjects, at_most, limits, &mut stdout().lock())?;
    entries.iter().for_each(|entry: &Entry| entry.add_to(record));
    Ok(())
}

#[derive(Args, Debug)]
pub(super) struct FamilyArguments {
    /// The family
    #[arg(value_name = "FAMILY", value_parser = family())]
    family: Family,
    /// Its first parameter
    #[arg(value_name = "N")]
    n: u32,
    /// Its second parameter
    #[arg(value_name = "M")]
    m: u32,
    /// The builder
    #[arg(value_name = "NAME", value_parser = subject())]
    subject: Subject,
    /// Judge what an engine builds
    #[arg(long)]
    judge: bool,
    /// Judge it so many times, and do nothing else: for a profiler
    #[arg(long, value_name = "TIMES", requires = "judge")]
    times: Option<usize>,
}

pub(super) fn run_member(arguments: &FamilyArguments) {
    let member = Member { family: arguments.family, size: Size { n: arguments.n, m: arguments.m } };
    let text = match (arguments.subject.engine().filter(|_| arguments.judge), arguments.times) {
        (Some(engine), Some(times)) => return families::judge_times(engine, member, times),
        (Some(engine), None) => families::judge(engine, member, families::PATIENCE).text(),
        (None, _) => families::measure(arguments.subject, member).text(),
    };
    print!("{text}");
}

// What is none of the names has been refused before it is looked for.
fn family() -> impl TypedValueParser<Value = Family> {
    PossibleValuesParser::new(Family::ALL.map(Family::name)).map(|n| Family::from_name(&n).unwrap_or(Family::IfChain))
}

fn subject() -> impl TypedValueParser<Value = Subject> {
    let names = Engine::ALL.iter().map(|engine| engine.name()).chain([Subject::Cranelift.name()]);
    PossibleValuesParser::new(names).map(|name| Subject::from_name(&name).unwrap_or(Subject::Cranelift))
}
