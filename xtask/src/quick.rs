//! `cargo xtask quick`: whether a change holds in its package and in the packages that depend on it.
//!
//! The packages are those of the files that differ from the last commit, or of the last commit if none does. Their tests
//! run, and those of the direct dependents that a plain `cargo test` tests, but for tests of `core` if nothing there has
//! changed; all dependents are compiled and linted. A share of the mutants of the changed files is looked for, and one real program is built and judged.

use crate::ci::steps::{COMMAND_FEATURES, DEBUG, Step};
use crate::ci::{PART, head, part_of, report, schedule};
use crate::corpus;
use crate::failure::Failure;
use crate::programs::{PROGRAMS, Program};
use crate::workspace::{Workspace, could_not_start, not_metadata};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// The command, which builds and judges a program.
const COMMAND: &str = "ssaphire-cli";

/// Packages whose tests are steps of their own, or run in a copy of the workspace only.
const APART: [&str; 3] = ["ssaphire-tidy", "ssaphire-mutants", "ssaphire-mutants-found"];

/// The layer below all others.
const CORE: &str = "core";

/// The tests of `ssaphire-tests` that depend on nothing but `core` and what generates functions.
const TESTS_OF_CORE: [&str; 4] = ["judge::", "construction::", "structured::", "proofs::"];

/// Where the lists of mutants are.
const LISTS: &str = "tests/mutants";

/// Under this variable, only the mutants of some files are tried.
const MUTANTS_OF: &str = "SSAPHIRE_MUTANTS_OF";

/// At most so many mutants are tried.
const MAX_MUTANTS: usize = 30;

/// A package of the workspace.
struct Package {
    name: String,
    /// Its folder, relative to the workspace.
    folder: String,
    /// The packages that its manifest names.
    dependencies: Vec<String>,
    /// Whether a plain `cargo test` tests it.
    is_usual: bool,
}

/// Runs the steps for the packages named, or for those that have changed.
pub(crate) fn run(workspace: &Workspace, names: &[String]) -> Result<(), Failure> {
    let packages = packages(&workspace.metadata(&["--no-deps", "--locked"])?).map_err(not_metadata)?;
    let files = if names.is_empty() { changed_files(workspace)? } else { Vec::new() };
    let mut changed: BTreeSet<&str> = files.iter().filter_map(|file| package_of(&packages, file)).collect();
    for name in names {
        changed.insert(named(&packages, name)?);
    }
    let mut mutated = mutated_files(workspace)?;
    mutated.retain(|file| match names {
        [] => files.contains(file),
        _ => package_of(&packages, file).is_some_and(|package| changed.contains(package)),
    });
    println!("changed: {}", if changed.is_empty() { "no package".to_owned() } else { join(&changed, ", ") });
    let start = Instant::now();
    let outcomes = schedule::run(workspace, &steps(workspace, &packages, &changed, mutated)?, None)?;
    report(&outcomes, start.elapsed().as_secs_f64());
    Ok(())
}

/// The steps, of which two run at a time. Tests come first: they say most.
fn steps(
    workspace: &Workspace,
    packages: &[Package],
    changed: &BTreeSet<&str>,
    mutated: Vec<String>,
) -> Result<Vec<Step>, Failure> {
    let all = with_dependents(packages, changed);
    let tested = tested(packages, changed);
    let mut steps = Vec::new();
    if !tested.is_empty() {
        // Cargo keeps the folder to itself while it compiles, and other steps may compile while the tests run.
        let mut tests = format!("test --locked --package {}", join(&tested, " --package "));
        if !packages.iter().any(|package| changed.contains(package.name.as_str()) && package.folder.starts_with(CORE)) {
            tests = format!("{tests} -- --skip {}", TESTS_OF_CORE.join(" --skip "));
        }
        steps.push(Step { folders: Vec::new(), ..Step::cargo("tests", &tests, DEBUG) });
    }
    if !mutated.is_empty() {
        steps.push(mutants(workspace, mutated));
    }
    steps.push(Step::cargo("format", "fmt --all --check", "none"));
    steps.push(Step::cargo("tidy", "test --locked --package ssaphire-tidy", DEBUG));
    if all.contains(COMMAND) {
        steps.push(real_program(workspace)?);
    }
    if !all.is_empty() {
        let features = if all.contains(COMMAND) { format!(" {COMMAND_FEATURES}") } else { String::new() };
        let names = join(&all, " --package ");
        let lints = format!("clippy --locked --all-targets{features} --package {names} -- -D warnings");
        steps.push(Step::cargo("lints", &lints, DEBUG));
    }
    Ok(steps)
}

