//! Programs in C, from the crates that compile them.

use crate::failure::Failure;
use crate::workspace::Workspace;
use std::fs;
use std::path::{Path, PathBuf};

/// A program.
pub(super) struct Program {
    pub(super) name: &'static str,
    /// The folders of its files, below those of the vendored crates.
    folders: &'static [&'static str],
    /// Files that are no part of it.
    left_out: &'static [&'static str],
    /// What the compiler is told.
    pub(super) flags: &'static [&'static str],
}

/// The programs, by size.
pub(super) const PROGRAMS: [Program; 5] = [
    Program {
        name: "bzip2",
        folders: &["bzip2-sys/bzip2-1.0.8"],
        left_out: &["unzcrash.c", "spewG.c", "mk251.c", "dlltest.c"],
        flags: &[],
    },
    Program { name: "zlib", folders: &["libz-sys/src/zlib"], left_out: &[], flags: &["-D_LARGEFILE64_SOURCE"] },
    Program { name: "lua", folders: &["lua-src/lua-5.4.8"], left_out: &[], flags: &[] },
    Program {
        name: "zstd",
        folders: &["zstd-sys/zstd/lib/common", "zstd-sys/zstd/lib/compress", "zstd-sys/zstd/lib/decompress"],
        left_out: &[],
        flags: &["-DZSTD_DISABLE_ASM"],
    },
    Program { name: "sqlite3", folders: &["libsqlite3-sys/sqlite3"], left_out: &[], flags: SQLITE },
];

/// The parts of sqlite3 that are compiled.
const SQLITE: &[&str] = &[
    "-DSQLITE_THREADSAFE=1",
    "-DSQLITE_ENABLE_FTS5",
    "-DSQLITE_ENABLE_RTREE",
    "-DSQLITE_ENABLE_JSON1",
    "-DSQLITE_ENABLE_DBSTAT_VTAB",
];

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
libsqlite3-sys = \"=0.36.0\"
libz-sys = \"=1.1.22\"
lua-src = \"=548.1.2\"
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
    super::output(command.args(["vendor", "--quiet", "--manifest-path"]).arg(&manifest).arg(&vendored))?;
    Ok(vendored)
}

impl Program {
    /// Its files, sorted.
    pub(super) fn files(&self, sources: &Path) -> Result<Vec<PathBuf>, Failure> {
        let mut files = Vec::new();
        for folder in self.folders {
            let folder = sources.join(folder);
            for entry in fs::read_dir(&folder).map_err(Failure::file(&folder))? {
                let path = entry.map_err(Failure::file(&folder))?.path();
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                if name.ends_with(".c") && !self.left_out.contains(&&*name) {
                    files.push(path);
                }
            }
        }
        files.sort();
        Ok(files)
    }
}
