//! The commands, and how each of them ends.

mod build;
mod certificate;
mod check;
mod run;
mod stats;

use crate::arguments::Command;
use crate::console::Console;
use crate::diagnostic::{Diagnostic, Failure};
use std::io::{self, Write};
use std::process::ExitCode;

/// How a command ends that has done its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// There was nothing to find.
    Fine,
    /// A finding: a result refused, a function that cannot be built, a trap.
    Finding,
}

impl Status {
    fn finding_if(is_finding: bool) -> Self {
        if is_finding { Self::Finding } else { Self::Fine }
    }
}

/// Wrong use, or input that cannot be read.
const WRONG_USE: u8 = 2;

/// How a process ends that writes where nobody reads: 128 and the number of SIGPIPE.
const BROKEN_PIPE: u8 = 141;

/// Runs a command: its exit status.
pub(crate) fn run(command: &Command) -> ExitCode {
    let mut console = Console::new(match command {
        Command::Build(arguments) => arguments.common.json,
        Command::Check(arguments) => arguments.common.json,
        Command::Stats(arguments) => arguments.common.json,
        Command::Run(arguments) => arguments.json,
    });
    let done = match command {
        Command::Build(arguments) => build::run(arguments, &mut console),
        Command::Check(arguments) if !arguments.certificate.is_empty() => certificate::run(arguments, &mut console),
        Command::Check(arguments) => check::run(arguments, &mut console),
        Command::Stats(arguments) => stats::run(arguments, &mut console),
        Command::Run(arguments) => run::run(arguments, &mut console),
    };
    let done = done.and_then(|status| console.output.flush().map(|()| status).map_err(Failure::from));
    match done {
        Ok(Status::Fine) => ExitCode::SUCCESS,
        Ok(Status::Finding) => ExitCode::FAILURE,
        Err(failure) => ExitCode::from(fail(failure, console)),
    }
}

fn fail(failure: Failure, console: Console) -> u8 {
    match failure {
        Failure::Input(problems) => {
            problems.iter().for_each(|problem| console.error(problem));
            WRONG_USE
        }
        Failure::Output(error) => {
            let status = if error.kind() == io::ErrorKind::BrokenPipe {
                BROKEN_PIPE
            } else {
                console.error(&Diagnostic::of_input("standard output", error.to_string()));
                WRONG_USE
            };
            // What is left in the buffer would fail again.
            drop(console.output.into_parts());
            status
        }
    }
}
