//! What is said about an input that something is wrong with.

use serde_json::{Value as Json, json};
use ssaphire_wasm::TextPlace;
use std::fmt::{self, Write};
use std::io;

/// Something wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Diagnostic {
    /// The input, as it was named; `None` if it is about the command line.
    pub(crate) input: Option<String>,
    /// Where in the input.
    pub(crate) place: Place,
    /// The number and the name of the function that it is about.
    pub(crate) function: Option<Box<(usize, String)>>,
    /// What is wrong: one line.
    pub(crate) message: String,
    /// Lines that show it: the source, with a caret below. Empty if there are none.
    pub(crate) excerpt: String,
}

/// A place in an input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Place {
    /// All of it.
    #[default]
    Whole,
    /// Line and column, both from 1.
    Text { line: usize, column: usize },
    /// Offset in bytes.
    Byte(u64),
}

impl Diagnostic {
    /// Something wrong with the command line.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { input: None, place: Place::Whole, function: None, message: message.into(), excerpt: String::new() }
    }

    /// Something wrong with an input as a whole.
    pub(crate) fn of_input(input: &str, message: impl Into<String>) -> Self {
        Self { input: Some(input.to_owned()), ..Self::usage(message) }
    }

    /// The same, at a place.
    pub(crate) fn at(self, place: Place) -> Self {
        Self { place, ..self }
    }

    /// The same, about a function.
    pub(crate) fn in_function(self, index: usize, name: String) -> Self {
        Self { function: Some(Box::new((index, name))), ..self }
    }

    /// The same, at a place of a text that shows its line.
    pub(crate) fn in_text(self, place: &TextPlace) -> Self {
        let at = Place::Text { line: place.line, column: place.column };
        Self { place: at, excerpt: place.to_string(), ..self }
    }

    /// At a line and column of a text, with the lines that `shown` has after its first: an error as front ends print it.
    pub(crate) fn shown(input: &str, line: usize, column: usize, message: String, shown: &impl fmt::Display) -> Self {
        let shown = shown.to_string();
        let excerpt = shown.split_once('\n').map_or("", |(_, excerpt)| excerpt).to_owned();
        Self { excerpt, ..Self::of_input(input, message).at(Place::Text { line, column }) }
    }

    /// At a place of a text, with its line.
    #[cfg_attr(
        not(feature = "js"),
        expect(dead_code, reason = "only errors in JavaScript need an excerpt made for them")
    )]
    pub(crate) fn at_place(input: &str, place: &ssaphire_ir::source::Place, message: String) -> Self {
        let at = Place::Text { line: place.line, column: place.column };
        Self { excerpt: place.excerpt_lines(), ..Self::of_input(input, message).at(at) }
    }

    /// As an object for machines.
    pub(crate) fn to_json(&self, severity: &str) -> Json {
        let mut object = json!({ "severity": severity, "message": self.message, "input": self.input });
        match &self.place {
            Place::Whole => {}
            Place::Text { line, column } => {
                object["line"] = (*line).into();
                object["column"] = (*column).into();
            }
            Place::Byte(byte) => object["byte"] = (*byte).into(),
        }
        if let Some((index, name)) = self.function.as_deref() {
            object["function"] = json!({ "index": index, "name": name });
        }
        object
    }
}

/// One line, and the excerpt below.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(input) = &self.input {
            f.write_str(&plain(input))?;
            if let Place::Text { line, column } = self.place {
                write!(f, ":{line}:{column}")?;
            }
            if let Some((index, name)) = self.function.as_deref() {
                write!(f, ": function {index} `{}`", plain(name))?;
            }
            if let Place::Byte(byte) = self.place {
                write!(f, ": byte {byte:#x}")?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&plain(&self.message))?;
        if self.excerpt.is_empty() {
            return Ok(());
        }
        f.write_char('\n')?;
        // One character for each, so that the caret stays below its place.
        let shown =
            |char: char| if char.is_control() && !"\n\t".contains(char) { char::REPLACEMENT_CHARACTER } else { char };
        self.excerpt.chars().try_for_each(|char| f.write_char(shown(char)))
    }
}

/// A name as one line that no terminal takes for a command.
pub(crate) fn plain(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    for char in name.chars() {
        if char.is_control() { plain.extend(char.escape_default()) } else { plain.push(char) }
    }
    plain
}

/// A number and what it counts.
pub(crate) fn counted(number: u64, one: &str) -> String {
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}

/// The first `most` of `count` words as a list for people, with `last` before the last one: "a, b and c".
pub(crate) fn listed(words: impl Iterator<Item = String>, count: usize, most: usize, last: &str) -> String {
    let words: Vec<String> = words.take(most).collect();
    match words.split_last() {
        _ if count > most => format!("{}, ..", words.join(", ")),
        Some((end, front)) if !front.is_empty() => format!("{} {last} {end}", front.join(", ")),
        _ => words.concat(),
    }
}

/// Why a command did not do its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Wrong use, or inputs that cannot be read.
    Input(Vec<Diagnostic>),
    /// Standard output takes no more.
    Output(io::Error),
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Input(vec![diagnostic])
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
