//! What programs take before and after the round trip, in time and in size.
//!
//! `speed/programs.js` and `speed/packages.js` are what runs, `speed/run.js` measures one of them in a process of its own, and
//! `speed/sizes.js` measures files of packages.

use crate::packages::{self, folder_of};
use crate::{Transformation, workspace};
use ssaphire_js::source::SourceKind;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    workspace().join("tests/js/speed")
}

/// The least milliseconds of a program before and after.
#[derive(Clone, Debug)]
pub struct Times {
    /// The name of the program.
    pub name: String,
    /// As it is.
    pub before: f64,
    /// After the round trip.
    pub after: f64,
    /// Whether both have returned the same.
    pub is_same: bool,
}

/// The names of all programs.
///
/// # Errors
/// If node fails.
pub fn names() -> io::Result<Vec<String>> {
    let names = node(&folder(), &[])?;
    Ok(names.lines().map(str::to_owned).collect())
}

/// Writes `programs.js` beside the packages, which must be there: as it is, and transformed.
///
/// # Errors
/// If it cannot be read or written, or is refused.
pub fn prepare(transformation: Transformation) -> io::Result<()> {
    let text = fs::read_to_string(folder().join("programs.js"))?;
    let written = transformation.apply(&text, SourceKind::COMMON_JS).map_err(io::Error::other)?;
    fs::write(folder_of(Transformation::Identity).join("programs.js"), text)?;
    fs::write(folder_of(transformation).join("programs.js"), written)
}

/// Measures a program `rounds` times before and after, in turn.
///
/// # Errors
/// If node fails.
pub fn measure(name: &str, transformation: Transformation, rounds: usize) -> io::Result<Times> {
    let mut times = Times { name: name.to_owned(), before: f64::INFINITY, after: f64::INFINITY, is_same: true };
    for _ in 0..rounds {
        let (before, result) = run(name, Transformation::Identity)?;
        let (after, other) = run(name, transformation)?;
        (times.before, times.after) = (times.before.min(before), times.after.min(after));
        times.is_same &= result == other;
    }
    Ok(times)
}

/// The least milliseconds of a call, and what it returned.
fn run(name: &str, transformation: Transformation) -> io::Result<(f64, String)> {
    let output = node(&folder_of(transformation), &[name])?;
    let (time, result) = output.split_once('\n').unwrap_or((&output, ""));
    let time = time.parse().map_err(|_| io::Error::other(format!("{name} prints no time: {output}")))?;
    Ok((time, result.to_owned()))
}

fn node(programs: &Path, args: &[&str]) -> io::Result<String> {
    let mut command = Command::new("node");
    let output = command.arg(folder().join("run.js")).arg(programs).args(args).output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// How large a file is before and after.
#[derive(Clone, Debug)]
pub struct Sizes {
    /// Its path in `node_modules`.
    pub file: String,
    /// Lines.
    pub lines: [u64; 2],
    /// Bytes without comments and blanks.
    pub bare: [u64; 2],
    /// Bytes after terser and gzip.
    pub packed: [u64; 2],
    /// Whether the round trip of the result is the result.
    pub is_stable: bool,
}

/// Measures the files that `sizes.js` names, before and after.
///
/// # Errors
/// If a file cannot be read, is refused, or node fails.
pub fn sizes(transformation: Transformation) -> io::Result<Vec<Sizes>> {
    let modules = folder_of(Transformation::Identity).join("node_modules");
    let text = workspace().join("target/packages/written.js");
    let list = script(&[])?;
    let mut all = Vec::new();
    for file in list.lines() {
        let before = fs::read_to_string(modules.join(file))?;
        let after = packages::transformed(&modules.join(file), &before, transformation).map_err(io::Error::other)?;
        let again = packages::transformed(&modules.join(file), &after, transformation).map_err(io::Error::other)?;
        fs::write(&text, &after)?;
        let measured = script(&[&modules.join(file), &text])?;
        let mut numbers = measured.split_whitespace().filter_map(|word| word.parse().ok());
        let mut pair = || Some([numbers.next()?, numbers.next()?]);
        let (Some(lines), Some(bare), Some(packed)) = (pair(), pair(), pair()) else {
            return Err(io::Error::other(format!("{file}: {measured}")));
        };
        all.push(Sizes { file: file.to_owned(), lines, bare, packed, is_stable: again == after });
    }
    Ok(all)
}

fn script(args: &[&Path]) -> io::Result<String> {
    let mut command = Command::new("node");
    let modules = folder_of(Transformation::Identity);
    let output = command.arg(folder().join("sizes.js")).arg(modules).args(args).output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
