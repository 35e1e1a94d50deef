//! Linking: puts a sealed block below its dominator.
//!
//! If its dominator is not known yet, the block waits for the root of a tree in which some of its sources lie.
//! Meanwhile, phis at its top are incomplete, as in a block that is not sealed.
//! Blocks that wait for one another alone are linked [together](super::group).
//!
//! Edges from unreachable code do not count.

use super::Builder;
use super::dominators::Meeting;
use super::group::Group;
use super::node_id::NodeId;
use crate::error::{Call, CallError, InCall, Stopped};
use crate::host::PhiHost;
use crate::observe::Observer;
use crate::protocol::State;
use alloc::vec::Vec;
use core::ops::Range;
use ssaphire_graph::{Block, IdMap, IdSet, PackedOption};

/// Memory of linking.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// By block that has been checked, how many of its sources are known to lie in one tree.
    agreeing: IdMap<Block, Agreeing>,
    /// Sources that are not known to be unreachable: each block's by operand index, on top of those before.
    pub(super) sources: Vec<NodeId>,
    /// The roots above the sources checked last.
    pub(super) roots: Vec<NodeId>,
    /// Blocks that wait for one another, as a list and as a set.
    pub(super) group: Vec<Block>,
    pub(super) in_group: IdSet<Block>,
    /// Blocks that are linked together, with their sources, as a range of their own.
    pub(super) members: Vec<(NodeId, Block, Range<usize>)>,
    /// Where the sources of each meet.
    pub(super) meetings: Vec<Meeting>,
    /// Blocks from the start to the end of a chain.
    chain: Vec<Block>,
}

/// Sources of a block that lie in one tree, but for those that are unreachable.
#[derive(Clone, Copy, Debug, Default)]
struct Agreeing {
    /// The first of them that was not known to be unreachable.
    first: usize,
    /// All sources before this one belong to them.
    end: usize,
}

impl Scratch {
    pub(super) fn clear(&mut self) {
        self.agreeing.clear();
        self.sources.clear();
    }
}

impl<O: Observer> Builder<O> {
    /// Links a block that has been sealed, and those that have waited for it.
    pub(super) fn link(&mut self, block: Block) {
        let data = self.blocks.get(block);
        match (data.num_in, data.own.node.expand()) {
            // A root for good: its tree is unreachable, so it is in no other block's way.
            (0, _) => self.waiting.wake(block),
            // A block with one predecessor shares its definitions: no climb is needed, and no phi takes operands along
            // its edge.
            (1, None) => {
                let own = &mut self.blocks.get_mut(block).own;
                own.node = own.above;
            }
            // Another root for good: no definition reaches it from its sources, which are unreachable, too.
            (num_in, _) if data.state.has(State::CUT_OFF) => {
                self.blocks.get_mut(block).own.above = PackedOption::NONE;
                self.note_edges(block, num_in as usize);
                self.waiting.wake(block);
            }
            (num_in, node) => {
                self.link_at(block, num_in, node);
            }
        }
        self.link_again();
    }

    /// Links a join that has been sealed and has no node, so that no block waits for it.
    #[inline(never)]
    pub(super) fn link_new(&mut self, host: &mut dyn PhiHost, block: Block, num_in: u32) -> Result<(), CallError> {
        let num_steps = self.tree.num_steps;
        let is_linked = self.link_at(block, num_in, None);
        let mut result = self.spend(self.tree.num_steps - num_steps);
        if !is_linked {
            result = result.and_then(|()| self.complete_released(host));
        }
        result.in_call(Call::Seal { block })
    }

    /// Links a block where its sources meet, if that is known at once. Returns whether it is.
    #[inline(always)]
    fn link_at(&mut self, block: Block, num_in: u32, node: Option<NodeId>) -> bool {
        // Edges are noted even if the block cannot be linked yet: phis at its top take their operands along them.
        let first = self.note_edges(block, num_in as usize);
        match self.tree.meet(self.joins.sources(first, num_in as usize), node) {
            Ok(meeting) => {
                self.link_below(block, node, meeting);
                true
            }
            Err(_) => {
                self.link_with_care(block);
                self.link_again();
                false
            }
        }
    }

