//! `record`: a module's trace, into a file.

use crate::failure::Failure;
use crate::input;
use crate::trace::{text, words};
use clap::Args;
use std::fs;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(super) struct RecordArguments {
    /// A WebAssembly module, or a trace in either form
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where the trace goes: in words if its name ends in `.words`, else as text
    #[arg(short, value_name = "FILE")]
    output: PathBuf,
}

pub(super) fn run(arguments: &RecordArguments) -> Result<(), Failure> {
    let trace = input::load(&arguments.file)?;
    let path = &arguments.output;
    let bytes = match path.extension().is_some_and(|extension| extension == "words") {
        true => words::to_bytes(&trace),
        false => text::print(&trace).into_bytes(),
    };
    fs::write(path, bytes).map_err(Failure::file(path))
}
