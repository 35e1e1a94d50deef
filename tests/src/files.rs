//! Files of this repository that tests read.

use crate::corpus::{Case, parse};
use std::fs;
use std::path::{Path, PathBuf};

/// The files below a folder of this repository, in order of their paths.
///
/// # Panics
/// If the folder cannot be read.
pub fn files_below(folder: &str) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder)], Vec::new());
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

/// The programs of `corpus/` that are written as `.ssa`, with their paths.
///
/// # Panics
/// If there are none, or one of them cannot be read.
pub fn corpus_cases() -> Vec<(PathBuf, Case)> {
    let mut files = files_below("corpus");
    files.retain(|path| path.extension().is_some_and(|extension| extension == "ssa"));
    assert!(files.len() >= 15, "the corpus is there");
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let case = parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path, case)
    };
    files.into_iter().map(read).collect()
}
