//! What node says of a job.

use serde_json::Value;
use std::fmt;

/// When a program stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// At its end.
    None,
    /// Its text is refused.
    Parse,
    /// A module that it imports is not there, refused, or lacks a name.
    Resolution,
    /// It threw.
    Runtime,
    /// It waits for what will not come.
    Unfinished,
    /// It took too long.
    Hung,
    /// It took the process with it.
    Died,
    /// The harness itself threw.
    Harness,
}

const PHASES: &[(Phase, &str)] = &[
    (Phase::None, "none"),
    (Phase::Parse, "parse"),
    (Phase::Resolution, "resolution"),
    (Phase::Runtime, "runtime"),
    (Phase::Unfinished, "unfinished"),
    (Phase::Hung, "hung"),
    (Phase::Died, "died"),
    (Phase::Harness, "harness"),
];

impl Phase {
    /// The word that stands for it.
    pub fn name(self) -> &'static str {
        PHASES.iter().find(|(phase, _)| *phase == self).map_or("", |(_, name)| name)
    }

    /// The phase called `name`.
    pub fn named(name: &str) -> Option<Self> {
        PHASES.iter().find(|(_, word)| *word == name).map(|(phase, _)| *phase)
    }
}

/// What node says of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// When the program stopped.
    pub phase: Phase,
    /// The name of the constructor of what was thrown, or the type of a primitive value.
    pub name: String,
    /// The message of what was thrown.
    pub message: String,
    /// What a program logged.
    pub log: String,
}

impl Answer {
    /// An answer that is nothing but its phase.
    pub fn without_words(phase: Phase) -> Self {
        Self { phase, name: String::new(), message: String::new(), log: String::new() }
    }

    /// The answer of a line that the worker wrote.
    pub(super) fn from_line(line: &str) -> Result<Self, Phase> {
        let value: Value = serde_json::from_str(line).map_err(|_| Phase::Died)?;
        let text = |key: &str| value[key].as_str().unwrap_or("").to_owned();
        let phase = Phase::named(&text("phase")).ok_or(Phase::Died)?;
        Ok(Self { phase, name: text("name"), message: text("message"), log: text("log") })
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.phase.name())?;
        if !self.name.is_empty() {
            write!(f, " {}", self.name)?;
        }
        if !self.message.is_empty() {
            write!(f, ": {}", self.message.replace(['\n', '\r', '\t'], " "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, PHASES, Phase};

    #[test]
    fn each_phase_is_found_by_its_name() {
        for (phase, name) in PHASES {
            assert_eq!(Phase::named(name), Some(*phase));
            assert_eq!(phase.name(), *name);
        }
    }

    #[test]
    fn a_line_that_is_no_answer_is_a_death() {
        assert_eq!(Answer::from_line("Segmentation fault"), Err(Phase::Died));
        let answer = Answer::from_line(r#"{"phase":"runtime","name":"RangeError","message":"a\nb"}"#).unwrap();
        assert_eq!(answer.to_string(), "runtime RangeError: a b");
    }
}
