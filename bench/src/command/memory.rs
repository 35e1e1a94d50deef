//! `memory`: what replays take from the heap, in the program that counts.

use crate::failure::Failure;
use crate::subject::Subject;
use crate::{counter, input};
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(super) struct MemoryArguments {
    /// What to replay through
    #[arg(value_name = "SUBJECT", value_parser = super::subject())]
    subject: Subject,
    /// A trace, or a WebAssembly module
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Prints the peak in bytes, the allocations, and those of a second replay.
pub(super) fn run(arguments: &MemoryArguments) -> Result<(), Failure> {
    let trace = input::load(&arguments.file)?;
    let (memory, steady) = counter::count(arguments.subject, &trace).ok_or(Failure::NotCounting)?;
    println!("{} {} {steady}", memory.peak, memory.allocations);
    Ok(())
}
