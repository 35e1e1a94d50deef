//! Running functions of the dialect `wasm` from their text, as `opt` and `build` write it.
//!
//! The text of a function lacks what belongs to its module: memories, globals, tables, types. Functions that need none
//! of that run, and so do their calls of one another. A call has the number that its callee has in the module; the
//! names beside these numbers say at which number the functions of the text begin.

use super::making::Maker;
use super::{NotRun, Ran, Run, Source, wasm};
use crate::diagnostic::plain;
use ssaphire_ir::{Action, Arg, Function, InstRef};
use ssaphire_wasm::{self as front, Immediates, Module, Opcode, Type, Wasm};
use std::fmt::Write;

/// Runs a function of `source`, whose functions are all of the dialect.
pub(super) fn run(source: &dyn Source, run: &Run<'_>) -> Result<Ran, NotRun> {
    if run.is_traced {
        return Err(NotRun::new("`--trace` does not support WebAssembly"));
    }
    if run.is_compiled {
        return Err(NotRun::new("`--jit` compiles WebAssembly from bytecode, which the text form does not have"));
    }
    let mut maker = Maker::new(source.translator(run.construction.fold), run);
    let functions = source.functions().map(|index| maker.make(index).map_err(|unmade| unmade.of(&source.name(index))));
    let functions = functions.collect::<Result<Vec<Function<Wasm>>, _>>()?;
    let first = first_number(&functions)?;
    check_reached(&functions, run.entry, first)?;
    let module = module_of(&functions, first)?;
    let entry = first + run.entry as u32;
    let args = wasm::arguments(&module, entry, run)?;
    let functions = functions.into_iter().map(Ok).collect();
    Ok(wasm::ran(wasm::interpret(&module, functions, entry, &args, run.fuel)?))
}

/// The number in the module of the first function of a text: the functions follow one another there.
fn first_number(functions: &[Function<Wasm>]) -> Result<u32, NotRun> {
    let mut first = None;
    for (number, name) in functions.iter().flat_map(calls).filter_map(|(number, name)| Some((number, name?))) {
        let mut called = (0..).zip(functions).filter(|(_, function)| function.name() == name);
        // A name that several functions have says nothing.
        if let (Some((place, _)), None) = (called.next(), called.next()) {
            let found = number.checked_sub(place);
            if found.is_none() || first.is_some_and(|first| Some(first) != found) {
                let message = format!(
                    "the calls of `{}` do not match its position in the text: functions before it are missing",
                    plain(&name)
                );
                return Err(NotRun::new(message));
            }
            first = found;
        }
    }
    Ok(first.unwrap_or_default())
}

/// The numbers that a function calls, and the names beside them.
fn calls(function: &Function<Wasm>) -> impl Iterator<Item = (u32, Option<String>)> {
    insts(function).filter_map(|inst| match inst.action {
        Action::Op(op) => match &op.immediates {
            Immediates::Callee { index, name } => Some((*index, name.as_ref().map(|name| name.to_string()))),
            _ => None,
        },
        Action::Copy => None,
    })
}

fn insts(function: &Function<Wasm>) -> impl Iterator<Item = InstRef<'_, Wasm>> {
    function.blocks().flat_map(|block| function.block(block).insts().iter())
}

/// Checks that no function that control may come to needs what only a module has.
fn check_reached(functions: &[Function<Wasm>], entry: usize, first: u32) -> Result<(), NotRun> {
    let mut is_seen = vec![false; functions.len()];
    let mut left = vec![entry];
    while let Some(index) = left.pop() {
        let Some(function) = functions.get(index).filter(|_| !std::mem::replace(&mut is_seen[index], true)) else {
            continue;
        };
        let name = plain(function.name());
        for inst in insts(function) {
            let Action::Op(op) = inst.action else { continue };
            match op.immediates {
                Immediates::None | Immediates::Lane(_) | Immediates::Lanes(_) | Immediates::Heap(_) => {}
                // A tag is told by its number.
                Immediates::Index(_) if is_about_exceptions(op.opcode) => {}
                Immediates::Callee { index, .. } => match index.checked_sub(first).map(|place| place as usize) {
                    Some(place) if place < functions.len() => left.push(place),
                    _ => {
                        let message = format!("function `{name}` calls function {index}, which is not in the text");
                        return Err(NotRun::new(message));
                    }
                },
                _ => {
                    let message = format!(
                        "function `{name}` uses `{}`: the text form has no memories, globals, tables and types of a module",
                        op.opcode.name()
                    );
                    return Err(NotRun::new(message));
                }
            }
        }
    }
    Ok(())
}

fn is_about_exceptions(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::Throw | Opcode::Catch | Opcode::CatchRef)
}

/// A module whose functions have these signatures, with `first` imports in front of them, and no code.
fn module_of(functions: &[Function<Wasm>], first: u32) -> Result<Module, NotRun> {
    let mut text = String::from("(module");
    for _ in 0..first {
        text.push_str(" (import \"\" \"\" (func))");
    }
    for function in functions {
        let param = |value| *function.value(value).ty;
        let params: Vec<Type> = function.params().iter().map(|param_of| param(param_of.value)).collect();
        text.push_str(" (func (param");
        write_types(&mut text, &params, function)?;
        text.push_str(") (result");
        write_types(&mut text, &results(function), function)?;
        text.push_str(") unreachable)");
    }
    text.push(')');
    front::load(text).map_err(|error| NotRun::new(error.to_string()))
}

/// The types of what a function returns; none if it never does.
fn results(function: &Function<Wasm>) -> Vec<Type> {
    let is_return = |inst: &InstRef<'_, Wasm>| matches!(inst.action, Action::Op(op) if op.opcode == Opcode::Return);
    let Some(inst) = insts(function).find(is_return) else { return Vec::new() };
    let ty = |arg: &Arg| match *arg {
        Arg::Value(value) => Some(*function.value(value).ty),
        Arg::Variable(_) => None,
    };
    inst.args.iter().filter_map(ty).collect()
}

fn write_types(text: &mut String, types: &[Type], function: &Function<Wasm>) -> Result<(), NotRun> {
    for Type(ty) in types {
        // The types of numbers alone are spelled without the module.
        if ty.is_reference_type() {
            let message = format!(
                "function `{}` takes or returns references: the text form has no types of a module",
                plain(function.name())
            );
            return Err(NotRun::new(message));
        }
        // A `String` takes all that is written to it.
        let _ = write!(text, " {ty}");
    }
    Ok(())
}
