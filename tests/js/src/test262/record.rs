//! The record of a full run: what it ran on, its counts, and every test that fails, by name and with the reason why it may.
//!
//! One fact a line: `revision`, `node`, `runs`, `passing`, one line for each transformation, `folder`, and `exception` with
//! a category, the modes, and the name of a test.

use super::{Report, Verdict};
use crate::Transformation;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Why a test may fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    /// It observes the text of a function.
    SourceText,
    /// It reaches variables through `with` or `eval` in ways that no other program does.
    ScopeTricks,
    /// It needs more stack than there is.
    StackDepth,
    /// The parser refuses what is right, or accepts what is wrong.
    Parser,
    /// It observes that `document.all` is equal to `null` and yet neither that nor `undefined`.
    DocumentAll,
    /// Nothing is known: a mistake until it is explained.
    Unexplained,
}

const CATEGORIES: &[(Category, &str)] = &[
    (Category::SourceText, "source-text"),
    (Category::ScopeTricks, "scope-tricks"),
    (Category::StackDepth, "stack-depth"),
    (Category::Parser, "parser"),
    (Category::DocumentAll, "document-all"),
    (Category::Unexplained, "unexplained"),
];

impl Category {
    /// The word that stands for it.
    pub fn name(self) -> &'static str {
        CATEGORIES.iter().find(|(category, _)| *category == self).map_or("", |(_, name)| name)
    }

    fn named(name: &str) -> Option<Self> {
        CATEGORIES.iter().find(|(_, word)| *word == name).map(|(category, _)| *category)
    }
}

/// The tests that may fail, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exceptions(BTreeMap<String, Category>);

impl Exceptions {
    /// Those of a record.
    ///
    /// # Errors
    /// A line that says `exception` and is none.
    pub fn of(record: &str) -> Result<Self, String> {
        let mut exceptions = BTreeMap::new();
        for line in record.lines() {
            let mut words = line.split_whitespace();
            if words.next() == Some("exception") {
                let category = words.next().and_then(Category::named);
                let (category, name) = category.zip(words.last()).ok_or_else(|| format!("no exception: {line}"))?;
                exceptions.insert(name.to_owned(), category);
            }
        }
        Ok(Self(exceptions))
    }

    /// Why the test called `name` may fail, if it may.
    pub fn get(&self, name: &str) -> Option<Category> {
        self.0.get(name).copied()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The record of a run at `revision` under `node`; exceptions that `known` has keep their categories.
pub fn record(report: &Report, revision: &str, node: &str, known: &Exceptions) -> String {
    let total = report.total();
    let mut text = String::from(HEAD);
    let _ = writeln!(text, "revision {revision}\nnode {node}\nruns {}\npassing {}", total.runs, total.passing);
    for (transformation, count) in report.transformations.iter().zip(&total.transformed) {
        let _ = writeln!(text, "{} {count}", transformation.name());
    }
    for (folder, counts) in report.folders() {
        let _ = write!(text, "folder {folder} {} {}", counts.runs, counts.passing);
        for count in counts.transformed {
            let _ = write!(text, " {count}");
        }
        text.push('\n');
    }
    for (name, ways) in exceptions(report) {
        let category = known.get(name).unwrap_or(Category::Unexplained);
        let _ = writeln!(text, "exception {} {} {name}", category.name(), ways.join(","));
    }
    text
}

const HEAD: &str = "\
# What passes of test262 after the round trip through SSA form, of what passes in node as it is.
# A test in two modes counts twice. `cargo run -p ssaphire-js-tests -- test262 --record` writes this file;
# the categories of exceptions are kept, and are written by hand: source-text, scope-tricks, stack-depth, parser, document-all.
";

/// The tests that fail, each with the modes and transformations under which it does.
fn exceptions(report: &Report) -> BTreeMap<&str, Vec<String>> {
    let mut names: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for verdict in &report.verdicts {
        let failing = failing(verdict);
        if failing.is_empty() {
            continue;
        }
        let all = failing.len() == report.transformations.len();
        let under: Vec<&str> = failing.iter().map(|transformation| transformation.name()).collect();
        let under = if all { "always".to_owned() } else { under.join("+") };
        names.entry(&verdict.name).or_default().push(format!("{}:{under}", verdict.mode.name()));
    }
    names
}

fn failing(verdict: &Verdict) -> Vec<Transformation> {
    let failing = verdict.failures.iter().filter(|(_, failure)| failure.is_some());
    failing.map(|(transformation, _)| *transformation).collect()
}

#[cfg(test)]
mod tests {
    use super::{Category, Exceptions, record};
    use crate::Transformation;
    use crate::node::{Answer, Phase};
    use crate::test262::{Failure, Mode, Report, Verdict};

    fn verdict(name: &str, failure: Option<Failure>) -> Verdict {
        Verdict {
            name: name.to_owned(),
            mode: Mode::Sloppy,
            original: Answer::without_words(Phase::None),
            passes: true,
            failures: vec![(Transformation::Identity, failure)],
        }
    }

    #[test]
    fn a_record_keeps_the_categories_of_the_one_before_it() {
        let differs = || Some(Failure::Differs(Answer::without_words(Phase::Runtime)));
        let verdicts =
            vec![verdict("test/a.js", differs()), verdict("test/b.js", None), verdict("test/c.js", differs())];
        let report = Report { transformations: vec![Transformation::Identity], verdicts };
        let known = Exceptions::of("exception source-text sloppy:always test/c.js").unwrap();
        let text = record(&report, "abc", "v20", &known);
        let tail = "runs 3\npassing 3\nidentity 1\nfolder test 3 3 1\n\
                    exception unexplained sloppy:always test/a.js\nexception source-text sloppy:always test/c.js\n";
        assert!(text.ends_with(tail), "{text}");
        let again = Exceptions::of(&text).unwrap();
        assert_eq!((again.get("test/a.js"), again.get("test/b.js")), (Some(Category::Unexplained), None));
        assert_eq!(again.len(), 2);
    }

    #[test]
    fn an_exception_without_a_category_is_refused() {
        assert!(Exceptions::of("exception because test/a.js").is_err());
    }
}
