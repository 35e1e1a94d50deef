//! `count`: replays and nothing else, so that a profiler sees nothing else.

use crate::failure::Failure;
use crate::input;
use crate::subject::Subject;
use clap::Args;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(super) struct CountArguments {
    /// What to replay through
    #[arg(value_name = "SUBJECT", value_parser = subject())]
    subject: Subject,
    /// How many times
    #[arg(value_name = "TIMES")]
    times: usize,
    /// A trace, or a WebAssembly module
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// A subject by name.
fn subject() -> impl TypedValueParser<Value = Subject> {
    let names = Subject::all().into_iter().map(Subject::name);
    PossibleValuesParser::new(names).map(|name| {
        let found = Subject::all().into_iter().find(|subject| subject.name() == name);
        found.unwrap_or(Subject::Decode)
    })
}

pub(super) fn run(arguments: &CountArguments) -> Result<(), Failure> {
    let trace = input::load(&arguments.file)?;
    arguments.subject.replay(&trace, arguments.times, || {});
    Ok(())
}
