//! `ssaphire check --certificate`: programs that somebody else certified.

use super::Status;
use crate::arguments::CheckArguments;
use crate::console::Console;
use crate::diagnostic::{Diagnostic, Failure, Place, counted, plain};
use crate::input::{self, shown_name};
use crate::judge::{self, Refusal};
use serde_json::{Value as Json, json};
use ssaphire::check::certificate::{ParseError, Reader};
use ssaphire::check::{Mode, Verdict};
use ssaphire_ir::judge::{Inspector, Needless};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::mem;
use std::path::Path;

/// So many violations are listed for a program.
const MOST_LISTED: usize = 20;

/// The verdict on one program.
struct Judged {
    input: String,
    name: String,
    verdict: Verdict,
    /// Phis it does not need, found by looking; `None` where it breaks the rules that make it a result at all.
    needless: Option<Needless>,
}

pub(super) fn run(arguments: &CheckArguments, console: &mut Console) -> Result<Status, Failure> {
    let mode = if arguments.refine { Mode::Refine } else { Mode::Exact };
    let mut judged = Vec::new();
    // Nothing is written before everything is read: half an answer would look like one.
    let is_certificate = |path: &Path| path.extension().is_some_and(|extension| extension == "cert");
    let mut files = input::in_folders(&arguments.certificate, "certificate (.cert)", is_certificate);
    for file in mem::take(&mut files.list) {
        files.add_problems(&file, judge_all(&file.name, mode, &mut judged).err());
    }
    files.finish(judged.is_empty(), console)?;
    if console.is_json {
        let programs: Json = judged.iter().map(Judged::to_json).collect();
        console.json(&json!({ "format": "ssaphire-verdicts/1", "programs": programs }))?;
    } else {
        judged.iter().try_for_each(|judged| judged.write(console))?;
        if judged.is_empty() {
            writeln!(console.output, "nothing to judge")?;
        }
    }
    Ok(Status::finding_if(judged.iter().any(|judged| !judged.verdict.is_accepted())))
}

/// Judges the programs of one file, one at a time.
fn judge_all(input: &str, mode: Mode, judged: &mut Vec<Judged>) -> Result<(), Diagnostic> {
    let shown = shown_name(input);
    let mut lines = Lines::open(input)?;
    let mut reader = Reader::new(lines.by_ref());
    let mut inspector = Inspector::default();
    let mut name = String::new();
    let mut refused = None;
    while let Some(result) = reader.read_into(&mut name, inspector.program_mut()) {
        match result {
            Ok(()) => {
                let (verdict, needless) = inspector.judge_program(mode);
                let (input, name) = (shown.clone(), mem::take(&mut name));
                judged.push(Judged { input, name, verdict: abridged(verdict), needless });
            }
            Err(error) => refused = Some(error),
        }
    }
    lines.check(&shown)?;
    refused.map_or(Ok(()), |error| Err(lines.problem(&shown, error)))
}

/// A verdict is kept until all are read; a program with a million violations must not fill the memory.
fn abridged(mut verdict: Verdict) -> Verdict {
    verdict.violations.truncate(MOST_LISTED);
    verdict.violations.shrink_to_fit();
    verdict
}

impl Judged {
    fn write(&self, console: &mut Console) -> io::Result<()> {
        let Self { input, name, verdict, .. } = self;
        let (style, word) = match verdict.is_accepted() {
            true => (console.styles.good, "accepted"),
            false => (console.styles.error, "refused"),
        };
        writeln!(console.output, "{}: {}: {style}{word}{style:#}: {}", plain(input), plain(name), self.levels())?;
        verdict.violations.iter().map(Refusal::of_certificate).try_for_each(|it| writeln!(console.output, "  {it}"))?;
        if verdict.violations.is_empty() {
            return Ok(());
        }
        // Ids are written plus one.
        writeln!(console.output, "  (block0, x0 and v0 are the block, variable and value that the certificate calls 1)")
    }

