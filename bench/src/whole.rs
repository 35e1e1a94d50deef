//! Whole modules of WebAssembly into SSA form: our front end beside `waffle`.
//!
//! Both begin with bytes in memory and end with every function in SSA form, on
//! one thread: [`Way::Waffle`] calls `from_wasm_bytes` and `expand_all_funcs`,
//! which keep all functions; [`Way::Kept`] translates one function after the
//! other and keeps them as well, [`Way::Streamed`] is done with each before the
//! next and makes all in the same memory, as a compiler would. Nothing is
//! recorded for the judge.
//!
//! `waffle` validates nothing. Our front end validates every body on the way,
//! because it takes the types of operands from the validator; so what
//! validation alone takes stands beside ([`Way::Validation`]), and both ratios
//! do: to `waffle` as it is, and to `waffle` after a pass of validation.

mod ours;
mod rival;
mod table;

pub use table::{Comparison, PROGRAMS, Program};

use crate::measure;
use std::fmt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// How a module gets into SSA form, or what else is done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By `waffle`, all functions kept.
    Waffle,
    /// By our front end, all functions kept.
    Kept,
    /// By our front end, each function made in the memory of the one before.
    Streamed,
    /// Not at all: it is validated.
    Validation,
}

/// What came of a module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Functions in SSA form.
    pub functions: u64,
    /// Their blocks.
    pub blocks: u64,
    /// Their phis, or block parameters other than those of entries.
    pub phis: u64,
}

/// Why there is nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// In the words of who refused.
    pub reason: String,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Refused {}

impl Refused {
    pub(crate) fn new(reason: impl fmt::Display) -> Self {
        Self { reason: reason.to_string() }
    }
}

impl Way {
    /// All ways, in the order of the table.
    pub const ALL: [Self; 4] = [Self::Waffle, Self::Kept, Self::Streamed, Self::Validation];

    /// Its name, as on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Waffle => "waffle",
            Self::Kept => "ssaphire",
            Self::Streamed => "ssaphire-streamed",
            Self::Validation => "validation",
        }
    }

    /// The way of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|way| way.name() == name)
    }

    /// Goes the way: the time it takes, and what comes of it. Counting the result takes no time.
    ///
    /// # Errors
    /// If the module is refused.
    pub fn go(self, bytes: &[u8]) -> Result<(Outcome, Duration), Refused> {
        match self {
            Self::Waffle => {
                let (module, time) = measure::time(|| rival::expand(bytes));
                Ok((rival::count(&module?), time))
            }
            Self::Kept => {
                let (kept, time) = measure::time(|| ours::translate_and_keep(bytes));
                Ok((ours::count(&kept?), time))
            }
            Self::Streamed => {
                let (outcome, time) = measure::time(|| ours::translate(bytes));
                Ok((outcome?, time))
            }
            Self::Validation => {
                let (valid, time) = measure::time(|| wasmparser::Validator::new().validate_all(bytes));
                valid.map(|_| (Outcome::default(), time)).map_err(Refused::new)
            }
        }
    }
}

/// What a way takes from the heap: bytes at most, and allocations; asked of the program that counts.
///
/// # Errors
/// If that program is not there or gives no answer.
pub fn ask_memory(way: Way, file: &Path) -> Result<(u64, u64), crate::failure::Failure> {
    use crate::failure::Failure;
    let program = crate::counter::program()?;
    let output = Command::new(&program)
        .args(["whole-memory", way.name()])
        .arg(file)
        .output()
        .map_err(Failure::file(&program))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<u64> = text.split_ascii_whitespace().filter_map(|word| word.parse().ok()).collect();
    match *numbers {
        [peak, allocations] if output.status.success() => Ok((peak, allocations)),
        _ => Err(Failure::Program {
            program: program.display().to_string(),
            message: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        }),
    }
}
