//! The commands, and how each of them ends.

mod build;
mod certificate;
mod check;
mod completions;
mod man;
mod opt;
mod run;
mod stats;

use crate::arguments::{Arguments, Command};
use crate::console::Console;
use crate::destination::closed;
use crate::diagnostic::{Diagnostic, Failure};
use crate::input::Input;
use anstream::ColorChoice;
pub(crate) use build::hir::HirForm;
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::{env, iter};

/// How a command ends that has done its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// There was nothing to find.
    Fine,
    /// A finding: a result refused, a function that cannot be built, a trap.
    Finding,
    /// A finding that leaves no whole result: a file for results stays as it was.
    Withheld,
}

impl Status {
    fn finding_if(is_finding: bool) -> Self {
        if is_finding { Self::Finding } else { Self::Fine }
    }
}

/// Says of a function what is doubtful, why it was not built or written, if so, and why it was refused.
fn report(
    input: &Input,
    index: usize,
    console: &Console,
    warnings: &[Diagnostic],
    failure: Option<(String, Option<u64>)>,
    refusals: Vec<String>,
) {
    warnings.iter().for_each(|warning| console.warning(warning));
    let error = |message: String, byte| console.error(&input.problem(index, message, byte));
    failure.into_iter().for_each(|(reason, byte)| error(reason, byte));
    refusals.into_iter().for_each(|refusal| error(format!("refused: {refusal}"), None));
}

/// Wrong use, or input that cannot be read.
const WRONG_USE: u8 = 2;

/// How a process ends that writes where nobody reads: 128 and the number of SIGPIPE.
const BROKEN_PIPE: u8 = 141;

/// Runs the command that the command line names: its exit status.
pub(crate) fn run() -> ExitCode {
    let parsed = parse().and_then(|matches| Arguments::from_arg_matches(&matches));
    match parsed {
        Ok(arguments) => ExitCode::from(run_parsed(&arguments)),
        Err(answer) => ExitCode::from(say_answer(&answer)),
    }
}

/// The arguments, or help, or what is wrong with them: in the colors that were asked for.
fn parse() -> Result<ArgMatches, clap::Error> {
    let color = asked_color();
    global_color(color).write_global();
    Arguments::command().color(color).try_get_matches()
}

/// What `--color` says, which counts for help and for errors in arguments, too.
fn asked_color() -> clap::ColorChoice {
    let arguments: Vec<OsString> = env::args_os().collect();
    let next = arguments.iter().skip(1).map(Some).chain(iter::once(None));
    let pairs = arguments.iter().zip(next).take_while(|(argument, _)| *argument != "--");
    let values = pairs.filter_map(|(argument, next)| match argument.to_str()?.strip_prefix("--color")? {
        "" => next?.to_str(),
        value => value.strip_prefix('='),
    });
    values.filter_map(|value| value.parse().ok()).last().unwrap_or_default()
}

fn global_color(color: clap::ColorChoice) -> ColorChoice {
    match color {
        clap::ColorChoice::Auto => ColorChoice::Auto,
        clap::ColorChoice::Always => ColorChoice::Always,
        clap::ColorChoice::Never => ColorChoice::Never,
    }
}

/// Prints help, or what is wrong with the arguments.
fn say_answer(answer: &clap::Error) -> u8 {
    let printed = answer.print().and_then(|()| io::stdout().flush());
    match printed {
        // Nobody is left to hear that standard error is closed.
        _ if answer.use_stderr() => WRONG_USE,
        Ok(()) if ssaphire_streams::stdout_was_closed() => say_output_error("standard output", &closed(), false),
        Ok(()) => 0,
        Err(error) => say_output_error("standard output", &error, false),
    }
}

fn run_parsed(arguments: &Arguments) -> u8 {
    let (file, is_json) = arguments.command.output();
    let mut console = match Console::new(file, is_json) {
        Ok(console) => console,
        Err(problem) => {
            Console::say_error(&problem, is_json);
            return WRONG_USE;
        }
    };
    let done = match &arguments.command {
        Command::Build(arguments) => build::run(arguments, &mut console),
        Command::Check(arguments) if !arguments.certificate.is_empty() => certificate::run(arguments, &mut console),
        Command::Check(arguments) => check::run(arguments, &mut console),
        Command::Opt(arguments) => opt::run(arguments, &mut console),
        Command::Stats(arguments) => stats::run(arguments, &mut console),
        Command::Run(arguments) => run::run(arguments, &mut console),
        Command::Completions(arguments) => completions::run(arguments, &mut console),
        Command::Man(arguments) => man::run(arguments, &mut console),
    };
    let done = done.and_then(|status| console.output.flush().map(|()| status).map_err(Failure::from));
    match done {
        Ok(status) => end(status, console),
        Err(failure) => fail(failure, console),
    }
}

/// Everything is written.
fn end(status: Status, console: Console) -> u8 {
    let (name, is_json) = (console.output.get_ref().name().to_owned(), console.is_json);
    let code = match status {
        _ if console.has_unread() => WRONG_USE,
        Status::Fine => 0,
        Status::Finding | Status::Withheld => 1,
    };
    if status == Status::Withheld && console.output.get_ref().is_replacement() {
        console.error(&Diagnostic::of_input(&name, "not written, because some functions were refused"));
        drop(console.output.into_parts());
        return code;
    }
    match console.commit() {
        Ok(()) => code,
        Err(error) => say_output_error(&name, &error, is_json),
    }
}

fn fail(failure: Failure, console: Console) -> u8 {
    let status = match failure {
        Failure::Input(problems) => {
            problems.iter().for_each(|problem| console.error(problem));
            WRONG_USE
        }
        Failure::Output(error) => say_output_error(console.output.get_ref().name(), &error, console.is_json),
    };
    // What is left in the buffer is no result, or would fail again.
    drop(console.output.into_parts());
    status
}

/// Says that results cannot be written; nothing where their reader has left.
fn say_output_error(name: &str, error: &io::Error, is_json: bool) -> u8 {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return BROKEN_PIPE;
    }
    Console::say_error(&Diagnostic::of_input(name, error.to_string()), is_json);
    WRONG_USE
}