    /// What was established, and what was not.
    fn levels(&self) -> String {
        let Verdict { mode, structurally_valid, equivalent, .. } = self.verdict;
        let structure = if structurally_valid { "structurally valid" } else { "not structurally valid" };
        let source = match (equivalent, mode) {
            (true, Mode::Exact) => "equivalent to the source",
            (true, Mode::Refine) => "equivalent to the source where it is defined",
            (false, _) => "not equivalent to the source",
        };
        let mut levels = format!("{structure}, {source}");
        if let Some(Needless { redundant, dead }) = self.needless {
            levels += &level("minimal", self.verdict.minimal, redundant, "redundant phi");
            levels += &level("pruned", self.verdict.pruned, dead, "dead phi");
        }
        levels
    }

    fn to_json(&self) -> Json {
        let Self { input, name, verdict, needless } = self;
        json!({
            "input": input,
            "name": name,
            "accepted": verdict.is_accepted(),
            "structurally_valid": verdict.structurally_valid,
            "equivalent": verdict.equivalent,
            "minimal": needless.map(|needless| needless.redundant == 0),
            "pruned": needless.map(|needless| needless.dead == 0),
            "proved": { "minimal": verdict.minimal, "pruned": verdict.pruned },
            "violations": verdict.violations.iter().map(|it| judge::to_json(&Refusal::of_certificate(it))).collect::<Json>(),
        })
    }
}

/// Whether the program has the property, and whether its certificate proves it.
fn level(property: &str, proved: Option<bool>, needless: u64, kind: &str) -> String {
    match (needless, proved) {
        (0, Some(true)) => format!(", proved {property}"),
        (0, Some(false)) => format!(", {property} (its proof is wrong)"),
        (0, None) => format!(", {property}"),
        _ => format!(", not {property} ({})", counted(needless, kind)),
    }
}

/// The lines of an input, up to the first that cannot be read.
struct Lines {
    input: Box<dyn BufRead>,
    line: String,
    number: usize,
    error: Option<io::Error>,
}

impl Lines {
    fn open(input: &str) -> Result<Self, Diagnostic> {
        let reader: Box<dyn BufRead> = match input::is_standard_input(input) {
            true => Box::new(io::stdin().lock()),
            false => {
                let file = File::open(input).map_err(|error| Diagnostic::of_input(input, error.to_string()))?;
                Box::new(BufReader::with_capacity(1 << 16, file))
            }
        };
        Ok(Self { input: reader, line: String::new(), number: 0, error: None })
    }

    /// Whether all lines could be read.
    fn check(&self, shown: &str) -> Result<(), Diagnostic> {
        let Some(error) = &self.error else { return Ok(()) };
        let place = Place::Text { line: self.number + 1, column: 1 };
        Err(match error.kind() {
            io::ErrorKind::InvalidData => {
                Diagnostic::of_input(shown, "expected a certificate, found invalid UTF-8").at(place)
            }
            _ => Diagnostic::of_input(shown, error.to_string()),
        })
    }

    /// What the reader found, with the line it stopped at.
    fn problem(&self, shown: &str, error: ParseError) -> Diagnostic {
        let ParseError { line, column, kind, .. } = error;
        let problem = Diagnostic::of_input(shown, kind.to_string()).at(Place::Text { line, column });
        if line != self.number {
            return problem;
        }
        let indent = " ".repeat(column - 1);
        Diagnostic { excerpt: format!("{line:>5} | {}\n      | {indent}^", self.line), ..problem }
    }
}

impl Iterator for Lines {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        if self.error.is_some() {
            return None;
        }
        self.line.clear();
        match self.input.read_line(&mut self.line) {
            Ok(0) => return None,
            Ok(_) => {}
            Err(error) => {
                self.error = Some(error);
                return None;
            }
        }
        self.number += 1;
        self.line.truncate(self.line.trim_end_matches(['\n', '\r']).len());
        Some(self.line.clone())
    }
}
