//! `ssaphire run`: a function, interpreted or as machine code.

use super::Status;
use crate::arguments::{Form, RunArguments};
use crate::console::Console;
use crate::diagnostic::{Diagnostic, Failure, listed};
use crate::input::{self, shown_name};
use crate::selection;
use crate::source::{NotRun, Ran, Run, Source};
use serde_json::json;
use ssaphire_wasm::Pool;
use std::io::Write;

/// The function that runs where none is named.
pub(super) const MAIN: &str = "main";

/// The maximum number of names listed where one has to be chosen.
const MOST_LISTED: usize = 10;

pub(super) fn run(arguments: &RunArguments, console: &mut Console) -> Result<Status, Failure> {
    refuse_conflicting_options(arguments)?;
    let source = input::read(&arguments.input, &arguments.reading, &Pool::default()).map_err(Failure::Input)?;
    let entry = entry(&*source, arguments)?;
    let run = Run {
        entry,
        args: given(&arguments.args)?,
        input: &arguments.input_values,
        seed: arguments.seed,
        fuel: arguments.fuel,
        form: arguments.form,
        construction: &arguments.engine.construction(),
        is_over_memory: arguments.via_memory,
        is_traced: arguments.trace,
        is_compiled: arguments.jit,
        is_judged: !arguments.no_judge,
    };
    let shown = shown_name(&arguments.input);
    let ran = match source.run(&run, &mut |line| console.trace(line)) {
        Ok(ran) => ran,
        Err(NotRun { reason, is_refused }) => {
            let problem = Diagnostic::of_input(&shown, reason);
            if is_refused {
                console.error(&problem);
                return Ok(Status::Finding);
            }
            return Err(problem.into());
        }
    };
    write(&source.name(entry), &ran, console)?;
    console.output.flush()?;
    if let Err(trap) = &ran.ended {
        console.error(&Diagnostic::of_input(&shown, format!("trap: {trap}")));
    }
    Ok(Status::finding_if(ran.ended.is_err()))
}

fn refuse_conflicting_options(arguments: &RunArguments) -> Result<(), Failure> {
    let message = match arguments.engine.given() {
        _ if !arguments.via_memory => return Ok(()),
        Some(other) => format!("`{other}` applies to direct construction only and conflicts with `--via-memory`"),
        None if arguments.form == Form::Source => {
            "`--form source` runs no SSA form, so it conflicts with `--via-memory`".to_owned()
        }
        None => return Ok(()),
    };
    Err(Diagnostic::usage(message).into())
}

/// The arguments: `--args=` gives none, where the parser of the command line finds one that is empty.
fn given(args: &[String]) -> Result<&[String], Failure> {
    if args == [""] {
        return Ok(&[]);
    }
    match args.iter().position(|arg| arg.trim().is_empty()) {
        Some(place) => Err(Diagnostic::usage(format!("`--args`: argument {} is empty", place + 1)).into()),
        None => Ok(args),
    }
}

/// The function named; or the only one; or the one called `main`.
fn entry(source: &dyn Source, arguments: &RunArguments) -> Result<usize, Failure> {
    if let Some(name) = &arguments.entry {
        return selection::entry(&shown_name(&arguments.input), source, name);
    }
    let functions = source.functions();
    if functions.len() == 1 {
        return Ok(functions.start);
    }
    if !source.entries_named(MAIN).is_empty() {
        return selection::entry(&shown_name(&arguments.input), source, MAIN);
    }
    let message = if functions.is_empty() {
        "defines no function to run".to_owned()
    } else {
        let names = functions.clone().map(|index| format!("`{}`", source.name(index)));
        let names = listed(names, functions.len(), MOST_LISTED, "and");
        format!("defines {names}; choose one with `--entry`")
    };
    Err(Diagnostic::of_input(&shown_name(&arguments.input), message).into())
}

/// What the program printed, then what it returned, a line each.
fn write(name: &str, ran: &Ran, console: &mut Console) -> Result<(), Failure> {
    if console.is_json {
        let (results, trap) = match &ran.ended {
            Ok(results) => (Some(results), None),
            Err(trap) => (None, Some(trap)),
        };
        return Ok(console.json(&json!({
            "format": "ssaphire-run/1",
            "function": name,
            "printed": ran.printed,
            "results": results,
            "trap": trap,
        }))?);
    }
    for line in ran.printed.iter().chain(ran.ended.iter().flatten()) {
        writeln!(console.output, "{line}")?;
    }
    Ok(())
}
