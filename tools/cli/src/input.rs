//! From the inputs named on the command line to programs and their functions.

use crate::arguments::{InputArguments, ReadingArguments};
use crate::diagnostic::{Diagnostic, Failure, Place};
use crate::folder;
use crate::language::Language;
use crate::selection::Selector;
use crate::source::{self, Source};
use ssaphire_wasm::Pool;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

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

impl Input {
    /// Something wrong with a function, perhaps at a byte offset of the program.
    pub(crate) fn problem(&self, index: usize, message: impl Into<String>, byte: Option<u64>) -> Diagnostic {
        let problem = Diagnostic::of_input(&self.name, message).in_function(index, self.source.name(index));
        match byte.map(|byte| (byte, self.source.locate(byte))) {
            None => problem,
            Some((_, Some(place))) => problem.in_text(&place),
            Some((byte, None)) => problem.at(Place::Byte(byte)),
        }
    }
}

/// Reads all inputs, and finds the functions asked for.
///
/// # Errors
/// All that is wrong with any of them.
pub(crate) fn read_all(arguments: &InputArguments, pool: &Pool) -> Result<Vec<Input>, Failure> {
    read_and_select(&arguments.inputs, &arguments.reading, &arguments.functions, pool)
}

/// [`read_all`], with the arguments one by one.
pub(crate) fn read_and_select(
    inputs: &[String],
    reading: &ReadingArguments,
    functions: &[String],
    pool: &Pool,
) -> Result<Vec<Input>, Failure> {
    let mut programs = Vec::new();
    let (files, mut problems) = in_folders(inputs, "file in a known language", |path| match reading.lang {
        Some(language) => language.is_of(path),
        None => Language::of_name(path).is_some(),
    });
    for input in &files {
        match read(input, reading, pool) {
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
pub(crate) fn read(input: &str, reading: &ReadingArguments, pool: &Pool) -> Result<Box<dyn Source>, Vec<Diagnostic>> {
    let name = shown_name(input);
    let bytes = bytes(input).map_err(|problem| vec![problem])?;
    let language =
        language(input, &bytes, reading.lang).map_err(|message| vec![Diagnostic::of_input(&name, message)])?;
    source::load(&name, language, bytes, reading, pool)
}

/// The inputs, with the wanted files of a folder in its place; and what is wrong with folders. What is wanted is a `kind`.
pub(crate) fn in_folders(
    inputs: &[String],
    kind: &str,
    wanted: impl Fn(&Path) -> bool,
) -> (Vec<String>, Vec<Diagnostic>) {
    let (mut files, mut problems) = (Vec::new(), Vec::new());
    for input in inputs {
        if is_standard_input(input) || !Path::new(input).is_dir() {
            files.push(input.clone());
            continue;
        }
        match of_folder(input, kind, &wanted) {
            Ok(found) => files.extend(found),
            Err(problem) => problems.push(problem),
        }
    }
    (files, problems)
}

/// The wanted files of a folder: one at least.
fn of_folder(input: &str, kind: &str, wanted: impl Fn(&Path) -> bool) -> Result<Vec<String>, Diagnostic> {
    let found = folder::files(Path::new(input), wanted);
    let found = found.map_err(|(path, error)| Diagnostic::of_input(&path.to_string_lossy(), error.to_string()))?;
    if found.is_empty() {
        return Err(Diagnostic::of_input(input, format!("a folder without any {kind}")));
    }
    let name = |path: PathBuf| {
        let name = path.into_os_string().into_string();
        name.map_err(|name| Diagnostic::of_input(&name.to_string_lossy(), "the name of this file is not UTF-8"))
    };
    found.into_iter().map(name).collect()
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