/// The packages, and all that depend on them, directly or not.
fn with_dependents<'p>(packages: &'p [Package], changed: &BTreeSet<&'p str>) -> BTreeSet<&'p str> {
    let mut all = changed.clone();
    loop {
        let before = all.len();
        for package in packages {
            if package.dependencies.iter().any(|name| all.contains(name.as_str())) {
                all.insert(&package.name);
            }
        }
        if all.len() == before {
            return all;
        }
    }
}

/// The packages to test: those that have changed, and their direct dependents that a plain `cargo test` tests.
fn tested<'p>(packages: &'p [Package], changed: &BTreeSet<&str>) -> BTreeSet<&'p str> {
    let is_tested = |package: &&Package| {
        let depends = package.dependencies.iter().any(|name| changed.contains(name.as_str()));
        let name = package.name.as_str();
        !APART.contains(&name) && (changed.contains(name) || package.is_usual && depends)
    };
    packages.iter().filter(is_tested).map(|package| package.name.as_str()).collect()
}

/// The step that looks for mutants of these files, or for a part of them if there are many.
fn mutants(workspace: &Workspace, mut files: Vec<String>) -> Step {
    let num_parts = files.len().div_ceil(MAX_MUTANTS) as u64;
    files.dedup();
    let mut step = Step::cargo("mutants", "test --locked --package ssaphire-mutants", "target/debug/mutants");
    step.variables.push((MUTANTS_OF, files.join(" ")));
    step.variables.push((PART, part_of(&head(workspace), num_parts)));
    step
}

/// The step that builds and judges one program with the default engine; in the profile of tests, which has optimized `core` already.
fn real_program(workspace: &Workspace) -> Result<Step, Failure> {
    let program: &'static Program = &PROGRAMS[0];
    let file = corpus::ensure(workspace, program)?;
    let run =
        format!("run --profile test --locked --quiet --package {COMMAND} -- check --algorithm auto {}", file.display());
    Ok(Step::cargo(program.name, &run, DEBUG))
}

/// The packages of the workspace, from the answer of `cargo metadata`.
fn packages(metadata: &Value) -> Result<Vec<Package>, String> {
    let root = metadata["workspace_root"].as_str().ok_or("no workspace_root")?;
    let usual = metadata["workspace_default_members"].as_array().ok_or("no workspace_default_members")?;
    let package = |package: &Value| {
        let name = package["name"].as_str().ok_or("a package has no name")?.to_owned();
        let manifest = package["manifest_path"].as_str().ok_or("a package has no manifest_path")?;
        let folder = Path::new(manifest).parent().and_then(|folder| folder.strip_prefix(root).ok());
        let folder = folder.ok_or("a package is elsewhere")?.to_string_lossy().into_owned();
        let dependencies = package["dependencies"].as_array().into_iter().flatten();
        let dependencies = dependencies.filter_map(|one| Some(one["name"].as_str()?.to_owned())).collect();
        Ok(Package { name, folder, dependencies, is_usual: usual.contains(&package["id"]) })
    };
    metadata["packages"].as_array().ok_or("no packages")?.iter().map(package).collect()
}

/// The package that has the file: packages may lie in each other.
fn package_of<'p>(packages: &'p [Package], file: &str) -> Option<&'p str> {
    let has_file = |package: &&Package| file.strip_prefix(&package.folder).is_some_and(|rest| rest.starts_with('/'));
    packages.iter().filter(has_file).max_by_key(|package| package.folder.len()).map(|package| package.name.as_str())
}

/// The package with that name, or with that name after `ssaphire-`.
fn named<'p>(packages: &'p [Package], name: &str) -> Result<&'p str, Failure> {
    let is_named = |package: &&Package| package.name == name || package.name.strip_prefix("ssaphire-") == Some(name);
    let found = packages.iter().find(is_named).map(|package| package.name.as_str());
    let names: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    found.ok_or_else(|| Failure::Missing {
        what: format!("a package `{name}`"),
        remedy: format!("there are {}", names.join(", ")),
    })
}

