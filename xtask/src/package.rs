//! `cargo xtask package`: every library crate can be published as it stands.
//!
//! Packages that are not in the registry have to be made in one command with
//! what depends on them. Those that are compiled quickly are then unpacked
//! below `target`, as those who depend on them get them, and compiled there, in
//! a workspace of their own, in which the tests of the facade run, too. (What
//! cargo itself does to verify packages compiles them on what it has compiled
//! of the same version before.) The tests of the others name files of the
//! project, and their examples the facade, which packages do not have.

use crate::failure::Failure;
use crate::workspace::{Workspace, could_not_start};
use serde_json::Value;
use std::fs;
use std::process::Command;
use toml::Table;

/// The package whose tests run outside of the workspace.
const FACADE: &str = "ssaphire";

/// What is compiled outside of the workspace.
const LIGHT: &[&str] = &["core", "ir", "frontends/llvm", "frontends/while"];

/// What takes Cranelift, WebAssembly or oxc.
const HEAVY: &[&str] = &["frontends/js", "frontends/react", "frontends/wasm", "hosts", "backends", "tools"];

/// Packages all crates that can be published, compiles some of them outside of the workspace, and tests the facade there.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Failure> {
    let light = workspace.packages_of(LIGHT)?;
    let all = [light.clone(), workspace.packages_of(HEAVY)?].concat();
    let mut command = workspace.cargo();
    command.args(["package", "--allow-dirty", "--locked", "--no-verify"]);
    command.args(all.iter().flat_map(|package| ["--package", package]));
    finish(command, "cargo package")?;
    let folders = unpack(workspace, &light)?;
    test(workspace, &light, &folders)
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
        // The files of an archive are all of one time in the past: cargo would take them for what it has compiled before.
        command.args(["--touch", "-xzf"]).arg(&archive).arg("-C").arg(&outside);
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
    for arguments in
        [&["check", "--workspace", "--lib"][..], &["test", "--package", FACADE, "--all-features", "--quiet"]]
    {
        let mut command = workspace.cargo();
        command.args(arguments).arg("--manifest-path").arg(&manifest).arg("--target-dir").arg(outside.join("target"));
        finish(command, "packages outside of the workspace")?;
    }
    println!("outside of the workspace {FACADE} passes its tests, and these compile: {}", packages.join(", "));
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
