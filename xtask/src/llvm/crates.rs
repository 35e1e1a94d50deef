//! Sources of programs that crates compile.

use super::output;
use crate::failure::Failure;
use crate::workspace::Workspace;
use std::fs;
use std::path::{Path, PathBuf};

/// A package that depends on all of the crates.
const MANIFEST: &str = "\
[package]
name = \"sources\"
version = \"0.0.0\"
edition = \"2024\"

[workspace]

[lib]
path = \"lib.rs\"

[dependencies]
bzip2-sys = \"=0.1.13\"
lbfgsb-sys = \"=0.1.0\"
libsqlite3-sys = \"=0.36.0\"
libz-sys = \"=1.1.22\"
lua-src = \"=548.1.2\"
netlib-src = \"=0.9.0\"
zstd-sys = \"=2.0.16\"
";

/// The folder with the sources of the crates.
pub(super) fn bring(workspace: &Workspace, folder: &Path) -> Result<PathBuf, Failure> {
    let vendored = folder.join("vendor");
    if vendored.exists() {
        return Ok(vendored);
    }
    fs::create_dir_all(folder).map_err(Failure::file(folder))?;
    let manifest = folder.join("Cargo.toml");
    fs::write(&manifest, MANIFEST).map_err(Failure::file(&manifest))?;
    let library = folder.join("lib.rs");
    fs::write(&library, "").map_err(Failure::file(&library))?;
    let mut command = workspace.cargo();
    output(command.args(["vendor", "--quiet", "--manifest-path"]).arg(&manifest).arg(&vendored))?;
    Ok(vendored)
}
