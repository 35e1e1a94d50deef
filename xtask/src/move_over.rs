//! `cargo xtask move-over`: published crates on our builder, and what tests them.
//!
//! [`ports`] are crates in which the construction of SSA form is exchanged, and [`wasmer`] is unchanged. The rest is
//! about wasmtime.
//!
//! The compiler of wasmtime is written on `cranelift-frontend`. A copy of the
//! crate that `Cargo.lock` pins gets one change, in its manifest: the
//! dependency goes by its name and is our crate. wasmtime is compiled with the
//! copy, in a workspace below `target` that is made from the project's. Then
//! the crate's own tests run, those that compare wasmtime's answers with those
//! of our machine, and the scripts of the specification: what they look at is
//! machine code made through our builder.
//!
//! The pages for people who move over show the change; they are refused if it
//! is another one.

mod as_built;
mod edits;
mod graph;
mod manifest;
mod ports;
mod scratch;
mod wasmer;

use crate::failure::Failure;
use crate::workspace::{Workspace, could_not_start, host_target, not_metadata};
use manifest::Edit;
pub(crate) use manifest::parse;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The crate that moves over.
const MOVED: &str = "wasmtime-internal-cranelift";

/// The package whose tests are run with it, and its folder.
const SUITE: &str = "ssaphire-wasmtime-tests";
const SUITE_FOLDER: &str = "tests/wasmtime";

/// Our crate, from the copy.
const HOST: &str = "../../../hosts/cranelift";

/// The page that shows the change.
const PAGE: &str = "docs/move-from-cranelift.md";

/// Left out: tests that do not run wasmtime, and those that compare it with machine code made through our builder, too.
const LEFT_OUT: [&str; 2] = ["built::", "machine_code"];

/// What stands for the crate on the command line.
const COMPILER: &str = "wasmtime";

/// Moves the crates named over and tests them. Where none is named these are all but those that take minutes to compile.
pub(crate) fn run(workspace: &Workspace, names: &[String], is_long: bool) -> Result<(), Failure> {
    let ports = ports::names(workspace)?;
    let all: Vec<String> = [COMPILER.to_owned()].into_iter().chain(ports).collect();
    if let Some(other) = names.iter().find(|&name| name != wasmer::NAME && !all.contains(name)) {
        let remedy = format!("there are {}, {}", all.join(", "), wasmer::NAME);
        return Err(Failure::Missing { what: format!("a port `{other}`"), remedy });
    }
    for name in if names.is_empty() { &all } else { names } {
        if names.is_empty() && name != COMPILER && ports::is_by_name(workspace, name)? {
            continue;
        }
        if name == COMPILER {
            run_compiler(workspace)?;
        } else if name == wasmer::NAME {
            wasmer::run(workspace)?;
        } else {
            ports::run(workspace, name, is_long)?;
        }
    }
    Ok(())
}

/// Moves the compiler of wasmtime over and tests it.
fn run_compiler(workspace: &Workspace) -> Result<(), Failure> {
    // Packages of other systems need not be there.
    let here = ["--filter-platform", &host_target()?];
    // This fetches the crate, unless it is there.
    let metadata = workspace.metadata(&[&here[..], &["--locked"]].concat())?;
    let published = Published::find(&metadata).map_err(not_metadata)?;
    let folder = workspace.root().join("target").join("move-over");
    let copy = folder.join(&published.name);
    copy_changed(&published.folder, &copy, &|path| path.ends_with("Cargo.toml"))?;
    let edit = change(&published, &copy)?;
    println!("{}: Cargo.toml changed:\n{}", published.name, edit.diff.trim_end());
    check_page(workspace, &edit)?;

    scratch::write(workspace.root(), &folder, &published.name)?;
    let manifest = folder.join("Cargo.toml");
    let scratch = ["--offline", "--manifest-path", &manifest.display().to_string()];
    let metadata = || workspace.metadata(&[&here[..], &scratch].concat());
    let moved = as_built::ask(workspace, &folder, metadata)?;
    let ours = graph::builder_of_moved(&moved).map_err(Failure::NotMoved)?;
    println!("{MOVED} is compiled on {ours}, and nothing on {}", manifest::THEIRS);
    test(workspace, &manifest, &published.target_folder)
}

/// The crate as it was published.
struct Published {
    /// Name and version.
    name: String,
    folder: PathBuf,
    /// Where the project is built, so that what does not depend on the crate is compiled once.
    target_folder: String,
}

