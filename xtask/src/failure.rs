//! Why a developer command ended early.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Output};

/// Why a developer command ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// `xtask` was not started by cargo, which says where the workspace is.
    NotUnderCargo,
    /// Something the machine should have is not there.
    Missing {
        /// The program or the target.
        what: String,
        /// How to get it.
        remedy: String,
    },
    /// A file could not be read or written.
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A program ended with another status than 0.
    Command {
        /// The program and its arguments.
        command: String,
        /// Its status, or `None` where a signal ended it.
        status: Option<i32>,
        /// What it wrote to standard error, where that was not shown yet.
        message: String,
    },
    /// A program's answer was not of the expected form.
    Answer {
        /// The program and its arguments.
        command: String,
        /// What is wrong with its answer.
        problem: String,
    },
    /// A file brought is not the one that is pinned.
    Checksum {
        /// The program of the corpus.
        program: &'static str,
        /// The pinned SHA-256.
        expected: &'static str,
        /// That of the file brought.
        found: String,
    },
    /// Programs of the corpus were not accepted.
    Refused {
        /// How many were not.
        refused: usize,
        /// Of how many.
        programs: usize,
    },
    /// A manifest is another one than expected.
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A published crate does not work on our builder, or not as is said of it.
    NotMoved(String),
    /// Packages come under licenses that are not allowed.
    NotLicensed(Vec<String>),
    /// There is no such fuzz target.
    NoTarget {
        /// What was asked for.
        target: String,
        /// What there is.
        targets: Vec<String>,
    },
    /// A fuzz target found something; its output says what.
    Found {
        /// The fuzz target.
        target: String,
        /// The folder with the input that shows it.
        folder: PathBuf,
    },
    /// A step of `ci` failed; its output says why.
    Step {
        /// The step's name.
        name: String,
        /// Its status, or `None` where a signal ended it.
        status: Option<i32>,
    },
}

impl Failure {
    /// A failure to read or write `path`.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::File { path: path.to_owned(), error }
    }

    /// The failure of `command`, which ended with `output`.
    pub(crate) fn command(command: String, output: &Output) -> Self {
        let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        Self::Command { command, status: output.status.code(), message }
    }

    /// A failure of the step `name`.
    pub(crate) fn step(name: &str, status: ExitStatus) -> Self {
        Self::Step { name: name.to_owned(), status: status.code() }
    }

    /// The exit status: 1 for a finding, 2 where the work could not be done.
    pub(crate) fn status(&self) -> u8 {
        match self {
            Self::Checksum { .. }
            | Self::Refused { .. }
            | Self::NotMoved(_)
            | Self::NotLicensed(_)
            | Self::Found { .. } => 1,
            Self::Step { status, .. } => status.and_then(|status| u8::try_from(status).ok()).unwrap_or(1),
            _ => 2,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUnderCargo => f.write_str("not started by cargo: run `cargo xtask`"),
            Self::Missing { what, remedy } => write!(f, "{what} is missing: {remedy}"),
            Self::File { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Command { command, status, message } => {
                write!(f, "`{command}` {}", Ended(*status))?;
                if message.is_empty() { Ok(()) } else { write!(f, ":\n{message}") }
            }
            Self::Answer { command, problem } => write!(f, "`{command}`: {problem}"),
            Self::Checksum { program, expected, found } => {
                write!(f, "{program}: not the pinned file\n  expected sha256 {expected}\n  found    sha256 {found}")
            }
            Self::Refused { refused, programs } => write!(f, "{refused} of {programs} checks failed"),
            Self::Manifest { path, problem } => write!(f, "{}: {problem}", path.display()),
            Self::NotMoved(problem) => f.write_str(problem),
            Self::NotLicensed(packages) => write!(f, "licenses that deny.toml does not allow: {}", packages.join("; ")),
            Self::NoTarget { target, targets } => {
                write!(f, "{target}: no fuzz target; choose one of {}", targets.join(", "))
            }
            Self::Found { target, folder } => write!(f, "{target}: an input fails, see {}", folder.display()),
            Self::Step { name, status } => write!(f, "step `{name}` {}", Ended(*status)),
        }
    }
}

/// How a program ended.
struct Ended(Option<i32>);

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(status) => write!(f, "ended with status {status}"),
            None => f.write_str("was ended by a signal"),
        }
    }
}
