//! `cargo xtask corpus-check`: every function of the corpus is built and judged.

use crate::corpus;
use crate::failure::Failure;
use crate::programs::{PROGRAMS, Program, ShortCheck};
use crate::workspace::{Workspace, could_not_start};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// The file name of the command.
const COMMAND: &str = if cfg!(windows) { "ssaphire.exe" } else { "ssaphire" };

/// Which engines `ssaphire check` runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Engines {
    All,
    Default,
}

impl Engines {
    fn name(self) -> &'static str {
        match self {
            Self::All => "all engines",
            Self::Default => "default engine",
        }
    }

    /// The options of `ssaphire check` that ask for these engines.
    fn options(self) -> &'static [&'static str] {
        match self {
            Self::All => &[],
            Self::Default => &["--algorithm", "auto"],
        }
    }
}

/// Checks the programs of the corpus: one line each.
///
/// `program` is the command to check with; where none is given, it is built in release mode.
pub(crate) fn run(workspace: &Workspace, long: bool, program: Option<&Path>) -> Result<(), Failure> {
    let planned = plan(PROGRAMS, long);
    let mut files = Vec::new();
    for &(program, engines) in &planned {
        files.push((program, engines, corpus::ensure(workspace, program)?));
    }
    let built = workspace.root().join("target").join("release").join(COMMAND);
    if program.is_none() {
        build(workspace)?;
    }
    let command = program.unwrap_or(&built);
    let mut refused = 0;
    for (program, engines, file) in &files {
        if !check(command, program, *engines, file)? {
            refused += 1;
        }
    }
    if refused == 0 { Ok(()) } else { Err(Failure::Refused { refused, programs: files.len() }) }
}

/// The programs to check, and with which engines.
fn plan(programs: &'static [Program], long: bool) -> Vec<(&'static Program, Engines)> {
    let engines = |program: &Program| match program.short_check {
        _ if long => Some(Engines::All),
        ShortCheck::AllEngines => Some(Engines::All),
        ShortCheck::DefaultEngine => Some(Engines::Default),
        ShortCheck::None => None,
    };
    programs.iter().filter_map(|program| Some((program, engines(program)?))).collect()
}

/// Builds the command line, so that the times printed are those of the checks.
fn build(workspace: &Workspace) -> Result<(), Failure> {
    let mut command = workspace.cargo();
    command.args(["build", "--release", "--locked", "--package", "ssaphire-cli", "--features", "js"]);
    let status = command.status().map_err(|error| could_not_start("cargo", error))?;
    if status.success() { Ok(()) } else { Err(Failure::step("build", status)) }
}

/// Whether `ssaphire check` accepts `file`; its output is shown where it does not.
fn check(command: &Path, program: &Program, engines: Engines, file: &Path) -> Result<bool, Failure> {
    let mut run = Command::new(command);
    run.arg("check").args(engines.options()).arg(file);
    let start = Instant::now();
    let output = run.output().map_err(|error| could_not_start(&command.display().to_string(), error))?;
    let seconds = start.elapsed().as_secs_f64();
    let accepted = output.status.success();
    let verdict = if accepted { "accepted" } else { "REFUSED" };
    println!("{:<10} {:<14} {verdict:<8} {seconds:7.1} s", program.name, engines.name());
    if !accepted {
        print!("{}", String::from_utf8_lossy(&output.stdout));
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(accepted)
}

#[cfg(test)]
mod tests {
    use super::{Engines, plan};
    use crate::programs::PROGRAMS;

    fn names(long: bool) -> Vec<(&'static str, Engines)> {
        plan(PROGRAMS, long).into_iter().map(|(program, engines)| (program.name, engines)).collect()
    }

    #[test]
    fn the_short_form_runs_all_engines_on_the_smallest_program_only() {
        let expected = [("sql.js", Engines::All), ("esbuild", Engines::Default), ("swc", Engines::Default)];
        assert_eq!(names(false), expected);
    }

    #[test]
    fn the_long_form_runs_all_engines_on_all_programs() {
        assert_eq!(names(true).len(), PROGRAMS.len());
        assert!(names(true).iter().all(|&(_, engines)| engines == Engines::All));
    }
}
