//! The table of what judging takes, family by family: each member in a process of its own, with limits.

use super::{Family, Judged, Member, Size};
use crate::cachegrind;
use crate::child::{self, Ending, Limits};
use crate::failure::Failure;
use ssaphire_literature::Engine;
use std::io::Write;

/// Builds the members of `families` by each of the engines, has them judged, and prints the table as it grows.
///
/// If it `counts`, also the instructions of making the certificate and judging it, in memory that is large enough.
///
/// # Errors
/// If a run cannot be started, or the table cannot be written.
pub fn judging_table(
    families: &[Family],
    engines: &[Engine],
    at_most: u64,
    limits: Limits,
    counts: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    write!(out, "{:10} {:>8} {:>8} {:14} {:>10} {:>11}", "family", "n", "m", "builder", "claimed", "obligations")?;
    write!(out, " {:>10} {:>10} {:>10}", "build ms", "certify ms", "judge ms")?;
    for unit in ["ns/claim", "ns/size"].into_iter().chain(["i/claim", "i/size"].into_iter().filter(|_| counts)) {
        write!(out, " {unit:>9} {:>6}", "ratio")?;
    }
    writeln!(out)?;
    for &family in families {
        for &series in family.series() {
            for &engine in engines {
                let mut smallest = None;
                for &size in series.iter().filter(|size| size.is_at_most(at_most)) {
                    line(Member { family, size }, engine, limits, counts, &mut smallest, out)?;
                    out.flush()?;
                }
            }
        }
    }
    Ok(())
}

/// Prints one member; `smallest` is what the first one of its series took, by claim and by size.
fn line(
    member: Member,
    engine: Engine,
    limits: Limits,
    counts: bool,
    smallest: &mut Option<Vec<f64>>,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let Member { family, size: Size { n, m } } = member;
    write!(out, "{:10} {n:8} {m:8} {:14}", family.name(), engine.name())?;
    let program = child::program(false)?;
    let arguments =
        ["family", family.name(), &n.to_string(), &m.to_string(), engine.name(), "--judge"].map(String::from);
    let text = match child::run(&program, &arguments, limits)? {
        Ending::Done(text) => text,
        ending => return Ok(writeln!(out, " {ending}")?),
    };
    let figures = Judged::read(&text);
    let mut totals = vec![figures.certify + figures.judge];
    if counts {
        let times = |times: &str| arguments.iter().cloned().chain(["--times".to_owned(), times.to_owned()]).collect();
        let profile = cachegrind::difference(&program, |number| -> Vec<String> { times(number) })?;
        totals.push(profile.total());
    }
    let units = [figures.claimed(), figures.size];
    let costs = totals.iter().flat_map(|&total| units.map(|units| total as f64 / units as f64));
    let costs: Vec<f64> = costs.collect();
    let least = smallest.get_or_insert_with(|| costs.clone());
    write!(out, " {:10} {:11}", figures.claimed(), figures.obligations)?;
    for time in [figures.build, figures.certify, figures.judge] {
        write!(out, " {:10.2}", time as f64 / 1e6)?;
    }
    for (cost, least) in costs.iter().zip(least) {
        write!(out, " {cost:9.1} {:6.2}", cost / *least)?;
    }
    Ok(writeln!(out)?)
}
