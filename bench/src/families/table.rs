//! The table of the families: each member in a process of its own, with limits.

use super::{Family, Figures, Member, Size, Subject};
use crate::child::{self, Ending, Limits};
use crate::record::Record;
use std::fmt;
use std::io::{self, Write};

/// One line of the table.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What was built.
    pub member: Member,
    /// Who built it.
    pub subject: Subject,
    /// Its events, and the incomplete phis and kept operands of our builder: what costs are divided by.
    pub units: u64,
    /// How the run ended that took the time.
    pub ending: Ending,
    /// What it measured, if it came to its end.
    pub figures: Option<Figures>,
    /// Its cost by that of the smallest member of its series.
    pub ratio: Option<f64>,
}

impl Entry {
    /// Nanoseconds by unit.
    pub fn cost(&self) -> Option<f64> {
        Some(self.figures?.time as f64 / self.units as f64)
    }

    /// Adds every figure to the record.
    pub fn add_to(&self, record: &mut Record) {
        let input = self.member.to_string();
        let mut add = |measure, value| record.add("families", &input, self.subject.name(), measure, value);
        add("units", self.units as f64);
        let Some(figures) = self.figures else {
            // In seconds; 0 where it was not the time that ran out.
            let seconds = if let Ending::OutOfTime(limit) = self.ending { limit.as_secs_f64() } else { 0.0 };
            return add("no result", seconds);
        };
        for (measure, number) in figures.fields() {
            add(measure, number as f64);
        }
        if let Some(ratio) = self.ratio {
            add("cost to that of the smallest", ratio);
        }
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Member { family, size: Size { n, m } } = self.member;
        write!(f, "{:10} {n:8} {m:8} {:14} {:10}", family.name(), self.subject.name(), self.units)?;
        let Some(figures) = self.figures else { return write!(f, " {}", self.ending) };
        let (time, megabytes) = (figures.time as f64 / 1e6, figures.peak as f64 / 1e6);
        write!(f, " {time:10.2} {:8.1}", self.cost().unwrap_or_default())?;
        match self.ratio {
            Some(ratio) => write!(f, " {ratio:6.2}")?,
            None => write!(f, " {:>6}", "")?,
        }
        write!(f, " {megabytes:9.1} {:10} {:10}", figures.phis_made, figures.phis_kept)?;
        if figures.work > 0 {
            write!(f, " {:8.2}", figures.work as f64 / self.units as f64)?;
        }
        Ok(())
    }
}

/// Builds the members of `families` by each of the subjects and prints the table as it grows: its lines.
///
/// # Errors
/// If a run cannot be started, or the table cannot be written.
pub fn table(
    families: &[Family],
    subjects: &[Subject],
    at_most: u64,
    limits: Limits,
    out: &mut impl Write,
) -> io::Result<Vec<Entry>> {
    writeln!(
        out,
        "{:10} {:>8} {:>8} {:14} {:>10} {:>10} {:>8} {:>6} {:>9} {:>10} {:>10} {:>8}",
        "family", "n", "m", "builder", "units", "ms", "ns/unit", "ratio", "peak MB", "phis made", "kept", "work/unit"
    )?;
    let mut entries = Vec::new();
    for &family in families {
        for &series in family.series() {
            let begin = entries.len();
            for &size in series.iter().filter(|size| size.is_at_most(at_most)) {
                for entry in line(Member { family, size }, subjects, limits)? {
                    let smallest = entries[begin..].iter().find(|first: &&Entry| first.subject == entry.subject);
                    let ratio = smallest.and_then(Entry::cost).zip(entry.cost()).map(|(first, last)| last / first);
                    let entry = Entry { ratio, ..entry };
                    writeln!(out, "{entry}")?;
                    out.flush()?;
                    entries.push(entry);
                }
            }
        }
    }
    Ok(entries)
}

/// One member by each of the subjects; the first of our engines that comes to its end tells the units.
fn line(member: Member, subjects: &[Subject], limits: Limits) -> io::Result<Vec<Entry>> {
    let events = member.events();
    let mut entries = Vec::new();
    for &subject in subjects {
        let ending = child::run(&child::program(false)?, &arguments(subject, member), limits)?;
        let mut figures = None;
        if let Ending::Done(text) = &ending {
            let mut read = Figures::read(text);
            let counted = child::run(&child::program(true)?, &arguments(subject, member), limits)?;
            if let Ending::Done(text) = counted {
                let counted = Figures::read(&text);
                (read.peak, read.allocations) = (counted.peak, counted.allocations);
            }
            figures = Some(read);
        }
        entries.push(Entry { member, subject, units: events, ending, figures, ratio: None });
    }
    let ours = entries.iter().filter(|entry| entry.subject != Subject::Cranelift).find_map(|entry| entry.figures);
    let more = ours.map_or(0, |figures| figures.incomplete_phis + figures.operands_kept);
    entries.iter_mut().for_each(|entry| entry.units += more);
    Ok(entries)
}

fn arguments(subject: Subject, member: Member) -> Vec<String> {
    let Member { family, size: Size { n, m } } = member;
    ["family", family.name(), &n.to_string(), &m.to_string(), subject.name()].map(String::from).to_vec()
}
