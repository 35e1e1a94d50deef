//! Programs in C and Fortran, and the files and flags that they are compiled from.

use super::debian::Package;
use super::execute::Execution;
use crate::failure::Failure;
use std::fs;
use std::path::{Path, PathBuf};

/// Languages of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    C,
    Fortran,
}

/// Where the sources of a program come from.
pub(super) enum Origin {
    /// A crate that compiles them, below the vendored crates.
    Crate,
    Debian(Package),
}

/// A program.
pub(crate) struct Program {
    pub(super) name: &'static str,
    pub(super) language: Language,
    pub(super) origin: Origin,
    /// The folders of its files, below that of its origin.
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

/// A program with nothing to say about it.
const PLAIN: Program = Program {
    name: "",
    language: Language::C,
    origin: Origin::Crate,
    folders: &[],
    start: "",
    left_out: &[],
    flags: &[],
    execution: None,
};

/// Executes a program without arguments.
const EXECUTION: Execution =
    Execution { driver: None, arguments: &[], back: None, left_out: &[], input: None, libraries: &[] };

/// The programs: those in C by size, then those in Fortran.
pub(super) static PROGRAMS: [Program; 12] = [
    Program {
        name: "bzip2",
        folders: &["bzip2-sys/bzip2-1.0.8"],
        left_out: &["unzcrash.c", "spewG.c", "mk251.c", "dlltest.c"],
        execution: Some(Execution {
            arguments: &["-c"],
            back: Some(&["-dc"]),
            left_out: &["bzip2recover"],
            ..EXECUTION
        }),
        ..PLAIN
    },
    Program {
        name: "gzip",
        origin: Origin::Debian(Package { name: "gzip", preparation: &[&["sh", "./configure"], &["make"]] }),
        folders: &[".", "lib", "lib/glthread"],
        flags: &["-DHAVE_CONFIG_H", "-I.", "-Ilib"],
        // The program has a function in place of the library's.
        execution: Some(Execution { arguments: &["-c"], back: Some(&["-dc"]), left_out: &["xalloc-die"], ..EXECUTION }),
        ..PLAIN
    },
    Program { name: "zlib", folders: &["libz-sys/src/zlib"], flags: &["-D_LARGEFILE64_SOURCE"], ..PLAIN },
    Program {
        name: "lua",
        folders: &["lua-src/lua-5.4.8"],
        execution: Some(Execution {
            driver: Some(("lua_driver.c", include_str!("programs/lua.c"))),
            left_out: &["luac"],
            input: Some(include_str!("programs/check.lua")),
            ..EXECUTION
        }),
        ..PLAIN
    },
    // A compiler of C; it compiles and executes a program in memory.
    Program {
        name: "tcc",
        origin: Origin::Debian(Package {
            name: "tcc",
            preparation: &[&["sh", "./configure"], &["make", "ONE_SOURCE=no", "tcc"]],
        }),
        folders: &["."],
        flags: &["-DONE_SOURCE=0", "-DTCC_TARGET_X86_64", "-fno-strict-aliasing"],
        execution: Some(Execution {
            driver: Some(("tcc_driver.c", include_str!("programs/tcc.c"))),
            left_out: &["tcc-tcc."],
            input: Some(include_str!("programs/check.c")),
            ..EXECUTION
        }),
        ..PLAIN
    },
    Program {
        name: "zstd",
        folders: &["zstd-sys/zstd/lib/common", "zstd-sys/zstd/lib/compress", "zstd-sys/zstd/lib/decompress"],
        flags: &["-DZSTD_DISABLE_ASM"],
        ..PLAIN
    },
    // The interpreter without modules in C, which builds the one with them.
    Program {
        name: "perl",
        origin: Origin::Debian(Package {
            name: "perl",
            preparation: &[&["sh", "./Configure", "-des", "-Doptimize=-O0"], &["make", "miniperl"]],
        }),
        folders: &["."],
        left_out: &["generate_uudmap.c"],
        flags: PERL,
        execution: Some(Execution {
            arguments: &["-"],
            input: Some(include_str!("programs/check.pl")),
            libraries: &["-lcrypt"],
            ..EXECUTION
        }),
        ..PLAIN
    },
    Program {
        name: "sqlite3",
        folders: &["libsqlite3-sys/sqlite3"],
        flags: SQLITE,
        execution: Some(Execution {
            driver: Some(("sqlite.c", include_str!("programs/sqlite.c"))),
            left_out: &["wasm32"],
            input: Some(include_str!("programs/check.sql")),
            ..EXECUTION
        }),
        ..PLAIN
    },
    Program {
        name: "minpack",
        language: Language::Fortran,
        origin: Origin::Debian(Package { name: "minpack", preparation: &[] }),
        folders: &["."],
        ..PLAIN
    },
    // LINPACK, BLAS and an optimizer that calls them.
    Program { name: "lbfgsb", language: Language::Fortran, folders: &["lbfgsb-sys/fortran"], ..PLAIN },
    Program { name: "blas", language: Language::Fortran, folders: &["netlib-src/source/BLAS/SRC"], ..PLAIN },
    // In double precision; the others are alike.
    Program { name: "lapack", language: Language::Fortran, folders: &["netlib-src/source/SRC"], start: "d", ..PLAIN },
];

/// The parts of sqlite3 that are compiled.
const SQLITE: &[&str] = &[
    "-DSQLITE_THREADSAFE=1",
    "-DSQLITE_ENABLE_FTS5",
    "-DSQLITE_ENABLE_RTREE",
    "-DSQLITE_ENABLE_JSON1",
    "-DSQLITE_ENABLE_DBSTAT_VTAB",
];

/// As perl's makefile compiles its smaller interpreter.
const PERL: &[&str] = &[
    "-DPERL_CORE",
    "-DPERL_IS_MINIPERL",
    "-DPERL_EXTERNAL_GLOB",
    "-D_LARGEFILE_SOURCE",
    "-D_FILE_OFFSET_BITS=64",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-std=c99",
];

/// The program with a name.
pub(crate) fn named(name: &str) -> Result<&'static Program, String> {
    PROGRAMS.iter().find(|program| program.name == name).ok_or_else(|| {
        let names: Vec<&str> = PROGRAMS.iter().map(|program| program.name).collect();
        format!("choose one of {}", names.join(", "))
    })
}

