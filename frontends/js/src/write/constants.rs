//! Cells that are never written again: for these, the variable whose value they hold is what closures capture.

use super::insts::{all_insts, cells_of_pattern, num_args, op_of};
use crate::Js;
use crate::Program;
use crate::dialect::{Effect, Element, Immediates, Opcode};
use crate::program::FunctionId;
use ssaphire::graph::{FlatCfg, Order};
use ssaphire_ir::{Arg, Dest, Function, InstRef, Value, Variable};
use std::collections::{HashMap, HashSet};

/// Assignments to cells.
pub(super) const WRITES: &[Opcode] = &[Opcode::CellSet, Opcode::CellSetChecked, Opcode::Destructure];

/// Uses of cells that may be in their dead zone.
pub(super) const CHECKS: &[Opcode] = &[Opcode::CellGetChecked, Opcode::CellSetChecked];

/// By function, the numbers of the captured cells that it or a function inside of it uses by some operations.
#[derive(Debug)]
pub(super) struct CellUses {
    opcodes: &'static [Opcode],
    captured: Vec<Vec<bool>>,
}

impl CellUses {
    pub(super) fn new(program: &Program, opcodes: &'static [Opcode]) -> Self {
        let mut uses = Self { opcodes, captured: vec![Vec::new(); program.functions.len()] };
        // A function comes behind the one that holds it.
        for index in (0..program.functions.len()).rev() {
            let body = &program.functions[index].body;
            let mut number_of: HashMap<Value, u32> = HashMap::new();
            for inst in all_insts(body) {
                if let (Some(op), [Dest::Value(cell)]) = (op_of(inst), inst.results)
                    && let (Opcode::Captured, Immediates::Index(number)) = (op.opcode, &op.immediates)
                {
                    number_of.insert(*cell, *number);
                }
            }
            let mut used = vec![false; program.functions[index].captures.len()];
            for inst in all_insts(body) {
                uses.each(program, inst, |arg| {
                    if let Arg::Value(value) = arg
                        && let Some(&number) = number_of.get(&value)
                        && let Some(is_used) = used.get_mut(number as usize)
                    {
                        *is_used = true;
                    }
                });
            }
            uses.captured[index] = used;
        }
        uses
    }

    /// Shows the cells that an instruction uses, or that a function may use which it makes.
    pub(super) fn each(&self, program: &Program, inst: InstRef<'_, Js>, mut show: impl FnMut(Arg)) {
        let Some(op) = op_of(inst) else { return };
        let mut give = |function: u32, cells: &[Arg]| {
            let used = self.captured.get(function as usize).map_or(&[][..], Vec::as_slice);
            cells.iter().zip(used).filter(|&(_, &is_used)| is_used).for_each(|(&cell, _)| show(cell));
        };
        match (op.opcode, &op.immediates) {
            (opcode, Immediates::Pattern(parts)) if self.opcodes.contains(&opcode) => {
                cells_of_pattern(parts)
                    .for_each(|index| inst.args.iter().skip(index).take(1).for_each(|&cell| show(cell)));
            }
            (opcode, _) if self.opcodes.contains(&opcode) => inst.args.iter().take(1).for_each(|&cell| show(cell)),
            (Opcode::Closure, Immediates::Index(function)) => give(*function, inst.args),
            (Opcode::ClosureNamed, Immediates::Index(function)) => {
                give(*function, inst.args.get(1..).unwrap_or_default());
            }
            (Opcode::Class | Opcode::ClassNamed, Immediates::Index(class)) => {
                let Some(class) = program.classes.get(*class as usize) else { return };
                let cells = &inst.args[inst.args.len().saturating_sub(class.captures.len())..];
                let functions = class.elements.iter().filter_map(|element| element.function);
                functions.chain(class.constructor).for_each(|function| give(function.0, cells));
            }
            (Opcode::Object, Immediates::Layout(elements)) => {
                let mut at = 0;
                for element in &**elements {
                    if let Element::Method(method) = element {
                        let start = at + usize::from(method.name.is_none());
                        let cells = inst.args.get(start..start + method.cells as usize);
                        give(method.function.0, cells.unwrap_or_default());
                    }
                    at += num_args(element);
                }
            }
            _ => {}
        }
    }

