//! Programs in C and Fortran, from the crates that compile them.

use super::execute::Execution;
use crate::failure::Failure;
use crate::workspace::Workspace;
use std::fs;
use std::path::{Path, PathBuf};

/// Languages of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    C,
    Fortran,
}

/// A program.
pub(super) struct Program {
    pub(super) name: &'static str,
    pub(super) language: Language,
    /// The folders of its files, below those of the vendored crates.
    folders: &'static [&'static str],
    /// How the names of its files start.
    start: &'static str,
    /// Files that are no part of it.
    left_out: &'static [&'static str],
    /// What the compiler is told.
    pub(super) flags: &'static [&'static str],
    /// How it is executed, if it is.
    pub(super) execution: Option<Execution>,
}

/// The programs, by size.
pub(super) const PROGRAMS: [Program; 8] = [
    Program {
        name: "bzip2",
        language: Language::C,
        start: "",
        folders: &["bzip2-sys/bzip2-1.0.8"],
        left_out: &["unzcrash.c", "spewG.c", "mk251.c", "dlltest.c"],
        flags: &[],
        execution: Some(Execution { driver: None, arguments: &["-c"], left_out: &["bzip2recover"], input: None }),
    },
    Program {
        name: "zlib",
        language: Language::C,
        start: "",
        folders: &["libz-sys/src/zlib"],
        left_out: &[],
        flags: &["-D_LARGEFILE64_SOURCE"],
        execution: None,
    },
    Program {
        name: "lua",
        language: Language::C,
        start: "",
        folders: &["lua-src/lua-5.4.8"],
        left_out: &[],
        flags: &[],
        execution: Some(Execution {
            driver: Some(("lua_driver.c", include_str!("programs/lua.c"))),
            arguments: &[],
            left_out: &["luac"],
            input: Some(include_str!("programs/check.lua")),
        }),
    },
    Program {
        name: "zstd",
        language: Language::C,
        start: "",
        folders: &["zstd-sys/zstd/lib/common", "zstd-sys/zstd/lib/compress", "zstd-sys/zstd/lib/decompress"],
        left_out: &[],
        flags: &["-DZSTD_DISABLE_ASM"],
        execution: None,
    },
    Program {
        name: "sqlite3",
        language: Language::C,
        start: "",
        folders: &["libsqlite3-sys/sqlite3"],
        left_out: &[],
        flags: SQLITE,
        execution: Some(Execution {
            driver: Some(("sqlite.c", include_str!("programs/sqlite.c"))),
            arguments: &[],
            left_out: &["wasm32"],
            input: Some(include_str!("programs/check.sql")),
        }),
    },
    // LINPACK, BLAS and an optimizer that calls them.
    Program {
        name: "lbfgsb",
        language: Language::Fortran,
        start: "",
        folders: &["lbfgsb-sys/fortran"],
        left_out: &[],
        flags: &[],
        execution: None,
    },
    Program {
        name: "blas",
        language: Language::Fortran,
        start: "",
        folders: &["netlib-src/source/BLAS/SRC"],
        left_out: &[],
        flags: &[],
        execution: None,
    },
    // In double precision; the others are alike.
    Program {
        name: "lapack",
        language: Language::Fortran,
        start: "d",
        folders: &["netlib-src/source/SRC"],
        left_out: &[],
        flags: &[],
        execution: None,
    },
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
                let ending = if self.language == Language::C { ".c" } else { ".f" };
                if name.starts_with(self.start) && name.ends_with(ending) && !self.left_out.contains(&&*name) {
                    files.push(path);
                }
            }
        }
        files.sort();
        Ok(files)
    }
}
