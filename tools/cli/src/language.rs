//! The languages an input can be in.

use clap::ValueEnum;
use std::fmt;
use std::path::Path;

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// The text form of the reference IR
    Ssa,
    /// The While language
    While,
    /// WebAssembly, in the binary format
    Wasm,
    /// WebAssembly, in the text format
    Wat,
    /// LLVM IR, in the text format
    Ll,
    /// LLVM IR, as bitcode: read through `llvm-dis`
    Bc,
    /// C, compiled to LLVM IR by `clang`
    C,
    /// C++, compiled to LLVM IR by `clang`
    Cpp,
    /// Rust, compiled to LLVM IR by `rustc`
    Rs,
    /// Fortran, compiled to LLVM IR by `flang`
    F90,
    /// JavaScript: a module if it imports or exports anything, a script if not
    Js,
    /// JavaScript, a module
    Mjs,
    /// JavaScript, a CommonJS module
    Cjs,
    /// JavaScript with JSX
    Jsx,
    /// TypeScript
    Ts,
    /// TypeScript, a module
    Mts,
    /// TypeScript, a CommonJS module
    Cts,
    /// TypeScript with JSX
    Tsx,
}

/// Further endings of names.
const ALIASES: [(&str, Language); 5] = [
    ("cc", Language::Cpp),
    ("cxx", Language::Cpp),
    ("f", Language::F90),
    ("for", Language::F90),
    ("f95", Language::F90),
];

impl Language {
    const ALL: [Self; 18] = [
        Self::Ssa,
        Self::While,
        Self::Wasm,
        Self::Wat,
        Self::Ll,
        Self::Bc,
        Self::C,
        Self::Cpp,
        Self::Rs,
        Self::F90,
        Self::Js,
        Self::Mjs,
        Self::Cjs,
        Self::Jsx,
        Self::Ts,
        Self::Mts,
        Self::Cts,
        Self::Tsx,
    ];

    /// What files in it are called after the dot.
    pub(crate) const fn extension(self) -> &'static str {
        match self {
            Self::Ssa => "ssa",
            Self::While => "while",
            Self::Wasm => "wasm",
            Self::Wat => "wat",
            Self::Ll => "ll",
            Self::Bc => "bc",
            Self::C => "c",
            Self::Cpp => "cpp",
            Self::Rs => "rs",
            Self::F90 => "f90",
            Self::Js => "js",
            Self::Mjs => "mjs",
            Self::Cjs => "cjs",
            Self::Jsx => "jsx",
            Self::Ts => "ts",
            Self::Mts => "mts",
            Self::Cts => "cts",
            Self::Tsx => "tsx",
        }
    }

    /// Whether a file of that name is in this language, as far as the name tells.
    pub(crate) fn is_of(self, path: &Path) -> bool {
        Self::of_name(path) == Some(self)
    }

    /// The language of a file of that name.
    pub(crate) fn of_name(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        let is = |name: &str| extension.eq_ignore_ascii_case(name);
        let by_alias = || ALIASES.iter().find(|(name, _)| is(name)).map(|&(_, language)| language);
        Self::ALL.into_iter().find(|language| is(language.extension())).or_else(by_alias)
    }

    /// The language of these bytes, where they begin like no other.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0, b'a', b's', b'm', ..] => Some(Self::Wasm),
            [b'B', b'C', 0xc0, 0xde, ..] => Some(Self::Bc),
            _ => None,
        }
    }

    /// Whether files in it are read through another program, which has to be installed.
    pub(crate) fn needs_tool(self) -> bool {
        matches!(self, Self::Bc | Self::C | Self::Cpp | Self::Rs | Self::F90)
    }

    /// All languages, as a list for people.
    pub(crate) fn list() -> String {
        Self::ALL.map(Self::extension).join(", ")
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ssa => "the reference IR",
            Self::While => "While",
            Self::Wasm | Self::Wat => "WebAssembly",
            Self::Ll => "LLVM IR",
            Self::Bc => "bitcode",
            Self::C => "C",
            Self::Cpp => "C++",
            Self::Rs => "Rust",
            Self::F90 => "Fortran",
            Self::Js | Self::Mjs | Self::Cjs | Self::Jsx => "JavaScript",
            Self::Ts | Self::Mts | Self::Cts | Self::Tsx => "TypeScript",
        })
    }
}