    /// By variable of a function in variable form, how often it is used as a cell, by functions inside of it counted once each.
    fn of_cells(&self, program: &Program, function: &Function<Js>) -> Vec<u32> {
        let mut counts = vec![0; function.num_variables()];
        for inst in all_insts(function) {
            self.each(program, inst, |arg| {
                if let Arg::Variable(cell) = arg {
                    counts[cell.index()] += 1;
                }
            });
        }
        counts
    }

    /// Whether a function, or one inside of it, uses the captured cell with this index.
    pub(super) fn has(&self, function: FunctionId, number: u32) -> bool {
        self.captured.get(function.index()).and_then(|used| used.get(number as usize)) == Some(&true)
    }
}

/// The cells of a function that hold what a variable holds that is assigned once, or what a parameter holds that is not assigned any
/// more, with that variable.
pub(super) fn constant_cells(
    program: &Program,
    writes: &CellUses,
    function: &Function<Js>,
) -> Vec<(Variable, Variable)> {
    let num_writes = writes.of_cells(program, function);
    let mut num_definitions = vec![0u32; function.num_variables()];
    let mut first_content: Vec<Option<Variable>> = vec![None; function.num_variables()];
    let mut is_caught = vec![false; function.num_variables()];
    let mut num_made = vec![0u32; function.num_variables()];
    for inst in all_insts(function) {
        let opcode = op_of(inst).map(|op| op.opcode);
        for dest in inst.results {
            let Dest::Variable(variable) = *dest else { continue };
            let is_keyword = matches!(opcode, Some(Opcode::This | Opcode::NewTarget | Opcode::Arguments));
            // A variable that is called by a keyword cannot be captured under that name: with 2, it is no candidate.
            num_definitions[variable.index()] += if is_keyword { 2 } else { 1 };
            is_caught[variable.index()] = opcode == Some(Opcode::Catch);
        }
        match (opcode, inst.results, inst.args) {
            (Some(Opcode::NewCell), [Dest::Variable(cell)], [Arg::Variable(content)]) => {
                num_made[cell.index()] += 1;
                first_content[cell.index()] = Some(*content);
            }
            (Some(Opcode::NewCell), [Dest::Variable(cell)], args) => {
                // With a constant in it, it is a variable of its own.
                num_made[cell.index()] += if args.is_empty() { 1 } else { 2 };
            }
            _ => {}
        }
    }
    for (cell, content) in initialized_at_once(function) {
        first_content[cell.index()] = first_content[cell.index()].or(Some(content));
    }
    let params: HashSet<Variable> = function.params().iter().filter_map(|param| param.variable).collect();
    let settled = settled_params(function, params.iter().filter(|param| num_definitions[param.index()] > 0));
    let is_constant = |content: Variable| {
        let num_definitions = num_definitions[content.index()] + u32::from(params.contains(&content));
        num_definitions == 1 && *function.variable_type(content) == crate::Type::Any
    };
    let mut taken = vec![false; function.num_variables()];
    let mut found = Vec::new();
    for cell in function.variables() {
        let Some(content) = first_content[cell.index()] else { continue };
        let is_made_with_it = num_writes[cell.index()] == 0;
        let is_caught = is_caught[content.index()];
        let fits = (is_made_with_it || !is_caught)
            && num_made[cell.index()] == 1
            && num_writes[cell.index()] <= 1
            && (is_constant(content) || is_made_with_it && settled.contains(&(cell, content)));
        if fits
            && (is_made_with_it || is_empty_first(function, cell))
            && !std::mem::replace(&mut taken[content.index()], true)
        {
            found.push((cell, content));
        }
    }
    found
}

