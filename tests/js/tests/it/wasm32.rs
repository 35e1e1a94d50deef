//! The front end as a module of WebAssembly: built for `wasm32-unknown-unknown`, and run in node.

use crate::has_node;
use ssaphire_tests::skipped;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const TARGET: &str = "wasm32-unknown-unknown";
const PACKAGE: &str = "ssaphire-js-wasm32";

#[test]
fn the_front_end_runs_without_threads() {
    if !has_node() {
        return;
    }
    if !has_target() {
        skipped("no target wasm32-unknown-unknown");
        return;
    }
    let module = build();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("wasm32/run.mjs");
    let output = run(Command::new("node").arg("--no-warnings").arg(script).arg(module));
    let number = output.status.code();
    assert!(output.status.success(), "check {number:?} of {PACKAGE} fails: {}", said(&output));
}

fn has_target() -> bool {
    let output = run(Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]));
    output.status.success() && Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir()
}

/// Builds the module, in the build folder and the profile of this program, and says where it is.
fn build() -> PathBuf {
    let program = env::current_exe().expect("the test has a path");
    let folder = program.parent().and_then(Path::parent).expect("it is in `deps`, in the folder of a profile");
    let (target, profile) = (folder.parent().expect("that is in the build folder"), folder.file_name());
    let profile = profile.and_then(|name| name.to_str()).expect("a profile has a name");
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(["build", "--locked", "--package", PACKAGE]);
    command.args(["--target", TARGET, "--profile", if profile == "debug" { "dev" } else { profile }]);
    let output = run(command.arg("--target-dir").arg(target));
    assert!(output.status.success(), "{}", said(&output));
    target.join(TARGET).join(profile).join(PACKAGE).with_extension("wasm")
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
}
