//! What is decided about a function before any text is written: its variables' names, and what is a variable that
//! closures capture.

use super::captures::HandedDown;
use super::constants::{CellUses, WRITES, constant_cells};
use super::contents::with_contents_read;
use super::error::{Unwritable, WriteError};
use super::insts::{all_insts, cells_of_pattern, op_of};
use super::iterate::{self, ForOfs};
use super::keep::Keeping;
use super::names::{FileNames, Scope};
use super::param_cells::with_param_cells;
use super::settled::settled_cells;
use crate::dialect::{Effect, Immediates, Js, Opcode};
use crate::lower::TEMPORARY;
use crate::program::{FunctionId, FunctionKind, JsFunction};
use crate::{Program, Type};
use ssaphire::graph::FlatCfg;
use ssaphire_ir::{Arg, Dest, Function, InstRef, Semantics, Variable, leave_ssa_by_names};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Variables and iterators whose native check or closing turned out to be unsound once the text was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Unguarded {
    /// Cells whose dead zone it would not guard, and iterators that it would not close.
    pub(super) variables: BTreeSet<(FunctionId, Variable)>,
    /// The `let`s of a script that are initialized in braces: they are declared in front, where their dead zone would
    /// end.
    pub(super) names: BTreeSet<String>,
}

/// A function in variable form, with names.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) function: Function<Js>,
    pub(super) cfg: FlatCfg,
    /// By variable.
    pub(super) names: Vec<String>,
    /// By variable, whether it is declared elsewhere: as a parameter, or by a function around.
    pub(super) is_outer: Vec<bool>,
    /// By variable, whether it is a cell whose dead zone the engine guards.
    pub(super) is_native: Vec<bool>,
    /// By variable, whether it must be a variable, because closures capture it.
    pub(super) is_pinned: Vec<bool>,
    /// By variable, whether functions inside may write it.
    pub(super) is_written_inside: Vec<bool>,
    /// By variable, the one that stands for it: a cell may be mentioned by several.
    pub(super) same: Vec<Variable>,
    /// By variable, whether it is a cell that stands for what is read from it.
    pub(super) stands_for_reads: Vec<bool>,
    pub(super) params: Vec<String>,
    /// Its loops over iterables.
    pub(super) for_ofs: ForOfs,
    /// Whether its call does something that others see, although it is a generator.
    pub(super) is_split: bool,
    /// Parameters whose names stay theirs, while their values are assigned to other variables.
    pub(super) copied_params: Vec<(Variable, String)>,
    pub(super) scope: Scope,
    /// The cells that it captures, by number: their names, and whether the engine guards their dead zone.
    pub(super) captured: Vec<(String, bool)>,
}

/// The plans of all functions, by number; none for what stays as it stands in the source, and for what nobody makes.
pub(super) struct Plans {
    pub(super) file: FileNames,
    pub(super) plans: Vec<Option<Plan>>,
    /// By function, whether it stays as it stands in the source.
    pub(super) kept: Vec<bool>,
    /// By function, whether it is written anew, or one around it.
    pub(super) is_in_new: Vec<bool>,
    /// The `let`s of a script whose dead zone is checked.
    pub(super) checked_names: BTreeSet<String>,
    /// By function, whether it uses its `arguments`, or an arrow function in it does.
    uses_arguments: Vec<bool>,
    /// The numbers of the cells that hold one value whenever they are read.
    pub(super) settled: HashSet<u32>,
}

