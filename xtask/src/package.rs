//! `cargo xtask package`: every library crate can be published as it stands.
//!
//! Packages that are not in the registry have to be made in one command with
//! what depends on them. Those of `core` are then unpacked below `target`, as
//! those who depend on them get them, and the facade is compiled and tested
//! there, in a workspace of their own. The others have examples that name the
//! facade, which their packages do not have.

use crate::failure::Failure;
use crate::workspace::{Workspace, could_not_start};
use serde_json::Value;
use std::fs;
use std::process::Command;
use toml::Table;

/// The facade and what it depends on: these are compiled outside of the workspace.
const FACADE: &str = "ssaphire";
const CORE: &[&str] = &["core"];

/// What cargo compiles from the package, too.
const LIGHT: &[&str] = &["core", "ir", "frontends/while"];

/// What takes Cranelift or WebAssembly, which is compiled in the workspace anyway.
const HEAVY: &[&str] = &["frontends/wasm", "hosts", "backends", "tools"];

/// Packages all crates that can be published, and tests the facade outside of the workspace.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Failure> {
    let light = workspace.packages_of(LIGHT)?;
    package(workspace, &light, &[])?;
    let all = [light, workspace.packages_of(HEAVY)?].concat();
    package(workspace, &all, &["--no-verify"])?;
    let core = workspace.packages_of(CORE)?;
    let folders = unpack(workspace, &core)?;
    test(workspace, &core, &folders)
}

fn package(workspace: &Workspace, packages: &[String], arguments: &[&str]) -> Result<(), Failure> {
    let mut command = workspace.cargo();
    command.args(["package", "--allow-dirty", "--locked"]).args(arguments);
    command.args(packages.iter().flat_map(|package| ["--package", package]));
    finish(command, "cargo package")
}

/// Unpacks the packages next to each other, and gives their folders.
fn unpack(workspace: &Workspace, packages: &[String]) -> Result<Vec<String>, Failure> {
    let metadata = workspace.metadata(&["--no-deps", "--locked"])?;
    let outside = workspace.root().join("target").join("packaged");
    fs::create_dir_all(&outside).map_err(Failure::file(&outside))?;
    let mut folders = Vec::new();
    for package in packages {
        let folder = format!("{package}-{}", version(&metadata, package).unwrap_or_default());
        let unpacked = outside.join(&folder);
        if unpacked.exists() {
            // Files that went would stay otherwise.
            fs::remove_dir_all(&unpacked).map_err(Failure::file(&unpacked))?;
        }
        let archive = workspace.root().join("target").join("package").join(format!("{folder}.crate"));
        let mut command = Command::new("tar");
        command.arg("-xzf").arg(&archive).arg("-C").arg(&outside);
        finish(command, "tar")?;
        folders.push(folder);
    }
    Ok(folders)
}

fn version<'a>(metadata: &'a Value, package: &str) -> Option<&'a str> {
    let mut packages = metadata["packages"].as_array()?.iter();
    packages.find(|other| other["name"] == package)?["version"].as_str()
}

/// Compiles the unpacked packages and tests the facade: its tests, examples and documentation.
fn test(workspace: &Workspace, packages: &[String], folders: &[String]) -> Result<(), Failure> {
    let outside = workspace.root().join("target").join("packaged");
    let manifest = outside.join("Cargo.toml");
    fs::write(&manifest, manifest_of(packages, folders)).map_err(Failure::file(&manifest))?;
    let mut command = workspace.cargo();
    command.args(["test", "--package", FACADE, "--all-features", "--quiet", "--manifest-path"]).arg(&manifest);
    command.arg("--target-dir").arg(outside.join("target"));
    finish(command, "cargo test outside of the workspace")?;
    println!("{FACADE} passes its tests outside of the workspace, on the packages of {}", packages.join(", "));
    Ok(())
}

/// A workspace of the folders, in which each package is found by its name.
fn manifest_of(packages: &[String], folders: &[String]) -> String {
    let path = |folder: &String| Table::from_iter([("path".to_owned(), folder.clone().into())]);
    let patched: Table = packages.iter().cloned().zip(folders.iter().map(|folder| path(folder).into())).collect();
    let members =
        Table::from_iter([("members".to_owned(), folders.to_vec().into()), ("resolver".to_owned(), "3".into())]);
    let patch = Table::from_iter([("crates-io".to_owned(), patched.into())]);
    Table::from_iter([("workspace".to_owned(), members.into()), ("patch".to_owned(), patch.into())]).to_string()
}

/// Runs the command, which says itself what is wrong.
fn finish(mut command: Command, name: &'static str) -> Result<(), Failure> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| could_not_start(&program, error))?;
    if status.success() { Ok(()) } else { Err(Failure::step(name, status)) }
}

#[cfg(test)]
mod tests {
    use super::{manifest_of, version};
    use serde_json::json;
    use toml::{Table, toml};

    #[test]
    fn packages_are_members_and_found_by_name() {
        let [packages, folders] =
            [["graph", "facade"], ["graph-0.1.0", "facade-0.2.0"]].map(|names| names.map(str::to_owned));
        let expected = toml! {
            [workspace]
            members = ["graph-0.1.0", "facade-0.2.0"]
            resolver = "3"
            [patch.crates-io]
            graph = { path = "graph-0.1.0" }
            facade = { path = "facade-0.2.0" }
        };
        assert_eq!(manifest_of(&packages, &folders).parse::<Table>().unwrap(), expected);
    }

    #[test]
    fn a_version_is_that_of_the_package_of_that_name() {
        let metadata =
            json!({ "packages": [{ "name": "a", "version": "1.0.0" }, { "name": "b", "version": "2.0.0" }] });
        assert_eq!(version(&metadata, "b"), Some("2.0.0"));
        assert_eq!(version(&metadata, "c"), None);
    }
}
