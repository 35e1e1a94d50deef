//! The test programs of the copy: one build, so that each crate is compiled once.

use serde_json::Value;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use toml::Table;

/// The copy.
const COPY: &str = concat!(env!("OUT_DIR"), "/copy");

/// A package whose test programs have been built.
pub(crate) struct Built {
    /// Its folder, relative to the copy.
    pub(crate) folder: String,
    pub(crate) programs: Vec<PathBuf>,
}

impl Built {
    /// The folder in which its tests run.
    pub(crate) fn working_folder(&self) -> PathBuf {
        Path::new(COPY).join(&self.folder)
    }
}

/// Builds the test programs of the packages in these folders.
///
/// # Panics
/// If one is not compiled.
pub(crate) fn build(folders: &[&str]) -> Vec<Built> {
    // In a folder of its own: cargo takes the packages of the copy for those of the workspace, and would compile both again.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutants");
    let mut cargo = Command::new(env::var_os("CARGO").expect("cargo runs this test"));
    cargo.current_dir(COPY).args(["test", "--profile", "thorough", "--no-run", "--test", "*", "--target-dir"]);
    cargo.arg(target).args(["--message-format", "json-render-diagnostics"]);
    for folder in folders {
        cargo.args(["--package", &name_of(folder)]);
    }
    let output = cargo.output().expect("cargo can be run");
    assert!(output.status.success(), "the copy does not compile:\n{}", String::from_utf8_lossy(&output.stderr));
    let messages = String::from_utf8_lossy(&output.stdout);
    let programs: Vec<(String, PathBuf)> = messages.lines().filter_map(program).collect();
    let of = |folder: &str| programs.iter().filter(move |(of, _)| of == folder).map(|(_, path)| path.clone()).collect();
    folders.iter().map(|&folder| Built { folder: folder.to_owned(), programs: of(folder) }).collect()
}

/// The name of the package in that folder.
fn name_of(folder: &str) -> String {
    let manifest =
        fs::read_to_string(Path::new(COPY).join(folder).join("Cargo.toml")).expect("the copy has the package");
    let manifest: Table = manifest.parse().expect("the build script has written it");
    manifest["package"]["name"].as_str().expect("a package has a name").to_owned()
}

/// The test program that a message of cargo is about, and the folder of its package.
fn program(message: &str) -> Option<(String, PathBuf)> {
    let message: Value = serde_json::from_str(message).ok()?;
    let is_test = message["profile"]["test"] == true;
    let path = message["executable"].as_str().filter(|_| is_test)?;
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?.strip_prefix(COPY).ok()?;
    Some((folder.to_str()?.to_owned(), path.into()))
}
