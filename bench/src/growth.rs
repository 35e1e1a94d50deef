//! Tables of what something costs by size: each member of a family in a process of its own, with limits.
//!
//! A *member* is a family, a size, and a way to do what the table is about. A
//! command of this program measures one and prints its [`Figures`]. Costs are
//! divided by the units of the member, and compared with those of the smallest
//! one of its series: what is linear stays near 1.

use crate::child::{self, Ending, Limits};
use crate::failure::Failure;
use crate::families::PATIENCE;
use crate::figures::figures;
use crate::measure::{self, Memory};
use crate::record::Record;
use crate::{cachegrind, table};
use std::io::Write;
use std::time::Duration;

figures! {
    /// What is measured of one member.
    Figures:
    /// What costs are divided by.
    units,
    /// Nanoseconds of the fastest run.
    time,
    /// The most bytes of heap held at a time; 0 where they are not counted.
    peak,
    /// Allocations, and changes of size; 0 where they are not counted.
    allocations,
    /// How many of what the table says came of it.
    result
}

/// Instructions are counted where a run takes less than this: under Valgrind it takes fifty times as long.
const COUNTED: Duration = Duration::from_millis(20);

/// A table.
#[derive(Clone, Copy, Debug)]
pub struct Growth {
    /// Its name in the record.
    pub name: &'static str,
    /// The command that measures a member, whose arguments are family, size and way; with `--times N` it goes that way
    /// so many times and does nothing else.
    pub command: &'static str,
    /// What the results are.
    pub result: &'static str,
    /// What a run may take.
    pub limits: Limits,
    /// The largest members of which instructions are counted, too: those that are larger take long to make under Valgrind.
    pub counted: u32,
}

/// Members of one family by one way, from the smallest to the largest.
#[derive(Clone, Copy, Debug)]
pub struct Series {
    /// The family.
    pub family: &'static str,
    /// The way.
    pub way: &'static str,
    /// The sizes.
    pub sizes: &'static [u32],
}

/// Nanoseconds and instructions, by unit.
#[derive(Clone, Copy, Debug)]
struct Cost {
    time: f64,
    instructions: Option<f64>,
}

/// Goes a way again and again, each time on what `prepare` makes: what the fastest run takes.
///
/// `work` says how many results came of it.
pub fn measure<T>(units: u64, mut prepare: impl FnMut() -> T, mut work: impl FnMut(&mut T) -> u64) -> Figures {
    let mut figures = Figures { units, ..Figures::default() };
    let (mut spent, mut fastest) = (Duration::ZERO, Duration::MAX);
    while spent < PATIENCE {
        // An input may take longer to make than the work on it.
        let (mut input, prepared) = measure::time(&mut prepare);
        let ((result, memory), time) = measure::time(|| measure::memory(|| work(&mut input)));
        spent += prepared + time;
        fastest = fastest.min(time);
        figures.result = result;
        if let Some(Memory { peak, allocations }) = memory {
            (figures.peak, figures.allocations) = (peak, allocations);
        }
    }
    figures.time = fastest.as_nanos() as u64;
    figures
}

impl Growth {
    /// Measures the members with at most `at_most` for their size, prints the table as it grows, and adds to the record.
    ///
    /// A series ends with the first member that has no result: larger ones would take longer.
    ///
    /// # Errors
    /// If a run cannot be started, or the table cannot be written.
    pub fn print(
        &self,
        series: impl IntoIterator<Item = Series>,
        at_most: u32,
        record: &mut Record,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        write!(out, "{:10} {:>8} {:18} {:>10} {:>10}", "family", "n", "way", "units", "ms")?;
        write!(out, " {:>8} {:>6} {:>8} {:>6}", "ns/unit", "ratio", "i/unit", "ratio")?;
        writeln!(out, " {:>9} {:>10}", "peak MB", self.result)?;
        for series in series {
            let mut smallest = None;
            for &n in series.sizes.iter().filter(|&&n| n <= at_most) {
                write!(out, "{:10} {n:8} {:18}", series.family, series.way)?;
                out.flush()?;
                let is_done = self.line(series, n, &mut smallest, record, out)?;
                out.flush()?;
                if !is_done {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Measures one member, prints what it took, and adds it to the record: whether it came to its end.
    fn line(
        &self,
        series: Series,
        n: u32,
        smallest: &mut Option<Cost>,
        record: &mut Record,
        out: &mut impl Write,
    ) -> Result<bool, Failure> {
        let input = format!("{} {n}", series.family);
        let mut add = |measure, value| record.add(self.name, &input, series.way, measure, value);
        let arguments = [self.command, series.family, &n.to_string(), series.way].map(String::from);
        let mut figures = match child::run(&child::program(false)?, &arguments, self.limits)? {
            Ending::Done(text) => Figures::read(&text),
            ending => {
                // In seconds; 0 where it was not the time that ran out.
                let seconds = if let Ending::OutOfTime(limit) = ending { limit.as_secs_f64() } else { 0.0 };
                add("no result", seconds);
                writeln!(out, " {ending}")?;
                return Ok(false);
            }
        };
        if let Ending::Done(text) = child::run(&child::program(true)?, &arguments, self.limits)? {
            let counted = Figures::read(&text);
            (figures.peak, figures.allocations) = (counted.peak, counted.allocations);
        }
        let cost = self.cost(n, &figures, &arguments)?;
        let least = *smallest.get_or_insert(cost);
        let of_least = cost.instructions.zip(least.instructions).map(|(cost, least)| cost / least);
        figures.fields().into_iter().for_each(|(name, number)| add(name, number as f64));
        cost.instructions.into_iter().for_each(|cost| add("instructions/unit", cost));
        let (milliseconds, megabytes) = (figures.time as f64 / 1e6, figures.peak as f64 / 1e6);
        write!(out, " {:10} {milliseconds:10.2} {:8.1} {:6.2}", figures.units, cost.time, cost.time / least.time)?;
        let decimals = |value: Option<f64>, digits| value.map_or(String::new(), |value| format!("{value:.digits$}"));
        write!(out, " {:>8} {:>6}", decimals(cost.instructions, 1), decimals(of_least, 2))?;
        writeln!(out, " {megabytes:9.1} {:>10}", table::thousands(figures.result))?;
        Ok(true)
    }

    /// What a member costs by unit.
    fn cost(&self, n: u32, figures: &Figures, arguments: &[String]) -> Result<Cost, Failure> {
        let by_unit = |total: u64| total as f64 / figures.units.max(1) as f64;
        let mut instructions = None;
        if n <= self.counted && Duration::from_nanos(figures.time) < COUNTED {
            let times = |times: &str| arguments.iter().cloned().chain(["--times".to_owned(), times.to_owned()]);
            let profile = cachegrind::difference(&child::program(false)?, |number: &'static str| times(number))?;
            instructions = Some(by_unit(profile.total()));
        }
        Ok(Cost { time: by_unit(figures.time), instructions })
    }
}

#[cfg(test)]
mod tests {
    use super::{Figures, measure};

    #[test]
    fn each_run_has_an_input_of_its_own() {
        let figures = measure(
            3,
            || vec![1u64, 2],
            |input| {
                input.push(4);
                input.iter().sum()
            },
        );
        assert_eq!((figures.units, figures.result), (3, 7));
        assert_eq!(Figures::read(&figures.text()), figures);
    }
}
