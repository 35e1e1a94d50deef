//! Each mutant is found: `cargo test` says so in the copy that the build script has written.

use std::env;
use std::path::Path;
use std::process::Command;

/// The copy.
const COPY: &str = concat!(env!("OUT_DIR"), "/copy");

#[test]
fn each_mutant_is_found() {
    // In a folder of its own: cargo takes the packages of the copy for those of the workspace, and would compile both again.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutants");
    let mut cargo = Command::new(env::var_os("CARGO").expect("cargo runs this test"));
    cargo
        .current_dir(COPY)
        .args(["test", "--profile", "thorough", "--package", "ssaphire-mutants-found", "--target-dir"])
        .arg(target);
    let output = cargo.args(["--", "--nocapture"]).output().expect("cargo can be run");
    println!("{}{}", String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
    assert!(output.status.success(), "a mutant was not found, or the copy does not compile: see above");
}
