//! The cells that each function captures, with their names in the function that creates the closure.

use super::error::{Unwritable, WriteError};
use super::insts::{all_insts, num_args, op_of};
use super::keep::Keeping;
use super::plan::Plan;
use crate::Program;
use crate::dialect::{Element, Immediates, Opcode};
use crate::program::FunctionId;
use foldhash::fast::RandomState;
use ssaphire_ir::Arg;
use std::collections::HashMap;

/// A captured cell: its name, and whether the engine guards its dead zone.
pub(super) type Captured = (String, bool);

/// What functions are given by those around them: known with the function that holds them.
pub(super) struct HandedDown {
    /// By function, the cells that it captures, by number.
    pub(super) captured: Vec<Vec<Captured>>,
    /// By function, whether something makes it.
    pub(super) is_made: Vec<bool>,
}

impl HandedDown {
    pub(super) fn new(program: &Program) -> Self {
        let mut is_made = vec![false; program.functions.len()];
        for top in program.top.functions.iter().map(|&(_, id)| id).chain([FunctionId::TOP]) {
            is_made.iter_mut().skip(top.index()).take(1).for_each(|is_made| *is_made = true);
        }
        Self { captured: vec![Vec::new(); program.functions.len()], is_made }
    }

    /// What a function that stays gives to those in its text.
    pub(super) fn give_as_it_stands(&mut self, program: &Program, keeping: &Keeping, id: FunctionId) {
        let own: HashMap<String, bool, RandomState> = self.captured[id.index()].iter().cloned().collect();
        for &inner in &keeping.inner[id.index()] {
            let names = program.functions[inner.index()].captures.iter();
            // The engine guards what it declares itself.
            let captured = names.map(|name| (name.to_string(), own.get(&**name).copied().unwrap_or(true)));
            self.captured[inner.index()] = captured.collect();
            self.is_made[inner.index()] = true;
        }
    }

    /// What a function that is written anew gives to those that it makes.
    pub(super) fn give(&mut self, program: &Program, plan: &Plan, id: FunctionId) -> Result<(), WriteError> {
        let mut give = |function: u32, cells: &[Arg]| {
            self.is_made.iter_mut().skip(function as usize).take(1).for_each(|is_made| *is_made = true);
            let names: Option<Vec<_>> = cells.iter().map(|cell| plan.cell(cell)).collect();
            let known = self.captured.get_mut(function as usize);
            let fits = names.zip(known).is_some_and(|(names, known)| {
                // Several instructions may create the same function. Its text is written once, so all of them must pass
                // cells of the same names.
                let is_new = known.is_empty();
                if is_new {
                    known.clone_from(&names);
                }
                is_new || *known == names
            });
            if fits {
                Ok(())
            } else {
                Err(WriteError { function: id, span: program.functions[id.index()].span, what: Unwritable::Capture })
            }
        };
        for inst in all_insts(&plan.function) {
            let Some(op) = op_of(inst) else { continue };
            match (op.opcode, &op.immediates) {
                (Opcode::Closure, Immediates::Index(function)) => give(*function, inst.args)?,
                // The first argument is the name, the rest are cells.
                (Opcode::ClosureNamed, Immediates::Index(function)) => {
                    give(*function, inst.args.get(1..).unwrap_or_default())?;
                }
                (Opcode::Class | Opcode::ClassNamed, Immediates::Index(class)) => {
                    let Some(class) = program.classes.get(*class as usize) else { continue };
                    let cells = &inst.args[inst.args.len().saturating_sub(class.captures.len())..];
                    let functions =
                        class.elements.iter().filter_map(|element| element.function).chain(class.constructor);
                    functions.map(|function| function.0).try_for_each(|function| give(function, cells))?;
                }
                (Opcode::Object, Immediates::Layout(elements)) => {
                    let mut at = 0;
                    for element in &**elements {
                        if let Element::Method(method) = element {
                            let start = at + usize::from(method.name.is_none());
                            let end = start + method.cells as usize;
                            give(method.function.0, inst.args.get(start..end).unwrap_or_default())?;
                        }
                        at += num_args(element);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}
