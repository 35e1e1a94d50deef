//! The variables written between a join and its dominator, exactly.
//!
//! Masks have 64 bits, so if many variables are written, a lookup may follow all edges of a join although the variable
//! is not written in between. Then the exact set is computed: a walk back from the sources of the join to its dominator
//! lists the variables that the blocks on the way write. From then on lookups of all other variables pass the join,
//! even if they share a bit with a written one.
//!
//! Only `history` needs this. While there are rows, a join is decided once for each cell, so edges followed needlessly
//! cost no more than the cells.
//!
//! # Complexity
//! A walk takes at most [`Thresholds::region_steps_per_edge`](crate::Thresholds::region_steps_per_edge) steps for each
//! edge followed needlessly. If that is not enough, the next walk may take twice as many. So walks, and their lists,
//! cost as much as the needless lookups before them, up to a constant factor. A join with a list is passed in O(log
//! *w*), with *w* variables listed.
//!
//! # Departures
//! Not in Braun et al. 2013, whose construction uses no dominators.

use super::Builder;
use super::node_id::NodeId;
use crate::error::Stopped;
use crate::observe::Observer;
use crate::protocol::State;
use alloc::vec::Vec;
use ssaphire_graph::{IdMap, PackedOption, Variable, internal_id};

internal_id!(
    /// A join whose edges have been followed needlessly.
    RegionId, "region"
);

/// The paths from the dominator of a join to its top.
#[derive(Clone, Debug, Default)]
struct Region {
    /// Number of edges followed needlessly, and the number at which the next walk is due.
    num_needless: u64,
    next_walk: u64,
    /// The variables written on the paths, ascending, if they are known.
    written: Option<Vec<Variable>>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Regions {
    by_join: IdMap<NodeId, PackedOption<RegionId>>,
    regions: IdMap<RegionId, Region>,
    /// By block, the last walk that has passed it.
    passed: IdMap<NodeId, u32>,
    num_walks: u32,
    pending: Vec<NodeId>,
}

impl Regions {
    pub(super) fn clear(&mut self) {
        self.by_join.clear();
        self.regions.clear();
        self.passed.clear();
        self.num_walks = 0;
    }

    /// The region of the join, if its edges have been followed needlessly.
    fn of(&self, top: NodeId) -> Option<&Region> {
        self.by_join.get(top)?.expand().map(|id| &self.regions[id])
    }

    fn of_mut(&mut self, top: NodeId) -> &mut Region {
        self.by_join.grow_to(top, PackedOption::NONE);
        let id = self.by_join[top].expand().unwrap_or_else(|| {
            let id = self.regions.push(Region::default());
            self.by_join[top] = id.into();
            id
        });
        &mut self.regions[id]
    }

    /// Marks the block as passed by this walk. Returns whether it was before.
    fn has_passed(&mut self, node: NodeId) -> bool {
        self.passed.grow_to(node, 0);
        core::mem::replace(&mut self.passed[node], self.num_walks) == self.num_walks
    }
}

impl<O: Observer> Builder<O> {
    /// Whether it is known that nothing writes the variable between the dominator of a join, which has `num_in` edges,
    /// and its top.
    #[inline]
    pub(super) fn is_unwritten_exactly(&self, top: NodeId, num_in: usize, variable: Variable) -> bool {
        self.defs.is_sparse() && self.is_known_unwritten(top, num_in, variable)
    }

    #[inline(never)]
    fn is_known_unwritten(&self, top: NodeId, num_in: usize, variable: Variable) -> bool {
        let Some(up) = self.tree.dominator(top) else { return false };
        let is_asked = num_in >= self.options.thresholds.region_edges;
        self.defs.is_unwritten_below(&self.tree, up, top, variable) || (is_asked && self.region_lacks(top, variable))
    }

    fn region_lacks(&self, top: NodeId, variable: Variable) -> bool {
        let written = self.regions.of(top).and_then(|region| region.written.as_ref());
        written.is_some_and(|written| written.binary_search(&variable).is_err())
    }

