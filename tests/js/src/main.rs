//! The long commands: all of test262, many random programs, the test suites of other tools, packages of npm, and what
//! programs take.

mod commands;

use clap::{Parser, Subcommand};
use commands::{own_tests, packages, random, speed, suite, test262};
use std::process::ExitCode;

/// Compares JavaScript programs before and after the round trip through SSA form
#[derive(Parser)]
#[command(arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the language's tests of test262, from the checkout that SSAPHIRE_TEST262 names
    Test262(test262::Test262),
    /// Run random programs
    Random(random::Random),
    /// Run the inputs of other tools' tests
    Suite(suite::Suite),
    /// Use packages of npm
    Packages(packages::Packages),
    /// Run the tests that packages of npm come with
    OwnTests(own_tests::OwnTests),
    /// Measure programs and files before and after
    Speed(speed::Speed),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Test262(arguments) => test262::run(&arguments),
        Command::Random(arguments) => random::run(&arguments),
        Command::Suite(arguments) => suite::run(&arguments),
        Command::Packages(arguments) => packages::run(&arguments),
        Command::OwnTests(arguments) => own_tests::run(&arguments),
        Command::Speed(arguments) => speed::run(&arguments),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
