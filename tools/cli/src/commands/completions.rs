//! `ssaphire completions`: what shells have to know to complete the command line.

use super::Status;
use crate::arguments::{Arguments, CompletionsArguments};
use crate::console::Console;
use crate::diagnostic::Failure;
use clap::CommandFactory;
use std::io::Write;

pub(super) fn run(arguments: &CompletionsArguments, console: &mut Console) -> Result<Status, Failure> {
    let mut command = Arguments::command();
    let name = command.get_name().to_owned();
    // Written at once, because `generate` panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, name, &mut script);
    console.output.write_all(&script)?;
    Ok(Status::Fine)
}
