//! Whether a file in LLVM IR is another one after promotion, whoever promoted it.

use crate::arguments::{By, CheckArguments};
use crate::commands::Status;
use crate::console::Console;
use crate::destination::Destination;
use crate::diagnostic::{Diagnostic, Failure, counted, plain};
use crate::folder;
use crate::input;
use crate::language::Language;
use crate::pipeline::Pipeline;
use crate::source::{ComparedFunction, NotPromoted, compare_promotion};
use serde_json::{Value as Json, json};
use ssaphire::check::certificate;
use ssaphire_wasm::TextPlace;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file before promotion and one after it.
pub(super) struct Pair {
    before: String,
    after: String,
}

/// What became of a pair.
struct Compared {
    pair: Pair,
    functions: Vec<ComparedFunction>,
}

/// The files to compare, if the arguments are two files in LLVM IR or two folders of them, and nothing is said of engines.
///
/// # Errors
/// If a file of the first folder is not in the second.
pub(super) fn pairs(arguments: &CheckArguments) -> Result<Option<Vec<Pair>>, Failure> {
    let [before, after] = &arguments.inputs[..] else { return Ok(None) };
    let is_about_engines = !arguments.algorithm.is_empty() || arguments.via_memory || arguments.by != By::File;
    if is_about_engines || !arguments.functions.is_empty() {
        return Ok(None);
    }
    let is_llvm = |input: &str| match arguments.reading.lang {
        Some(language) => is_llvm(language) && !Path::new(input).is_dir(),
        None => Language::of_name(Path::new(input)).is_some_and(is_llvm),
    };
    if is_llvm(before) && is_llvm(after) {
        return Ok(Some(vec![Pair { before: before.clone(), after: after.clone() }]));
    }
    let (Some(files), Some(others)) = (llvm_files(before), llvm_files(after)) else { return Ok(None) };
    let below = |path: &Path, folder: &str| path.strip_prefix(folder).map(Path::to_owned).unwrap_or_default();
    let mut pairs = Vec::new();
    for file in files {
        let name = below(&file, before);
        let Some(other) = others.iter().find(|other| below(other, after) == name) else {
            let message = format!("no such file in `{after}`");
            return Err(Diagnostic::of_input(&file.display().to_string(), message).into());
        };
        pairs.push(Pair { before: file.display().to_string(), after: other.display().to_string() });
    }
    Ok(Some(pairs))
}

fn is_llvm(language: Language) -> bool {
    matches!(language, Language::Ll | Language::Bc)
}

/// The files of a folder, if it has files in LLVM IR and in no other known language.
fn llvm_files(folder: &str) -> Option<Vec<PathBuf>> {
    let folder = Path::new(folder);
    if !folder.is_dir() {
        return None;
    }
    let (files, unread) = folder::files(folder, |path| Language::of_name(path).is_some());
    let is_all = unread.is_empty() && !files.is_empty() && files.iter().all(|file| Language::Ll.is_of(file));
    is_all.then_some(files)
}

/// Compares all pairs, and writes what was found.
pub(super) fn run(pairs: Vec<Pair>, arguments: &CheckArguments, console: &mut Console) -> Result<Status, Failure> {
    let num_threads = Pipeline::num_threads(arguments.common.threads);
    let version = arguments.reading.llvm_version;
    if arguments.certify.as_deref() == Some("-") {
        return Err(Diagnostic::usage("`--certify` requires a file: the verdict is on standard output").into());
    }
    let mut certificates = arguments.certify.as_deref().map(|file| Destination::open(Some(file))).transpose()?;
    let mut compared = Vec::new();
    for pair in pairs {
        let (before, after) = (text(&pair.before)?, text(&pair.after)?);
        let functions =
            compare_promotion(&pair.before, [&before, &after], version, num_threads, certificates.is_some())?;
        compared.push(Compared { pair, functions });
    }
    if let Some(file) = &mut certificates {
        write_certificates(file, &compared).map_err(|error| Diagnostic::of_input(file.name(), error.to_string()))?;
    }
    if let Some(file) = certificates {
        file.commit()?;
    }
    if console.is_json {
        let files: Vec<Json> = compared.iter().map(Compared::to_json).collect();
        console.json(&json!({ "promotions": files }))?;
    } else {
        for one in &compared {
            one.write(console)?;
        }
    }
    Ok(Status::finding_if(compared.iter().any(|one| one.refused().next().is_some())))
}

/// Writes the certificates of all accepted functions.
fn write_certificates(file: &mut Destination, compared: &[Compared]) -> io::Result<()> {
    writeln!(file, "{}", certificate::HEADER)?;
    let functions = compared.iter().flat_map(|one| &one.functions);
    functions.filter_map(|function| function.certificate.as_ref()).try_for_each(|text| file.write_all(text.as_bytes()))
}

fn text(path: &str) -> Result<String, Failure> {
    let language = if Language::Bc.is_of(Path::new(path)) { Language::Bc } else { Language::Ll };
    let bytes = input::through_compiler(path, language, input::bytes(path)?)?;
    Ok(input::text(path, "LLVM IR", bytes)?)
}

impl Compared {
    fn refused(&self) -> impl Iterator<Item = (&str, &NotPromoted)> {
        self.functions.iter().filter_map(|function| Some((&*function.name, function.is_exact.as_ref().err()?)))
    }

    /// The functions that are accepted, exact ones or the others.
    fn accepted(&self, is_exact: bool) -> impl Iterator<Item = &str> {
        let is_wanted = move |function: &&ComparedFunction| matches!(function.is_exact, Ok(exact) if exact == is_exact);
        self.functions.iter().filter(is_wanted).map(|function| &*function.name)
    }

    fn to_json(&self) -> Json {
        let place = |place: &TextPlace| json!({ "line": place.line, "column": place.column });
        let refused = self.refused().map(|(name, why)| {
            json!({
                "function": name,
                "message": why.reason,
                "before": why.before.as_ref().map(place),
                "after": why.after.as_ref().map(place),
                "path": why.path,
            })
        });
        json!({
            "before": self.pair.before,
            "after": self.pair.after,
            "accepted": self.accepted(true).count() + self.accepted(false).count(),
            "refining": self.accepted(false).collect::<Vec<_>>(),
            "refused": refused.collect::<Vec<_>>(),
        })
    }

    fn write(&self, console: &mut Console) -> Result<(), Failure> {
        let (before, after) = (plain(&self.pair.before), plain(&self.pair.after));
        for (name, why) in self.refused() {
            let place = why
                .before
                .as_ref()
                .map_or_else(String::new, |place| format!(" ({before}:{}:{})", place.line, place.column));
            let message = format!("function `{name}`: {}{place}", why.reason);
            let problem = Diagnostic::of_input(&self.pair.after, message);
            console.error(&match &why.after {
                Some(place) => problem.in_text(place),
                None => problem,
            });
        }
        let (exact, refining, refused) =
            (self.accepted(true).count(), self.accepted(false).count(), self.refused().count());
        let functions = counted((exact + refining) as u64, "function");
        let rest = [(refining, "with values for what was undefined"), (refused, "refused")];
        let rest: String =
            rest.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!(", {count} {what}")).collect();
        Ok(writeln!(console.output, "{after}: {functions} of {before} promoted, judged equivalent{rest}")?)
    }
}
