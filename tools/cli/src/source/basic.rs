//! Running functions of the dialect `Basic`, which several languages share.

use super::making::Maker;
use super::{NotRun, Ran, Run, Source, machine};
use ssaphire::Block;
use ssaphire_ir::basic::{BasicMachine, Datum, Observation, Op};
use ssaphire_ir::interp::{Arity, Content, Flow, Interpreter, Limits, Machine, Trap, TrapKind};
use ssaphire_ir::{Basic, Function};
use std::fmt::Write;

/// Builds all functions of `source`, judges them unless told not to, and runs one. Calls of one another by name run, too.
pub(super) fn build_and_run(source: &dyn Source, run: &Run<'_>, trace: &mut dyn FnMut(&str)) -> Result<Ran, NotRun> {
    let mut maker = Maker::new(source.translator(run.construction.fold), run);
    let functions = source.functions().map(|index| maker.make(index).map_err(|unmade| unmade.of(&source.name(index))));
    let functions = functions.collect::<Result<Vec<Function<Basic>>, _>>()?;
    if run.is_compiled { machine::run_basic(&functions, run) } else { self::run(&functions, run, trace) }
}

/// Runs one of `functions`. Calls of one another by name run, too.
pub(super) fn run(functions: &[Function<Basic>], run: &Run<'_>, trace: &mut dyn FnMut(&str)) -> Result<Ran, NotRun> {
    let entry = functions.get(run.entry).ok_or_else(|| NotRun::new("no such function"))?;
    let args =
        arguments(run, entry.params().len())?.into_iter().map(|arg| Content::Known(Datum::Number(arg))).collect();
    let machine = BasicMachine::new(run.seed, run.input.to_vec()).with_functions(functions);
    let trace = run.is_traced.then_some(trace);
    let mut watched = Watched { machine, functions, place: String::new(), trace };
    let outcome = Interpreter::new(functions, limits(run)).run(&mut watched, run.entry, args);
    Ok(Ran { printed: printed(watched.machine.trace()), ended: ended(outcome, functions) })
}

/// What a run returned, or its trap with the place in words.
pub(super) fn ended(
    outcome: Result<Vec<Content<Datum>>, Trap>,
    functions: &[Function<Basic>],
) -> Result<Vec<String>, String> {
    let trap = match outcome {
        Ok(results) => return Ok(results.iter().map(Content::to_string).collect()),
        Err(trap) => trap,
    };
    let label = functions.get(trap.function).map(|function| {
        format!("function `{}`, {}, instruction {}", function.name(), function.label(trap.block), trap.index)
    });
    Err(format!("{}: {}", label.unwrap_or_default(), trap.kind))
}

/// The limits of a run.
pub(super) fn limits(run: &Run<'_>) -> Limits {
    Limits { steps: run.fuel, ..Limits::default() }
}

/// The arguments, which have to be this many numbers.
pub(super) fn arguments(run: &Run<'_>, wanted: usize) -> Result<Vec<i64>, NotRun> {
    run.check_number_of_arguments(wanted)?;
    let number = |arg: &String| {
        let arg = arg.trim();
        arg.parse().map_err(|_| NotRun::new(format!("`{arg}` is not a signed 64-bit integer")))
    };
    run.args.iter().map(number).collect()
}

/// The lines that a program printed.
pub(super) fn printed(trace: &[Observation]) -> Vec<String> {
    let lines = trace.iter().filter_map(|observation| match observation {
        Observation::Print(contents) => Some(list(contents)),
        Observation::Read(_) | Observation::Call(..) => None,
    });
    lines.collect()
}

/// A machine whose operations can be followed.
struct Watched<'a, 't> {
    machine: BasicMachine,
    functions: &'a [Function<Basic>],
    place: String,
    trace: Option<&'t mut dyn FnMut(&str)>,
}

impl Machine<Basic> for Watched<'_, '_> {
    type Content = Datum;

    fn constant(&mut self, constant: &i64) -> Datum {
        self.machine.constant(constant)
    }

    fn execute(
        &mut self,
        op: &Op,
        args: &[Content<Datum>],
        shape: Arity,
        results: &mut Vec<Content<Datum>>,
    ) -> Result<Flow, TrapKind> {
        let flow = self.machine.execute(op, args, shape, results);
        if let Some(trace) = &mut self.trace {
            let mut line = format!("{}: {}", self.place, name(op));
            if !args.is_empty() {
                let _ = write!(line, " {}", list(args));
            }
            match &flow {
                Ok(Flow::Next) if !results.is_empty() => drop(write!(line, " -> {}", list(results))),
                Ok(Flow::Slot(slot)) if shape.targets > 1 => drop(write!(line, " -> slot {slot}")),
                Err(trap) => drop(write!(line, " -> trap: {trap}")),
                Ok(_) => {}
            }
            trace(&line);
        }
        flow
    }

    fn at(&mut self, function: usize, block: Block, _index: usize) {
        if self.trace.is_none() {
            return;
        }
        if let Some(function) = self.functions.get(function) {
            self.place = format!("{} {}", function.name(), function.label(block));
        }
    }
}

fn list(contents: &[Content<Datum>]) -> String {
    contents.iter().map(Content::to_string).collect::<Vec<_>>().join(", ")
}

/// What an operation is called.
fn name(op: &Op) -> String {
    match op {
        Op::Call(call) => format!("call {}", call.callee),
        _ => op.name().to_owned(),
    }
}
