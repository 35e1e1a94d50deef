//! The command line: one variant, and one module below, per command.

mod count;

use crate::failure::Failure;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Benchmarks of ssaphire beside other SSA constructions
#[derive(Debug, Parser)]
#[command(name = "ssaphire-bench", arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Replay a trace so many times, and do nothing else: for a profiler
    Count(count::CountArguments),
}

/// Does what the command line says: status 0, or 2 where it could not be done.
pub fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::from(2)
        }
    }
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Count(arguments) => count::run(&arguments),
    }
}
