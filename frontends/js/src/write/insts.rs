//! What instructions do: operations, handlers, and the blocks that they lead to.

use crate::dialect::{Element, Js, Op, Opcode, PatternPart};
use ssaphire_ir::{Action, Block, Function, InstRef, Semantics};

/// All instructions of a function, by block.
pub(super) fn all_insts(function: &Function<Js>) -> impl Iterator<Item = InstRef<'_, Js>> {
    function.blocks().flat_map(|block| function.block(block).insts().iter())
}

/// The operation of an instruction.
pub(super) fn op_of(inst: InstRef<'_, Js>) -> Option<&Op> {
    match inst.action {
        Action::Op(op) => Some(op),
        Action::Copy => None,
    }
}

/// The handler that an exception of an instruction goes to.
pub(super) fn handler_of(inst: InstRef<'_, Js>) -> Option<Block> {
    match op_of(inst)?.opcode {
        Opcode::Throw | Opcode::ThrowError => inst.targets.first().copied(),
        opcode if opcode.may_throw() => inst.targets.get(1).copied(),
        _ => None,
    }
}

/// Whether an operation may throw, as it is.
pub(super) fn may_throw(op: &Op) -> bool {
    Js::properties(op).may_throw || matches!(op.opcode, Opcode::Throw | Opcode::ThrowError)
}

/// The blocks that an instruction leads to without an exception.
pub(super) fn next_of(inst: InstRef<'_, Js>) -> &[Block] {
    match op_of(inst).map(|op| op.opcode) {
        Some(Opcode::Throw | Opcode::ThrowError) => &[],
        Some(opcode) if opcode.may_throw() => inst.targets.get(..1).unwrap_or_default(),
        _ => inst.targets,
    }
}

/// Whether what is caught is read in the first instruction of `block`.
pub(super) fn is_handler(function: &Function<Js>, block: Block) -> bool {
    let first = function.block(block).insts().get(0).and_then(op_of);
    first.is_some_and(|op| op.opcode == Opcode::Catch)
}

/// How many arguments an element takes.
pub(super) fn num_args(element: &Element) -> usize {
    match element {
        Element::Value(_) | Element::Spread | Element::Proto => 1,
        Element::Computed => 2,
        Element::Method(method) => usize::from(method.name.is_none()) + method.cells as usize,
        Element::Tag(name) => usize::from(name.as_escaped().is_empty()),
        Element::Hole | Element::Bare(_) | Element::Text(_) | Element::Children => 0,
    }
}

/// The arguments of a pattern that are cells, by their numbers.
pub(super) fn cells_of_pattern(parts: &[PatternPart]) -> impl Iterator<Item = usize> + '_ {
    // The value that is taken apart is the first argument.
    let mut next = 1;
    parts.iter().filter_map(move |part| {
        let first = next;
        next += part.num_args();
        (*part == PatternPart::Cell).then_some(first)
    })
}
