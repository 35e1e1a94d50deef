//! Where the workspace is, and which packages its layers hold.

use crate::failure::Failure;
use serde_json::Value;
use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The workspace this program belongs to.
pub(crate) struct Workspace {
    root: PathBuf,
    cargo: OsString,
}

impl Workspace {
    /// The workspace cargo started this program from.
    pub(crate) fn find() -> Result<Self, Failure> {
        let manifest = env::var_os("CARGO_MANIFEST_DIR").ok_or(Failure::NotUnderCargo)?;
        let root = Path::new(&manifest).parent().ok_or(Failure::NotUnderCargo)?.to_owned();
        let cargo = env::var_os("CARGO").ok_or(Failure::NotUnderCargo)?;
        Ok(Self { root, cargo })
    }

    /// The workspace's folder.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Where the real programs lie; the folder need not be there.
    pub(crate) fn corpus(&self) -> PathBuf {
        self.root.join("target").join("corpus")
    }

    /// Where traces for the benchmarks lie; the folder need not be there.
    pub(crate) fn traces(&self) -> PathBuf {
        self.root.join("target").join("bench")
    }

    /// The same cargo that runs this program, in the workspace's folder.
    pub(crate) fn cargo(&self) -> Command {
        let mut command = Command::new(&self.cargo);
        command.current_dir(&self.root);
        command
    }

    /// Names of the packages in the given top-level folders, sorted.
    pub(crate) fn packages_of(&self, layers: &[&str]) -> Result<Vec<String>, Failure> {
        packages_of(&self.metadata(&["--no-deps", "--locked"])?, layers).map_err(not_metadata)
    }

    /// What `cargo metadata` answers to these arguments.
    pub(crate) fn metadata(&self, arguments: &[&str]) -> Result<Value, Failure> {
        let mut command = self.cargo();
        command.args(["metadata", "--format-version", "1"]).args(arguments);
        let output = command.output().map_err(|error| could_not_start("cargo", error))?;
        if !output.status.success() {
            return Err(Failure::command("cargo metadata".to_owned(), &output));
        }
        serde_json::from_slice(&output.stdout).map_err(|error| not_metadata(error.to_string()))
    }
}

/// The failure to find in the answer of `cargo metadata` what has to be there.
pub(crate) fn not_metadata(problem: String) -> Failure {
    Failure::Answer { command: "cargo metadata".to_owned(), problem }
}

/// The failure to start `program`.
pub(crate) fn could_not_start(program: &str, error: io::Error) -> Failure {
    if error.kind() == io::ErrorKind::NotFound {
        let remedy = format!("install {program} and make it reachable through PATH");
        return Failure::Missing { what: program.to_owned(), remedy };
    }
    Failure::File { path: PathBuf::from(program), error }
}

/// The target triple of this machine.
pub(crate) fn host_target() -> Result<String, Failure> {
    let output = Command::new("rustc").arg("-vV").output().map_err(|error| could_not_start("rustc", error))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .ok_or(Failure::Answer { command: "rustc -vV".to_owned(), problem: "no line `host:`".to_owned() })
}

fn packages_of(metadata: &Value, layers: &[&str]) -> Result<Vec<String>, String> {
    let root = metadata["workspace_root"].as_str().ok_or("no workspace_root")?;
    let mut names = Vec::new();
    for package in metadata["packages"].as_array().ok_or("no packages")? {
        let name = package["name"].as_str().ok_or("a package has no name")?;
        let manifest = package["manifest_path"].as_str().ok_or("a package has no manifest_path")?;
        let folder = Path::new(manifest).strip_prefix(root).map_err(|error| error.to_string())?;
        if layers.iter().any(|layer| folder.starts_with(layer)) {
            names.push(name.to_owned());
        }
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::packages_of;
    use serde_json::{Value, json};

    fn metadata() -> Value {
        json!({
            "workspace_root": "/w",
            "packages": [
                { "name": "judge", "manifest_path": "/w/core/check/Cargo.toml" },
                { "name": "ir", "manifest_path": "/w/ir/Cargo.toml" },
                { "name": "corelike", "manifest_path": "/w/corelike/Cargo.toml" },
                { "name": "graph", "manifest_path": "/w/core/graph/Cargo.toml" }
            ]
        })
    }

    #[test]
    fn packages_are_found_by_top_level_folder() {
        assert_eq!(packages_of(&metadata(), &["core"]).unwrap(), ["graph", "judge"]);
        assert_eq!(packages_of(&metadata(), &["core", "ir"]).unwrap(), ["graph", "ir", "judge"]);
        assert!(packages_of(&metadata(), &["hosts"]).unwrap().is_empty());
    }

    #[test]
    fn metadata_of_another_form_is_refused() {
        assert_eq!(packages_of(&json!({}), &["core"]).unwrap_err(), "no workspace_root");
        assert_eq!(packages_of(&json!({ "workspace_root": "/w" }), &["core"]).unwrap_err(), "no packages");
    }
}