/// The cells that are made of parameters which no instruction assigns after that.
fn settled_params<'v>(
    function: &Function<Js>,
    params: impl Iterator<Item = &'v Variable>,
) -> HashSet<(Variable, Variable)> {
    let params: HashSet<Variable> = params.copied().collect();
    let mut settled = HashSet::new();
    if params.is_empty() {
        return settled;
    }
    let Ok(cfg) = FlatCfg::new(function) else { return settled };
    // By block that is executed at most once, as all before it: its place in the order of their execution.
    let order = Order::new(&cfg);
    let mut is_once = vec![true; function.num_blocks()];
    let mut places = vec![None; function.num_blocks()];
    for (place, block) in order.rpo().enumerate() {
        let data = function.block(block);
        is_once[block.index()] = data.incoming().iter().all(|edge| {
            !order.is_reachable(edge.source) || places[edge.source.index()].is_some() && is_once[edge.source.index()]
        });
        places[block.index()] = Some(place);
    }
    let mut last_assigned: HashMap<Variable, (usize, usize)> = HashMap::new();
    let mut made: Vec<(Variable, Variable, (usize, usize))> = Vec::new();
    for block in function.blocks() {
        let Some(place) = places[block.index()] else { continue };
        for (index, inst) in function.block(block).insts().iter().enumerate() {
            let at = if is_once[block.index()] { (place, index) } else { (usize::MAX, 0) };
            for param in inst.results.iter().filter_map(|&dest| variable_of(dest)).filter(|it| params.contains(it)) {
                let last = last_assigned.entry(param).or_insert(at);
                *last = at.max(*last);
            }
            if let (Some(Opcode::NewCell), &[Dest::Variable(cell)], &[Arg::Variable(content)]) =
                (op_of(inst).map(|op| op.opcode), inst.results, inst.args)
                && params.contains(&content)
                && is_once[block.index()]
            {
                made.push((cell, content, at));
            }
        }
    }
    let is_settled = |(_, content, at): &(Variable, Variable, (usize, usize))| {
        last_assigned.get(content).is_none_or(|last| last < at)
    };
    settled.extend(made.into_iter().filter(is_settled).map(|(cell, content, _)| (cell, content)));
    settled
}

/// The cells that are set, and what to: what has been computed right before, so that no code of the program runs in between.
fn initialized_at_once(function: &Function<Js>) -> Vec<(Variable, Variable)> {
    let mut found = Vec::new();
    for block in function.blocks() {
        // What a terminator gives is there at the top of the only block behind it.
        let mut fresh: Vec<Variable> = Vec::new();
        if let [edge] = function.block(block).incoming()
            && edge.slot == 0
        {
            let last = function.block(edge.source).insts().last();
            fresh.extend(last.iter().flat_map(|&inst| at_once(inst)));
        }
        for inst in function.block(block).insts().iter() {
            let Some(op) = op_of(inst) else { continue };
            if let (Opcode::CellSet, [Arg::Variable(cell), Arg::Variable(content)]) = (op.opcode, inst.args)
                && fresh.contains(content)
            {
                found.push((*cell, *content));
            }
            if matches!(op.opcode.effect(), Effect::Runs | Effect::Checks | Effect::Writes) {
                fresh.clear();
            }
            fresh.extend(at_once(inst));
        }
    }
    found
}

/// What an instruction assigns as the last thing that it does.
fn at_once(inst: InstRef<'_, Js>) -> impl Iterator<Item = Variable> + '_ {
    let is_pattern = op_of(inst).is_some_and(|op| op.opcode == Opcode::Destructure);
    inst.results.iter().filter(move |_| !is_pattern).filter_map(|&dest| variable_of(dest))
}

fn variable_of(dest: Dest) -> Option<Variable> {
    match dest {
        Dest::Variable(variable) => Some(variable),
        Dest::Value(_) => None,
    }
}

/// Whether a cell is made without content.
fn is_empty_first(function: &Function<Js>, cell: Variable) -> bool {
    all_insts(function).any(|inst| {
        op_of(inst).is_some_and(|op| op.opcode == Opcode::NewCell)
            && inst.args.is_empty()
            && inst.results.contains(&Dest::Variable(cell))
    })
}