    /// Notes the edges of a block that has been sealed. Returns the place of the first one.
    #[inline(always)]
    fn note_edges(&mut self, block: Block, num_in: usize) -> usize {
        let Self { blocks, joins, tree, .. } = self;
        let first = joins.take(num_in);
        let (edges, sources) = (&mut joins.edges[first..][..num_in], &mut joins.sources[first..][..num_in]);
        let mut place = num_in;
        blocks.visit_incoming_backwards(block, |edge| {
            let Some(node) = blocks.get(edge.source).own.node.expand() else { unreachable!("a source is filled") };
            place -= 1;
            (edges[place], sources[place]) = (edge, node);
        });
        tree.expect_climbs(num_in);
        blocks.get_mut(block).own.first_edge = first as u32;
        first
    }

    /// Looks again at the blocks that have been woken.
    fn link_again(&mut self) {
        while let Some(block) = self.waiting.next() {
            if self.blocks.get(block).is_waiting() {
                self.link_with_care(block);
            }
        }
    }

    fn sources_of(&self, block: Block) -> Range<usize> {
        let data = self.blocks.get(block);
        let first = data.own.first_edge as usize;
        first..first + data.num_in as usize
    }

    /// Links the block where its sources have been found to meet.
    #[inline]
    pub(super) fn link_below(&mut self, block: Block, node: Option<NodeId>, meeting: Meeting) {
        let Meeting { dominator, between, may_be_too_high, .. } = meeting;
        let data = self.blocks.get_mut(block);
        let Some(up) = dominator else {
            // Only the block itself leads to it.
            data.state.set(State::CUT_OFF);
            return self.waiting.wake(block);
        };
        data.own.between = between;
        data.own.above = up.into();
        // If something is written in between, the block gets a node of its own at its first access.
        if node.is_none() && between.is_empty() {
            data.own.node = up.into();
        }
        if let Some(node) = node {
            self.is_exact &= !may_be_too_high;
            self.tree.link(node, up, meeting);
            self.defs.pass_on(node, up, between);
            self.move_queue(block, up);
        }
    }

    /// Lets the blocks that have waited for this one, which has been linked below `up`, wait for the root above, or be
    /// looked at again.
    #[inline]
    fn move_queue(&mut self, block: Block, up: NodeId) {
        if self.waiting.has_queue(block) {
            // Blocks wait for roots, and `up` need not be one.
            let root = self.tree.root(up, None);
            let above = self.tree.block(root);
            if self.may_wait_for(above) {
                self.waiting.move_on(block, above, root);
            } else {
                self.waiting.wake(block);
            }
        }
    }

    /// Whether the blocks that have waited for a root may wait for `above`, the root above it, from now on; not if
    /// `above` may wait for one of them in turn.
    fn may_wait_for(&mut self, above: Block) -> bool {
        let data = self.blocks.get(above);
        // The entry is never linked, and a root that is no longer open may never be: a block that waited for it might
        // not be looked at again.
        if above == self.blocks.entry() || !data.is_open() {
            return false;
        }
        !data.is_waiting() || (self.end_of_chain(above) != above && !self.tree.is_exhausted())
    }

