//! wasmer on our builder, by the patch section of its dependent.
//!
//! One program runs the scripts of the specification by wasmer, which is
//! compiled from published crates alone. It is compiled twice below `target`,
//! the second time with our crate patched in; each script has to end alike.

use super::ports::folder_of;
use super::{read, write_changed};
use crate::cranelift;
use crate::failure::Failure;
use crate::workspace::{Workspace, could_not_start, not_metadata};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

/// What moves over, and the folder of its program below `ports`.
pub(super) const NAME: &str = "wasmer";

/// The packages: one for the lock file that wasmer was published with, and the program with each builder.
const LOCK: &str = "lock";
const PUBLISHED: &str = "published";
const PATCHED: &str = "patched";

/// The crate to patch in.
const FRONTEND: &str = "frontend";

/// Assertions are on: nothing is timed.
const PROFILE: [(&str, &str); 2] = [("CARGO_PROFILE_DEV_OPT_LEVEL", "2"), ("CARGO_PROFILE_DEV_DEBUG", "none")];

/// Runs the scripts on both builders, and compares how they end.
pub(super) fn run(workspace: &Workspace) -> Result<(), Failure> {
    let port = Port {
        workspace,
        folder: workspace.root().join("ports").join(NAME),
        scratch: workspace.root().join("target").join("move-over").join(NAME),
    };
    let manifest = read(&port.folder.join("scripts.toml"))?;
    let lock = port.published_lock(&manifest)?;
    let published = port.write(PUBLISHED, &manifest, &lock)?;
    let version = version_of_theirs(&port.metadata(&published)?).map_err(not_metadata)?;
    let patch = cranelift::write_patch(workspace, version, &port.scratch.join(FRONTEND))?;
    println!("{NAME}: Cargo.toml of its dependent gets\n{patch}");
    // What wasmer builds is judged.
    let judged = format!("[dependencies.{}]\nversion = \"*\"\nfeatures = [\"judge\"]", super::manifest::THEIRS);
    let patched = port.write(PATCHED, &format!("{manifest}\n{judged}\n\n{patch}\n"), &lock)?;
    cranelift::require_ours(workspace, &patched)?;
    println!("{NAME} is compiled on our builder, and nothing on the published one");
    let counts = compare(&port.scripts(&published)?, &port.scripts(&patched)?);
    println!("{}", counts.trim_end());
    let expected = port.folder.join("counts.txt");
    if counts != read(&expected)? {
        return Err(Failure::NotMoved(format!("{} has other counts", expected.display())));
    }
    println!("{NAME}: as in counts.txt");
    Ok(())
}

struct Port<'w> {
    workspace: &'w Workspace,
    folder: PathBuf,
    scratch: PathBuf,
}

impl Port<'_> {
    /// The lock file that wasmer was published with.
    fn published_lock(&self, manifest: &str) -> Result<String, Failure> {
        let folder = self.write(LOCK, manifest, "")?;
        let published = folder_of(&self.metadata(&folder)?, NAME).map_err(not_metadata)?;
        read(&published.join("Cargo.lock"))
    }

    /// Writes the program with that manifest into the folder `package`. Cargo adds to the lock file what else is needed.
    fn write(&self, package: &str, manifest: &str, lock: &str) -> Result<PathBuf, Failure> {
        let folder = self.scratch.join(package);
        fs::create_dir_all(&folder).map_err(Failure::file(&folder))?;
        write_changed(&folder.join("Cargo.toml"), manifest.as_bytes())?;
        write_changed(&folder.join("scripts.rs"), read(&self.folder.join("scripts.rs"))?.as_bytes())?;
        let file = folder.join("Cargo.lock");
        if !lock.is_empty() && !file.exists() {
            write_changed(&file, lock.as_bytes())?;
        }
        Ok(folder)
    }

    fn metadata(&self, package: &Path) -> Result<Value, Failure> {
        self.workspace.metadata(&["--manifest-path", &package.join("Cargo.toml").display().to_string()])
    }

    /// How each script ends: a line each.
    fn scripts(&self, package: &Path) -> Result<String, Failure> {
        let start = Instant::now();
        let mut command = self.workspace.cargo();
        // wasmer asks for a newer Rust than it needs.
        command.envs(PROFILE).args(["run", "--quiet", "--ignore-rust-version", "--manifest-path"]);
        command.arg(package.join("Cargo.toml")).arg("--target-dir").arg(self.scratch.join("target"));
        let output = command.stderr(Stdio::inherit()).output().map_err(|error| could_not_start("cargo", error))?;
        if !output.status.success() {
            return Err(Failure::command(format!("scripts in {}", package.display()), &output));
        }
        println!("{}: {:.1} s", package.display(), start.elapsed().as_secs_f64());
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// The version of `cranelift-frontend` that is compiled.
fn version_of_theirs(metadata: &Value) -> Result<cranelift::Version, String> {
    let packages = metadata["packages"].as_array().ok_or("no packages")?;
    let theirs = packages.iter().find(|package| package["name"] == super::manifest::THEIRS);
    theirs.and_then(|package| package["version"].as_str()).ok_or("no version of cranelift-frontend")?.parse()
}

/// How many scripts end alike, and which ones do not.
fn compare(published: &str, patched: &str) -> String {
    let (mut num_passed, mut num_failed, mut different) = (0, 0, String::new());
    let mut patched_lines = patched.lines();
    for line in published.lines() {
        let other = patched_lines.next().unwrap_or_default();
        if line != other {
            let _ = writeln!(different, "  published: {line}\n  patched: {other}");
        } else if line.ends_with(": passes") {
            num_passed += 1;
        } else {
            num_failed += 1;
        }
    }
    for other in patched_lines {
        let _ = writeln!(different, "  published:\n  patched: {other}");
    }
    let num_different = different.lines().count() / 2;
    format!(
        "scripts: {}\npass on both: {num_passed}\nfail on both, with the same words: {num_failed}\n\
        end differently: {num_different}\n{different}",
        published.lines().count()
    )
}

#[cfg(test)]
mod tests {
    use super::{compare, version_of_theirs};
    use serde_json::json;

    #[test]
    fn scripts_are_compared_one_by_one() {
        let (published, patched) =
            ("a: passes\nb: fails: \"x\"\nc: passes\n", "a: passes\nb: fails: \"x\"\nc: panics\n");
        let counts = "scripts: 3\npass on both: 1\nfail on both, with the same words: 1\nend differently: 1\n  \
            published: c: passes\n  patched: c: panics\n";
        assert_eq!(compare(published, patched), counts);
        assert!(compare(published, published).ends_with("end differently: 0\n"));
        assert!(compare("", "a: passes\n").ends_with("end differently: 1\n  published:\n  patched: a: passes\n"));
        assert!(compare("a: passes\n", "").ends_with("end differently: 1\n  published: a: passes\n  patched: \n"));
    }

    #[test]
    fn the_version_is_the_one_compiled() {
        let theirs = json!({ "name": "cranelift-frontend", "version": "0.136.0" });
        let found = version_of_theirs(&json!({ "packages": [theirs] })).unwrap();
        assert_eq!(found.to_string(), "0.136.0");
        assert!(version_of_theirs(&json!({ "packages": [] })).is_err());
    }
}
