//! How programs are read.

use crate::language::Language;
use clap::{Args, ValueEnum};

/// How inputs are read.
#[derive(Args)]
pub(crate) struct ReadingArguments {
    /// The language, if the name of the input does not determine it
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub(crate) lang: Option<Language>,
    /// Accept only the While language of the thesis
    #[arg(long)]
    pub(crate) strict_while: bool,
    /// In LLVM IR, also promote slots whose accesses have one type of the same size, as `sroa` does; always so for Rust
    #[arg(long)]
    pub(crate) slots_by_size: bool,
    /// For LLVM IR that does not say which version it comes from, the version whose rules apply [default: the newest]
    #[arg(long, value_name = "N")]
    pub(crate) llvm_version: Option<u32>,
    /// Warn about JavaScript variables that are read before they have a value, and about assignments that nothing reads; with `all`,
    /// also about accesses that are usually intended
    #[arg(long, value_enum, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "likely")]
    pub(crate) warn: Option<Warn>,
}

/// Which warnings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Warn {
    /// Likely mistakes
    Likely,
    /// Accesses that are usually intended, too
    All,
}
