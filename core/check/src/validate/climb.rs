//! Climbing the dominator tree from the top of a block, up to the last place where a variable may have been assigned.

use super::ancestry::{Ancestry, Node, Rpo};
use super::loops::Loops;
use super::summary::Summaries;
use ssaphire_graph::{IdLists, PackedOption, Variable};

/// By variable, the positions of the blocks that assign it, ascending. Rebuilding reuses memory.
#[derive(Debug, Default)]
pub(super) struct Writes {
    positions: IdLists<Variable, u32>,
}

impl Writes {
    /// Needs: the summary of every block.
    pub(super) fn rebuild(&mut self, summaries: &Summaries, ancestry: &Ancestry, num_variables: usize) {
        let writes = ancestry.by_position().flat_map(|(position, block)| {
            summaries.assigned(block).iter().map(move |&(variable, _)| (variable, position))
        });
        self.positions.rebuild(num_variables, writes);
    }

    /// The positions of the blocks that assign `variable`, ascending.
    pub(super) fn of(&self, variable: Variable) -> &[u32] {
        self.positions.of(variable)
    }
}

/// Where a climb ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// At the top of this block: its predecessors may supply different definitions.
    Top(Rpo),
    /// At the end of this block, which assigns the variable.
    End(Rpo),
}

/// Blocks to which control may come back from writes that they dominate.
#[derive(Clone, Copy)]
pub(super) enum Headers<'a> {
    /// All headers, and all members of groups.
    All,
    /// Those of loops in which this variable is assigned.
    Around(&'a Loops, Variable),
}

impl Headers<'_> {
    /// The nearest of them from the block upwards, if the block dominates such a write.
    fn above(self, ancestry: &Ancestry, block: Rpo) -> PackedOption<Rpo> {
        match self {
            Self::All => {
                let &Node { header, member, .. } = ancestry.node(block);
                deeper(ancestry, header, member)
            }
            Self::Around(loops, variable) => loops.around(ancestry, block, variable),
        }
    }

    /// Whether control may pass one of the writes on its way from the immediate dominator of the block to the block,
    /// in a block that a sibling dominates, or in a loop that is entered at the block.
    fn may_be_between(self, ancestry: &Ancestry, writes: &[u32], block: Rpo) -> bool {
        let &Node { low, mut high, .. } = ancestry.node(block);
        if let Self::Around(loops, variable) = self {
            if ancestry.is_grouped(block) {
                if loops.around(ancestry, block, variable) == block.into() {
                    return true;
                }
                // Writes in the group count only if its loop has one, which was just denied. The siblings that lead
                // to the group lie before it.
                high = ancestry.start_of_group(block);
            }
        }
        let next = writes.partition_point(|&write| write < low);
        writes.get(next).is_some_and(|&write| write < high)
    }
}

enum Rung {
    Place(Place),
    /// Nothing changes the variable between this block and where the rung began.
    Above(Rpo),
}

/// A place that dominates `from` such that no block between the two assigns the variable, which is assigned at
/// `writes`; not necessarily the highest one.
///
/// The climb ends after `max_rungs` in any case. The obligation that is kept there climbs further, once for all climbs
/// that arrive: so the reads below a row of exits that assign the variable do not pass all of these exits each.
///
/// # Complexity
/// O(`max_rungs` log *n*).
pub(super) fn climb(ancestry: &Ancestry, headers: Headers<'_>, writes: &[u32], from: Rpo, max_rungs: u32) -> Place {
    // Nothing assigns the variable: it has the content that it had at the entry.
    if writes.is_empty() {
        return Place::Top(Rpo::ENTRY);
    }
    let mut at = from;
    for _ in 0..max_rungs {
        match rung(ancestry, headers, writes, at) {
            Rung::Place(place) => return place,
            Rung::Above(above) => at = above,
        }
    }
    Place::Top(at)
}

/// One step of a climb: to the first dominator of `at` below which the variable may be assigned, or to one that
/// strictly dominates that.
fn rung(ancestry: &Ancestry, headers: Headers<'_>, writes: &[u32], at: Rpo) -> Rung {
    let level = |number: Rpo| ancestry.node(number).level;
    let &Node { first, end, .. } = ancestry.node(at);
    // A write in `at` itself comes after its top, so it reaches the top only along a back edge.
    let split = writes.partition_point(|&write| write < first);
    // The nearest writes in the layout, on either side. A dominator whose range of positions has neither of them has no
    // write below it: any other write is further away.
    let before = split.checked_sub(1).map(|index| writes[index]);
    let after = writes.get(split).copied();
    let is_below = after.is_some_and(|write| write < end);
    // If a write may reach any header along a back edge, the climb stops at the first header in any case, and writes
    // further on make no difference.
    let beyond = match (is_below, headers) {
        (false, _) => after,
        (true, Headers::All) => None,
        (true, Headers::Around(..)) => writes.get(writes.partition_point(|&write| write < end)).copied(),
    };
    let left = before.map(|write| ancestry.highest(at, |node| node.first > write));
    let right = beyond.map(|write| ancestry.highest(at, |node| node.end <= write));
    let below = left.into_iter().chain(right).max_by_key(|&number| level(number));
    let mut lowest = match below {
        // A write that `at` dominates may reach headers on the way up along their back edges.
        _ if is_below => headers.above(ancestry, at),
        Some(below) => {
            let &Node { parent, member, .. } = ancestry.node(below);
            let lowest = headers.above(ancestry, parent);
            if let Headers::All = headers { deeper(ancestry, lowest, member) } else { lowest }
        }
        None => return Rung::Place(Place::Top(Rpo::ENTRY)),
    };
    // Other headers that such a write may reach lie above the block that dominates both.
    let over = if let Headers::Around(..) = headers { below } else { left };
    // No write lies to the left, and one to the right reaches this place only along a back edge.
    let Some(over) = over else {
        return Rung::Place(Place::Top(lowest.expand().unwrap_or(Rpo::ENTRY)));
    };
    let fork = ancestry.node(over).parent;
    if headers.may_be_between(ancestry, writes, over) {
        lowest = deeper(ancestry, lowest, over.into());
    }
    if let Some(lowest) = lowest.expand().filter(|&lowest| level(lowest) > level(fork)) {
        return Rung::Place(Place::Top(lowest));
    }
    // The climb arrives from below the fork, and nothing below it assigns the variable: so an assignment in the fork
    // itself is the reaching one.
    let is_written = writes.binary_search(&ancestry.node(fork).first).is_ok();
    if is_written { Rung::Place(Place::End(fork)) } else { Rung::Above(fork) }
}

/// The one further down of two dominators of one block, either of which may be missing.
fn deeper(ancestry: &Ancestry, one: PackedOption<Rpo>, other: PackedOption<Rpo>) -> PackedOption<Rpo> {
    match (one.expand(), other.expand()) {
        (None, _) => other,
        (Some(one), Some(other)) if ancestry.node(one).level < ancestry.node(other).level => other.into(),
        _ => one,
    }
}
