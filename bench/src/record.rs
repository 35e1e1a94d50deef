//! The record of a run: every figure, under the machine and the day it was taken.

use crate::failure::Failure;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// One figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The table it stands in.
    pub table: &'static str,
    /// The module or the family, with its size.
    pub input: String,
    /// The engine or the rival.
    pub subject: String,
    /// What was measured, with its unit.
    pub measure: &'static str,
    /// How much.
    pub value: f64,
}

/// The figures of a run, in the order in which they were taken.
#[derive(Clone, Debug, Default)]
pub struct Record {
    rows: Vec<Row>,
}

impl Record {
    /// Adds a figure. Nothing has a comma in its name: the record separates by them.
    pub fn add(&mut self, table: &'static str, input: &str, subject: &str, measure: &'static str, value: f64) {
        debug_assert!(![table, input, subject, measure].iter().any(|name| name.contains(',')), "{subject}: {measure}");
        self.rows.push(Row { table, input: input.to_owned(), subject: subject.to_owned(), measure, value });
    }

    /// The figures.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The record as comma-separated values, with what the machine is in comments before, and what stays of the
    /// record `before`.
    fn to_csv(&self, machine: &Machine, before: &str) -> String {
        let mut text = format!("# processor: {}\n# date: {}\n", machine.processor, machine.date);
        text.push_str("table,input,subject,measure,value\n");
        self.rest_of(before).for_each(|line| writeln!(text, "{line}").expect("a string takes it"));
        for Row { table, input, subject, measure, value } in &self.rows {
            writeln!(text, "{table},{input},{subject},{measure},{}", number(*value)).expect("a string takes it");
        }
        text
    }

    /// Writes the record below `folder`: where it is.
    ///
    /// Where the machine has a record of that day, its figures stay, but for those that were taken anew: the rows
    /// of a table and an input go together, measure by measure.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn write(&self, folder: &Path, machine: &Machine) -> Result<PathBuf, Failure> {
        let folder = folder.join(machine.slug());
        fs::create_dir_all(&folder).map_err(Failure::file(&folder))?;
        let file = folder.join(format!("{}.csv", machine.date));
        let before = match fs::read_to_string(&file) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text.map_err(Failure::file(&file))?,
        };
        fs::write(&file, self.to_csv(machine, &before)).map_err(Failure::file(&file))?;
        Ok(file)
    }

    /// The rows of a record of that day that stay.
    fn rest_of<'t>(&self, before: &'t str) -> impl Iterator<Item = &'t str> {
        let key = |line: &'t str| {
            let mut fields = line.split(',');
            Some((fields.next()?, fields.next()?, fields.nth(1)?))
        };
        let anew: BTreeSet<(&str, &str, &str)> =
            self.rows.iter().map(|row| (row.table, row.input.as_str(), row.measure)).collect();
        let rows = before.lines().filter(|line| !line.starts_with('#')).skip(1);
        rows.filter(move |line| key(line).is_some_and(|key| !anew.contains(&key)))
    }
}

/// With two digits after the point, where any are needed.
pub fn number(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}

/// Which machine, and which day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The processor's model.
    pub processor: String,
    /// The day, as in `2026-11-21`, in universal time.
    pub date: String,
}

impl Machine {
    /// This machine, today.
    pub fn here() -> Self {
        let model = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| model_name(&text));
        let processor = model.unwrap_or_else(|| std::env::consts::ARCH.to_owned());
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Self { processor, date: date(since.as_secs() / 86_400) }
    }

    /// The processor's model in lower case, with hyphens.
    pub fn slug(&self) -> String {
        let words = self.processor.split(|letter: char| !letter.is_ascii_alphanumeric());
        let words: Vec<_> = words.filter(|word| !word.is_empty()).map(str::to_ascii_lowercase).collect();
        words.join("-")
    }
}

fn model_name(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The day so many days after 1 January 1970.
fn date(days: u64) -> String {
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut year, mut rest) = (1970, days);
    while rest >= 365 + u64::from(is_leap(year)) {
        rest -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if rest < length {
            break;
        }
        rest -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", rest + 1)
}

#[cfg(test)]
mod tests {
    use super::{Machine, Record, date, model_name};

    #[test]
    fn days_have_dates() {
        let expected = [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (20_778, "2026-11-21"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ];
        for (days, text) in expected {
            assert_eq!(date(days), text, "{days}");
        }
    }

    #[test]
    fn a_machine_is_called_by_its_processor() {
        let processor = model_name("flags: x\nmodel name\t: Some CPU @ 2.50GHz (R)\n").unwrap();
        let machine = Machine { processor, date: date(0) };
        assert_eq!(machine.slug(), "some-cpu-2-50ghz-r");
    }

    #[test]
    fn a_record_is_a_line_per_figure() {
        let mut record = Record::default();
        record.add("replay", "sql.js", "marker", "ns/event", 12.345);
        record.add("replay", "sql.js", "marker", "phis kept", 7_714.0);
        let machine = Machine { processor: "P".to_owned(), date: date(0) };
        let expected = "# processor: P\n# date: 1970-01-01\ntable,input,subject,measure,value\n\
                        replay,sql.js,marker,ns/event,12.35\nreplay,sql.js,marker,phis kept,7714\n";
        assert_eq!(record.to_csv(&machine, ""), expected);
    }

    #[test]
    fn what_was_not_taken_anew_stays() {
        let machine = Machine { processor: "P".to_owned(), date: date(0) };
        let mut first = Record::default();
        first.add("replay", "sql.js", "marker", "ns/event", 1.0);
        first.add("replay", "sql.js", "old", "phis kept", 2.0);
        first.add("replay", "swc", "marker", "phis kept", 3.0);
        let mut second = Record::default();
        second.add("replay", "sql.js", "marker", "phis kept", 4.0);
        let expected = "# processor: P\n# date: 1970-01-01\ntable,input,subject,measure,value\n\
                        replay,sql.js,marker,ns/event,1\nreplay,swc,marker,phis kept,3\n\
                        replay,sql.js,marker,phis kept,4\n";
        assert_eq!(second.to_csv(&machine, &first.to_csv(&machine, "")), expected);
    }
}
