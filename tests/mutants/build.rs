//! Writes the copy of the sources in which each mistake has a switch.

use std::env;
use std::path::{Path, PathBuf};

#[path = "src/lib.rs"]
pub mod mutants;

fn main() {
    let package = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let root = package.ancestors().nth(2).unwrap_or(Path::new("."));
    match mutants::write_copy(root, &Path::new(&variable("OUT_DIR")).join("copy")) {
        Ok(sources) => sources.iter().for_each(|path| println!("cargo::rerun-if-changed={}", path.display())),
        Err(problems) => problems.iter().for_each(|problem| println!("cargo::error={problem}")),
    }
}

fn variable(name: &str) -> std::ffi::OsString {
    env::var_os(name).unwrap_or_default()
}