impl Program {
    /// Its files below the folder of its origin, sorted.
    pub(super) fn files(&self, sources: &Path) -> Result<Vec<PathBuf>, Failure> {
        let ending = if self.language == Language::C { ".c" } else { ".f" };
        let mut files = Vec::new();
        for folder in self.folders {
            let folder = sources.join(folder);
            let names = names(&folder)?;
            for name in &names {
                let is_part = name.starts_with(self.start) && !self.left_out.contains(&&**name);
                if let Some(stem) = name.strip_suffix(ending).filter(|_| is_part)
                    && (!self.is_built() || is_compiled(stem, &names))
                {
                    files.push(folder.join(name));
                }
            }
        }
        files.sort();
        Ok(files)
    }

    /// Whether the machine's compiler has built it, and so has chosen its files.
    fn is_built(&self) -> bool {
        matches!(&self.origin, Origin::Debian(package) if !package.preparation.is_empty())
    }
}

/// The names in a folder.
fn names(folder: &Path) -> Result<Vec<String>, Failure> {
    let entries = fs::read_dir(folder).map_err(Failure::file(folder))?;
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    names.collect::<Result<_, _>>().map_err(Failure::file(folder))
}

/// Whether an object of a file is beside it, perhaps with the library's name before: `libgzip_a-yesno.o`.
fn is_compiled(stem: &str, names: &[String]) -> bool {
    names.iter().filter_map(|name| name.strip_suffix(".o")).any(|object| {
        object
            .strip_suffix(stem)
            .is_some_and(|start| start.is_empty() || start.starts_with("lib") && start.ends_with("_a-"))
    })
}

#[cfg(test)]
mod tests {
    use super::is_compiled;

    #[test]
    fn objects_are_found_with_and_without_the_name_of_their_library() {
        let names = ["yes.c", "libgzip_a-yes.o", "libgzip_a-to-s.o", "zip.o"].map(str::to_owned);
        assert!(is_compiled("yes", &names) && is_compiled("zip", &names));
        assert!(!is_compiled("s", &names) && !is_compiled("ip", &names) && !is_compiled("no", &names));
    }
}
