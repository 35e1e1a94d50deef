//! Which loops a block is in, and in which of them a variable is assigned.
//!
//! The *natural loop* of a header is the header, and the blocks that it dominates from which control comes back to it without
//! leaving what it dominates. Two natural loops are one in the other, or apart: blocks are laid out once more, so that each
//! loop is a range of *places*, its header first. So whether a variable is assigned in a loop is read off the places of the
//! blocks that assign it.
//!
//! **Let `p` dominate a block and an assignment `w`, and `c` dominate `p` strictly. Control comes from `w` to `p` without passing
//! `c` only if `w` is in the natural loop of `p`, or of a dominator of `p` below `c`; or if one of these is entered by a
//! sibling edge below a [tangled](super::ancestry) parent.** Let `d` be the last dominator of `p`, from `c` down to `p`, such
//! that the path stays in what `d` dominates.
//! 1. If the path comes to `d`, then `d` is not `c`, and `w` is in the natural loop of `d`.
//! 2. Else `d` is not `p`. The path leaves what the next dominator dominates, and comes back to that by an edge from a
//!    sibling: the two lie on a cycle of sibling edges.
//!
//! A header in whose natural loop `w` is has `p` in it, too, since `p` dominates `w`. So only loops around `p` count, and all
//! loops that were left before count for nothing, however many they are.
//!
//! # Complexity
//! O(*e* log *n* + *n* + assignments) to find the loops and lay them out; O(log *n*) for each question.
//!
//! # Departures
//! Tarjan 1974 finds loops to test whether a graph is reducible, and stops where it is not. Here each header has its natural loop
//! in any graph; loops with other ways in are left to what is tangled.

use super::ancestry::{Ancestry, Rpo};
use super::summary::Summaries;
use alloc::vec::Vec;
use ssaphire_graph::{FlatCfg, Id, IdLists, IdMap, PackedOption, Variable};

/// A block in the tree of loops.
#[derive(Clone, Copy, Debug)]
struct Member {
    /// The header of the innermost loop around the block; of a header, around its loop.
    around: PackedOption<Rpo>,
    /// One further out: a skew-binary jump pointer.
    jump: PackedOption<Rpo>,
    /// Number of loops around.
    level: u32,
    /// The place of the block, and of a header where its loop ends.
    first: u32,
    end: u32,
}

/// The natural loops of a function. Rebuilding reuses memory.
#[derive(Debug, Default)]
pub(super) struct Loops {
    members: IdMap<Rpo, Member>,
    /// Leads from each block, in several steps, to the header of the outermost loop found so far that the block is in.
    outer: IdMap<Rpo, Rpo>,
    pending: Vec<Rpo>,
    /// By place, the block there.
    layout: Vec<Rpo>,
    /// By variable, the places of the blocks that assign it, ascending.
    writes: IdLists<Variable, u32>,
}

impl Loops {
    /// Forgets the function.
    pub(super) fn clear(&mut self) {
        self.members.clear();
    }

    /// Whether the loops of the function have been found.
    pub(super) fn are_known(&self) -> bool {
        !self.members.is_empty()
    }

    /// Needs: every block summed up.
    pub(super) fn rebuild(&mut self, cfg: &FlatCfg, ancestry: &Ancestry, summaries: &Summaries, num_variables: usize) {
        self.find(cfg, ancestry);
        self.lay_out(ancestry);
        let blocks = (0..).zip(self.layout.iter().map(|&number| ancestry.block(number)));
        let writes = blocks
            .flat_map(|(place, block)| summaries.assigned(block).iter().map(move |&(variable, _)| (variable, place)));
        self.writes.rebuild(num_variables, writes);
    }

