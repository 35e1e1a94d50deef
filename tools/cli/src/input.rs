//! From the inputs named on the command line to programs and their functions.

use crate::arguments::{InputArguments, ReadingArguments};
use crate::compiler::Compiler;
use crate::console::Console;
use crate::diagnostic::{Diagnostic, Failure, Place};
use crate::folder;
use crate::language::Language;
use crate::selection::Selector;
use crate::source::{self, Source};
use ssaphire::check::certificate;
use ssaphire_wasm::Pool;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::{fs, mem};

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
/// A file of a folder that cannot be read keeps no other from being worked on: the console says what is wrong with it,
/// and the command ends with the status of unreadable input.
///
/// # Errors
/// All that is wrong with an input that is named itself; or that nothing can be read.
pub(crate) fn read_all(arguments: &InputArguments, pool: &Pool, console: &mut Console) -> Result<Vec<Input>, Failure> {
    read_and_select(&arguments.inputs, &arguments.reading, &arguments.functions, pool, console)
}

/// [`read_all`], with the arguments one by one.
pub(crate) fn read_and_select(
    inputs: &[String],
    reading: &ReadingArguments,
    functions: &[String],
    pool: &Pool,
    console: &mut Console,
) -> Result<Vec<Input>, Failure> {
    let mut programs = Vec::new();
    let mut files = in_folders(inputs, "file in a known language", |path| match reading.lang {
        Some(language) => language.is_of(path),
        None => Language::of_name(path).is_some_and(|language| !language.needs_tool()),
    });
    for file in mem::take(&mut files.list) {
        match read(&file.name, reading, pool) {
            Ok(source) => programs.push((shown_name(&file.name), source)),
            Err(found) => files.add_problems(&file, found),
        }
    }
    if inputs.iter().filter(|input| is_standard_input(input)).count() > 1 {
        files.problems.push(Diagnostic::usage("standard input is given more than once"));
    }
    files.finish(programs.is_empty(), console)?;
    let mut selector = Selector::new(functions);
    let inputs = programs.into_iter().map(|(name, source)| {
        let functions = selector.select(&name, &*source);
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
    let bytes = through_compiler(input, language, bytes).map_err(|problem| vec![problem])?;
    source::load(&name, language, bytes, reading, pool)
}

/// A program, as LLVM IR if only another program can read its language.
///
/// # Errors
/// What that program says.
pub(crate) fn through_compiler(input: &str, language: Language, bytes: Vec<u8>) -> Result<Vec<u8>, Diagnostic> {
    // Without LLVM IR, it is refused whatever is installed.
    let Some(compiler) = Compiler::of(language).filter(|_| cfg!(feature = "llvm")) else { return Ok(bytes) };
    let file = (!is_standard_input(input)).then_some(input);
    compiler.to_llvm(file, &bytes).map_err(|(message, excerpt)| {
        let problem = Diagnostic::of_input(&shown_name(input), message);
        Diagnostic { excerpt, ..problem }
    })
}

/// A file to read.
pub(crate) struct InputFile {
    /// Its name, or that of standard input.
    pub(crate) name: String,
    /// Whether it was found in a folder, and not named itself.
    is_found: bool,
}

/// The files to read, and what is wrong with some of them.
pub(crate) struct InputFiles {
    pub(crate) list: Vec<InputFile>,
    /// What is wrong with inputs that were named.
    problems: Vec<Diagnostic>,
    /// What is wrong with files that were found in folders.
    of_found: Vec<Diagnostic>,
}

impl InputFiles {
    /// Notes what is wrong with a file.
    pub(crate) fn add_problems(&mut self, file: &InputFile, problems: impl IntoIterator<Item = Diagnostic>) {
        if file.is_found { &mut self.of_found } else { &mut self.problems }.extend(problems);
    }

    /// Says what is wrong with files of folders, unless there `is_nothing` else.
    ///
    /// # Errors
    /// If inputs that were named cannot be read, or none of a folder's files.
    pub(crate) fn finish(self, is_nothing: bool, console: &mut Console) -> Result<(), Failure> {
        let Self { mut problems, of_found, .. } = self;
        if !problems.is_empty() || is_nothing && !of_found.is_empty() {
            problems.extend(of_found);
            return Err(Failure::Input(problems));
        }
        of_found.iter().for_each(|problem| console.unread(problem));
        Ok(())
    }
}

/// The inputs, with the wanted files of a folder in its place. What is wanted is a `kind`.
pub(crate) fn in_folders(inputs: &[String], kind: &str, wanted: impl Fn(&Path) -> bool) -> InputFiles {
    let mut files = InputFiles { list: Vec::new(), problems: Vec::new(), of_found: Vec::new() };
    for input in inputs {
        if is_standard_input(input) || !Path::new(input).is_dir() {
            files.list.push(InputFile { name: input.clone(), is_found: false });
            continue;
        }
        if let Err(problem) = files.add_folder(input, kind, &wanted) {
            files.problems.push(problem);
        }
    }
    files
}

impl InputFiles {
    /// Adds the wanted files of a folder: one at least.
    fn add_folder(&mut self, input: &str, kind: &str, wanted: impl Fn(&Path) -> bool) -> Result<(), Diagnostic> {
        let (found, unread) = folder::files(Path::new(input), wanted);
        let problem =
            |(path, error): &(PathBuf, io::Error)| Diagnostic::of_input(&path.to_string_lossy(), error.to_string());
        let has_problems = !unread.is_empty();
        for unread in &unread {
            // The folder itself was named.
            if unread.0 == Path::new(input) {
                return Err(problem(unread));
            }
            self.of_found.push(problem(unread));
        }
        if found.is_empty() && !has_problems {
            return Err(Diagnostic::of_input(input, format!("the folder contains no {kind}")));
        }
        for path in found {
            match path.into_os_string().into_string() {
                Ok(name) => self.list.push(InputFile { name, is_found: true }),
                Err(name) => {
                    let name = name.to_string_lossy();
                    self.of_found.push(Diagnostic::of_input(&name, "the name of this file is not UTF-8"));
                }
            }
        }
        Ok(())
    }
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
    if Language::of_bytes(&bytes) == Some(Language::Wasm) {
        return Err(Diagnostic::of_input(name, format!("expected {language}, found a WebAssembly module")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        // Up to the bad byte everything is text.
        let before = String::from_utf8_lossy(&error.as_bytes()[..good]);
        let before = before.strip_prefix('\u{feff}').unwrap_or(&before);
        let line = before.matches('\n').count() + 1;
        let line_start = before.rsplit('\n').next().unwrap_or("");
        let column = line_start.chars().count() + 1;
        let message = format!("expected {language}, found invalid UTF-8 at byte {good:#x}");
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
    let is_certificate = Path::new(input).extension().is_some_and(|extension| extension == "cert")
        || bytes.starts_with(certificate::HEADER.as_bytes());
    if found.is_none() && is_certificate {
        return Err(format!("expected a program, found a certificate: use `ssaphire check --certificate {input}`"));
    }
    found.ok_or_else(|| format!("unknown language; choose one with `--lang`: {}", Language::list()))
}
