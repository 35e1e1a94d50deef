//! Constants are propagated, and `if`s on them decided.
//!
//! A sweep goes over the blocks in order, and over those of closures where they are made; it is repeated as long as it decides an
//! `if`. A phi is a constant if all of its operands are; one that waits for a back edge never is.

mod evaluate;

use super::function::{ClosureId, HirFunction, Phi, Place};
use super::merge::merge_consecutive_blocks;
use super::order;
use super::redundant::eliminate_in;
use super::terminal::Terminal;
use super::value::Global;
use crate::function::BlockKind;
use foldhash::{HashMap, HashMapExt};
use ssaphire_js::dialect::Constant;

/// Whether a phi of `0` and `-0` is a constant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ZeroSigns {
    /// It is none: `1 / v` tells them apart.
    #[default]
    Distinct,
    /// It is one, as in React Compiler 1.0.0, which gets this wrong.
    AsInReact100,
}

/// What is known of a place.
#[derive(Clone, Debug)]
enum Known {
    Constant(Constant),
    Global(Global),
}

type Constants = HashMap<Place, Known>;

/// Propagates constants through the nest.
pub fn constant_propagation(nest: &mut HirFunction, signs: ZeroSigns) {
    let mut constants = Constants::new();
    let mut frames = vec![Frame::new(ClosureId::OUTERMOST)];
    while let Some(frame) = frames.last_mut() {
        match sweep(nest, frame, &mut constants, signs) {
            Some(closure) => frames.push(Frame::new(closure)),
            None if frame.has_decided => {
                clean_up(nest, frame.function);
                *frame = Frame::new(frame.function);
            }
            None => drop(frames.pop()),
        }
    }
}

/// A function that is being swept.
struct Frame {
    function: ClosureId,
    position: usize,
    /// The position of the next instruction, from when the phis are done.
    next: Option<usize>,
    has_decided: bool,
}

impl Frame {
    fn new(function: ClosureId) -> Self {
        Self { function, position: 0, next: None, has_decided: false }
    }
}

/// Goes on until the next closure, or to the end of the function.
fn sweep(nest: &mut HirFunction, frame: &mut Frame, constants: &mut Constants, signs: ZeroSigns) -> Option<ClosureId> {
    while let Some(&id) = nest.function(frame.function).order.get(frame.position) {
        let Some(block) = nest.block_mut(id) else {
            frame.position += 1;
            continue;
        };
        if frame.next.is_none() {
            for phi in &block.phis {
                if let Some(known) = phi_constant(phi, constants, signs) {
                    constants.insert(phi.place, known);
                }
            }
        }
        let mut next = frame.next.unwrap_or(0);
        // The last value of a sequence is that of the sequence: it stays.
        let end =
            block.instructions.len() - usize::from(block.kind == BlockKind::Sequence && !block.instructions.is_empty());
        while next < end {
            let instruction = &mut block.instructions[next];
            next += 1;
            if let Some(known) = evaluate::instruction(&mut instruction.value, constants) {
                constants.insert(instruction.place, known);
            }
            if let Some(closure) = instruction.value.closure() {
                frame.next = Some(next);
                return Some(closure);
            }
        }
        if let Terminal::If { test, consequent, alternate, .. } = block.terminal
            && let Some(Known::Constant(test)) = constants.get(&test)
        {
            block.terminal = Terminal::goto(if test.is_truthy() { consequent } else { alternate });
            frame.has_decided = true;
        }
        (frame.position, frame.next) = (frame.position + 1, None);
    }
    None
}

fn phi_constant(phi: &Phi, constants: &Constants, signs: ZeroSigns) -> Option<Known> {
    let mut operands = phi.operands.iter().map(|(_, operand)| constants.get(operand));
    let first = operands.next()??;
    operands.all(|operand| operand.is_some_and(|operand| is_same(operand, first, signs))).then(|| first.clone())
}

fn is_same(a: &Known, b: &Known, signs: ZeroSigns) -> bool {
    match (a, b) {
        (Known::Global(a), Known::Global(b)) => a.name() == b.name(),
        (Known::Constant(a), Known::Constant(b)) => match (a.as_number(), b.as_number()) {
            (Some(x), Some(y)) => x == y && (signs == ZeroSigns::AsInReact100 || a == b),
            _ => a == b,
        },
        _ => false,
    }
}

/// Drops what decided `if`s have left unreachable.
fn clean_up(nest: &mut HirFunction, function: ClosureId) {
    let blocks = nest.function(function).order.clone();
    order::reorder(nest, function, &blocks);
    order::remove_what_is_unreachable(nest, function);
    order::number(nest, function);
    order::find_predecessors(nest, function);
    for id in nest.function(function).order.clone() {
        let Some(block) = nest.block_mut(id) else { continue };
        let predecessors = &block.predecessors;
        for phi in &mut block.phis {
            phi.operands.retain(|(from, _)| predecessors.contains(from));
        }
    }
    eliminate_in(nest, function);
    merge_consecutive_blocks(nest, function);
}
