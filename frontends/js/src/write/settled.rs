//! Cells that hold one value whenever they are read: reading them can wait.
//!
//! They are made of the value, or the function that makes them assigns it before it runs any other code, as it does with
//! the functions that it declares; and nothing assigns them again.

use super::insts::{all_insts, cells_of_pattern, may_throw, op_of};
use crate::dialect::{Constant, Effect, Immediates, Js, Opcode};
use crate::{Program, Type};
use ssaphire_ir::{Arg, Dest, Function, InstRef};
use std::collections::{HashMap, HashSet};

/// What is known of a cell.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    has_content: bool,
    num_writes: u32,
    is_written_at_once: bool,
}

/// The numbers of the cells of a program that hold one value whenever they are read.
pub(super) fn settled_cells(program: &Program) -> HashSet<u32> {
    let mut cells: HashMap<u32, Known> = HashMap::new();
    for function in &program.functions {
        let body = &function.body;
        let number = |arg: Arg| match arg {
            Arg::Value(value) => number_of(body.value(value).ty),
            Arg::Variable(_) => None,
        };
        for inst in all_insts(body) {
            let Some(op) = op_of(inst) else { continue };
            match (op.opcode, &op.immediates) {
                (Opcode::NewCell, _) => {
                    if let [Dest::Value(cell)] = inst.results
                        && let Some(number) = number_of(body.value(*cell).ty)
                    {
                        cells.entry(number).or_default().has_content = has_content(body, inst.args);
                    }
                }
                (Opcode::CellSet | Opcode::CellSetChecked, _) => {
                    let number = inst.args.first().and_then(|&cell| number(cell));
                    number.into_iter().for_each(|number| cells.entry(number).or_default().num_writes += 1);
                }
                (Opcode::Destructure, Immediates::Pattern(parts)) => {
                    for number in cells_of_pattern(parts).filter_map(|index| number(*inst.args.get(index)?)) {
                        cells.entry(number).or_default().num_writes += 1;
                    }
                }
                _ => {}
            }
        }
        let mut made: HashSet<Arg> = HashSet::new();
        for inst in body.block(body.entry()).insts().iter().take_while(|&inst| is_quiet(inst)) {
            match (op_of(inst).map(|op| op.opcode), inst.args, inst.results) {
                (Some(Opcode::NewCell), _, &[Dest::Value(cell)]) => drop(made.insert(Arg::Value(cell))),
                (Some(Opcode::CellSet), &[cell, _], _) if made.contains(&cell) => {
                    let number = number(cell);
                    number.into_iter().for_each(|number| cells.entry(number).or_default().is_written_at_once = true);
                }
                _ => {}
            }
        }
    }
    let is_settled = |known: &Known| match known.num_writes {
        0 => known.has_content,
        1 => known.is_written_at_once,
        _ => false,
    };
    cells.into_iter().filter(|(_, known)| is_settled(known)).map(|(number, _)| number).collect()
}

fn number_of(ty: &Type) -> Option<u32> {
    match *ty {
        Type::Cell(number) => Some(number),
        _ => None,
    }
}

/// Whether a cell is made of a value that is there.
fn has_content(body: &Function<Js>, args: &[Arg]) -> bool {
    args.iter().any(|arg| match *arg {
        Arg::Value(value) => body.as_constant(value) != Some(&Constant::Uninitialized),
        Arg::Variable(_) => false,
    })
}

/// Whether an instruction runs no code that could read a cell.
fn is_quiet(inst: InstRef<'_, Js>) -> bool {
    op_of(inst).is_none_or(|op| {
        let is_cell = matches!(op.opcode, Opcode::NewCell | Opcode::CellSet | Opcode::Captured | Opcode::Closure);
        is_cell || op.opcode.effect() == Effect::Computes && !may_throw(op)
    })
}
