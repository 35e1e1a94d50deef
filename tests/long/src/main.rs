//! The long commands: all small functions; all passes, and the end of rows, on many random functions.

mod exhaustive;
mod passes;
mod rows;
mod survey;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Goes through whole spaces of functions, which takes minutes
#[derive(Parser)]
#[command(arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build and judge all small functions
    Exhaustive(exhaustive::Arguments),
    /// Run all passes on random functions of all shapes
    Passes(survey::Arguments),
    /// Build random functions with rows given up at every moment
    Rows(survey::Arguments),
}

fn main() -> ExitCode {
    match Arguments::parse().command {
        Command::Exhaustive(arguments) => match exhaustive::run(&arguments) {
            Ok(()) => ExitCode::SUCCESS,
            Err(finding) => {
                eprintln!("error: {finding}");
                ExitCode::FAILURE
            }
        },
        Command::Passes(arguments) => {
            passes::run(&arguments);
            ExitCode::SUCCESS
        }
        Command::Rows(arguments) => {
            rows::run(&arguments);
            ExitCode::SUCCESS
        }
    }
}
