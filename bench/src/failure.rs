//! Why a command of the benchmarks ended early.

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
}

impl Failure {
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
        }
    }
}

impl std::error::Error for Failure {}
