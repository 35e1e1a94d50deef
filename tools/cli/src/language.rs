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

impl Language {
    const ALL: [Self; 13] = [
        Self::Ssa,
        Self::While,
        Self::Wasm,
        Self::Wat,
        Self::Ll,
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
        Self::ALL.into_iter().find(|language| extension.eq_ignore_ascii_case(language.extension()))
    }

    /// The language of these bytes, where they begin like no other.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.starts_with(b"\0asm").then_some(Self::Wasm)
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
            Self::Js | Self::Mjs | Self::Cjs | Self::Jsx => "JavaScript",
            Self::Ts | Self::Mts | Self::Cts | Self::Tsx => "TypeScript",
        })
    }
}
