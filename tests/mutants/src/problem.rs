//! What keeps the copy from being written.

use std::fmt;
use std::io;
use toml::de::Error;

/// One reason why there is no copy.
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// A list, or a manifest, cannot be read as one.
    Toml {
        /// Its path.
        path: String,
        /// What is wrong with it.
        message: String,
    },
    /// A mutant is not described as one.
    Mutant {
        /// The list.
        list: String,
        /// Its name, as far as it has one.
        name: String,
        /// What is wrong with it.
        message: String,
    },
    /// A name is given to two mutants.
    Twice {
        /// The list in which it is given again.
        list: String,
        /// The name.
        name: String,
    },
    /// A mutant does not fit the file that it changes.
    Misfit {
        /// The name of the mutant.
        name: String,
        /// The file it changes.
        file: String,
        /// How it does not fit.
        misfit: Misfit,
    },
    /// A file or a folder of the workspace cannot be read, or one of the copy cannot be written.
    Io {
        /// Its path.
        path: String,
        /// Why.
        error: io::Error,
    },
}

/// How a mutant does not fit the file that it changes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misfit {
    /// There is no such file, or no package that the tests depend on has it.
    NotThere,
    /// The old text stands nowhere in the file.
    Unmatched,
    /// The old text stands in several places.
    Ambiguous {
        /// In how many.
        places: usize,
    },
    /// The old text begins in that of another mutant and ends outside of it.
    Overlap {
        /// The name of the other one.
        other: String,
    },
}

impl Problem {
    /// The TOML file cannot be read: the place and the reason, on one line.
    pub(crate) fn toml(path: &str, error: &Error) -> Self {
        let place = error.to_string().lines().next().unwrap_or_default().to_owned();
        Self::Toml { path: path.to_owned(), message: format!("{place}: {}", error.message()) }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Toml { path, message } => write!(f, "{path}: {message}"),
            Self::Mutant { list, name, message } => write!(f, "{list}: mutant `{name}`: {message}"),
            Self::Twice { list, name } => write!(f, "{list}: mutant `{name}`: another one has this name"),
            Self::Misfit { name, file, misfit } => write!(f, "mutant `{name}`: {misfit} {file}"),
            Self::Io { path, error } => write!(f, "{path}: {error}"),
        }
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotThere => write!(f, "no package that the tests depend on has the file"),
            Self::Unmatched => write!(f, "its old text is not in"),
            Self::Ambiguous { places } => write!(f, "its old text stands in {places} places of"),
            Self::Overlap { other } => write!(f, "its old text overlaps that of `{other}` in"),
        }
    }
}