impl Plans {
    pub(super) fn new(
        program: &Program,
        source: &str,
        keeping: &Keeping,
        unguarded: &Unguarded,
    ) -> Result<Self, WriteError> {
        let (file, checked_names) = (FileNames::new(program, source), unguarded.names.clone());
        let (uses_arguments, settled) = (uses_arguments(program), settled_cells(program));
        let (plans, kept, is_in_new) = (Vec::new(), Vec::new(), Vec::new());
        let mut plans = Self { file, plans, kept, is_in_new, checked_names, uses_arguments, settled };
        let writes = CellUses::new(program, WRITES);
        let mut handed = HandedDown::new(program);
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId(index as u32);
            // What stands where control never comes, or what passes have removed, is made by nobody.
            let is_kept = handed.is_made[index] && keeping.keeps(program, &plans, id, &handed.captured[index]);
            let is_in_new = !is_kept || function.parent.is_some_and(|parent| plans.is_in_new[parent.index()]);
            plans.kept.push(is_kept);
            plans.is_in_new.push(is_in_new);
            if is_kept || !handed.is_made[index] {
                if is_kept {
                    handed.give_as_it_stands(program, keeping, id);
                }
                plans.plans.push(None);
                continue;
            }
            let is_aliased = !function.is_strict && function.params.are_simple && plans.uses_arguments[index];
            let body = match is_aliased {
                true => Cow::Borrowed(&function.body),
                false => with_param_cells(program, &writes, &function.body),
            };
            let body = with_contents_read(program, &writes, &body).map_or(body, Cow::Owned);
            let captured = std::mem::take(&mut handed.captured[index]);
            let plan = plans.plan((function, &body, is_aliased), id, captured, unguarded);
            let mut plan = plan?;
            for (variable, is_candidate) in native_candidates(&plan.function).into_iter().enumerate() {
                let variable = Variable::new(variable);
                plan.is_native[variable.index()] |=
                    is_candidate && !plan.is_split && !unguarded.variables.contains(&(id, variable));
            }
            plan.merge_constant_cells(program, &writes, id, unguarded);
            plan.merge_settled_reads(&plans.settled, |cell| unguarded.variables.contains(&(id, cell)));
            plan.note_inner_writes(&writes);
            handed.give(program, &plan, id)?;
            plans.plans.push(Some(plan));
        }
        Ok(plans)
    }

    fn plan(
        &self,
        (js, body, is_aliased): (&JsFunction, &Function<Js>, bool),
        id: FunctionId,
        captured: Vec<(String, bool)>,
        unguarded: &Unguarded,
    ) -> Result<Plan, WriteError> {
        let refuse = |what| WriteError { function: id, span: js.span, what };
        let left = leave_ssa_by_names(body, &TEMPORARY).map_err(|error| refuse(Unwritable::Form(error)))?;
        let mut function = left.function;
        let for_ofs = iterate::find(&mut function, |iterator| unguarded.variables.contains(&(id, iterator)));
        let cfg = FlatCfg::new(&function).map_err(|error| refuse(Unwritable::Cfg(error)))?;
        let mut scope = Scope::default();
        // Within a function or class that mentions itself, its own name would hide the captured variable.
        if captured.iter().any(|(name, _)| self.file.is_own(id, name)) {
            return Err(refuse(Unwritable::Capture));
        }
        captured.iter().for_each(|(name, _)| scope.take(name));
        let count = function.num_variables();
        let mut plan = Plan {
            names: vec![String::new(); count],
            is_outer: vec![false; count],
            is_native: vec![false; count],
            is_pinned: vec![false; count],
            is_written_inside: vec![false; count],
            same: function.variables().collect(),
            stands_for_reads: vec![false; count],
            params: Vec::new(),
            copied_params: Vec::new(),
            for_ofs,
            is_split: is_split(&function, &cfg),
            function,
            cfg,
            scope,
            captured,
        };
        let is_taken = |name: &str| self.file.is_taken(id, name);
        plan.name_params(is_aliased, &is_taken);
        plan.name_outer_cells().ok_or_else(|| refuse(Unwritable::Capture))?;
        // Functions inside that stay as they are mention cells by the names of the source.
        let is_cell = |variable: &Variable| matches!(plan.function.variable_type(*variable), Type::Cell(_));
        let (cells, others): (Vec<Variable>, Vec<Variable>) = plan.function.variables().partition(is_cell);
        let is_temporary = |variable: &Variable| *plan.function.declared_name(*variable) == TEMPORARY;
        let (temporaries, others): (Vec<Variable>, Vec<Variable>) = others.into_iter().partition(is_temporary);
        for variable in cells.into_iter().chain(others).chain(temporaries) {
            if plan.names[variable.index()].is_empty() {
                let is_cell = matches!(plan.function.variable_type(variable), Type::Cell(_));
                let is_hidden = |name: &str| is_cell && self.file.is_own_inside(id, name);
                let is_taken = |name: &str| is_taken(name) || is_hidden(name);
                let name = plan.scope.unique(&wanted_name(&plan.function, variable), is_taken);
                plan.names[variable.index()] = name;
            }
        }
        Ok(plan)
    }
}

