//! The loops around a block, and those in which a variable is assigned.
//!
//! There are two kinds of loops here:
//! * the *natural loop* of a header is the header, and the blocks that it dominates from which a path leads back to it
//!   without leaving the blocks it dominates;
//! * the loop of a [group](super::ancestry) of siblings is its members, and the blocks that one of them dominates from
//!   which a path leads to a member without passing their parent.
//!
//! Both are strongly connected components of the blocks that some block dominates, with or without itself. So two loops
//! are nested or disjoint. In a second layout of the blocks, each loop is a range of *places*, so the places of the
//! blocks that assign a variable tell whether it is assigned in a loop.
//!
//! **Let `p` dominate a block and an assignment `w`, and `c` dominate `p` strictly. Control comes from `w` to `p`
//! without passing `c` only if `w` is in the loop of a dominator of `p` below `c`: in its natural loop, or in that of
//! its group.** Let `d` be the last dominator of `p`, from `c` down to `p`, such that the path stays in what `d`
//! dominates.
//! 1. If the path comes to `d`, then `d` is not `c`, and `w` is in the natural loop of `d`.
//! 2. Else `d` is not `p`. The path leaves what the next dominator dominates, and comes back to that by an edge from a
//!    sibling, without passing `d`: the two are in one group, and `w` is in its loop.
//!
//! Such a loop contains `p`, too. So only loops around `p` count; loops that control has left before do not, however
//! many there are.
//!
//! # Complexity
//! O(*e* log *n* + *n* + assignments) to find the loops and lay them out; O(log *n*) for each query.
//!
//! # Departures
//! Tarjan 1974 finds loops to test whether a graph is reducible, and stops if it is not. Here each header has its
//! natural loop in any graph, and groups, which are the entries of irreducible loops, have loops of their own.

use super::ancestry::{Ancestry, Rpo};
use super::summary::Summaries;
use alloc::vec::Vec;
use ssaphire_graph::{Block, FlatCfg, Id, IdLists, IdMap, PackedOption, Variable, internal_id};

internal_id!(
    /// Number of a loop: inner ones first.
    LoopId, "loop", Block::LIMIT
);

/// The header of a loop, or the group of its entries.
#[derive(Clone, Copy, Debug)]
enum Head {
    Header(Rpo),
    /// The members of the group of this number.
    Group(usize),
}

#[derive(Clone, Copy, Debug)]
struct Loop {
    head: Head,
    /// The loop around.
    around: PackedOption<LoopId>,
    /// One further out: a skew-binary jump pointer.
    jump: PackedOption<LoopId>,
    /// Number of loops around.
    level: u32,
    /// The range of the places of its blocks, which has no others.
    first: u32,
    end: u32,
    /// The place for the next block or loop in it.
    next: u32,
    /// Leads, in several steps, to the outermost loop found so far that this one is in.
    outer: LoopId,
}

/// The loops of a function. Rebuilding reuses memory.
#[derive(Debug, Default)]
pub(super) struct Loops {
    loops: IdMap<LoopId, Loop>,
    /// By block, the innermost loop that it is in.
    innermost: IdMap<Rpo, PackedOption<LoopId>>,
    pending: Vec<Rpo>,
    /// By place, the block there.
    layout: Vec<Rpo>,
    /// By variable, the places of the blocks that assign it, ascending.
    writes: IdLists<Variable, u32>,
}

impl Loops {
    /// Forgets the function.
    pub(super) fn clear(&mut self) {
        self.loops.clear();
    }

    /// Whether the loops of the function have been found.
    pub(super) fn are_known(&self) -> bool {
        !self.loops.is_empty()
    }

    /// Needs: every block summed up.
    pub(super) fn rebuild(&mut self, cfg: &FlatCfg, ancestry: &Ancestry, summaries: &Summaries, num_variables: usize) {
        self.find(cfg, ancestry);
        self.lay_out();
        let blocks = (0..).zip(self.layout.iter().map(|&number| ancestry.block(number)));
        let writes = blocks
            .flat_map(|(place, block)| summaries.assigned(block).iter().map(move |&(variable, _)| (variable, place)));
        self.writes.rebuild(num_variables, writes);
    }

    /// The dominator of the block, or itself, to which control comes back in the innermost loop around the block that
    /// assigns the variable.
    pub(super) fn around(&self, ancestry: &Ancestry, block: Rpo, variable: Variable) -> PackedOption<Rpo> {
        let Some(innermost) = self.innermost[block].expand() else { return PackedOption::NONE };
        let writes = self.writes.of(variable);
        let Loop { first, end, .. } = self.loops[innermost];
        let split = writes.partition_point(|&write| write < first);
        let before = split.checked_sub(1).map(|index| writes[index]);
        let after = writes.get(split).copied();
        // Loops around have ranges around this one, so the nearest assignment on either side decides for all of them.
        let has_none = |id: &LoopId| {
            let Loop { first, end, .. } = self.loops[*id];
            before.is_none_or(|write| write < first) && after.is_none_or(|write| write >= end)
        };
        if after.is_some_and(|write| write < end) {
            return self.entered_at(ancestry, block, innermost).into();
        }
        let mut at = innermost;
        loop {
            let Loop { around, jump, .. } = self.loops[at];
            match (jump.expand().filter(has_none), around.expand().filter(has_none)) {
                (Some(further), _) => at = further,
                (None, Some(next)) => at = next,
                // The next loop around has an assignment, or there is none.
                (None, None) => {
                    return around.expand().map(|around| self.entered_at(ancestry, block, around)).into();
                }
            }
        }
    }

