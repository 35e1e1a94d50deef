//! Whether a file in LLVM IR is another one after promotion, whoever promoted it.

use crate::arguments::{By, CheckArguments};
use crate::commands::Status;
use crate::console::Console;
use crate::diagnostic::{Diagnostic, Failure, counted, plain};
use crate::folder;
use crate::input;
use crate::language::Language;
use crate::source::{NotPromoted, compare_promotion};
use serde_json::{Value as Json, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A file before promotion and one after it.
pub(super) struct Pair {
    before: String,
    after: String,
}

/// What became of a pair.
struct Compared {
    pair: Pair,
    accepted: usize,
    refused: Vec<NotPromoted>,
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
        Some(language) => language == Language::Ll && !Path::new(input).is_dir(),
        None => Language::Ll.is_of(Path::new(input)),
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
pub(super) fn run(pairs: Vec<Pair>, console: &mut Console) -> Result<Status, Failure> {
    let mut compared = Vec::new();
    for pair in pairs {
        let (before, after) = (text(&pair.before)?, text(&pair.after)?);
        let judged = compare_promotion(&pair.before, &before, &after)?;
        let num_functions = judged.len();
        let refused: Vec<NotPromoted> = judged.into_iter().filter_map(Result::err).collect();
        compared.push(Compared { accepted: num_functions - refused.len(), pair, refused });
    }
    if console.is_json {
        let files: Vec<Json> = compared.iter().map(Compared::to_json).collect();
        console.json(&json!({ "promotions": files }))?;
    } else {
        for one in &compared {
            one.write(console)?;
        }
    }
    Ok(Status::finding_if(compared.iter().any(|one| !one.refused.is_empty())))
}

fn text(path: &str) -> Result<String, Failure> {
    Ok(input::text(path, "LLVM IR", input::bytes(path)?)?)
}

impl Compared {
    fn to_json(&self) -> Json {
        let refused = self.refused.iter().map(|one| json!({ "function": one.function, "message": one.reason }));
        let refused: Vec<Json> = refused.collect();
        json!({ "before": self.pair.before, "after": self.pair.after, "accepted": self.accepted, "refused": refused })
    }

    fn write(&self, console: &mut Console) -> Result<(), Failure> {
        let Self { pair, accepted, refused } = self;
        for one in refused {
            console.error(&Diagnostic::of_input(&pair.after, format!("function `{}`: {}", one.function, one.reason)));
        }
        let functions = counted(*accepted as u64, "function");
        let rest = if refused.is_empty() { String::new() } else { format!(", {} refused", refused.len()) };
        let (before, after) = (plain(&pair.before), plain(&pair.after));
        Ok(writeln!(console.output, "{after}: {functions} of {before} promoted, judged equivalent{rest}")?)
    }
}