impl Plan {
    fn name_params(&mut self, is_aliased: bool, is_taken: &impl Fn(&str) -> bool) {
        let cells = outer_cells(&self.function, Opcode::ParamCell);
        // Sloppy `arguments` aliases simple parameters, so an assignment to the name of one would show there, while
        // the program's variable and `arguments` are apart: an assigned variable gets a name of its own.
        let assigned = if is_aliased { assigned(&self.function) } else { HashSet::new() };
        let mut seen = HashSet::new();
        for (index, param) in self.function.params().to_vec().into_iter().enumerate() {
            let cell = cells.iter().find(|&&(_, number)| number as usize == index).map(|&(cell, _)| cell);
            let wanted = cell.or(param.variable).map(|variable| wanted_name(&self.function, variable));
            let wanted = wanted.unwrap_or_else(|| "_".to_owned());
            let name = self.scope.unique(&wanted, is_taken);
            if let Some(variable) = param.variable.filter(|_| cell.is_none()) {
                if assigned.contains(&variable) || !seen.insert(variable) {
                    self.copied_params.push((variable, name.clone()));
                } else {
                    self.names[variable.index()].clone_from(&name);
                    self.is_outer[variable.index()] = true;
                }
            }
            for &(cell, number) in &cells {
                if number as usize == index {
                    self.names[cell.index()].clone_from(&name);
                    self.is_outer[cell.index()] = true;
                }
            }
            self.params.push(name);
        }
    }

    /// Names the cells of functions around; none if there are more than it captures.
    fn name_outer_cells(&mut self) -> Option<()> {
        for opcode in [Opcode::Captured, Opcode::ParamCell] {
            let mut first = HashMap::new();
            for (cell, number) in outer_cells(&self.function, opcode) {
                // Each mention of a captured cell is an instruction with a result of its own, but all name one cell.
                self.same[cell.index()] = *first.entry(number).or_insert(cell);
            }
        }
        for (cell, number) in outer_cells(&self.function, Opcode::Captured) {
            let (name, is_native) = self.captured.get(number as usize)?.clone();
            self.names[cell.index()] = name;
            self.is_outer[cell.index()] = true;
            self.is_native[cell.index()] = is_native;
        }
        Some(())
    }

    /// Lets variables that are assigned once stand for the cells that hold their values.
    fn merge_constant_cells(&mut self, program: &Program, writes: &CellUses, id: FunctionId, unguarded: &Unguarded) {
        let made = made_of_variables(&self.function);
        for (cell, content) in constant_cells(program, writes, &self.function) {
            let is_native = self.is_native[cell.index()];
            let is_empty_first = !made.contains(&(cell, content));
            if unguarded.variables.contains(&(id, content)) || is_empty_first && !is_native || self.is_copied(content) {
                continue;
            }
            self.same[cell.index()] = content;
            self.is_pinned[content.index()] = true;
            self.is_native[content.index()] = is_native && is_empty_first;
            self.is_native[cell.index()] = true;
            let (own, other) = (self.names[content.index()].clone(), self.names[cell.index()].clone());
            // Both were to be called alike: one of them has got the name without a number.
            let is_better = !self.is_outer[content.index()] && other.len() < own.len();
            let name = if is_better { other } else { own };
            self.names[content.index()].clone_from(&name);
            self.names[cell.index()] = name;
        }
    }