    /// Notes that the edges of a join have been followed for a variable that has the same value at all its sources.
    #[inline]
    pub(super) fn note_needless_edges(&mut self, top: NodeId, num_in: usize) -> Result<(), Stopped> {
        if num_in >= self.options.thresholds.region_edges && self.defs.is_sparse() {
            self.ask_region(top, num_in as u64)?;
        }
        self.num_needless += num_in as u64;
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn ask_region(&mut self, top: NodeId, num_edges: u64) -> Result<(), Stopped> {
        let steps_per_edge = u64::from(self.options.thresholds.region_steps_per_edge);
        let region = self.regions.of_mut(top);
        region.num_needless += num_edges;
        // A list stays right: all blocks on the ways are filled, as the join is linked.
        if region.written.is_some() || region.num_needless < region.next_walk {
            return Ok(());
        }
        let max_steps = region.num_needless.saturating_mul(steps_per_edge);
        // Doubled, so that all walks together take at most twice the steps that the last one may take.
        region.next_walk = region.num_needless.saturating_mul(2);
        let (written, num_steps) = self.walk_region(top, max_steps);
        self.regions.of_mut(top).written = written;
        self.spend(num_steps)
    }

    /// The variables written between the dominator of the block and its top, unless that takes more steps or some of
    /// the blocks are not sealed; and the steps that it took.
    fn walk_region(&mut self, top: NodeId, max_steps: u64) -> (Option<Vec<Variable>>, u64) {
        let mut pending = core::mem::take(&mut self.regions.pending);
        pending.clear();
        self.regions.num_walks += 1;
        let mut walk = Walk { pending, written: Vec::new(), num_steps: 0, max_steps };
        let is_known = self.go_back_from(top, &mut walk).is_some();
        let Walk { pending, mut written, num_steps, .. } = walk;
        self.regions.pending = pending;
        written.sort_unstable();
        written.dedup();
        (is_known.then_some(written), num_steps)
    }

    /// Lists the variables written on the paths back from the top of the block to its dominator; `None` if the walk
    /// has to be given up.
    fn go_back_from(&mut self, top: NodeId, walk: &mut Walk) -> Option<()> {
        let end = self.tree.dominator(top)?;
        walk.go_to(self.sources_of_sealed(top)?)?;
        while let Some(at) = walk.pending.pop() {
            if at == end || self.regions.has_passed(at) {
                continue;
            }
            walk.list(self.defs.written_in(at))?;
            // The join itself is on a way if a loop leads back to it. Its sources are pending already.
            if at == top {
                continue;
            }
            // All other sources lie below `end` (invariant 2), so a root is in unreachable code, whose edges are not
            // left out here.
            let up = self.tree.dominator(at)?;
            // A block with one edge that was known when its node was created has noted no edges; but nothing is
            // written between it and its dominator, so they are not needed.
            if self.tree.between(at).is_empty() { walk.go_to(&[up])? } else { walk.go_to(self.sources_of_sealed(at)?)? }
        }
        Some(())
    }

    /// The nodes of the sources of a sealed block.
    fn sources_of_sealed(&self, node: NodeId) -> Option<&[NodeId]> {
        let data = self.blocks.get(self.tree.block(node));
        let is_sealed = data.state.has(State::SEALED);
        is_sealed.then(|| self.joins.sources(data.own.first_edge as usize, data.num_in as usize))
    }
}

/// A walk in progress.
struct Walk {
    pending: Vec<NodeId>,
    written: Vec<Variable>,
    num_steps: u64,
    max_steps: u64,
}

impl Walk {
    /// Adds these blocks to the walk, unless that takes too many steps.
    fn go_to(&mut self, blocks: &[NodeId]) -> Option<()> {
        self.spend(blocks.len())?;
        self.pending.extend_from_slice(blocks);
        Some(())
    }

    /// Lists the variables, unless that takes too many steps.
    fn list(&mut self, mut variables: impl Iterator<Item = Variable>) -> Option<()> {
        variables.try_for_each(|variable| {
            self.written.push(variable);
            self.spend(1)
        })
    }

    fn spend(&mut self, num_steps: usize) -> Option<()> {
        self.num_steps += num_steps as u64;
        (self.num_steps <= self.max_steps).then_some(())
    }
}
