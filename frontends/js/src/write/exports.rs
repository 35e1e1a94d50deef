//! What a module exports: each binding where it is declared, if its declaration can say so, and the others in a list at the end.

use super::insts::{all_insts, op_of};
use super::plan::{Plan, Plans};
use crate::dialect::{Immediates, JsString, Opcode};
use crate::program::{Export, Local, Top};
use crate::{Program, Type};
use foldhash::fast::RandomState;
use ssaphire_ir::{Dest, Variable};
use std::collections::{HashMap, HashSet};

/// The variable of a default export without a name.
const DEFAULT: &str = "*default*";

/// The variables of the top that hold exported cells, by number of the cell.
pub(super) fn cells(program: &Program, plans: &Plans) -> HashMap<u32, Variable, RandomState> {
    let plan = plans.plans.first().and_then(Option::as_ref).filter(|_| !program.top.exports.is_empty());
    plan.into_iter().flat_map(new_cells).map(|(number, _, variable)| (number, variable)).collect()
}

/// The variable of a default export that has no name.
pub(super) fn default_without_name(program: &Program, plans: &Plans) -> Option<Variable> {
    let plan = plans.plans.first()?.as_ref().filter(|_| !program.top.exports.is_empty())?;
    new_cells(plan).find(|&(_, name, _)| name == DEFAULT).map(|(.., variable)| variable)
}

/// The cells that the top makes: their numbers, names and variables.
fn new_cells(plan: &Plan) -> impl Iterator<Item = (u32, &str, Variable)> {
    all_insts(&plan.function).filter_map(|inst| {
        let op = op_of(inst).filter(|op| op.opcode == Opcode::NewCell)?;
        let (Immediates::Name(name), &[Dest::Variable(cell)]) = (&op.immediates, inst.results) else { return None };
        let Type::Cell(number) = *plan.function.variable_type(cell) else { return None };
        Some((number, &**name, plan.same[cell.index()]))
    })
}

/// The exports of a module that are not written yet.
#[derive(Default)]
pub(super) struct Exports<'a> {
    cells: HashMap<u32, Variable, RandomState>,
    /// The variables with their names for importers, if these are well-formed.
    left: HashSet<(Variable, &'a str), RandomState>,
}

impl<'a> Exports<'a> {
    pub(super) fn new(program: &'a Program, plans: &Plans) -> Self {
        let cells = cells(program, plans);
        let named = |export: &'a Export| match export.local {
            Local::Cell(number) => Some((*cells.get(&number)?, export.exported.as_str()?)),
            Local::Import(_) => None,
        };
        let left = program.top.exports.iter().filter_map(named).collect();
        Self { cells, left }
    }

    /// Whether a variable is exported by this name, and that is not written yet.
    pub(super) fn has(&self, variable: Variable, name: &str) -> bool {
        self.left.contains(&(variable, name))
    }

    /// Notes that this is written; false if it was not to be.
    pub(super) fn take(&mut self, variable: Variable, name: &'a str) -> bool {
        self.left.remove(&(variable, name))
    }

    /// What is left: the variables, or the imported names, and their names for importers.
    pub(super) fn rest<'t>(&'t self, top: &'a Top) -> impl Iterator<Item = (Exported<'a>, &'a JsString)> + 't {
        top.exports.iter().filter_map(|export| match &export.local {
            Local::Import(name) => Some((Exported::Import(name), &export.exported)),
            Local::Cell(number) => {
                let variable = *self.cells.get(number)?;
                let is_left = export.exported.as_str().is_none_or(|name| self.left.contains(&(variable, name)));
                is_left.then_some((Exported::Variable(variable), &export.exported))
            }
        })
    }
}

/// What is exported.
pub(super) enum Exported<'a> {
    Variable(Variable),
    Import(&'a str),
}