    /// Lets cells that hold one value stand for the variables that are read from them, if there is one such cell, or each
    /// is read as soon as it is there: in each round of a loop there may be another one.
    fn merge_settled_reads(&mut self, settled: &HashSet<u32>, keeps_apart: impl Fn(Variable) -> bool) {
        let mut num_writes = vec![0u32; self.function.num_variables()];
        let params = self.function.params().iter().filter_map(|param| param.variable);
        let results = all_insts(&self.function).flat_map(|inst| inst.results).filter_map(|dest| match *dest {
            Dest::Variable(variable) => Some(variable),
            Dest::Value(_) => None,
        });
        params.chain(results).for_each(|variable| num_writes[variable.index()] += 1);
        let first = self.function.block(self.function.entry()).insts();
        let is_new = |inst: &InstRef<'_, Js>| op_of(*inst).is_some_and(|op| op.opcode == Opcode::NewCell);
        let made: HashSet<Dest> = first.iter().filter(is_new).flat_map(|inst| inst.results).copied().collect();
        let mut last = None;
        for inst in all_insts(&self.function) {
            let last = std::mem::replace(&mut last, filled(inst));
            let opcode = op_of(inst).map(|op| op.opcode);
            let is_read = matches!(opcode, Some(Opcode::CellGet | Opcode::CellGetConst));
            if let (true, [Arg::Variable(cell)], [Dest::Variable(read)]) = (is_read, inst.args, inst.results)
                && let Type::Cell(number) = *self.function.variable_type(*cell)
                && (settled.contains(&number) || opcode == Some(Opcode::CellGetConst))
                && (self.is_outer[cell.index()] || made.contains(&Dest::Variable(*cell)) || last == Some(*cell))
                && num_writes[read.index()] == 1
                && !self.is_pinned[read.index()]
                && !keeps_apart(*cell)
            {
                self.stands_for_reads[self.same[cell.index()].index()] = true;
                self.same[read.index()] = self.same[cell.index()];
            }
        }
    }

    fn is_copied(&self, variable: Variable) -> bool {
        self.copied_params.iter().any(|&(copied, _)| copied == variable)
    }

    /// Whether functions inside of it may write a variable.
    fn note_inner_writes(&mut self, writes: &CellUses) {
        for inst in all_insts(&self.function) {
            let Some(op) = op_of(inst) else { continue };
            if let (Opcode::Closure, Immediates::Index(function)) = (op.opcode, &op.immediates) {
                for (number, arg) in inst.args.iter().enumerate() {
                    if let Arg::Variable(cell) = *arg {
                        self.is_written_inside[cell.index()] |= writes.has(FunctionId(*function), number as u32);
                    }
                }
            } else if !inst.args.is_empty() && op.opcode != Opcode::NewCell {
                // Methods and classes: any cell among the arguments counts.
                let makes =
                    matches!(op.opcode, Opcode::Class | Opcode::ClassNamed | Opcode::ClosureNamed | Opcode::Object);
                for arg in inst.args.iter().filter(|_| makes) {
                    if let Arg::Variable(cell) = *arg {
                        self.is_written_inside[cell.index()] |=
                            matches!(self.function.variable_type(cell), Type::Cell(_));
                    }
                }
            }
        }
    }

    /// The name of a cell that is an argument, and whether the engine guards its dead zone.
    pub(super) fn cell(&self, arg: &Arg) -> Option<(String, bool)> {
        match *arg {
            Arg::Variable(variable) => Some((self.names[variable.index()].clone(), self.is_native[variable.index()])),
            Arg::Value(_) => None,
        }
    }
}

/// What the source calls a variable.
pub(super) fn wanted_name(function: &Function<Js>, variable: Variable) -> String {
    match function.declared_name(variable) {
        name if *name == TEMPORARY => "t".to_owned(),
        name => name.to_string(),
    }
}

/// Whether something that others see happens before the call of a generator ends.
fn is_split(function: &Function<Js>, cfg: &FlatCfg) -> bool {
    let is = |inst: InstRef<'_, Js>, opcode| op_of(inst).is_some_and(|op| op.opcode == opcode);
    if !all_insts(function).any(|inst| is(inst, Opcode::StartGenerator)) {
        return false;
    }
    let captured: HashSet<Variable> = outer_cells(function, Opcode::Captured).iter().map(|&(cell, _)| cell).collect();
    let sets_captured = |inst: InstRef<'_, Js>| match inst.args {
        [Arg::Variable(cell), ..] => is(inst, Opcode::CellSet) && captured.contains(cell),
        _ => false,
    };
    let (mut seen, mut work) = (HashSet::new(), vec![function.entry()]);
    while let Some(block) = work.pop() {
        if !seen.insert(block) {
            continue;
        }
        let mut starts = false;
        for inst in function.block(block).insts().iter() {
            let Some(op) = op_of(inst) else { continue };
            starts |= op.opcode == Opcode::StartGenerator;
            let properties = Js::properties(op);
            let is_seen = properties.may_throw || properties.has_effect && op.opcode.effect() == Effect::Runs;
            if !starts && (is_seen || op.opcode == Opcode::CellGet || sets_captured(inst)) {
                return true;
            }
        }
        // Code after the start is executed by the first `next()`, not by the call.
        if !starts {
            work.extend(cfg.targets(block));
        }
    }
    false
}