    /// Links a block whose sources lie in several trees, or finds one that it has to wait for.
    #[cold]
    #[inline(never)]
    fn link_with_care(&mut self, block: Block) {
        // It held the source of the first edge, which need not dominate the block: if the block gets a node before it
        // is linked, that is a root.
        self.blocks.get_mut(block).own.above = PackedOption::NONE;
        if self.tree.is_exhausted() {
            return self.give_up(block);
        }
        // From here on the roots above sources are needed, and those may be far up.
        self.tree.need_jumps();
        let own = self.blocks.get(block).own.node.expand();
        if let Some((root, until)) = self.root_in_the_way(block, own) {
            return self.wait_for(block, root, until);
        }
        let Range { start, end } = self.push_reachable_sources(block);
        let found = if start == end { None } else { Some(self.tree.meet(&self.linking.sources[start..end], own)) };
        self.linking.sources.truncate(start);
        match found {
            None => return self.cut_off(block),
            Some(Ok(meeting)) => {
                self.release(block);
                return self.link_below(block, own, meeting);
            }
            Some(Err(_)) => {}
        }
        let entry = self.blocks.entry();
        // All sources lie in one tree, whose root is newer than the block's node: the block may be dominated by nodes
        // above that root. If the root is the entry, the block's node is older than its dominators, and stays a root
        // itself.
        let mut blockers = self.linking.roots.iter().map(|&root| self.tree.block(root));
        match blockers.find(|&root| root != entry && root != block) {
            Some(blocker) => self.wait_for(block, blocker, NodeId::LAST),
            None => self.give_up(block),
        }
    }

    /// Ends the block's wait.
    pub(super) fn release(&mut self, block: Block) {
        let data = self.blocks.get_mut(block);
        if data.is_waiting() {
            data.state.set(State::PASSABLE);
            self.waiting.release(block);
        }
    }

    /// Leaves the block a root, since its dominator cannot be found.
    pub(super) fn give_up(&mut self, block: Block) {
        self.release(block);
        self.waiting.wake(block);
    }

    /// Marks the block as unreachable: all its edges come from itself or from unreachable code.
    pub(super) fn cut_off(&mut self, block: Block) {
        self.blocks.get_mut(block).state.set(State::CUT_OFF);
        self.give_up(block);
    }

    /// The block waits for a root, and then for those above it, until one is `until` or older.
    fn wait(&mut self, block: Block, blocker: Block, until: NodeId) {
        self.blocks.get_mut(block).state.unset(State::PASSABLE);
        self.waiting.wait(block, blocker, until);
    }

    /// If sources of the block lie in two trees: the newer root, which has to be linked before they meet; or the older
    /// one, if the newer one is the entry, so that they meet only once the older one is found unreachable.
    /// With it, the newest root at which the block has to be checked again: the other one, or the block itself.
    ///
    /// Trees are united and never separated, so each check continues where the previous one ended.
    fn root_in_the_way(&mut self, block: Block, own: Option<NodeId>) -> Option<(Block, NodeId)> {
        let sources = self.sources_of(block);
        self.linking.agreeing.grow_to(block, Agreeing::default());
        let Agreeing { mut first, mut end } = self.linking.agreeing[block];
        let mut common = None;
        if first < end {
            // The root is looked up again: its tree may have been linked below another one since, or found to be
            // unreachable.
            let root = self.tree.root(self.joins.sources[sources.start + first], None);
            common = Some(root).filter(|&root| Some(root) != own && !self.is_unreachable_root(root));
        }
        let entry = self.blocks.entry();
        let mut in_the_way = None;
        while end < sources.len() {
            let root = self.tree.root(self.joins.sources[sources.start + end], None);
            let counts = Some(root) != own && !self.is_unreachable_root(root);
            match common {
                Some(before) if counts && root != before => {
                    // All nodes in the tree of the later root are newer than it, so the earlier root cannot be linked
                    // there (invariant 1): the sources do not meet before the later root is linked.
                    let (earlier, later) = (root.min(before), root.max(before));
                    in_the_way = Some(if self.tree.block(later) == entry {
                        (earlier, NodeId::LAST)
                    } else {
                        (later, own.filter(|&own| own < later).map_or(earlier, |own| own.max(earlier)))
                    });
                    break;
                }
                None if counts => (first, common) = (end, Some(root)),
                _ => {}
            }
            end += 1;
        }
        self.linking.agreeing[block] = Agreeing { first, end };
        in_the_way.map(|(root, until)| (self.tree.block(root), until))
    }

