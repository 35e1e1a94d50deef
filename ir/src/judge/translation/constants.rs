//! Values that are always the same constant, whichever way control goes.
//!
//! What the passes find is found anew: the optimistic half of Wegman and Zadeck 1991, with every edge taken.
//!
//! # Departures
//! No edge is left out: where a branch is decided, the graph changes, and nothing is compared.

use crate::dialect::Dialect;
use crate::function::{Action, Arg, Dest, Function, InstRef, ValueKind};
use ssaphire::graph::{DominatorTree, IdLists, IdMap};
use ssaphire::{Block, Value};

/// What is known of a value; it only goes on in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cell<C> {
    Unseen,
    Known(C),
    Varying,
}

/// Where a value is defined from others.
#[derive(Clone, Copy)]
enum Place {
    Phi(Block, u32),
    Inst(Block, u32),
}

/// By value of `function`: the constant that it is in every execution, if one is found.
///
/// # Complexity
/// O(size of the function), but for instructions with many constant arguments: a value changes at most twice, and a
/// phi then meets that one operand.
pub(super) fn constants<D: Dialect>(function: &Function<D>, tree: &DominatorTree) -> IdMap<Value, Option<D::Constant>> {
    let cell = |value| match function.value(value).kind {
        ValueKind::Constant(constant) => Cell::Known(constant.clone()),
        ValueKind::Phi | ValueKind::Result => Cell::Unseen,
        ValueKind::Param(_) | ValueKind::Undefined | ValueKind::Detached => Cell::Varying,
    };
    let mut cells: IdMap<Value, Cell<D::Constant>> = function.values().map(cell).collect();
    let places = places(function, tree);
    let mut uses: IdLists<Value, Place> = IdLists::new();
    let used =
        places.iter().flat_map(|&place| used(function, tree, place).into_iter().map(move |value| (value, place)));
    uses.rebuild(function.num_values(), used);
    // Places to evaluate. After the first time, each comes with the operand whose cell has changed.
    let mut work: Vec<(Place, Option<Value>)> = places.iter().map(|&place| (place, None)).collect();
    while let Some((place, changed)) = work.pop() {
        for (value, new) in evaluated(function, tree, &cells, place, changed) {
            if cells[value] != new && cells[value] != Cell::Varying {
                cells[value] = new;
                work.extend(uses.of(value).iter().map(|&place| (place, Some(value))));
            }
        }
    }
    let known = |cell: &Cell<D::Constant>| match cell {
        Cell::Known(constant) => Some(constant.clone()),
        Cell::Unseen | Cell::Varying => None,
    };
    cells.values().map(known).collect()
}

/// The phis and instructions that control can come to.
fn places<D: Dialect>(function: &Function<D>, tree: &DominatorTree) -> Vec<Place> {
    let mut places = Vec::new();
    for block in function.blocks().filter(|&block| tree.is_reachable(block)) {
        let (num_phis, num_insts) = (function.block(block).phis().len(), function.block(block).insts().len());
        places.extend((0..num_phis as u32).map(|place| Place::Phi(block, place)));
        places.extend((0..num_insts as u32).map(|place| Place::Inst(block, place)));
    }
    places
}

fn used<D: Dialect>(function: &Function<D>, tree: &DominatorTree, place: Place) -> Vec<Value> {
    match place {
        Place::Phi(block, place) => operands(function, tree, block, place).collect(),
        Place::Inst(block, place) => {
            let inst = function.block(block).insts().get(place as usize);
            inst.map_or(Vec::new(), |inst| inst.args.iter().filter_map(value_of).collect())
        }
    }
}

/// The operands of a phi, but for edges that control cannot take.
fn operands<'f, D: Dialect>(
    function: &'f Function<D>,
    tree: &'f DominatorTree,
    block: Block,
    place: u32,
) -> impl Iterator<Item = Value> + 'f {
    let phi = function.block(block).phis().get(place as usize);
    let edges = function.block(block).incoming().iter();
    let operands = edges.zip(phi.into_iter().flat_map(|phi| phi.operands));
    operands.filter(|(edge, _)| tree.is_reachable(edge.source)).map(|(_, &operand)| operand)
}

fn value_of(arg: &Arg) -> Option<Value> {
    if let Arg::Value(value) = *arg { Some(value) } else { None }
}

/// What is defined at a place, and what that is as far as the cells tell.
fn evaluated<D: Dialect>(
    function: &Function<D>,
    tree: &DominatorTree,
    cells: &IdMap<Value, Cell<D::Constant>>,
    place: Place,
    changed: Option<Value>,
) -> Vec<(Value, Cell<D::Constant>)> {
    match place {
        Place::Phi(block, place) => {
            let Some(phi) = function.block(block).phis().get(place as usize) else { return Vec::new() };
            let cell = match changed {
                Some(operand) => meet(cells[phi.value].clone(), &cells[operand]),
                None => {
                    operands(function, tree, block, place).fold(Cell::Unseen, |met, operand| meet(met, &cells[operand]))
                }
            };
            vec![(phi.value, cell)]
        }
        Place::Inst(block, place) => {
            let Some(inst) = function.block(block).insts().get(place as usize) else { return Vec::new() };
            let cell = of_inst(&inst, cells);
            let values = inst.results.iter().filter_map(|dest| match *dest {
                Dest::Value(value) => Some((value, cell.clone())),
                Dest::Variable(_) => None,
            });
            values.collect()
        }
    }
}

fn meet<C: Clone + PartialEq>(met: Cell<C>, other: &Cell<C>) -> Cell<C> {
    match (met, other) {
        (Cell::Unseen, other) => other.clone(),
        (met, Cell::Unseen) => met,
        (Cell::Known(one), Cell::Known(two)) if one == *two => Cell::Known(one),
        _ => Cell::Varying,
    }
}

fn of_inst<D: Dialect>(inst: &InstRef<'_, D>, cells: &IdMap<Value, Cell<D::Constant>>) -> Cell<D::Constant> {
    let mut constants = Vec::with_capacity(inst.args.len());
    let mut is_unseen = false;
    for arg in inst.args {
        match value_of(arg).map(|value| &cells[value]) {
            Some(Cell::Known(constant)) => constants.push(constant.clone()),
            Some(Cell::Unseen) => is_unseen = true,
            Some(Cell::Varying) | None => return Cell::Varying,
        }
    }
    match (inst.action, &constants[..]) {
        _ if is_unseen => Cell::Unseen,
        (Action::Copy, [constant]) => Cell::Known(constant.clone()),
        (Action::Op(op), constants) if inst.results.len() == 1 && inst.targets.is_empty() => {
            D::evaluate(op, constants).map_or(Cell::Varying, Cell::Known)
        }
        _ => Cell::Varying,
    }
}
