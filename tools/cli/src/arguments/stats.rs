//! What can be said of `stats`.

use super::{CommonArguments, EngineArguments, InputArguments};
use clap::{Args, ValueEnum};

#[derive(Args)]
pub(crate) struct StatsArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,
    #[command(flatten)]
    pub(crate) engine: EngineArguments,
    /// Only the N functions with the highest counters
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<usize>,
    /// Sort by this counter, highest first
    #[arg(long, value_enum, value_name = "COUNTER")]
    pub(crate) by: Option<Counter>,
    /// Print the measurements of a paper instead of the engine's counters
    #[arg(long, value_enum, value_name = "PAPER", conflicts_with_all = NOT_FOR_TABLES)]
    pub(crate) table: Option<Measured>,
    /// Write comma-separated values
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
    /// Write plots of the table
    #[arg(long, requires = "table", conflicts_with_all = ["json", "csv"])]
    pub(crate) svg: bool,
    #[command(flatten)]
    pub(crate) common: CommonArguments,
}

/// What says how the engine works, and which functions come first.
const NOT_FOR_TABLES: [&str; 5] = ["algorithm", "fold", "no_minimize", "top", "by"];

/// What a table of `stats` is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Measured {
    /// Section 8 of Cytron et al. 1991: frontiers, control dependences, phis of the minimal form, expansion
    Cytron,
    /// Table 1 of Braun et al. 2013: instructions, memory operations and phis, through memory and by direct construction with `marker`
    Braun1,
    /// Table 3 of Braun et al. 2013: nodes and times without and with folding, before and after passes
    Braun3,
    /// Section 7 of Cytron et al. 1991: copies that replace phis: naive, after dead code elimination, by coloring, and by coalescing
    Copies,
}

/// A counter of `stats`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Counter {
    /// Blocks
    Blocks,
    /// Variables of the source, or locals
    Variables,
    /// Reads and writes of variables
    Accesses,
    /// Phis made
    Made,
    /// Phis made and removed
    Removed,
    /// Phis kept
    #[value(alias = "phis")]
    Kept,
    /// Steps, as `--work-limit` counts them
    Steps,
}