    /// Lets the block wait for a root that is in its way; if that waits for the block in turn, they are linked
    /// together.
    fn wait_for(&mut self, block: Block, blocker: Block, until: NodeId) {
        let end = self.end_of_chain(blocker);
        if end != block {
            // If the steps are used up, the end is not known.
            let is_given_up = self.tree.is_exhausted() || !self.blocks.get(end).is_open();
            return if is_given_up { self.give_up(block) } else { self.wait(block, blocker, until) };
        }
        // Others may no longer be blocked once they have been checked again.
        self.blocks.get_mut(block).state.unset(State::PASSABLE);
        if self.waiting.look_later(block) {
            return;
        }
        match self.find_group(block) {
            _ if self.tree.is_exhausted() => self.give_up(block),
            Group::WaitsFor(unsealed) => self.wait(block, unsealed, NodeId::LAST),
            Group::HasUnreachable(member) => {
                // Pushed first, so it is checked after the blocks that have waited for the member, which `cut_off`
                // wakes.
                self.waiting.look_again(block);
                self.cut_off(member);
            }
            Group::Closed(above) => match above.filter(|&above| above != self.blocks.entry()) {
                _ if self.link_group() => {}
                // Once that is sealed, they may turn out to be unreachable.
                Some(above) => self.wait(block, above, NodeId::LAST),
                None => self.give_up_group(),
            },
        }
    }

    /// The end of the chain of blocks that each wait for the next, from this one on; the block itself, if the chain
    /// comes back to it.
    fn end_of_chain(&mut self, block: Block) -> Block {
        let mut chain = core::mem::take(&mut self.linking.chain);
        let mut at = block;
        while !self.tree.is_exhausted() {
            let next = match self.waiting.known_end(at).or(self.waiting.blocker(at)) {
                Some(next) => next,
                None => {
                    let Some(node) = self.node_of(at) else { unreachable!("a block that others wait for has a node") };
                    let root = self.tree.root(node, None);
                    self.tree.block(root)
                }
            };
            if next == at {
                break;
            }
            // Each step counts, so the walk ends with the budget at the latest, even on a long chain.
            self.tree.num_steps += 1;
            chain.push(at);
            at = next;
            if at == block {
                // Each block of a cycle is the end of its own chain, so no end is stored for all of them.
                chain.clear();
                break;
            }
        }
        chain.drain(..).for_each(|before| self.waiting.set_end(before, at));
        self.linking.chain = chain;
        at
    }

    /// Gives up the blocks that still wait when all are sealed.
    pub(super) fn give_up_waiting(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        // No block is linked from here on. Phis of blocks that wait get operands along their edges, and may be
        // redundant, as their blocks have no dominator.
        for block in self.blocks.ids() {
            self.release(block);
        }
        self.complete_released(host)
    }

    /// Pushes the sources of the block that are not known to be unreachable, and lists the roots above them. Returns
    /// the range of the sources.
    pub(super) fn push_reachable_sources(&mut self, block: Block) -> Range<usize> {
        let first = self.linking.sources.len();
        self.linking.roots.clear();
        for place in self.sources_of(block) {
            let source = self.joins.sources[place];
            let root = self.tree.root(source, None);
            if !self.is_unreachable_root(root) {
                self.linking.roots.push(root);
                self.linking.sources.push(source);
            }
        }
        self.linking.roots.sort_unstable();
        self.linking.roots.dedup();
        first..self.linking.sources.len()
    }

    pub(super) fn is_unreachable_root(&self, root: NodeId) -> bool {
        let block = self.tree.block(root);
        let data = self.blocks.get(block);
        let has_no_edges = data.state.has(State::SEALED) && data.num_in == 0 && block != self.blocks.entry();
        has_no_edges || data.state.has(State::CUT_OFF)
    }
}