    /// The dominator of the block, which is in the loop, by which control comes into it.
    fn entered_at(&self, ancestry: &Ancestry, block: Rpo, id: LoopId) -> Rpo {
        match self.loops[id].head {
            Head::Header(header) => header,
            Head::Group(group) => ancestry.member_above(group, block),
        }
    }

    /// Finds the innermost loop of each block: inner loops first, each of which is one block from then on.
    fn find(&mut self, cfg: &FlatCfg, ancestry: &Ancestry) {
        self.loops.clear();
        self.innermost.reset(ancestry.len(), PackedOption::NONE);
        let mut num_groups = ancestry.num_groups();
        for number in self.innermost.keys().rev() {
            if ancestry.is_header(number) {
                let id = self.begin(Head::Header(number));
                // The natural loop of a header lies in the loop of its group, so it comes first.
                self.join(id, number);
                let comes_back = |source: Rpo| ancestry.dominates(number, source);
                self.pending.extend(sources(cfg, ancestry, number).filter(|&source| comes_back(source)));
                self.join_all(cfg, ancestry, id);
            }
            // Whatever a group dominates has greater numbers than its first member.
            if num_groups > 0 && ancestry.group(num_groups - 1)[0] == number {
                num_groups -= 1;
                let id = self.begin(Head::Group(num_groups));
                for &member in ancestry.group(num_groups) {
                    self.join(id, member);
                    let comes_back = |source: &Rpo| ancestry.is_below_group(num_groups, *source);
                    self.pending.extend(sources(cfg, ancestry, member).filter(comes_back));
                }
                self.join_all(cfg, ancestry, id);
            }
        }
    }

    fn begin(&mut self, head: Head) -> LoopId {
        let none = PackedOption::NONE;
        let outer = LoopId::new(self.loops.len());
        self.loops.push(Loop { head, around: none, jump: none, level: 0, first: 0, end: 0, next: 0, outer })
    }

    /// Adds to the loop the blocks from which the pending ones are reached, unless they are in it.
    fn join_all(&mut self, cfg: &FlatCfg, ancestry: &Ancestry, id: LoopId) {
        while let Some(source) = self.pending.pop() {
            if self.outermost(source) == Some(id) {
                continue;
            }
            // Sources of a block that the head strictly dominates are dominated by it, too, so the walk does not
            // leave the loop by them.
            match self.join(id, source) {
                None => self.pending.extend(sources(cfg, ancestry, source)),
                Some(Head::Header(header)) => self.pending.extend(sources(cfg, ancestry, header)),
                Some(Head::Group(group)) => {
                    let members = ancestry.group(group).iter();
                    self.pending.extend(members.flat_map(|&member| sources(cfg, ancestry, member)));
                }
            }
        }
    }

    /// Adds the outermost loop around the block to this one, or the block if it is in no loop. Returns the head of the
    /// loop added.
    fn join(&mut self, id: LoopId, block: Rpo) -> Option<Head> {
        let Some(inner) = self.outermost(block) else {
            self.innermost[block] = id.into();
            return None;
        };
        let inner = &mut self.loops[inner];
        (inner.around, inner.outer) = (id.into(), id);
        Some(inner.head)
    }

    /// The outermost loop that the block is in so far. Halves the path on the way.
    fn outermost(&mut self, block: Rpo) -> Option<LoopId> {
        let mut at = self.innermost[block].expand()?;
        while self.loops[at].outer != at {
            let next = self.loops[self.loops[at].outer].outer;
            self.loops[at].outer = next;
            at = next;
        }
        Some(at)
    }

    /// Gives every block its place, and every loop its range and its jump pointer.
    fn lay_out(&mut self) {
        let Self { loops, innermost, layout, .. } = self;
        // The sizes of loops first, then where they begin: the loop around a loop has a greater number.
        for id in innermost.values().filter_map(|id| id.expand()) {
            loops[id].end += 1;
        }
        for id in loops.keys() {
            if let Some(around) = loops[id].around.expand() {
                loops[around].end += loops[id].end;
            }
        }
        let mut next_alone = 0;
        // From the outermost loops inwards: a loop takes its range from the one around, which has its own by then.
        for id in loops.keys().rev() {
            let Loop { around, end: size, .. } = loops[id];
            let first = match around.expand() {
                Some(around) => {
                    let Loop { level, jump, .. } = loops[around];
                    let further = jump.expand().map(|further| (loops[further].level, loops[further].jump));
                    let is_even = further.is_some_and(|(at, over)| {
                        over.expand().is_some_and(|over| level - at == at - loops[over].level)
                    });
                    loops[id].level = level + 1;
                    loops[id].jump =
                        if is_even { further.map_or(PackedOption::NONE, |(_, over)| over) } else { around.into() };
                    take(&mut loops[around].next, size)
                }
                None => take(&mut next_alone, size),
            };
            let data = &mut loops[id];
            (data.first, data.end, data.next) = (first, first + size, first);
        }
        layout.clear();
        layout.resize(innermost.len(), Rpo::ENTRY);
        for (number, id) in innermost.iter() {
            let next = id.expand().map_or(&mut next_alone, |id| &mut loops[id].next);
            layout[take(next, 1) as usize] = number;
        }
    }
}

/// Takes `count` places. Returns the first of them.
fn take(next: &mut u32, count: u32) -> u32 {
    let first = *next;
    *next += count;
    first
}

/// The sources of reachable edges into the block.
fn sources(cfg: &FlatCfg, ancestry: &Ancestry, block: Rpo) -> impl Iterator<Item = Rpo> {
    cfg.incoming(ancestry.block(block)).iter().filter_map(|&edge| ancestry.number(cfg.source(edge)))
}
