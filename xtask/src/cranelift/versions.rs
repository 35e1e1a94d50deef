//! Our sources on each version of Cranelift: compiled, tested, and patched into a published crate.

use super::manifest::Purpose;
use super::{TESTED, Version, patched, write};
use crate::failure::Failure;
use crate::workspace::{Workspace, could_not_start};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

/// The folder of the scratch workspaces, below `target`.
const SCRATCH: &str = "cranelift-versions";

/// A target without an operating system, and so without `std`.
const BARE: &str = "thumbv7em-none-eabi";

/// Debug information takes time, and nobody looks at it.
const PROFILE: [(&str, &str); 1] = [("CARGO_PROFILE_DEV_DEBUG", "none")];

/// What a version has passed.
struct Row {
    version: Version,
    /// Tests that have passed, or `None` if they were compiled alone.
    tests: Option<usize>,
    seconds: f64,
}

/// Tests the versions named, or all; or compiles the oldest and the newest. The first failure ends the run, with the
/// output of what failed.
pub(crate) fn run(workspace: &Workspace, versions: &[Version], is_short: bool) -> Result<(), Failure> {
    let ends = [TESTED[0], TESTED[TESTED.len() - 1]];
    let versions = match versions {
        [] if is_short => &ends,
        [] => &TESTED[..],
        named => named,
    };
    let mut rows = Vec::new();
    for &version in versions {
        let start = Instant::now();
        let scratch = Scratch::make(workspace, version)?;
        let tests = if is_short { scratch.check()? } else { scratch.test()? };
        let row = Row { version, tests, seconds: start.elapsed().as_secs_f64() };
        println!("{}", row.line());
        rows.push(row);
    }
    println!("\n{:10} {:>12} {:>9}", "Cranelift", "tests", "seconds");
    for row in rows {
        println!("{}", row.line());
    }
    Ok(())
}

impl Row {
    fn line(&self) -> String {
        let Self { version, tests, seconds } = self;
        let tests = tests.map_or("compiled".to_owned(), |count| format!("{count} passed"));
        format!("{:10} {tests:>12} {seconds:9.1}", version.to_string())
    }
}

/// The workspaces of a version.
struct Scratch<'w> {
    workspace: &'w Workspace,
    version: Version,
    /// Our package with its tests.
    tests: PathBuf,
    /// A package that depends on a published crate on our builder.
    patched: PathBuf,
    target: PathBuf,
}

impl<'w> Scratch<'w> {
    fn make(workspace: &'w Workspace, version: Version) -> Result<Self, Failure> {
        let all = workspace.root().join("target").join(SCRATCH);
        let folder = all.join(version.to_string());
        let tests = write(workspace, version, Purpose::Test, &folder.join("tests"))?;
        let ours = write(workspace, version, Purpose::Patch, &folder.join("frontend"))?;
        let patched = folder.join("patched");
        patched::write(&patched, &ours, version)?;
        // So versions of other crates are the project's, where one will do.
        for package in [&tests, &patched] {
            let lock = package.join("Cargo.lock");
            if !lock.exists() {
                let ours = workspace.root().join("Cargo.lock");
                fs::copy(&ours, &lock).map_err(Failure::file(&ours))?;
            }
        }
        Ok(Self { workspace, version, tests, patched, target: all.join("target") })
    }

    /// Compiles the sources and the tests.
    fn check(&self) -> Result<Option<usize>, Failure> {
        self.run(&self.tests, &["check", "--all-targets"])?;
        patched::require_ours(self.workspace, &self.patched)?;
        Ok(None)
    }

    /// Runs the tests and compiles what they do not take; the number of tests that have passed.
    fn test(&self) -> Result<Option<usize>, Failure> {
        let output = self.run(&self.tests, &["test"])?;
        patched::require_ours(self.workspace, &self.patched)?;
        self.run(&self.patched, &["build"])?;
        self.run(&self.tests, &["check", "--lib", "--target", BARE, "--no-default-features", "--features", "core"])?;
        Ok(Some(num_passed(&String::from_utf8_lossy(&output.stdout))))
    }

    fn run(&self, package: &Path, arguments: &[&str]) -> Result<Output, Failure> {
        println!("== {}: cargo {}", self.version, arguments.join(" "));
        let mut command: Command = self.workspace.cargo();
        // Newer versions ask for a newer Rust than they need.
        command.envs(PROFILE).args(arguments).args(["--quiet", "--ignore-rust-version"]);
        command.arg("--manifest-path").arg(package.join("Cargo.toml")).arg("--target-dir").arg(&self.target);
        let output = command.output().map_err(|error| could_not_start("cargo", error))?;
        if output.status.success() {
            return Ok(output);
        }
        print!("{}", String::from_utf8_lossy(&output.stdout));
        Err(Failure::command(format!("cargo {} on Cranelift {}", arguments.join(" "), self.version), &output))
    }
}

/// Tests that have passed, by what `cargo test` prints of each program.
fn num_passed(printed: &str) -> usize {
    let counts = printed.lines().filter_map(|line| line.strip_prefix("test result: ok. ")?.split_once(" passed"));
    counts.filter_map(|(count, _)| count.parse::<usize>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use super::{Row, Version, num_passed};

    #[test]
    fn tests_of_all_programs_are_counted() {
        let printed = "running 2 tests\ntest result: ok. 2 passed; 0 failed\n\ntest result: ok. 15 passed; 0 failed\n";
        assert_eq!(num_passed(printed), 17);
        assert_eq!(num_passed(""), 0);
    }

    #[test]
    fn a_line_says_what_was_done() {
        let mut row = Row { version: Version { minor: 132, patch: 3 }, tests: Some(17), seconds: 61.25 };
        assert_eq!(row.line(), "0.132.3       17 passed      61.2");
        row.tests = None;
        assert_eq!(row.line(), "0.132.3        compiled      61.2");
    }
}
