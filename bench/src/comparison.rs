//! The comparison on one trace: every subject, every figure.

use crate::cachegrind::{self, Profile};
use crate::failure::Failure;
use crate::measure::Memory;
use crate::record::Record;
use crate::replay::Params;
use crate::subject::Subject;
use crate::table::{Table, thousands};
use crate::trace::Trace;
use crate::{counter, results, times};
use ssaphire_literature::Engine;
use std::path::Path;
use std::time::Duration;

/// What is measured of one subject; `None` where it was not, or has no meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Nanoseconds per event.
    pub time: Option<f64>,
    /// Instructions per event.
    pub instructions: Option<f64>,
    /// What the first replay takes from the heap.
    pub memory: Option<Memory>,
    /// Allocations of the second replay.
    pub steady_allocations: Option<u64>,
    /// Phis made, whether they stayed or not.
    pub made: Option<u64>,
    /// Phis in the result.
    pub kept: Option<u64>,
    /// Their operands, one per edge.
    pub operands: Option<u64>,
}

/// What to measure.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Times to take, of which the shortest counts; none are taken where it is 0.
    pub runs: usize,
    /// Whose instructions to count.
    pub instructions: Instructions,
}

/// Whose instructions to count: it takes some twenty times as long as running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// Nobody's.
    None,
    /// Those of the default engine, of Cranelift and of the floor.
    Default,
    /// Everybody's.
    All,
}

impl Instructions {
    fn include(self, subject: Subject) -> bool {
        match subject {
            Subject::Engine(engine) if engine == Engine::default() => self != Self::None,
            Subject::Floor | Subject::Cranelift | Subject::Skeleton => self != Self::None,
            Subject::Engine(_) | Subject::Whole(_) | Subject::Decode => self == Self::All,
        }
    }
}

/// A trace with what every subject made of it.
#[derive(Debug)]
pub struct Comparison {
    name: String,
    events: u64,
    lines: Vec<(String, Figures)>,
    /// Where the instructions of the default engine go, per replay.
    profile: Option<Profile>,
}

/// Cranelift's replay without its skeleton: the part that is SSA construction.
const SHARE: &str = "cranelift's share";

/// Cranelift with its pass that removes constant phis, which is a pass of its own.
const CLEANED: &str = "cranelift-cleaned";

impl Comparison {
    /// Measures everything on the trace, which is in the file `words`, too.
    ///
    /// # Errors
    /// If another program cannot be run, or Cranelift's pass refuses a function.
    pub fn measure(name: &str, trace: &Trace, words: &Path, extent: Extent) -> Result<Self, Failure> {
        let subjects = Subject::all();
        let events = trace.counts().events;
        let times = match extent.runs {
            0 => vec![None; subjects.len()],
            runs => times::shortest(&subjects, trace, runs).into_iter().map(Some).collect(),
        };
        let mut comparison = Self { name: name.to_owned(), events, lines: Vec::new(), profile: None };
        for (&subject, time) in subjects.iter().zip(times) {
            let time = time.map(|time: Duration| time.as_nanos() as f64 / events as f64);
            let mut figures = Figures { time, ..Figures::default() };
            if extent.instructions.include(subject) {
                let profile = count_instructions(subject, words)?;
                figures.instructions = Some(profile.total() as f64 / events as f64);
                if subject == Subject::Engine(Engine::default()) {
                    comparison.profile = Some(profile);
                }
            }
            let (memory, steady) = counter::ask(subject, words)?;
            (figures.memory, figures.steady_allocations) = (Some(memory), Some(steady));
            if let Subject::Engine(engine) = subject {
                let stats = results::of_engine(engine, trace);
                figures.made = Some(stats.phis_made);
                (figures.kept, figures.operands) = (Some(stats.phis_kept), Some(stats.operands_kept));
            }
            comparison.lines.push((subject.name().to_owned(), figures));
        }
        comparison.add_cranelift(trace);
        Ok(comparison)
    }

