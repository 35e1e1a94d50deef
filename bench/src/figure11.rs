//! The program of Ullrich's Figure 11: a value is written once, then read by *n* empty conditionals in a row.
//!
//! ```text
//! x = f(); if (x > 1) {} else {} .. n times ..; y = x
//! ```
//!
//! A lookup without memory walks 2^n paths: the thesis's own implementation
//! took 10.4 s for n = 40. No phi is needed.
//!
//! # Departures
//! None.

use crate::families::{Built, Calls, build};
use crate::measure;
use crate::record::Record;
use crate::table::{Table, thousands};
use ssaphire::{Certified, SsaBuilder, Stats};
use ssaphire_ir::BuildError;
use ssaphire_literature::{AnyBuilder, Engine};
use std::fmt;
use std::time::Duration;

/// The size that is measured.
pub const LARGEST: u32 = 1_000_000;

const X: u32 = 0;
const Y: u32 = 1;

/// The calls that a front end makes for it.
pub fn emit(n: u32, calls: &mut impl Calls) {
    let entry = calls.block();
    calls.switch(entry);
    calls.write(X);
    for _ in 0..n {
        calls.read(X);
        let (then, otherwise, join) = (calls.block(), calls.block(), calls.block());
        calls.end(&[then, otherwise]);
        for arm in [then, otherwise] {
            calls.seal(arm);
            calls.switch(arm);
            calls.end(&[join]);
        }
        calls.seal(join);
        calls.switch(join);
    }
    calls.read(X);
    calls.write(Y);
    calls.end(&[]);
}

/// Builds it with a new builder.
pub fn through_builder(n: u32, engine: Engine) -> Built {
    build(engine, |calls| emit(n, calls))
}

/// Its text in the While language.
pub fn source(n: u32) -> String {
    let conditionals = "if x > 1 {} else {}\n".repeat(n as usize);
    format!("func figure11() {{\nx := f();\n{conditionals}y := x;\nreturn y;\n}}\n")
}

/// Why its text was refused.
#[derive(Clone, Debug)]
pub enum Refused {
    /// It is not the While language: how many errors.
    Parse(usize),
    /// No function could be built.
    Build(BuildError),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parse(errors) => write!(f, "{errors} syntax errors"),
            Self::Build(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Refused {}

/// From its text to SSA form; nothing is recorded for the judge.
///
/// # Errors
/// Never, unless the front end is broken.
pub fn through_while(source: &str, engine: Engine) -> Result<Stats, Refused> {
    let program =
        ssaphire_while::parse(source, &ssaphire_while::Options::default()).map_err(|e| Refused::Parse(e.len()))?;
    let mut ssa = Certified::with_builder(AnyBuilder::new(engine));
    ssa.set_recording(false);
    ssaphire_while::build(&program, 0, &mut ssa).map_err(Refused::Build)?;
    Ok(*ssa.stats())
}

/// One way to its SSA form, measured.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// Where it begins.
    pub name: &'static str,
    /// The shortest time.
    pub time: Duration,
    /// The builder's counters.
    pub stats: Stats,
}

/// Measures both ways at size `n`.
///
/// # Errors
/// Never, unless the front end is broken.
pub fn measure(n: u32, runs: usize) -> Result<Vec<Way>, Refused> {
    let mut stats = Stats::default();
    let time = measure::shortest(runs, || stats = through_builder(n, Engine::Auto).stats);
    let builder = Way { name: "builder", time, stats };
    let text = source(n);
    let mut result = Ok(Stats::default());
    let time = measure::shortest(runs, || result = through_while(&text, Engine::Auto));
    Ok(vec![builder, Way { name: "while", time, stats: result? }])
}

/// One engine at one size.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// The engine.
    pub engine: Engine,
    /// Number of conditionals.
    pub n: u32,
    /// The shortest time through the builder.
    pub time: Duration,
    /// Steps of the builder and the engine.
    pub work: u64,
}

/// The thesis's specification as written, by depth-first search, and the default engine, from a few conditionals to
/// as many as each manages: at most `n`.
pub fn curves(n: u32, runs: usize) -> Vec<Point> {
    let literal = [5, 10, 15, 20].map(|size| (Engine::FunctionalLiteral, size));
    let others = [10, 100, 1_000, 10_000, 100_000];
    let others = [Engine::Functional, Engine::Auto].into_iter().flat_map(|engine| others.map(|size| (engine, size)));
    let sizes = literal.into_iter().chain(others).filter(|&(_, size)| size <= n);
    let measured = sizes.map(|(engine, size)| {
        let mut work = 0;
        let time = measure::shortest(runs, || {
            work = through_builder(size, engine).stats.work;
        });
        Point { engine, n: size, time, work }
    });
    measured.collect()
}

/// The curves as a table.
pub fn table_of_curves(points: &[Point]) -> Table {
    let mut table = Table::new(["figure 11", "n", "ms", "steps", "steps/n"]);
    for Point { engine, n, time, work } in points {
        table.line([
            engine.name().to_owned(),
            thousands(u64::from(*n)),
            format!("{:.2}", time.as_secs_f64() * 1e3),
            thousands(*work),
            format!("{:.1}", *work as f64 / f64::from(*n)),
        ]);
    }
    table
}

/// Adds every point to the record.
pub fn add_curves(record: &mut Record, points: &[Point]) {
    for Point { engine, n, time, work } in points {
        let mut add = |measure, value| record.add("figure11-curves", &n.to_string(), engine.name(), measure, value);
        add("milliseconds", time.as_secs_f64() * 1e3);
        add("work", *work as f64);
    }
}

/// The ways as a table.
pub fn table(n: u32, ways: &[Way]) -> Table {
    let mut table = Table::new([&format!("figure 11, n = {n}"), "ms", "phis made", "kept", "steps/n"]);
    for Way { name, time, stats } in ways {
        table.line([
            (*name).to_owned(),
            format!("{:.1}", time.as_secs_f64() * 1e3),
            thousands(stats.phis_made),
            thousands(stats.phis_kept),
            format!("{:.2}", stats.work as f64 / f64::from(n)),
        ]);
    }
    table
}

/// Adds every figure to the record.
pub fn add_to(record: &mut Record, n: u32, ways: &[Way]) {
    for Way { name, time, stats } in ways {
        let mut add = |measure, value| record.add("figure11", &n.to_string(), name, measure, value);
        add("milliseconds", time.as_secs_f64() * 1e3);
        add("phis made", stats.phis_made as f64);
        add("phis kept", stats.phis_kept as f64);
        add("work", stats.work as f64);
    }
}