/// The variables that hold what `opcode` gives, with its number.
fn outer_cells(function: &Function<Js>, opcode: Opcode) -> Vec<(Variable, u32)> {
    let mut cells = Vec::new();
    for inst in all_insts(function) {
        if let Some(op) = op_of(inst).filter(|op| op.opcode == opcode)
            && let (Immediates::Index(number), [Dest::Variable(cell)]) = (&op.immediates, inst.results)
        {
            cells.push((*cell, *number));
        }
    }
    cells
}

/// By function, whether it uses its `arguments`, or those of the function that it is in.
fn uses_arguments(program: &Program) -> Vec<bool> {
    let is_use = |inst: InstRef<'_, Js>| op_of(inst).is_some_and(|op| op.opcode == Opcode::Arguments);
    let uses = |function: &JsFunction| function.is_verbatim || all_insts(&function.body).any(is_use);
    let mut all: Vec<bool> = program.functions.iter().map(uses).collect();
    // Functions come behind those that they are in.
    for (index, function) in program.functions.iter().enumerate().rev() {
        if let Some(parent) = function.parent
            && function.kind == FunctionKind::Arrow
        {
            all[parent.index()] |= all[index];
        }
    }
    all
}

fn assigned(function: &Function<Js>) -> HashSet<Variable> {
    all_insts(function)
        .flat_map(|inst| inst.results.iter())
        .filter_map(|dest| match *dest {
            Dest::Variable(variable) => Some(variable),
            Dest::Value(_) => None,
        })
        .collect()
}

/// By variable, whether it is a cell made without content, which is initialized in one place.
fn native_candidates(function: &Function<Js>) -> Vec<bool> {
    let mut is_empty = vec![false; function.num_variables()];
    let mut num_inits = vec![0; function.num_variables()];
    for inst in all_insts(function) {
        let Some(op) = op_of(inst) else { continue };
        match (op.opcode, inst.results, inst.args) {
            (Opcode::NewCell, [Dest::Variable(cell)], args) => {
                let is_hole = |arg: &Arg| match *arg {
                    Arg::Value(value) => function.as_constant(value) == Some(&crate::dialect::Constant::Uninitialized),
                    Arg::Variable(_) => false,
                };
                is_empty[cell.index()] = args.iter().all(is_hole);
            }
            (Opcode::CellSet, _, [Arg::Variable(cell), ..]) => num_inits[cell.index()] += 1,
            (Opcode::Destructure, ..) => {
                let Immediates::Pattern(parts) = &op.immediates else { continue };
                for index in cells_of_pattern(parts) {
                    if let Some(Arg::Variable(cell)) = inst.args.get(index) {
                        num_inits[cell.index()] += 1;
                    }
                }
            }
            _ => {}
        }
    }
    is_empty.iter().zip(num_inits).map(|(&is_empty, inits)| is_empty && inits == 1).collect()
}

/// The cell that an instruction gives its content.
fn filled(inst: InstRef<'_, Js>) -> Option<Variable> {
    match (op_of(inst)?.opcode, inst.results, inst.args) {
        (Opcode::NewCell, &[Dest::Variable(cell)], &[_]) | (Opcode::CellSet, _, &[Arg::Variable(cell), _]) => {
            Some(cell)
        }
        _ => None,
    }
}

/// The cells that are made with what a variable holds, each with the variable.
fn made_of_variables(function: &Function<Js>) -> HashSet<(Variable, Variable)> {
    let made = all_insts(function).filter(|&inst| op_of(inst).is_some_and(|op| op.opcode == Opcode::NewCell));
    made.filter_map(|inst| match (inst.results, inst.args) {
        (&[Dest::Variable(cell)], &[Arg::Variable(content)]) => Some((cell, content)),
        _ => None,
    })
    .collect()
}
