//! `ssaphire run`: a function, interpreted or as machine code.

use super::Status;
use crate::arguments::{Form, RunArguments};
use crate::console::Console;
use crate::diagnostic::{Diagnostic, Failure};
use crate::input::{self, shown_name};
use crate::selection::Selector;
use crate::source::{Ran, Run, Source};
use serde_json::json;
use ssaphire_wasm::Pool;
use std::io::Write;
use std::slice;

/// The function that runs where none is named.
pub(super) const MAIN: &str = "main";

/// So many names are listed where one has to be chosen.
const MOST_LISTED: usize = 10;

pub(super) fn run(arguments: &RunArguments, console: &mut Console) -> Result<Status, Failure> {
    refuse_contradictions(arguments)?;
    let source = input::read(&arguments.input, &arguments.reading, &Pool::default()).map_err(Failure::Input)?;
    let entry = entry(&*source, arguments)?;
    let run = Run {
        entry,
        args: &arguments.args,
        input: &arguments.input_values,
        seed: arguments.seed,
        fuel: arguments.fuel,
        form: arguments.form,
        construction: &arguments.engine.construction(),
        is_over_memory: arguments.via_memory,
        is_traced: arguments.trace,
        is_compiled: arguments.jit,
    };
    let shown = shown_name(&arguments.input);
    let ran = source.run(&run, &mut |line| console.trace(line));
    let ran = ran.map_err(|error| Diagnostic::of_input(&shown, error.reason))?;
    write(&source.name(entry), &ran, console)?;
    console.output.flush()?;
    if let Err(trap) = &ran.ended {
        console.error(&Diagnostic::of_input(&shown, format!("trap: {trap}")));
    }
    Ok(Status::finding_if(ran.ended.is_err()))
}

fn refuse_contradictions(arguments: &RunArguments) -> Result<(), Failure> {
    let message = match arguments.engine.given() {
        _ if !arguments.via_memory => return Ok(()),
        Some(other) => format!("`{other}` is about direct construction: it does not go with `--via-memory`"),
        None if arguments.form == Form::Source => {
            "`--form source` runs no SSA form, and so none by `--via-memory`".to_owned()
        }
        None => return Ok(()),
    };
    Err(Diagnostic::usage(message).into())
}

/// The function named; or the only one; or the one called `main`.
fn entry(source: &dyn Source, arguments: &RunArguments) -> Result<usize, Failure> {
    if let Some(name) = &arguments.entry {
        let mut selector = Selector::new(slice::from_ref(name));
        let found = selector.select(source).first().copied();
        selector.finish()?;
        return Ok(found.unwrap_or_default());
    }
    let mut functions = source.functions();
    if functions.len() == 1 {
        return Ok(functions.start);
    }
    functions.find(|&index| source.name(index) == MAIN).ok_or_else(|| {
        let names: Vec<String> = source.functions().take(MOST_LISTED).map(|index| source.name(index)).collect();
        let dots = if source.functions().len() > MOST_LISTED { ", .." } else { "" };
        let message = format!("which function? `--entry` says it; there are {}{dots}", names.join(", "));
        Diagnostic::of_input(&shown_name(&arguments.input), message).into()
    })
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
