//! A published crate, unchanged, on our builder: the crate `cranelift`, by the patch section of its dependent.

use super::{THEIRS, Version, patch};
use crate::failure::Failure;
use crate::move_over::write_changed;
use crate::workspace::Workspace;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// What the dependent has: names of the published crate, and that our builder is behind them.
const SOURCE: &str = "//! Names that `cranelift` has from the crate that is patched.

pub use cranelift::frontend::{FuncInstBuilder, Switch, VERSION};
pub use cranelift::prelude::{FunctionBuilder, FunctionBuilderContext, Variable};

/// Exists in our crate alone.
pub type Ours = cranelift::frontend::Undefined;

/// Dependents keep contexts in pools that threads share.
pub const fn is_shared<T: Send + Sync>() {}
const _: () = is_shared::<FunctionBuilderContext>();
";

/// Writes a package that depends on `cranelift`, with our crate for `version`, which is in the folder `ours`.
pub(super) fn write(folder: &Path, ours: &Path, version: Version) -> Result<(), Failure> {
    let source = folder.join("src");
    fs::create_dir_all(&source).map_err(Failure::file(&source))?;
    write_changed(&source.join("lib.rs"), SOURCE.as_bytes())?;
    let patch = patch(ours);
    let manifest = format!(
        "[package]\nname = \"patched\"\nedition = \"2024\"\n\n[dependencies]\ncranelift = \"={version}\"\n\n{patch}\n\n\
        [workspace]\n"
    );
    write_changed(&folder.join("Cargo.toml"), manifest.as_bytes())
}

/// Fails unless our crate is the only one of its name that the package in `folder` is compiled with.
pub(crate) fn require_ours(workspace: &Workspace, folder: &Path) -> Result<(), Failure> {
    let manifest = folder.join("Cargo.toml").display().to_string();
    let metadata = workspace.metadata(&["--manifest-path", &manifest])?;
    only_ours(&metadata).map_err(Failure::NotMoved)
}

/// Whether cargo names one crate of that name, which is in no registry.
fn only_ours(metadata: &Value) -> Result<(), String> {
    let packages = metadata["packages"].as_array().ok_or("cargo names no packages")?;
    let named: Vec<&Value> = packages.iter().filter(|package| package["name"] == THEIRS).collect();
    match named[..] {
        // What comes from a registry says which one.
        [ours] if ours["source"].is_null() => Ok(()),
        [theirs] => Err(format!("{THEIRS} {} is the published one", theirs["version"].as_str().unwrap_or(""))),
        _ => Err(format!("{THEIRS} is there {} times", named.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::only_ours;
    use serde_json::{Value, json};

    #[test]
    fn the_published_crate_is_refused() {
        let ours = json!({ "name": "cranelift-frontend", "version": "0.136.0", "source": null });
        let theirs = json!({ "name": "cranelift-frontend", "version": "0.136.0", "source": "registry" });
        let check = |packages: &[&Value]| only_ours(&json!({ "packages": packages }));
        assert_eq!(check(&[&ours]), Ok(()));
        assert_eq!(check(&[&theirs]).unwrap_err(), "cranelift-frontend 0.136.0 is the published one");
        assert_eq!(check(&[&ours, &theirs]).unwrap_err(), "cranelift-frontend is there 2 times");
        assert_eq!(check(&[]).unwrap_err(), "cranelift-frontend is there 0 times");
        assert_eq!(only_ours(&json!({})).unwrap_err(), "cargo names no packages");
    }
}
