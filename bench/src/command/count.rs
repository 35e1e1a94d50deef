//! `count`: replays and nothing else, so that a profiler sees nothing else.

use crate::failure::Failure;
use crate::input;
use crate::subject::Subject;
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(super) struct CountArguments {
    /// What to replay through
    #[arg(value_name = "SUBJECT", value_parser = super::subject())]
    subject: Subject,
    /// How many times
    #[arg(value_name = "TIMES")]
    times: usize,
    /// A trace, or a WebAssembly module
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(super) fn run(arguments: &CountArguments) -> Result<(), Failure> {
    let trace = input::load(&arguments.file)?;
    let mut replayer = arguments.subject.start();
    for _ in 0..arguments.times {
        replayer.replay(&trace);
    }
    Ok(())
}
