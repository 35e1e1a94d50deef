//! `cargo xtask fuzz`: builds a fuzz target with coverage counters, by stable Rust, and runs it.
//!
//! What `cargo fuzz` does without a sanitizer, and so without a nightly
//! compiler: `core` has no `unsafe` for a sanitizer to look at. libFuzzer is
//! compiled from its sources, which takes a compiler for C++. Inputs worth
//! keeping gather in `target/fuzz/inputs/TARGET`, those that fail in
//! `target/fuzz/findings/TARGET`; both are left for the next run.

use crate::failure::Failure;
use crate::workspace::{Workspace, could_not_start, host_target};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What tells libFuzzer which code an input has reached, and what it was compared with.
const COVERAGE: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "--cfg=fuzzing",
];

/// Seconds after which an input counts as one that never ends.
const TIMEOUT: u64 = 20;

/// What to do with a target.
pub(crate) enum Work {
    /// Look for inputs that fail.
    Search,
    /// Run one input.
    Run(PathBuf),
    /// Make an input that fails smaller.
    Minimize(PathBuf),
}

/// The folders of one target.
struct Folders {
    /// Inputs worth keeping.
    inputs: PathBuf,
    /// Inputs that fail.
    findings: PathBuf,
    /// Inputs to begin with, which are not changed.
    seeds: Option<PathBuf>,
    /// Words that inputs may be made of.
    words: Option<PathBuf>,
}

/// Builds the target `name`, and does the work for so many seconds.
pub(crate) fn run(workspace: &Workspace, name: &str, seconds: u64, work: &Work) -> Result<(), Failure> {
    let targets = targets(&workspace.root().join("fuzz").join("fuzz_targets"))?;
    if !targets.iter().any(|target| target == name) {
        return Err(Failure::NoTarget { target: name.to_owned(), targets });
    }
    let program = build(workspace, name)?;
    let folders = folders(workspace, name)?;
    let mut command = Command::new(&program);
    command.args(arguments(&folders, seconds, work)?).current_dir(workspace.root());
    let status = command.status().map_err(|error| could_not_start(name, error))?;
    if status.success() { Ok(()) } else { Err(Failure::Found { target: name.to_owned(), folder: folders.findings }) }
}

/// The names of the targets, sorted.
fn targets(folder: &Path) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(Failure::file(folder))? {
        let path = entry.map_err(Failure::file(folder))?.path();
        names.extend(path.file_stem().and_then(|name| name.to_str()).map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

/// The program that runs the target.
fn build(workspace: &Workspace, name: &str) -> Result<PathBuf, Failure> {
    // With the target named, cargo builds build scripts without the flags.
    let target = host_target()?;
    let folder = workspace.root().join("target").join("fuzz");
    let mut command = workspace.cargo();
    command.args(["build", "--release", "--locked", "--manifest-path", "fuzz/Cargo.toml", "--bin", name]);
    command.args(["--target", &target, "--target-dir"]).arg(&folder);
    command.env_remove("RUSTFLAGS").env("CARGO_ENCODED_RUSTFLAGS", COVERAGE.join("\x1f"));
    let status = command.status().map_err(|error| could_not_start("cargo", error))?;
    if !status.success() {
        return Err(Failure::step("build", status));
    }
    Ok(folder.join(target).join("release").join(name))
}

fn folders(workspace: &Workspace, name: &str) -> Result<Folders, Failure> {
    let root = workspace.root().join("target").join("fuzz");
    let [inputs, findings] = ["inputs", "findings"].map(|folder| root.join(folder).join(name));
    for folder in [&inputs, &findings] {
        fs::create_dir_all(folder).map_err(Failure::file(folder))?;
    }
    // The small programs are texts to begin with.
    let seeds = (name == "texts").then(|| workspace.root().join("corpus"));
    let words = workspace.root().join("fuzz").join(format!("{name}.words"));
    Ok(Folders { inputs, findings, seeds, words: words.exists().then_some(words) })
}

/// The arguments of libFuzzer.
fn arguments(folders: &Folders, seconds: u64, work: &Work) -> Result<Vec<String>, Failure> {
    let Folders { inputs, findings, seeds, words } = folders;
    let mut arguments = vec![
        format!("-artifact_prefix={}/", findings.display()),
        format!("-timeout={TIMEOUT}"),
        format!("-max_total_time={seconds}"),
        "-print_final_stats=1".to_owned(),
        // Longer inputs soon: a graph takes more bytes than most formats need to show something.
        "-len_control=10".to_owned(),
    ];
    arguments.extend(words.as_ref().map(|words| format!("-dict={}", words.display())));
    let given = |path: &Path| {
        let path = fs::canonicalize(path).map_err(Failure::file(path))?;
        Ok(path.display().to_string())
    };
    match work {
        Work::Search => {
            arguments.push(inputs.display().to_string());
            arguments.extend(seeds.as_ref().map(|seeds| seeds.display().to_string()));
        }
        Work::Run(input) => arguments.push(given(input)?),
        Work::Minimize(input) => arguments.extend(["-minimize_crash=1".to_owned(), given(input)?]),
    }
    Ok(arguments)
}

#[cfg(test)]
mod tests {
    use super::{Folders, Work, arguments};
    use std::path::PathBuf;

    #[test]
    fn inputs_come_before_seeds() {
        let [inputs, findings, seeds] = ["inputs", "findings", "corpus"].map(PathBuf::from);
        let folders = Folders { inputs, findings, seeds: Some(seeds), words: None };
        let arguments = arguments(&folders, 7, &Work::Search).unwrap();
        // What is found worth keeping is written to the first folder.
        assert_eq!(arguments[arguments.len() - 2..], ["inputs", "corpus"]);
        assert!(arguments.contains(&"-max_total_time=7".to_owned()));
        assert!(arguments.contains(&"-artifact_prefix=findings/".to_owned()));
    }
}
