//! A program before and after a transformation.

use crate::Transformation;
use crate::node::{Answer, Node, Phase};
use serde_json::json;
use ssaphire_js::source::SourceKind;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a program finds in its realm, and whether it is a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Realm {
    /// A script that asks `tick` whether it has run for long enough, and logs through `log`.
    Ticking,
    /// A script that logs through `console`.
    Script,
    /// A module that logs through `console`, and imports nothing.
    Module,
}

/// Makes the program of a seed, and says where it runs.
pub type Make = fn(u64) -> (String, Realm);

/// How many functions and rounds of loops a program may begin.
const FUEL: usize = 400;

/// What came of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Both log the same, so many lines.
    Same(usize),
    /// The program is no program, does not end as it is, or imports what is not there.
    Useless(Answer),
    /// The transformed program is another one.
    Different(Difference),
}

/// How a transformed program differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The transformation refuses it.
    Refused(String),
    /// The transformation panics.
    Panicked,
    /// It ends in another way.
    End {
        /// How it ends as it is.
        original: Answer,
        /// How it ends transformed.
        transformed: Answer,
    },
    /// It logs something else, from this line on.
    Log {
        /// The number of the line, from 0.
        line: usize,
        /// What it logs there as it is.
        original: String,
        /// What it logs there transformed.
        transformed: String,
    },
}

impl Difference {
    /// Whether the two are of one kind, so that they may well be one mistake.
    pub fn is_like(&self, other: &Self) -> bool {
        self.kind() == other.kind()
    }

    fn kind(&self) -> String {
        let answer = |answer: &Answer| format!("{} {}", answer.phase.name(), answer.name);
        match self {
            // Places differ.
            Self::Refused(message) => message.chars().filter(|character| !character.is_ascii_digit()).collect(),
            Self::Panicked => "panicked".to_owned(),
            Self::End { transformed, .. } if transformed.phase == Phase::Parse => {
                transformed.message.chars().filter(|character| !character.is_ascii_digit()).collect()
            }
            Self::End { original, transformed } => format!("{}, {}", answer(original), answer(transformed)),
            Self::Log { .. } => "log".to_owned(),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(message) => write!(f, "refused: {message}"),
            Self::Panicked => write!(f, "the transformation panics"),
            Self::End { original, transformed } => {
                write!(f, "ends with {original}, and transformed with {transformed}")
            }
            Self::Log { line, original, transformed } => {
                write!(f, "logs in line {line}:\n  {original}\nand transformed:\n  {transformed}")
            }
        }
    }
}

/// Runs `program` as it is and transformed.
///
/// # Errors
/// If node cannot be started.
pub fn compare(node: &mut Node, program: &str, realm: Realm, transformation: Transformation) -> io::Result<Comparison> {
    let original = run(node, program, realm)?;
    compare_to(node, program, realm, &original, transformation)
}

/// Runs `program` transformed, and compares the answer to `original`. A program that does not end, or imports what is not
/// there, is transformed only.
///
/// # Errors
/// If node cannot be started.
pub fn compare_to(
    node: &mut Node,
    program: &str,
    realm: Realm,
    original: &Answer,
    transformation: Transformation,
) -> io::Result<Comparison> {
    if matches!(original.phase, Phase::Parse | Phase::Died | Phase::Harness) {
        return Ok(Comparison::Useless(original.clone()));
    }
    let kind = if realm == Realm::Module { SourceKind::MODULE } else { SourceKind::SCRIPT };
    let apply = AssertUnwindSafe(|| transformation.apply(program, kind));
    let text = match catch_unwind(apply) {
        Ok(Ok(text)) => text,
        Ok(Err(message)) => return Ok(Comparison::Different(Difference::Refused(message))),
        Err(_) => return Ok(Comparison::Different(Difference::Panicked)),
    };
    if !matches!(original.phase, Phase::None | Phase::Runtime) {
        return Ok(Comparison::Useless(original.clone()));
    }
    // The same text does the same.
    if text == program {
        return Ok(Comparison::Same(original.log.lines().count()));
    }
    let transformed = run(node, &text, realm)?;
    Ok(difference(original.clone(), transformed))
}

/// What node says of `program`.
///
/// # Errors
/// If node cannot be started.
pub fn run(node: &mut Node, text: &str, realm: Realm) -> io::Result<Answer> {
    let (has_console, module) = (realm != Realm::Ticking, realm == Realm::Module);
    node.run(&json!({ "kind": "program", "text": text, "fuel": FUEL, "console": has_console, "module": module }))
}

fn difference(mut original: Answer, mut transformed: Answer) -> Comparison {
    let (left, right) = (std::mem::take(&mut original.log), std::mem::take(&mut transformed.log));
    let (mut left, mut right, mut line) = (left.lines(), right.lines(), 0);
    if (original.phase, &original.name) != (transformed.phase, &transformed.name) {
        return Comparison::Different(Difference::End { original, transformed });
    }
    loop {
        match (left.next(), right.next()) {
            (None, None) => return Comparison::Same(line),
            (a, b) if a == b => line += 1,
            (a, b) => {
                let text = |line: Option<&str>| line.unwrap_or("nothing").to_owned();
                let difference = Difference::Log { line, original: text(a), transformed: text(b) };
                return Comparison::Different(difference);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Comparison, Difference, difference};
    use crate::node::{Answer, Phase};

    #[test]
    fn the_first_line_that_differs_is_reported() {
        let answer = |log: &str| Answer { log: log.to_owned(), ..Answer::without_words(Phase::None) };
        assert_eq!(difference(answer("a\nb\n"), answer("a\nb\n")), Comparison::Same(2));
        let found = difference(answer("a\nb\nc"), answer("a"));
        let expected = Difference::Log { line: 1, original: "b".to_owned(), transformed: "nothing".to_owned() };
        assert_eq!(found, Comparison::Different(expected));
    }
}
