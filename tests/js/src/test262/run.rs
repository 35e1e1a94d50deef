//! Tests run as they are, and transformed.

use super::suite::sample;
use super::{Cache, FrontMatter, Mode, Report, Suite, Test};
use crate::Transformation;
use crate::node::{Answer, Node, Phase};
use crate::threads::on_threads;
use serde_json::json;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How a transformed test fails that passes as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The transformation refuses it.
    Refused(String),
    /// The transformation panics.
    Panicked(String),
    /// What node says of the transformed test is not what is expected.
    Differs(Answer),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |text: &str| text.replace(['\n', '\r', '\t'], " ");
        match self {
            Self::Refused(message) => write!(f, "refused: {}", line(message)),
            Self::Panicked(message) => write!(f, "panicked: {}", line(message)),
            Self::Differs(answer) => write!(f, "{answer}"),
        }
    }
}

/// One test in one mode.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The test.
    pub name: String,
    /// How it was run.
    pub mode: Mode,
    /// What node says of it as it is.
    pub original: Answer,
    /// Whether it passes as it is.
    pub passes: bool,
    /// How it fails under each transformation; empty if it does not pass as it is.
    pub failures: Vec<(Transformation, Option<Failure>)>,
}

/// Whether `answer` is what the test expects.
pub fn judge(matter: &FrontMatter, answer: &Answer) -> bool {
    match &matter.negative {
        Some(negative) => answer.phase == negative.phase && answer.name == negative.name,
        None => answer.phase == Phase::None,
    }
}

/// Runs the tests of `suite` whose names contain `filter`, or `count` of them, under each transformation, on `jobs` threads.
///
/// # Errors
/// If a file cannot be read, or node cannot be started.
pub fn run_all(
    suite: &Suite,
    cache: &mut Cache,
    transformations: &[Transformation],
    (filter, count): (&str, Option<usize>),
    jobs: usize,
) -> io::Result<Report> {
    let names: Vec<String> = suite.names().iter().filter(|name| name.contains(filter)).cloned().collect();
    let names = sample(&names, count);
    let next = AtomicUsize::new(0);
    let known = &*cache;
    let work = || {
        let (mut node, mut verdicts) = (Node::default(), Vec::new());
        while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Some(test) = suite.test(name)? {
                for &mode in Mode::of(&test.matter) {
                    verdicts.push(run_one(&mut node, suite.root(), known, &test, mode, transformations)?);
                }
            }
        }
        Ok(verdicts)
    };
    let mut verdicts = on_threads(jobs, work)?.concat();
    verdicts.sort_by(|a, b| (&a.name, a.mode.name()).cmp(&(&b.name, b.mode.name())));
    cache.extend(verdicts.iter().map(|verdict| (verdict.name.clone(), verdict.mode, verdict.original.clone())));
    Ok(Report { transformations: transformations.to_vec(), verdicts })
}

fn run_one(
    node: &mut Node,
    root: &Path,
    cache: &Cache,
    test: &Test,
    mode: Mode,
    transformations: &[Transformation],
) -> io::Result<Verdict> {
    let source = mode.text(&test.source);
    let original = match cache.get(&test.name, mode) {
        Some(answer) => answer.clone(),
        None => node.run(&job(root, test, mode, &source))?,
    };
    let passes = judge(&test.matter, &original);
    let mut failures: Vec<(Transformation, Option<Failure>)> = Vec::new();
    let mut texts: Vec<Option<String>> = Vec::new();
    for &transformation in transformations.iter().filter(|_| passes) {
        let text = transformed(transformation, &source, mode);
        // The same text does the same.
        let same = texts.iter().position(|other| other.is_some() && *other == text.as_ref().ok().cloned());
        let failure = match (same, &text) {
            (Some(index), _) => failures[index].1.clone(),
            (None, Ok(text)) => {
                let answer = node.run(&job(root, test, mode, text))?;
                (!judge(&test.matter, &answer)).then_some(Failure::Differs(answer))
            }
            (None, Err(failure)) => {
                let wants_refusal =
                    test.matter.negative.as_ref().is_some_and(|negative| negative.phase == Phase::Parse);
                let is_refused = matches!(failure, Failure::Refused(_));
                (!(wants_refusal && is_refused)).then(|| failure.clone())
            }
        };
        failures.push((transformation, failure));
        texts.push(text.ok());
    }
    Ok(Verdict { name: test.name.clone(), mode, original, passes, failures })
}

fn transformed(transformation: Transformation, source: &str, mode: Mode) -> Result<String, Failure> {
    let run = AssertUnwindSafe(|| transformation.apply(source, mode.kind()));
    match catch_unwind(run) {
        Ok(text) => text.map_err(Failure::Refused),
        Err(panic) => {
            let message = panic.downcast_ref::<String>().cloned();
            let message = message.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Err(Failure::Panicked(message.unwrap_or_default()))
        }
    }
}

fn job(root: &Path, test: &Test, mode: Mode, text: &str) -> serde_json::Value {
    let mut harness: Vec<&str> = Vec::new();
    if mode != Mode::Raw {
        harness.extend(["assert.js", "sta.js"]);
        if test.matter.has("async") {
            harness.push("doneprintHandle.js");
        }
        harness.extend(test.matter.includes.iter().map(String::as_str));
    }
    json!({
        "kind": "test", "root": root, "file": test.file, "text": text, "harness": harness,
        "module": mode == Mode::Module, "async": test.matter.has("async"),
    })
}
