//! Values that are always the same constant, whichever way control goes.
//!
//! What the passes find is found anew: the optimistic half of Wegman and Zadeck 1991, with every edge taken.
//!
//! # Departures
//! No edge is left out: where a branch is decided, the graph changes, and nothing is compared.

use crate::dialect::Semantics;
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

/// What has become of an operand.
struct Change<C> {
    cell: Cell<C>,
    /// Whether nothing was known of it before.
    was_unseen: bool,
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
/// O(size of the function): a value changes at most twice, a phi then meets that one operand, and an instruction is evaluated
/// at most twice, after the last of its arguments is known.
pub(super) fn constants<D: Semantics>(
    function: &Function<D>,
    tree: &DominatorTree,
) -> IdMap<Value, Option<D::Constant>> {
    let cell = |value| match function.value(value).kind {
        ValueKind::Constant(constant) => Cell::Known(constant.clone()),
        ValueKind::Phi | ValueKind::Result => Cell::Unseen,
        ValueKind::Param(_) | ValueKind::Undefined | ValueKind::Detached => Cell::Varying,
    };
    let mut cells: IdMap<Value, Cell<D::Constant>> = function.values().map(cell).collect();
    let places = places(function, tree);
    let used: Vec<Vec<Value>> = places.iter().map(|&place| used(function, tree, place)).collect();
    let mut uses: IdLists<Value, u32> = IdLists::new();
    let pairs = (0..).zip(&used).flat_map(|(number, used)| used.iter().map(move |&value| (value, number)));
    uses.rebuild(function.num_values(), pairs);
    // By place: the operands that nothing is known of, as far as that has been told.
    let num_unseen = |used: &Vec<Value>| used.iter().filter(|&&value| cells[value] == Cell::Unseen).count();
    let mut unseen: Vec<usize> = used.iter().map(num_unseen).collect();
    // Places to evaluate. After the first time, each comes with an operand's change.
    let mut work: Vec<(u32, Option<Change<D::Constant>>)> =
        (0..places.len() as u32).map(|place| (place, None)).collect();
    while let Some((number, changed)) = work.pop() {
        let (place, unseen) = (places[number as usize], &mut unseen[number as usize]);
        *unseen -= usize::from(changed.as_ref().is_some_and(|change| change.was_unseen));
        for (value, new) in evaluated(function, &cells, (place, &used[number as usize]), changed, *unseen) {
            if cells[value] != new && cells[value] != Cell::Varying {
                let was_unseen = cells[value] == Cell::Unseen;
                work.extend(uses.of(value).iter().map(|&user| (user, Some(Change { cell: new.clone(), was_unseen }))));
                cells[value] = new;
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
fn places<D: Semantics>(function: &Function<D>, tree: &DominatorTree) -> Vec<Place> {
    let mut places = Vec::new();
    for block in function.blocks().filter(|&block| tree.is_reachable(block)) {
        let (num_phis, num_insts) = (function.block(block).phis().len(), function.block(block).insts().len());
        places.extend((0..num_phis as u32).map(|place| Place::Phi(block, place)));
        places.extend((0..num_insts as u32).map(|place| Place::Inst(block, place)));
    }
    places
}

fn used<D: Semantics>(function: &Function<D>, tree: &DominatorTree, place: Place) -> Vec<Value> {
    match place {
        Place::Phi(block, place) => operands(function, tree, block, place).collect(),
        Place::Inst(block, place) => {
            let inst = function.block(block).insts().get(place as usize);
            inst.map_or(Vec::new(), |inst| inst.args.iter().filter_map(value_of).collect())
        }
    }
}

/// The operands of a phi, but for edges that control cannot take.
fn operands<'f, D: Semantics>(
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
fn evaluated<D: Semantics>(
    function: &Function<D>,
    cells: &IdMap<Value, Cell<D::Constant>>,
    (place, used): (Place, &[Value]),
    changed: Option<Change<D::Constant>>,
    num_unseen: usize,
) -> Vec<(Value, Cell<D::Constant>)> {
    match place {
        Place::Phi(block, place) => {
            let Some(phi) = function.block(block).phis().get(place as usize) else { return Vec::new() };
            let cell = match changed {
                Some(Change { cell, .. }) => meet(cells[phi.value].clone(), &cell),
                None => used.iter().fold(Cell::Unseen, |met, &operand| meet(met, &cells[operand])),
            };
            vec![(phi.value, cell)]
        }
        Place::Inst(block, place) => {
            let Some(inst) = function.block(block).insts().get(place as usize) else { return Vec::new() };
            // All results have one cell, which does not change any more once it varies.
            if matches!(inst.results.first(), Some(&Dest::Value(value)) if cells[value] == Cell::Varying) {
                return Vec::new();
            }
            let is_varying = match changed {
                Some(Change { cell, .. }) => cell == Cell::Varying,
                None => used.len() < inst.args.len() || used.iter().any(|&arg| cells[arg] == Cell::Varying),
            };
            let cell = match num_unseen {
                _ if is_varying => Cell::Varying,
                0 => of_inst(&inst, cells),
                _ => return Vec::new(),
            };
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

/// What an instruction gives of which all arguments have been seen.
fn of_inst<D: Semantics>(inst: &InstRef<'_, D>, cells: &IdMap<Value, Cell<D::Constant>>) -> Cell<D::Constant> {
    let constant = |arg: &Arg| match value_of(arg).map(|value| &cells[value]) {
        Some(Cell::Known(constant)) => Some(constant.clone()),
        _ => None,
    };
    let Some(constants) = inst.args.iter().map(constant).collect::<Option<Vec<_>>>() else { return Cell::Varying };
    match (inst.action, &constants[..]) {
        (Action::Copy, [constant]) => Cell::Known(constant.clone()),
        (Action::Op(op), constants) if inst.results.len() == 1 && inst.targets.is_empty() => {
            D::evaluate(op, constants).map_or(Cell::Varying, Cell::Known)
        }
        _ => Cell::Varying,
    }
}
