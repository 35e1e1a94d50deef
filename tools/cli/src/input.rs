//! From the inputs named on the command line to programs and their functions.

use crate::arguments::{InputArguments, ReadingArguments};
use crate::diagnostic::{Diagnostic, Failure, Place};
use crate::language::Language;
use crate::selection::Selector;
use crate::source::{self, Source};
use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// How standard input is named.
const STANDARD_INPUT: &str = "-";

/// A program that was read, and the functions of it that were asked for.
pub(crate) struct Input {
    /// The input, as people see it.
    pub(crate) name: String,
    /// The program.
    pub(crate) source: Box<dyn Source>,
    /// Numbers of functions, ascending.
    pub(crate) functions: Vec<usize>,
}

/// Reads all inputs, and finds the functions asked for.
///
/// # Errors
/// All that is wrong with any of them.
pub(crate) fn read_all(arguments: &InputArguments) -> Result<Vec<Input>, Failure> {
    read_and_select(&arguments.inputs, &arguments.reading, &arguments.functions)
}

/// [`read_all`], with the arguments one by one.
pub(crate) fn read_and_select(
    inputs: &[String],
    reading: &ReadingArguments,
    functions: &[String],
) -> Result<Vec<Input>, Failure> {
    let mut programs = Vec::new();
    let mut problems = Vec::new();
    for input in inputs {
        match read(input, reading) {
            Ok(source) => programs.push((shown_name(input), source)),
            Err(found) => problems.extend(found),
        }
    }
    if inputs.iter().filter(|input| is_standard_input(input)).count() > 1 {
        problems.push(Diagnostic::usage("standard input is named more than once"));
    }
    if !problems.is_empty() {
        return Err(Failure::Input(problems));
    }
    let mut selector = Selector::new(functions);
    let inputs = programs.into_iter().map(|(name, source)| {
        let functions = selector.select(&*source);
        Input { name, source, functions }
    });
    let inputs = inputs.collect();
    selector.finish()?;
    Ok(inputs)
}

/// Reads one program.
///
/// # Errors
/// All that is wrong with it.
pub(crate) fn read(input: &str, reading: &ReadingArguments) -> Result<Box<dyn Source>, Vec<Diagnostic>> {
    let name = shown_name(input);
    let bytes = bytes(input).map_err(|problem| vec![problem])?;
    let language =
        language(input, &bytes, reading.lang).map_err(|message| vec![Diagnostic::of_input(&name, message)])?;
    source::load(&name, language, bytes, reading)
}

/// The bytes of an input.
///
/// # Errors
/// What the system says.
pub(crate) fn bytes(input: &str) -> Result<Vec<u8>, Diagnostic> {
    let bytes = if is_standard_input(input) {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(input)
    };
    bytes.map_err(|error| Diagnostic::of_input(&shown_name(input), error.to_string()))
}

/// The text of an input.
///
/// # Errors
/// Where it stops being text.
pub(crate) fn text(name: &str, language: &str, bytes: Vec<u8>) -> Result<String, Diagnostic> {
    if Language::of_bytes(&bytes).is_some() {
        return Err(Diagnostic::of_input(name, format!("a WebAssembly module, where {language} was expected")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        // Up to the bad byte everything is text.
        let before = String::from_utf8_lossy(&error.as_bytes()[..good]);
        let before = before.strip_prefix('\u{feff}').unwrap_or(&before);
        let line = before.matches('\n').count() + 1;
        let begun = before.rsplit('\n').next().unwrap_or("");
        let column = begun.chars().count() + 1;
        let message = format!("not UTF-8, so not {language} (byte {good:#x})");
        Diagnostic::of_input(name, message).at(Place::Text { line, column })
    })
}

/// Whether an input named so is standard input.
pub(crate) fn is_standard_input(input: &str) -> bool {
    input == STANDARD_INPUT
}

/// What an input is called in messages.
pub(crate) fn shown_name(input: &str) -> String {
    if is_standard_input(input) { "standard input".to_owned() } else { input.to_owned() }
}

fn language(input: &str, bytes: &[u8], given: Option<Language>) -> Result<Language, String> {
    let by_name = || Language::of_name(Path::new(input)).filter(|_| !is_standard_input(input));
    let found = given.or_else(by_name).or_else(|| Language::of_bytes(bytes));
    found.ok_or_else(|| format!("which language? `--lang` says it; known are {}", Language::list()))
}
