//! What a run found, in numbers and by name.

use super::{Failure, Verdict};
use crate::Transformation;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What a run found.
#[derive(Debug)]
pub struct Report {
    /// The transformations that ran.
    pub transformations: Vec<Transformation>,
    /// One for each test and mode, in order of names.
    pub verdicts: Vec<Verdict>,
}

/// How many tests pass in a folder; a test in two modes counts twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// How many were run.
    pub runs: usize,
    /// How many of these pass as they are.
    pub passing: usize,
    /// How many of these pass under each transformation, in order of the transformations.
    pub transformed: Vec<usize>,
}

impl Counts {
    fn add(&mut self, verdict: &Verdict, transformations: usize) {
        self.transformed.resize(transformations, 0);
        self.runs += 1;
        self.passing += usize::from(verdict.passes);
        for (count, (_, failure)) in self.transformed.iter_mut().zip(&verdict.failures) {
            *count += usize::from(failure.is_none());
        }
    }
}

impl Report {
    /// The counts of all.
    pub fn total(&self) -> Counts {
        let mut counts = Counts { transformed: vec![0; self.transformations.len()], ..Counts::default() };
        for verdict in &self.verdicts {
            counts.add(verdict, self.transformations.len());
        }
        counts
    }

    /// The counts of each folder, in order of their names.
    pub fn folders(&self) -> BTreeMap<String, Counts> {
        let mut folders: BTreeMap<String, Counts> = BTreeMap::new();
        for verdict in &self.verdicts {
            folders.entry(folder(&verdict.name)).or_default().add(verdict, self.transformations.len());
        }
        folders
    }

    /// Tests that pass as they are and fail transformed, in order of names, with the first failure of each.
    pub fn failures(&self) -> Vec<(&Verdict, Transformation, &Failure)> {
        let first = |verdict: &Verdict| verdict.failures.iter().position(|(_, failure)| failure.is_some());
        let all = self.verdicts.iter().filter_map(|verdict| {
            let (transformation, failure) = &verdict.failures[first(verdict)?];
            Some((verdict, *transformation, failure.as_ref()?))
        });
        all.collect()
    }

    /// A table of the folders.
    pub fn table(&self) -> String {
        let mut text = format!("{:<44} {:>6} {:>6}", "folder", "runs", "node");
        for transformation in &self.transformations {
            let _ = write!(text, " {:>15}", transformation.name());
        }
        text.push('\n');
        for (name, counts) in self.folders().into_iter().chain([("all".to_owned(), self.total())]) {
            let _ = write!(text, "{name:<44} {:>6} {:>6}", counts.runs, counts.passing);
            for count in counts.transformed {
                let _ = write!(text, " {count:>15}");
            }
            text.push('\n');
        }
        text
    }

    /// One line for each failure: its name, mode, transformation, and what node or the transformation says.
    pub fn list(&self) -> String {
        let mut text = String::new();
        for (verdict, transformation, failure) in self.failures() {
            let _ = writeln!(text, "{}\t{}\t{}\t{failure}", verdict.name, verdict.mode.name(), transformation.name());
        }
        text
    }

    /// The messages of failures, the most frequent first, each with its number and the name of one test.
    pub fn reasons(&self) -> String {
        let mut reasons: BTreeMap<String, (usize, &str)> = BTreeMap::new();
        for (verdict, _, failure) in self.failures() {
            let reason: String = without_digits(&failure.to_string()).chars().take(100).collect();
            reasons.entry(reason).or_insert((0, &verdict.name)).0 += 1;
        }
        let mut reasons: Vec<_> = reasons.into_iter().collect();
        reasons.sort_by_key(|&(_, (count, _))| std::cmp::Reverse(count));
        let mut text = String::new();
        for (reason, (count, name)) in reasons {
            let _ = writeln!(text, "{count:>6} {reason}\n       {name}");
        }
        text
    }
}

/// Numbers, such as places, would tell failures of one cause apart.
fn without_digits(text: &str) -> String {
    let mut short = String::new();
    for character in text.chars() {
        let character = if character.is_ascii_digit() { '#' } else { character };
        if character != '#' || !short.ends_with('#') {
            short.push(character);
        }
    }
    short
}

/// The folder that a test is counted in: the one below `language`.
fn folder(name: &str) -> String {
    let parts: Vec<&str> = name.split('/').collect();
    let depth = parts.iter().position(|part| *part == "language").map_or(1, |position| position + 2);
    parts[..depth.min(parts.len() - 1)].join("/")
}

#[cfg(test)]
mod tests {
    use super::{folder, without_digits};

    #[test]
    fn tests_are_counted_below_language() {
        assert_eq!(folder("test/language/expressions/a/b.js"), "test/language/expressions");
        assert_eq!(folder("test/annexB/language/eval-code/a.js"), "test/annexB/language/eval-code");
        assert_eq!(folder("test/language/a.js"), "test/language");
    }

    #[test]
    fn places_do_not_tell_reasons_apart() {
        assert_eq!(without_digits("refused: 123: no x1"), "refused: #: no x#");
    }
}
