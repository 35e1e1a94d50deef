//! `cargo xtask ci`: what CI runs, on any machine and without a network.

use crate::failure::Failure;
use crate::workspace::{Workspace, could_not_start};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// A target without an operating system, and so without `std`.
const BARE: &str = "thumbv7em-none-eabi";

/// What the explorer runs on.
const WASM: &str = "wasm32-unknown-unknown";

/// Folders of what is `no_std`.
const BARE_LAYERS: &[&str] = &["core"];

/// Folders of what the explorer runs.
const WASM_LAYERS: &[&str] = &["core", "ir", "frontends"];

/// The Cranelift host needs no more than Cranelift does.
const CRANELIFT: &str = "check --lib --locked --target thumbv7em-none-eabi --package ssaphire-cranelift --no-default-features --features core";

/// Without libFuzzer, which takes a compiler for C++: nothing is linked here.
const FUZZ: &str = "check --manifest-path fuzz/Cargo.toml --target-dir target --locked --no-default-features";

/// What is left out of a plain `cargo test`: what takes Cranelift or WebAssembly, and what takes minutes.
const OTHERS: &[&str] = &[
    "ssaphire-tidy",
    "ssaphire-long-tests",
    "ssaphire-wasm",
    "ssaphire-js-tests",
    "ssaphire-cranelift",
    "ssaphire-jit",
    "ssaphire-streams",
    "ssaphire-cli",
    "ssaphire-system-tests",
];

/// One command of CI.
struct Step {
    name: &'static str,
    arguments: Vec<String>,
    variables: Vec<(&'static str, &'static str)>,
}

/// Runs the steps; the first that fails ends the run with its status.
pub(crate) fn run(workspace: &Workspace, with_tests: bool) -> Result<(), Failure> {
    for target in [BARE, WASM] {
        require_target(target)?;
    }
    let mut steps = checks(workspace)?;
    if with_tests {
        steps.extend(tests());
    }
    for step in &steps {
        run_step(workspace, step)?;
    }
    Ok(())
}

fn require_target(target: &str) -> Result<(), Failure> {
    let mut command = Command::new("rustc");
    command.args(["--print", "target-libdir", "--target", target]).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| could_not_start("rustc", error))?;
    let folder = String::from_utf8_lossy(&output.stdout);
    if output.status.success() && Path::new(folder.trim()).is_dir() {
        return Ok(());
    }
    Err(Failure::Missing { what: format!("target {target}"), remedy: format!("run `rustup target add {target}`") })
}

fn checks(workspace: &Workspace) -> Result<Vec<Step>, Failure> {
    let mut steps = vec![
        step("format", "fmt --all --check"),
        step("lints", "clippy --workspace --all-targets --features ssaphire-cli/jit --locked -- -D warnings"),
        documents("docs of programs", "--bins"),
        // Last, so that the page of the library `ssaphire` is not that of the program.
        documents("docs of libraries", "--lib"),
        check_target("no_std", BARE, &workspace.packages_of(BARE_LAYERS)?),
        step("no_std of the Cranelift host", CRANELIFT),
        check_target("wasm32", WASM, &workspace.packages_of(WASM_LAYERS)?),
    ];
    if workspace.root().join("fuzz").join("Cargo.toml").exists() {
        steps.push(step("fuzz targets build", FUZZ));
    }
    steps.push(step("the facade without features", "check --lib --locked --package ssaphire --no-default-features"));
    steps.push(step("the facade with all features", "check --lib --locked --package ssaphire --all-features"));
    steps.push(step("licenses", "xtask licenses"));
    // In release, as the alias builds this program.
    steps.push(step("tests of xtask", "test --release --quiet --locked --package xtask"));
    Ok(steps)
}

fn tests() -> Vec<Step> {
    let thorough = |name, arguments: &str| step(name, &format!("test --locked --profile thorough {arguments}"));
    let mut others = thorough("tests of all other packages", "--features ssaphire-cli/jit");
    others.arguments.extend(OTHERS.iter().flat_map(|&package| ["--package".to_owned(), package.to_owned()]));
    vec![
        step("tests", "test --locked"),
        others,
        thorough("tests of the command without machine code", "--package ssaphire-cli --test command run"),
        // Compiles the copy by that profile.
        step("mutants are found", "test --locked --package ssaphire-mutants"),
        thorough("tests beside wasmtime", "--package ssaphire-wasmtime-tests"),
        step("a published compiler moves over", "xtask move-over wasmtime"),
        thorough("tests of the benchmarks", "--package ssaphire-bench"),
    ]
}

fn step(name: &'static str, arguments: &str) -> Step {
    let arguments = arguments.split(' ').map(str::to_owned).collect();
    Step { name, arguments, variables: Vec::new() }
}

/// Docs of all packages, private items included, with broken links as errors.
fn documents(name: &'static str, kind: &str) -> Step {
    let mut step = step(name, "doc --workspace --no-deps --document-private-items --locked");
    step.arguments.push(kind.to_owned());
    step.variables.push(("RUSTDOCFLAGS", "-D warnings"));
    step
}

fn check_target(name: &'static str, target: &str, packages: &[String]) -> Step {
    let mut step = step(name, "check --lib --locked --target");
    step.arguments.push(target.to_owned());
    for package in packages {
        step.arguments.extend(["--package".to_owned(), package.clone()]);
    }
    step
}

fn run_step(workspace: &Workspace, step: &Step) -> Result<(), Failure> {
    println!("== {}: cargo {}", step.name, step.arguments.join(" "));
    let start = Instant::now();
    let mut command = workspace.cargo();
    command.args(&step.arguments).envs(step.variables.iter().copied());
    let status = command.status().map_err(|error| could_not_start("cargo", error))?;
    if !status.success() {
        return Err(Failure::step(step.name, status));
    }
    println!("   {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}