    /// The header of the innermost loop around the block, or its own, in which the variable is assigned.
    pub(super) fn around(&self, ancestry: &Ancestry, block: Rpo, variable: Variable) -> PackedOption<Rpo> {
        let own = if ancestry.is_header(block) { block.into() } else { self.members[block].around };
        let Some(innermost) = own.expand() else { return PackedOption::NONE };
        let writes = self.writes.of(variable);
        let Member { first, end, .. } = self.members[innermost];
        let split = writes.partition_point(|&write| write < first);
        let before = split.checked_sub(1).map(|index| writes[index]);
        let after = writes.get(split).copied();
        let has_none = |header: &Rpo| {
            let Member { first, end, .. } = self.members[*header];
            before.is_none_or(|write| write < first) && after.is_none_or(|write| write >= end)
        };
        if after.is_some_and(|write| write < end) {
            return innermost.into();
        }
        let mut at = innermost;
        loop {
            let Member { around, jump, .. } = self.members[at];
            match (jump.expand().filter(has_none), around.expand().filter(has_none)) {
                (Some(further), _) => at = further,
                (None, Some(next)) => at = next,
                (None, None) => return around,
            }
        }
    }

    /// Finds the innermost loop around each block: inner loops first, each of which is one block from then on.
    fn find(&mut self, cfg: &FlatCfg, ancestry: &Ancestry) {
        let Self { members, outer, pending, .. } = self;
        let alone = Member { around: PackedOption::NONE, jump: PackedOption::NONE, level: 0, first: 0, end: 0 };
        members.reset(ancestry.len(), alone);
        outer.clear();
        outer.extend(members.keys());
        for header in members.keys().rev() {
            if !ancestry.is_header(header) {
                continue;
            }
            let sources = |block: Rpo| {
                let edges = cfg.incoming(ancestry.block(block)).iter();
                edges.filter_map(|&edge| ancestry.number(cfg.source(edge)))
            };
            pending.extend(sources(header).filter(|&source| ancestry.dominates(header, source)));
            while let Some(source) = pending.pop() {
                let block = outermost(outer, source);
                if block != header {
                    members[block].around = header.into();
                    outer[block] = header;
                    pending.extend(sources(block));
                }
            }
        }
    }

    /// Gives every block its place, and its jump pointer.
    fn lay_out(&mut self, ancestry: &Ancestry) {
        let Self { members, layout, .. } = self;
        let len = ancestry.len();
        layout.clear();
        layout.resize(len, Rpo::ENTRY);
        // The sizes of loops, then where they begin: what is around a block has a smaller number.
        let numbers = || (0..len).map(Rpo::new);
        for number in numbers().rev() {
            members[number].end += 1;
            if let Some(around) = members[number].around.expand() {
                members[around].end += members[number].end;
            }
        }
        let mut next_alone = 0;
        for number in numbers() {
            let Member { around, end: size, .. } = members[number];
            let next = match around.expand() {
                Some(around) => {
                    let Member { level, jump, .. } = members[around];
                    let further = jump.expand().map(|further| (members[further].level, members[further].jump));
                    let is_even = further.is_some_and(|(at, over)| {
                        over.expand().is_some_and(|over| level - at == at - members[over].level)
                    });
                    let member = &mut members[number];
                    member.level = level + 1;
                    member.jump =
                        if is_even { further.map_or(PackedOption::NONE, |(_, over)| over) } else { around.into() };
                    &mut members[around].first
                }
                None => &mut next_alone,
            };
            let first = *next;
            *next += size;
            layout[first as usize] = number;
            // Until all members have their places, `first` of a header is that of the next one.
            members[number].first = first + 1;
            members[number].end = first + size;
        }
        for (place, &number) in (0..).zip(&*layout) {
            members[number].first = place;
        }
    }
}

/// The header of the outermost loop that the block is in so far, or itself. Halves the path on the way.
fn outermost(outer: &mut IdMap<Rpo, Rpo>, block: Rpo) -> Rpo {
    let mut at = block;
    while outer[at] != at {
        let next = outer[outer[at]];
        outer[at] = next;
        at = next;
    }
    at
}
