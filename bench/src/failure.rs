//! Why a command of the benchmarks ended early.

use crate::trace::text::TextError;
use crate::trace::words::WordsError;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use wasmparser::BinaryReaderError;

/// Why a command ended early.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// A file could not be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file is not a WebAssembly module.
    Module {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: Box<BinaryReaderError>,
    },
    /// A file of words is not a trace.
    Words {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: WordsError,
    },
    /// A text is not a trace.
    Text {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: TextError,
    },
    /// A run could not be started, or a table not be written.
    Run(io::Error),
    /// Our front end refused what it must take.
    Figure11(crate::figure11::Refused),
    /// Another program failed.
    Program {
        /// Its name.
        program: String,
        /// What it said.
        message: String,
    },
    /// The program that does not count was asked to.
    NotCounting,
    /// Two things that should be equal are not, or one that should be better is not.
    Findings {
        /// How often.
        count: usize,
    },
    /// The judge refused results.
    Refused {
        /// Of how many functions.
        functions: usize,
    },
}

impl Failure {
    /// The exit status: 1 for a finding, 2 where the work could not be done.
    pub fn status(&self) -> u8 {
        if let Self::Refused { .. } | Self::Findings { .. } = self { 1 } else { 2 }
    }

    /// A failure to read or write `path`.
    pub fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::File { path: path.to_owned(), error }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Module { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Words { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Text { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Run(error) => error.fmt(f),
            Self::Figure11(refused) => refused.fmt(f),
            Self::Program { program, message } => write!(f, "{program}: {message}"),
            Self::NotCounting => f.write_str("this program does not count: run `ssaphire-bench-counting`"),
            Self::Findings { count } => write!(f, "{count} findings"),
            Self::Refused { functions } => write!(f, "{functions} functions were refused"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<crate::figure11::Refused> for Failure {
    fn from(refused: crate::figure11::Refused) -> Self {
        Self::Figure11(refused)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Run(error)
    }
}
