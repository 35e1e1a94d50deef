//! Phis that merge one value with themselves.

use super::function::{BlockId, ClosureId, HirFunction, Phi, Place};
use foldhash::{HashSet, HashSetExt};

/// Replaces phis of one operand, other than themselves, by that operand, until there are none.
///
/// It sweeps the blocks of a function in order, and those of its closures where they are made; again, as long as a sweep finds
/// such a phi, if there is a back edge.
pub fn eliminate_redundant_phi(nest: &mut HirFunction) {
    eliminate_in(nest, ClosureId::OUTERMOST);
}

pub(super) fn eliminate_in(nest: &mut HirFunction, function: ClosureId) {
    let mut rewrites = Rewrites { replaced_by: vec![None; nest.identifiers.len()], count: 0 };
    let mut frames = vec![Frame::new(nest, function, &rewrites)];
    while let Some(frame) = frames.last_mut() {
        match sweep(nest, frame, &mut rewrites) {
            Some(closure) => frames.push(Frame::new(nest, closure, &rewrites)),
            None if frame.has_back_edge && rewrites.count > frame.count => {
                (frame.position, frame.next, frame.count) = (0, None, rewrites.count);
            }
            None => drop(frames.pop()),
        }
    }
}

struct Rewrites {
    replaced_by: Vec<Option<Place>>,
    count: usize,
}

impl Rewrites {
    fn rewrite(&self, place: &mut Place) {
        if let Some(by) = self.replaced_by.get(place.index()).copied().flatten() {
            *place = by;
        }
    }
}

/// A function that is being swept.
struct Frame {
    function: ClosureId,
    /// The position of the current block.
    position: usize,
    /// The position of the next instruction, from when the phis are done.
    next: Option<usize>,
    has_back_edge: bool,
    /// How many rewrites there were when the sweep began.
    count: usize,
}

impl Frame {
    fn new(nest: &HirFunction, function: ClosureId, rewrites: &Rewrites) -> Self {
        let has_back_edge = has_back_edge(nest, function);
        Self { function, position: 0, next: None, has_back_edge, count: rewrites.count }
    }
}

fn has_back_edge(nest: &HirFunction, function: ClosureId) -> bool {
    let mut before: HashSet<BlockId> = HashSet::new();
    for &id in &nest.function(function).order {
        let Some(block) = nest.block(id) else { continue };
        if block.predecessors.iter().any(|predecessor| !before.contains(predecessor)) {
            return true;
        }
        before.insert(id);
    }
    false
}

/// Goes on until the next closure, or to the end of the function.
fn sweep(nest: &mut HirFunction, frame: &mut Frame, rewrites: &mut Rewrites) -> Option<ClosureId> {
    while let Some(&id) = nest.function(frame.function).order.get(frame.position) {
        let Some(block) = nest.block_mut(id) else {
            frame.position += 1;
            continue;
        };
        if frame.next.is_none() {
            block.phis.retain_mut(|phi| is_needed(phi, rewrites));
        }
        let mut next = frame.next.unwrap_or(0);
        while let Some(instruction) = block.instructions.get_mut(next) {
            next += 1;
            instruction.value.targets(&mut |place| rewrites.rewrite(place));
            rewrites.rewrite(&mut instruction.place);
            instruction.value.operands(&mut |place| rewrites.rewrite(place));
            if let Some(closure) = instruction.value.closure() {
                let context = &mut nest.functions[closure.index()].context;
                context.iter_mut().for_each(|place| rewrites.rewrite(place));
                frame.next = Some(next);
                return Some(closure);
            }
        }
        block.terminal.operands(&mut |place| rewrites.rewrite(place));
        (frame.position, frame.next) = (frame.position + 1, None);
    }
    None
}

/// Whether a phi merges two values; if not, it is one of them from now on.
fn is_needed(phi: &mut Phi, rewrites: &mut Rewrites) -> bool {
    let mut same = None;
    for (_, operand) in &mut phi.operands {
        rewrites.rewrite(operand);
    }
    for &(_, operand) in &phi.operands {
        if operand != phi.place && same.is_some_and(|same| same != operand) {
            return true;
        }
        if operand != phi.place {
            same = Some(operand);
        }
    }
    let Some(same) = same else { return true };
    let slot = &mut rewrites.replaced_by[phi.place.index()];
    rewrites.count += usize::from(slot.is_none());
    *slot = Some(same);
    false
}
