//! Developer commands: `cargo xtask` lists them.
//!
//! A command that finds something ends with status 1, one that cannot do its
//! work with status 2; a step of `ci` that fails passes its own status on.

mod bench;
mod ci;
mod corpus;
mod corpus_check;
mod failure;
mod programs;
mod workspace;

use clap::{Parser, Subcommand};
use failure::Failure;
use std::process::ExitCode;
use workspace::Workspace;

/// Developer commands of ssaphire
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Bring pinned real programs into target/corpus
    Corpus {
        /// Programs to bring; all where none is named
        #[arg(value_name = "NAME", value_parser = programs::named)]
        programs: Vec<&'static programs::Program>,
    },
    /// Build and judge the functions of the corpus; bring what is absent
    CorpusCheck {
        /// Run all engines on all programs, however long it takes
        #[arg(long)]
        long: bool,
    },
    /// Print the tables of the benchmarks on what the corpus has, and write a record
    Bench(bench::BenchArguments),
    /// Run what CI runs without a network: format, lints, docs, bare targets, tests
    Ci {
        /// Leave the tests out
        #[arg(long)]
        no_tests: bool,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::from(failure.status())
        }
    }
}

fn run(command: Command) -> Result<(), Failure> {
    let workspace = Workspace::find()?;
    match command {
        Command::Corpus { programs } => corpus::bring(&workspace, &programs),
        Command::CorpusCheck { long } => corpus_check::run(&workspace, long),
        Command::Bench(arguments) => bench::run(&workspace, &arguments),
        Command::Ci { no_tests } => ci::run(&workspace, !no_tests),
    }
}
