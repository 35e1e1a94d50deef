//! The tests that packages of npm come with: each file prints the same before and after the round trip of all code that it
//! tests.
//!
//! `tested/package.json` names the packages, and `tape`, which runs their tests; those that they depend on are tested, too.

use crate::Transformation;
use crate::packages::{TESTED, printed};
use crate::threads::on_threads;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What came of the tests.
#[derive(Debug, Default)]
pub struct Outcomes {
    /// The packages, in order.
    pub packages: Vec<String>,
    /// How many files of tests ran.
    pub files: usize,
    /// How many of these print the same.
    pub same: usize,
    /// How many assertions passed as the packages are.
    pub assertions: usize,
    /// The files that print something else.
    pub different: Vec<String>,
}

/// Whether a file is none of those that are tested: a test, or of what runs the tests.
#[must_use]
pub fn is_test(file: &Path) -> bool {
    let mut parts = file.iter().filter_map(|part| part.to_str());
    parts.any(|part| matches!(part, "test" | "tests" | "tape"))
}

/// Runs all tests of packages that were transformed, on `jobs` threads. Files of which no assertion passes as they are, as
/// those that need what is not there, do not count.
///
/// # Errors
/// If a file cannot be read, or node cannot be started or does not end.
pub fn run_all(transformation: Transformation, jobs: usize) -> io::Result<Outcomes> {
    let files = files()?;
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Outcomes::default()));
    let work = || {
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let before = run(file, Transformation::Identity)?;
            let assertions = before.lines().filter(|line| line.trim_start().starts_with("ok ")).count();
            if assertions == 0 {
                continue;
            }
            let is_same = run(file, transformation)? == before;
            let mut found = found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            found.files += 1;
            found.assertions += assertions;
            found.same += usize::from(is_same);
            let name = file.iter().next().unwrap_or_default().to_string_lossy().into_owned();
            found.packages.push(name);
            if !is_same {
                found.different.push(file.display().to_string());
            }
        }
        Ok(())
    };
    on_threads(jobs, work)?;
    let mut found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    found.packages.sort();
    found.packages.dedup();
    found.different.sort();
    Ok(found)
}

/// The files of tests, from the folder of the packages on.
fn files() -> io::Result<Vec<PathBuf>> {
    let modules = TESTED.folder_of(Transformation::Identity).join("node_modules");
    let mut files = Vec::new();
    for package in fs::read_dir(&modules)? {
        let tests = package?.path().join("test");
        if !tests.is_dir() {
            continue;
        }
        for file in fs::read_dir(tests)? {
            let file = file?.path();
            let is_script = file.extension().is_some_and(|end| end == "js");
            if is_script && fs::read_to_string(&file)?.contains("require('tape')") {
                files.push(file.strip_prefix(&modules).unwrap_or(&file).to_owned());
            }
        }
    }
    files.sort();
    Ok(files)
}

/// What a file of tests prints, without places and times.
fn run(file: &Path, transformation: Transformation) -> io::Result<String> {
    let folder = TESTED.folder_of(transformation);
    let name = file.display().to_string().replace('/', "-");
    let file = folder.join("node_modules").join(file);
    let mut command = Command::new("node");
    command.arg("--no-warnings").arg(&file);
    command.current_dir(file.parent().and_then(Path::parent).unwrap_or(&folder));
    let text = printed(command, &folder.join(format!("{name}.out")))?.replace(&folder.display().to_string(), "");
    let is_place = |line: &str| {
        let line = line.trim_start();
        ["at ", "at:", "stack:"].iter().any(|start| line.starts_with(start))
    };
    // `12:34:56`.
    let is_clock = |word: &&str| word.len() == 8 && word.bytes().filter(|&byte| byte == b':').count() == 2;
    let without_time = |line: &str| {
        let line = line.split(" (took ").next().unwrap_or_default();
        line.split(' ').filter(|word| !is_clock(word)).collect::<Vec<_>>().join(" ")
    };
    Ok(text.lines().filter(|line| !is_place(line)).map(without_time).collect::<Vec<_>>().join("\n"))
}
