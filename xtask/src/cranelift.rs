//! `cargo xtask cranelift-frontend` and `cargo xtask cranelift-versions`: our builder on other versions of Cranelift.
//!
//! `[patch.crates-io]` takes a crate of the same name and of a version that all
//! dependents accept. So the manifest depends on the version wanted, and the
//! sources do not: the first command writes a manifest that names the sources
//! of `hosts/cranelift`, and the second one compiles and tests them on each
//! version listed in [`TESTED`].

mod manifest;
mod patched;
mod version;
mod versions;

use crate::failure::Failure;
use crate::move_over::write_changed;
use crate::workspace::Workspace;
use manifest::{Manifest, Purpose};
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) use patched::require_ours;
pub(crate) use version::Version;
pub(crate) use versions::run as test_versions;

/// Which cargo calls the registry whose crates are patched.
const REGISTRY: &str = "crates-io";

/// The crate patched.
const THEIRS: &str = "cranelift-frontend";

/// The versions that are tested: the newest of each line, the oldest first.
const TESTED: [Version; 6] = [
    Version { minor: 132, patch: 3 },
    Version { minor: 133, patch: 3 },
    Version { minor: 134, patch: 4 },
    Version { minor: 135, patch: 8 },
    Version { minor: 136, patch: 5 },
    Version { minor: 137, patch: 1 },
];

/// Writes the crate for `version`, and prints what a dependent adds to its manifest.
pub(crate) fn write_crate(workspace: &Workspace, version: Version, folder: Option<&Path>) -> Result<(), Failure> {
    let folder = match folder {
        Some(folder) => folder.to_owned(),
        None => workspace.root().join("target").join(THEIRS).join(version.to_string()),
    };
    let patch = write_patch(workspace, version, &folder)?;
    let newest = TESTED[TESTED.len() - 1];
    if version.minor > newest.minor {
        eprintln!("warning: {version} is not tested; the newest version that is tested is {newest}");
    }
    println!("{patch}");
    Ok(())
}

/// Writes the crate for `version` into `folder`; the lines that put it in place of the published one.
pub(crate) fn write_patch(workspace: &Workspace, version: Version, folder: &Path) -> Result<String, Failure> {
    Ok(patch(&write(workspace, version, Purpose::Patch, folder)?))
}

/// Writes the package for `version` into `folder`, and says where that is.
fn write(workspace: &Workspace, version: Version, purpose: Purpose, folder: &Path) -> Result<PathBuf, Failure> {
    fs::create_dir_all(folder).map_err(Failure::file(folder))?;
    let folder = folder.canonicalize().map_err(Failure::file(folder))?;
    let Manifest { text, build_script } = Manifest::of(workspace.root(), version, purpose)?;
    write_changed(&folder.join("Cargo.toml"), text.as_bytes())?;
    let script = folder.join(manifest::BUILD_SCRIPT);
    match build_script {
        Some(text) => write_changed(&script, text.as_bytes())?,
        None if script.exists() => fs::remove_file(&script).map_err(Failure::file(&script))?,
        None => {}
    }
    Ok(folder)
}

/// The lines that put the crate in `folder` in place of the published one.
fn patch(folder: &Path) -> String {
    let path = toml::Value::String(folder.display().to_string());
    format!("[patch.{REGISTRY}]\n{THEIRS} = {{ path = {path} }}")
}

#[cfg(test)]
mod tests {
    use super::{TESTED, patch};
    use std::path::Path;

    #[test]
    fn one_version_of_each_line_is_tested() {
        assert!(TESTED.windows(2).all(|pair| pair[0].minor + 1 == pair[1].minor));
        assert_eq!(TESTED[0].minor, super::version::OLDEST);
    }

    #[test]
    fn a_patch_names_the_folder() {
        let expected = "[patch.crates-io]\ncranelift-frontend = { path = \"/a b/0.136.0\" }";
        assert_eq!(patch(Path::new("/a b/0.136.0")), expected);
    }
}