impl Published {
    fn find(metadata: &Value) -> Result<Self, String> {
        let packages = metadata["packages"].as_array().ok_or("no packages")?;
        let package = packages.iter().find(|package| package["name"] == MOVED).ok_or(format!("no package {MOVED}"))?;
        let version = package["version"].as_str().ok_or("a package has no version")?;
        let manifest = package["manifest_path"].as_str().ok_or("a package has no manifest_path")?;
        let folder = Path::new(manifest).parent().ok_or("a manifest is in no folder")?.to_owned();
        let target_folder = metadata["target_directory"].as_str().ok_or("no target_directory")?.to_owned();
        Ok(Self { name: format!("{MOVED}-{version}"), folder, target_folder })
    }
}

/// Copies the files that differ, so that cargo compiles again only what has changed, but for those that are left out.
fn copy_changed(from: &Path, to: &Path, is_left_out: &dyn Fn(&Path) -> bool) -> Result<(), Failure> {
    fs::create_dir_all(to).map_err(Failure::file(to))?;
    for entry in fs::read_dir(from).map_err(Failure::file(from))? {
        let source = entry.map_err(Failure::file(from))?.path();
        let Some(name) = source.file_name() else { continue };
        let target = to.join(name);
        if source.is_dir() {
            copy_changed(&source, &target, is_left_out)?;
        } else if !is_left_out(&source) {
            let bytes = fs::read(&source).map_err(Failure::file(&source))?;
            write_changed(&target, &bytes)?;
        }
    }
    Ok(())
}

/// Writes a file, unless it has these bytes: cargo compiles again what is newer.
pub(crate) fn write_changed(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if fs::read(file).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    fs::write(file, bytes).map_err(Failure::file(file))
}

/// The text of a file.
pub(crate) fn read(file: &Path) -> Result<String, Failure> {
    fs::read_to_string(file).map_err(Failure::file(file))
}

/// Writes the manifest of the copy.
fn change(published: &Published, copy: &Path) -> Result<Edit, Failure> {
    let source = published.folder.join("Cargo.toml");
    let edit = Edit::of(&read(&source)?, HOST).map_err(|problem| Failure::Manifest { path: source, problem })?;
    write_changed(&copy.join("Cargo.toml"), edit.text.as_bytes())?;
    Ok(edit)
}

fn check_page(workspace: &Workspace, edit: &Edit) -> Result<(), Failure> {
    let text = read(&workspace.root().join(PAGE))?;
    if manifest::shown(&text).is_some_and(|shown| shown == edit.diff) {
        return Ok(());
    }
    Err(Failure::NotMoved(format!("{PAGE} shows another change than this one")))
}

/// Runs the tests of the crate and of the suite, in one build: so they have the same features.
fn test(workspace: &Workspace, manifest: &Path, target_folder: &str) -> Result<(), Failure> {
    let start = Instant::now();
    let mut command = workspace.cargo();
    command.args([
        "test",
        "--offline",
        "--locked",
        "--no-fail-fast",
        "--tests",
        "--profile",
        "thorough",
        "--package",
        MOVED,
        "--package",
        SUITE,
        "--package",
        scratch::AS_BUILT,
    ]);
    command.arg("--manifest-path").arg(manifest).args(["--target-dir", target_folder]);
    command.arg("--").args(LEFT_OUT.iter().flat_map(|name| ["--skip", name]));
    let status = command.status().map_err(|error| could_not_start("cargo", error))?;
    if !status.success() {
        return Err(Failure::NotMoved(format!("tests of {MOVED} or {SUITE} fail")));
    }
    println!("{MOVED} and {SUITE} pass: {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Published;
    use serde_json::json;
    use std::path::Path;

    #[test]
    fn the_crate_is_where_cargo_has_it() {
        let package = json!({
            "name": "wasmtime-internal-cranelift", "version": "1.2.3", "manifest_path": "/sources/it/Cargo.toml",
        });
        let published = Published::find(&json!({ "packages": [package], "target_directory": "/built" })).unwrap();
        assert_eq!(published.name, "wasmtime-internal-cranelift-1.2.3");
        assert_eq!(published.folder, Path::new("/sources/it"));
        assert_eq!(published.target_folder, "/built");
        let found = Published::find(&json!({ "packages": [] }));
        assert_eq!(found.err().as_deref(), Some("no package wasmtime-internal-cranelift"));
    }
}