/// The files that differ from the last commit, or if there are none, those that the last commit has changed.
fn changed_files(workspace: &Workspace) -> Result<Vec<String>, Failure> {
    let mut files = git(workspace, &["diff", "--name-only", "HEAD"])?;
    files.extend(git(workspace, &["ls-files", "--others", "--exclude-standard"])?);
    if files.is_empty() {
        files = git(workspace, &["diff-tree", "--no-commit-id", "--name-only", "-r", "HEAD"])?;
    }
    Ok(files)
}

/// The lines that git answers.
fn git(workspace: &Workspace, arguments: &[&str]) -> Result<Vec<String>, Failure> {
    let mut command = Command::new("git");
    command.args(arguments).current_dir(workspace.root());
    let output = command.output().map_err(|error| could_not_start("git", error))?;
    if !output.status.success() {
        return Err(Failure::command(format!("git {}", arguments.join(" ")), &output));
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

/// The files that mutants change, sorted, and each as often as mutants change it.
fn mutated_files(workspace: &Workspace) -> Result<Vec<String>, Failure> {
    let folder = workspace.root().join(LISTS);
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder).map_err(Failure::file(&folder))? {
        let path = entry.map_err(Failure::file(&folder))?.path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            let text = fs::read_to_string(&path).map_err(Failure::file(&path))?;
            let lines = text.lines().filter_map(|line| line.strip_prefix("file = \"")?.strip_suffix('"'));
            files.extend(lines.map(str::to_owned));
        }
    }
    files.sort();
    Ok(files)
}

fn join(names: &BTreeSet<&str>, separator: &str) -> String {
    names.iter().copied().collect::<Vec<_>>().join(separator)
}

#[cfg(test)]
mod unit_tests {
    use super::{Package, named, package_of, packages, tested, with_dependents};
    use serde_json::{Value, json};
    use std::collections::BTreeSet;

    fn example() -> Vec<Package> {
        let package = |name: &str, folder: &str, dependencies: &[&str]| {
            let dependencies: Vec<Value> = dependencies.iter().map(|name| json!({ "name": name })).collect();
            let manifest = format!("/w/{folder}/Cargo.toml");
            json!({ "name": name, "id": name, "manifest_path": manifest, "dependencies": dependencies })
        };
        let metadata = json!({
            "workspace_root": "/w",
            "workspace_default_members": ["ssaphire-graph", "ssaphire-ir"],
            "packages": [
                package("ssaphire-graph", "core/graph", &[]),
                package("ssaphire-ir", "ir", &["ssaphire-graph", "serde"]),
                package("ssaphire-js", "frontends/js", &["ssaphire-ir"]),
                package("ssaphire-react", "frontends/react", &["ssaphire-js"]),
                package("ssaphire-js-tests", "tests/js", &["ssaphire-js"]),
                package("ssaphire-js-wasm32", "tests/js/wasm32", &["ssaphire-react"]),
            ]
        });
        packages(&metadata).unwrap()
    }

    #[test]
    fn dependents_of_dependents_are_compiled_and_usual_ones_tested() {
        let packages = example();
        let changed = BTreeSet::from(["ssaphire-graph"]);
        let all = with_dependents(&packages, &changed);
        assert_eq!(all.len(), 6);
        assert_eq!(tested(&packages, &changed), BTreeSet::from(["ssaphire-graph", "ssaphire-ir"]));
        let changed = BTreeSet::from(["ssaphire-js"]);
        let all = with_dependents(&packages, &changed);
        assert_eq!(all, BTreeSet::from(["ssaphire-js", "ssaphire-js-tests", "ssaphire-js-wasm32", "ssaphire-react"]));
        assert_eq!(tested(&packages, &changed), changed);
    }

    #[test]
    fn a_file_belongs_to_the_innermost_package() {
        let packages = example();
        assert_eq!(package_of(&packages, "ir/src/lib.rs"), Some("ssaphire-ir"));
        assert_eq!(package_of(&packages, "tests/js/wasm32/src/main.rs"), Some("ssaphire-js-wasm32"));
        assert_eq!(package_of(&packages, "irregular/lib.rs"), None);
        assert_eq!(package_of(&packages, "README.md"), None);
    }

    #[test]
    fn a_package_goes_by_its_short_name_too() {
        let packages = example();
        assert_eq!(named(&packages, "ir").unwrap(), "ssaphire-ir");
        assert_eq!(named(&packages, "ssaphire-ir").unwrap(), "ssaphire-ir");
        let refused = named(&packages, "irr").unwrap_err().to_string();
        assert!(refused.starts_with("a package `irr` is missing: there are ssaphire-graph, "), "{refused}");
    }
}