    /// Adds Cranelift's results, and its share: the replay without the skeleton.
    fn add_cranelift(&mut self, trace: &Trace) {
        let result = results::of_cranelift(trace);
        let (full, skeleton) = (self.figures(Subject::Cranelift.name()), self.figures(Subject::Skeleton.name()));
        let difference = |of: fn(&Figures) -> Option<f64>| Some(of(&full)? - of(&skeleton)?);
        let share = Figures {
            time: difference(|figures| figures.time),
            instructions: difference(|figures| figures.instructions),
            ..Figures::default()
        };
        let params = |figures: Figures, params: Params| Figures {
            kept: Some(params.params),
            operands: Some(params.arguments),
            ..figures
        };
        if let Some((_, figures)) = self.lines.iter_mut().find(|(name, _)| name == Subject::Cranelift.name()) {
            *figures = params(*figures, result.built);
        }
        self.lines.push((SHARE.to_owned(), share));
        self.lines.push((CLEANED.to_owned(), params(Figures::default(), result.cleaned)));
    }

    fn figures(&self, name: &str) -> Figures {
        let found = self.lines.iter().find(|(other, _)| other == name);
        found.map_or_else(Figures::default, |&(_, figures)| figures)
    }

    /// The table to be read.
    pub fn table(&self) -> Table {
        let (floor, share) = (self.figures(Subject::Floor.name()), self.figures(SHARE));
        let mut table = Table::new([
            &self.name,
            "ns/event",
            "of floor",
            "of share",
            "instr/event",
            "of floor",
            "of share",
            "peak KB",
            "allocations",
            "steady",
            "phis made",
            "kept",
            "operands",
        ]);
        let decimal = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.1}"));
        let ratio = |value: Option<f64>, of: Option<f64>| {
            value.zip(of).map_or(String::new(), |(value, of)| format!("{:.2}x", value / of))
        };
        let count = |value: Option<u64>| value.map_or(String::new(), thousands);
        for (name, figures) in &self.lines {
            table.line([
                name.clone(),
                decimal(figures.time),
                ratio(figures.time, floor.time),
                ratio(figures.time, share.time),
                decimal(figures.instructions),
                ratio(figures.instructions, floor.instructions),
                ratio(figures.instructions, share.instructions),
                count(figures.memory.map(|memory| memory.peak / 1_000)),
                count(figures.memory.map(|memory| memory.allocations)),
                count(figures.steady_allocations),
                count(figures.made),
                count(figures.kept),
                count(figures.operands),
            ]);
        }
        table
    }

    /// Where the instructions of the default engine go, function by function, if they were counted.
    pub fn profile_table(&self) -> Option<Table> {
        let profile = self.profile.as_ref()?;
        let mut table = Table::new([&format!("{}, {}", self.name, Engine::default()), "instr/event", "of all"]);
        for (name, cost) in profile.top(12) {
            let share = 100.0 * cost as f64 / profile.total() as f64;
            let per_event = cost as f64 / self.events as f64;
            table.line([cachegrind::short(name), format!("{per_event:.1}"), format!("{share:.1} %")]);
        }
        Some(table)
    }

    /// Adds every figure to the record.
    pub fn add_to(&self, record: &mut Record) {
        for (name, figures) in &self.lines {
            let integer = |value: Option<u64>| value.map(|value| value as f64);
            for (measure, value) in [
                ("ns/event", figures.time),
                ("instructions/event", figures.instructions),
                ("peak bytes", integer(figures.memory.map(|memory| memory.peak))),
                ("allocations", integer(figures.memory.map(|memory| memory.allocations))),
                ("allocations in the steady state", integer(figures.steady_allocations)),
                ("phis made", integer(figures.made)),
                ("phis kept", integer(figures.kept)),
                ("operands kept", integer(figures.operands)),
            ] {
                if let Some(value) = value {
                    record.add("replay", &self.name, name, measure, value);
                }
            }
        }
        for (name, cost) in self.profile.iter().flat_map(|profile| profile.top(12)) {
            let per_event = cost as f64 / self.events as f64;
            record.add("profile", &self.name, &cachegrind::short(name), "instructions/event", per_event);
        }
    }
}

fn count_instructions(subject: Subject, words: &Path) -> Result<Profile, Failure> {
    let program = std::env::current_exe().map_err(Failure::file(words))?;
    cachegrind::difference(&program, |times| {
        ["count".as_ref(), subject.name().as_ref(), times.as_ref(), words.as_os_str()]
    })
}
