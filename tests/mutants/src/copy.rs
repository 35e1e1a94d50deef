//! The copy of the workspace, file by file.

use super::Problem;
use super::list::{self, Mutant};
use super::packages::{Packages, tester_of};
use super::switches::with_switches;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Where the lists of mutants are.
const LISTS: &str = "tests/mutants";

/// What tests read from outside of their packages: files, and folders with all that is in them.
const DATA: [&str; 4] = ["corpus", "docs/function-json.md", "examples/dispatch.wat", "examples/sieve.wat"];

/// The names of all mutants: the workspace has none, the copy has them.
const NAMES: &str = "tests/mutants/switch/src/names.rs";

/// By path, what is in a file.
type Files = BTreeMap<String, Vec<u8>>;

/// Writes a copy of the workspace at `root`, with switches, to the folder `copy`: the paths that it is made of.
///
/// It has the packages that look for mutants, and what those depend on. A file that is there already as it should
/// be is left alone, so that what was compiled from it stays good; what is not of the copy is removed.
///
/// # Errors
/// All problems with the lists of mutants, or all with their texts, or the first one with a file.
pub fn write_copy(root: &Path, copy: &Path) -> Result<Vec<PathBuf>, Vec<Problem>> {
    let packages = Packages::read(root).map_err(one)?;
    let mut files = Files::new();
    for folder in packages.folders() {
        files.extend(files_below(root, folder, |path| !root.join(path).join("Cargo.toml").exists()).map_err(one)?);
    }
    let data: Vec<&str> = DATA.into_iter().filter(|path| root.join(path).exists()).collect();
    for path in &data {
        files.extend(data_at(root, path).map_err(one)?);
    }
    let mutants = read_lists(root)?;
    let expanded = with_switches(&mutants, |file| str::from_utf8(files.get(file)?).ok())?;
    for folder in packages.folders() {
        let has_mutants = expanded.keys().any(|file| package_of(&packages, file) == Some(folder));
        files.insert(format!("{folder}/Cargo.toml"), packages.manifest(folder, has_mutants).into_bytes());
    }
    files.extend(expanded.into_iter().map(|(file, text)| (file, text.into_bytes())));
    files.insert(NAMES.to_owned(), names(&mutants).into_bytes());
    files.insert("Cargo.toml".to_owned(), packages.manifest_of_copy().into_bytes());
    files.insert("Cargo.lock".to_owned(), read(root, "Cargo.lock").map_err(one)?);
    bring_to(copy, &files).map_err(one)?;
    let sources = packages.folders().chain(data).chain([LISTS, "Cargo.toml", "Cargo.lock"]);
    Ok(sources.map(|path| root.join(path)).collect())
}

fn one(problem: Problem) -> Vec<Problem> {
    vec![problem]
}

/// The file, or all that is in the folder.
fn data_at(root: &Path, path: &str) -> Result<Files, Problem> {
    if root.join(path).is_dir() {
        return files_below(root, path, |_| true);
    }
    Ok(Files::from([(path.to_owned(), read(root, path)?)]))
}

/// The mutants of all lists, in the order of their files: a mutant's number is its place.
///
/// # Errors
/// All problems with the lists, or the first one with a file.
pub fn read_lists(root: &Path) -> Result<Vec<Mutant>, Vec<Problem>> {
    let (mut mutants, mut problems) = (Vec::new(), Vec::new());
    for (name, _) in entries(root, LISTS).map_err(one)? {
        if name.ends_with(".toml") && name != "Cargo.toml" {
            let text = read(root, &format!("{LISTS}/{name}")).map_err(one)?;
            problems.extend(list::read(&name, &String::from_utf8_lossy(&text), &mut mutants));
        }
    }
    if problems.is_empty() { Ok(mutants) } else { Err(problems) }
}

/// The source text of the tables of mutants: their names, their files, and whether the tests of a package detect them.
fn names(mutants: &[Mutant]) -> String {
    let names = mutants.iter().map(|mutant| mutant.name.as_str());
    let files = mutants.iter().map(Mutant::file);
    let are_apart = mutants.iter().map(|mutant| tester_of(mutant.file()).is_some());
    format!(
        "//! All mutants.\n\n/// Their names, by number.\npub const NAMES: &[&str] = &{:?};\n\n\
         /// The file that each changes first, relative to the workspace.\npub const FILES: &[&str] = &{:?};\n\n\
         /// Whether the tests of the package of that file look for it.\npub const ARE_APART: &[bool] = &{:?};\n",
        Vec::from_iter(names),
        Vec::from_iter(files),
        Vec::from_iter(are_apart)
    )
}

/// The folder of the package that has the file: packages may lie in each other.
fn package_of<'p>(packages: &'p Packages, file: &str) -> Option<&'p str> {
    let has_file = |folder: &&str| file.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    packages.folders().filter(has_file).max_by_key(|folder| folder.len())
}

/// Makes the folder hold these files and no others.
fn bring_to(copy: &Path, files: &Files) -> Result<(), Problem> {
    let written = |path: &str, write: &dyn Fn(&Path) -> io::Result<()>| {
        write(&copy.join(path)).map_err(|error| Problem::Io { path: path.to_owned(), error })
    };
    written("", &|path| fs::create_dir_all(path))?;
    let there = files_below(copy, "", |_| true)?;
    for path in there.keys().filter(|&path| !files.contains_key(path)) {
        written(path, &|path| fs::remove_file(path))?;
    }
    for (path, bytes) in files.iter().filter(|&(path, bytes)| there.get(path) != Some(bytes)) {
        written(path, &|path| {
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(path, bytes)
        })?;
    }
    Ok(())
}

/// The files of the folder, and of the folders in it that are to be entered.
fn files_below(root: &Path, folder: &str, is_entered: impl Fn(&str) -> bool) -> Result<Files, Problem> {
    let mut files = Files::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for (name, is_folder) in entries(root, &folder)? {
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            if !is_folder {
                let bytes = read(root, &path)?;
                files.insert(path, bytes);
            } else if is_entered(&path) {
                folders.push(path);
            }
        }
    }
    Ok(files)
}

/// Names in the folder, in order, and whether they are those of folders.
fn entries(root: &Path, folder: &str) -> Result<Vec<(String, bool)>, Problem> {
    let entries = fs::read_dir(root.join(folder)).and_then(|entries| {
        let entry =
            |entry: fs::DirEntry| Ok((entry.file_name().to_string_lossy().into_owned(), entry.file_type()?.is_dir()));
        entries.map(|found| entry(found?)).collect::<io::Result<Vec<_>>>()
    });
    let mut entries = entries.map_err(|error| Problem::Io { path: folder.to_owned(), error })?;
    entries.sort();
    Ok(entries)
}

fn read(root: &Path, path: &str) -> Result<Vec<u8>, Problem> {
    fs::read(root.join(path)).map_err(|error| Problem::Io { path: path.to_owned(), error })
}
