//! From the beginning of a block up the dominator tree to where a variable may last have changed.

use super::ancestry::{Ancestry, ENTRY, NONE, Node};
use super::summary::Summaries;
use alloc::vec::Vec;
use ssaphire_graph::{IdMap, Variable};

/// A climb ends after so many rungs, whatever is there.
///
/// What is kept there goes on from there, once for all that come by: so a row of
/// exits that assign a variable is not passed again by each read below them.
const MAX_RUNGS: usize = 16;

/// By variable, the positions of the blocks that assign it, ascending. Rebuilding reuses memory.
#[derive(Debug, Default)]
pub(super) struct Writes {
    start: IdMap<Variable, u32>,
    positions: Vec<u32>,
}

impl Writes {
    /// Needs: every block summed up.
    pub(super) fn rebuild(&mut self, summaries: &Summaries, ancestry: &Ancestry, num_variables: usize) {
        let Self { start, positions } = self;
        // Starts are kept two places further on until they are summed, and one until they are filled.
        start.reset(num_variables + 2, 0);
        let mut count = 0;
        for (_, block) in ancestry.by_position() {
            for &(variable, _) in summaries.assigned(block) {
                start[Variable::new(variable.index() + 2)] += 1;
                count += 1;
            }
        }
        for index in 1..num_variables + 2 {
            let before = start[Variable::new(index - 1)];
            start[Variable::new(index)] += before;
        }
        positions.clear();
        positions.resize(count, 0);
        for (position, block) in ancestry.by_position() {
            for &(variable, _) in summaries.assigned(block) {
                let place = &mut start[Variable::new(variable.index() + 1)];
                positions[*place as usize] = position;
                *place += 1;
            }
        }
    }

    /// The positions of the blocks that assign `variable`, ascending.
    pub(super) fn of(&self, variable: Variable) -> &[u32] {
        let next = Variable::new(variable.index() + 1);
        &self.positions[self.start[variable] as usize..self.start[next] as usize]
    }
}

/// Where a climb ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// At the beginning of this block: other contents may arrive by its edges.
    Top(u32),
    /// At the end of this block, which assigns the variable.
    End(u32),
}

enum Rung {
    Place(Place),
    /// Nothing changes the variable between this block and where the rung began.
    Above(u32),
}

/// The highest place that is easily found from which the variable assigned at `writes` keeps its content until `from`.
///
/// The place dominates `from`; on every path, since the last time control was there, the variable was not assigned.
///
/// # Complexity
/// O(log *n*).
pub(super) fn climb(ancestry: &Ancestry, writes: &[u32], from: u32) -> Place {
    if writes.is_empty() {
        return Place::Top(ENTRY);
    }
    let mut at = from;
    for _ in 0..MAX_RUNGS {
        match rung(ancestry, writes, at) {
            Rung::Place(place) => return place,
            Rung::Above(above) => at = above,
        }
    }
    Place::Top(at)
}

/// One step of a climb: to the first dominator of `at` below which something may change, or else to
/// one that strictly dominates it.
fn rung(ancestry: &Ancestry, writes: &[u32], at: u32) -> Rung {
    let level = |number: u32| ancestry.node(number).level;
    let &Node { first, end, header, tangled, .. } = ancestry.node(at);
    let split = writes.partition_point(|&write| write < first);
    // The nearest writes in the layout on either side: nothing else can be below a dominator above which they are.
    let before = split.checked_sub(1).map(|index| writes[index]);
    let after = writes.get(split).copied();
    let left = before.map(|write| ancestry.highest(at, |node| node.first > write));
    let mut lowest = if after.is_some_and(|write| write < end) {
        // A write that `at` dominates comes back to every header on the way up.
        deeper(ancestry, header, tangled)
    } else {
        let right = after.map(|write| ancestry.highest(at, |node| node.end <= write));
        let Some(below) = left.into_iter().chain(right).max_by_key(|&number| level(number)) else {
            return Rung::Place(Place::Top(ENTRY));
        };
        deeper(ancestry, ancestry.node(ancestry.node(below).parent).header, ancestry.node(below).tangled)
    };
    let Some(left) = left else {
        return Rung::Place(Place::Top(if lowest == NONE { ENTRY } else { lowest }));
    };
    let &Node { parent: fork, low, high, .. } = ancestry.node(left);
    let next = writes.partition_point(|&write| write < low);
    if writes.get(next).is_some_and(|&write| write < high) {
        lowest = deeper(ancestry, lowest, left);
    }
    if lowest != NONE && level(lowest) > level(fork) {
        return Rung::Place(Place::Top(lowest));
    }
    let is_written = writes.binary_search(&ancestry.node(fork).first).is_ok();
    if is_written { Rung::Place(Place::End(fork)) } else { Rung::Above(fork) }
}

/// The one further down of two dominators of one block, either of which may be missing.
fn deeper(ancestry: &Ancestry, one: u32, other: u32) -> u32 {
    match (one, other) {
        (NONE, found) | (found, NONE) => found,
        _ if ancestry.node(one).level >= ancestry.node(other).level => one,
        _ => other,
    }
}
