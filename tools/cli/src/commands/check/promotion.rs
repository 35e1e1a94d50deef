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
use crate::source::{Became, ComparedFunction, NotPromoted, compare_promotion};
use serde_json::{Value as Json, json};
use ssaphire::check::certificate;
use ssaphire_wasm::TextPlace;
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// So many refusals are listed; the rest is counted.
const MOST_LISTED: usize = super::MOST_LISTED;

/// A file before promotion and one after it.
pub(super) struct Pair {
    before: String,
    after: String,
}

/// The files to compare.
pub(super) struct Pairs {
    pairs: Vec<Pair>,
    /// The files of the first folder that the second one does not have.
    missing: Vec<String>,
    /// The second file or folder.
    after: String,
}

/// What became of a pair.
struct Compared {
    pair: Pair,
    functions: Vec<ComparedFunction>,
    /// Whether certificates are written.
    is_certified: bool,
}

/// The pairs of files to compare, if the arguments are two files in LLVM IR or two folders of them, and nothing is said of engines.
pub(super) fn pairs(arguments: &CheckArguments) -> Option<Pairs> {
    let [before, after] = &arguments.inputs[..] else { return None };
    let is_about_engines = !arguments.algorithm.is_empty() || arguments.via_memory || arguments.by != By::File;
    if is_about_engines || !arguments.functions.is_empty() {
        return None;
    }
    let is_llvm = |input: &str| match arguments.reading.lang {
        Some(language) => is_llvm(language) && !Path::new(input).is_dir(),
        None => Language::of_name(Path::new(input)).is_some_and(is_llvm),
    };
    if is_llvm(before) && is_llvm(after) {
        let pairs = vec![Pair { before: before.clone(), after: after.clone() }];
        return Some(Pairs { pairs, missing: Vec::new(), after: after.clone() });
    }
    let (files, others) = (llvm_files(before)?, llvm_files(after)?);
    let others: HashMap<PathBuf, PathBuf> = others.into_iter().map(|other| (below(&other, after), other)).collect();
    let mut found = Pairs { pairs: Vec::new(), missing: Vec::new(), after: after.clone() };
    for file in files {
        let name = file.display().to_string();
        match others.get(&below(&file, before)) {
            Some(other) => found.pairs.push(Pair { before: name, after: other.display().to_string() }),
            None => found.missing.push(name),
        }
    }
    Some(found)
}

fn below(path: &Path, folder: &str) -> PathBuf {
    path.strip_prefix(folder).map(Path::to_owned).unwrap_or_default()
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
pub(super) fn run(found: Pairs, arguments: &CheckArguments, console: &mut Console) -> Result<Status, Failure> {
    let num_threads = Pipeline::num_threads(arguments.common.threads);
    let version = arguments.reading.llvm_version;
    if arguments.certify.as_deref() == Some("-") {
        return Err(Diagnostic::usage("`--certify` requires a file: the verdict is on standard output").into());
    }
    let mut certificates = arguments.certify.as_deref().map(|file| Destination::open(Some(file))).transpose()?;
    let mut compared = Vec::new();
    for pair in found.pairs {
        let (before, after) = (text(&pair.before)?, text(&pair.after)?);
        let functions =
            compare_promotion(&pair.before, [&before, &after], version, num_threads, certificates.is_some())?;
        compared.push(Compared { pair, functions, is_certified: certificates.is_some() });
    }
    if let Some(file) = &mut certificates {
        write_certificates(file, &compared).map_err(|error| Diagnostic::of_input(file.name(), error.to_string()))?;
    }
    if let Some(file) = certificates {
        file.commit()?;
    }
    if console.is_json {
        let files: Vec<Json> = compared.iter().map(Compared::to_json).collect();
        console.json(&json!({ "promotions": files, "missing": found.missing }))?;
    } else {
        let mut num_listed = 0;
        for file in found.missing.iter().take(MOST_LISTED) {
            console.error(&Diagnostic::of_input(file, format!("no such file in `{}`", found.after)));
            num_listed += 1;
        }
        for one in &compared {
            one.write(&mut num_listed, console)?;
        }
        let more = found.missing.len() + compared.iter().map(|one| one.refused().count()).sum::<usize>() - num_listed;
        if more > 0 {
            writeln!(console.output, "and {more} more refused")?;
        }
    }
    let is_refused = compared.iter().any(|one| one.refused().next().is_some());
    Ok(Status::finding_if(is_refused || !found.missing.is_empty()))
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
    fn refused(&self) -> impl Iterator<Item = (&ComparedFunction, &NotPromoted)> {
        self.functions.iter().filter_map(|function| Some((function, function.became.as_ref().err()?)))
    }

    /// The functions that are accepted as this.
    fn accepted(&self, became: Became) -> impl Iterator<Item = &str> {
        let is_wanted = move |function: &&ComparedFunction| matches!(function.became, Ok(it) if it == became);
        self.functions.iter().filter(is_wanted).map(|function| &*function.name)
    }

    /// The accepted functions of which a certificate was asked for that could not be written.
    fn uncertified(&self) -> impl Iterator<Item = &str> {
        let functions = self.functions.iter().filter(|_| self.is_certified);
        functions
            .filter(|function| function.became.is_ok() && function.certificate.is_none())
            .map(|function| &*function.name)
    }

    fn num_accepted(&self) -> usize {
        self.functions.iter().filter(|function| function.became.is_ok()).count()
    }

    fn to_json(&self) -> Json {
        let place = |place: &TextPlace| json!({ "line": place.line, "column": place.column });
        let refused = self.refused().map(|(function, why)| {
            json!({
                function.word: function.name,
                "message": why.reason,
                "before": why.before.as_ref().map(place),
                "after": why.after.as_ref().map(place),
                "path": why.path,
            })
        });
        json!({
            "before": self.pair.before,
            "after": self.pair.after,
            "accepted": self.num_accepted(),
            "refining": self.accepted(Became::Refining).collect::<Vec<_>>(),
            "unchanged": self.accepted(Became::Unchanged).collect::<Vec<_>>(),
            "uncertified": self.uncertified().collect::<Vec<_>>(),
            "refused": refused.collect::<Vec<_>>(),
        })
    }

    /// Writes the verdict; `num_listed` refusals have been written before.
    fn write(&self, num_listed: &mut usize, console: &mut Console) -> Result<(), Failure> {
        let (before, after) = (plain(&self.pair.before), plain(&self.pair.after));
        for (function, why) in self.refused().take(MOST_LISTED - *num_listed) {
            *num_listed += 1;
            let place = why
                .before
                .as_ref()
                .map_or_else(String::new, |place| format!(" ({before}:{}:{})", place.line, place.column));
            let message = format!("{} `{}`: {}{place}", function.word, function.name, why.reason);
            let problem = Diagnostic::of_input(&self.pair.after, message);
            console.error(&match &why.after {
                Some(place) => problem.in_text(place),
                None => problem,
            });
        }
        let functions = counted(self.num_accepted() as u64, "function");
        let rest = [
            (self.accepted(Became::Refining).count(), "with values for what was undefined"),
            (self.accepted(Became::Unchanged).count(), "unchanged, with slots that could be promoted"),
            (self.uncertified().count(), "without a certificate"),
            (self.refused().count(), "refused"),
        ];
        let rest: String =
            rest.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!(", {count} {what}")).collect();
        Ok(writeln!(console.output, "{after}: {functions} of {before} promoted, judged equivalent{rest}")?)
    }
}
