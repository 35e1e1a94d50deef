//! Blocks that wait only for one another, and are linked together.
//!
//! They are the entries of irreducible loops. Their dominators are found by iteration to a fixed point, as in any graph
//! (Cooper, Harvey and Kennedy 2001); every other round visits them backwards.
//!
//! # Departures
//! Cooper, Harvey and Kennedy go through a whole graph; here a round is over the blocks that wait for one another,
//! whose trees are climbed as they are.

use super::Builder;
use super::dominators::{Blocked, Meeting};
use super::link::Scratch;
use super::node_id::NodeId;
use crate::observe::Observer;
use crate::protocol::State;
use crate::thresholds::Thresholds;
use core::ops::Range;
use ssaphire_graph::Block;

/// The state of a group of blocks that wait for one another.
pub(super) enum Group {
    /// They wait for no other blocks, except for this root above all of them, which may be the entry.
    Closed(Option<Block>),
    /// They wait for two roots outside of the group: this one, which is not sealed, and another, which may be the
    /// entry.
    WaitsFor(Block),
    /// One of them is reached only from unreachable code.
    HasUnreachable(Block),
}

impl Scratch {
    /// Makes a group of this block alone.
    fn begin_group(&mut self, block: Block) {
        for member in self.group.drain(..) {
            self.in_group.remove(member);
        }
        self.group.push(block);
        self.in_group.insert(block);
    }
}

impl<O: Observer> Builder<O> {
    /// Lists the blocks that wait for one another, including this one, in `group`.
    ///
    /// They may lie below one root that is not sealed: their dominators are that root or below it, whatever edges are
    /// added to it. Below two such roots, they have to wait for one of them.
    pub(super) fn find_group(&mut self, block: Block) -> Group {
        self.linking.begin_group(block);
        let (mut next, mut outside) = (0, None);
        while let Some(&member) = self.linking.group.get(next) {
            next += 1;
            let sources = self.push_reachable_sources(member);
            self.linking.sources.truncate(sources.start);
            self.tree.num_steps += sources.len() as u64;
            let Self { linking: Scratch { roots, group, in_group, .. }, tree, blocks, .. } = self;
            // Nothing leads to the member but its own tree and unreachable code.
            if roots.iter().all(|&root| tree.block(root) == member) {
                return Group::HasUnreachable(member);
            }
            for root in roots.iter().map(|&root| tree.block(root)) {
                if in_group.contains(root) {
                    continue;
                }
                if root != blocks.entry() && blocks.get(root).state.has(State::SEALED) {
                    in_group.insert(root);
                    group.push(root);
                    continue;
                }
                let before = *outside.get_or_insert(root);
                if before != root {
                    // Of two roots outside of the group, one has to be linked first, and that is never the entry.
                    return Group::WaitsFor(if root == blocks.entry() { before } else { root });
                }
            }
        }
        Group::Closed(outside)
    }

    /// Links the blocks of the group, which wait only for one another, if their dominators can be found. Returns
    /// whether their state is final.
    pub(super) fn link_group(&mut self) -> bool {
        let mut members = core::mem::take(&mut self.linking.members);
        members.clear();
        let mut is_entered = false;
        for index in 0..self.linking.group.len() {
            let block = self.linking.group[index];
            let Some(node) = self.blocks.get(block).own.node.expand() else { unreachable!("it is a root") };
            members.push((node, block, self.push_reachable_sources(block)));
            let Self { linking, tree, .. } = self;
            is_entered |= linking.roots.iter().any(|&root| !linking.in_group.contains(tree.block(root)));
        }
        members.sort_unstable_by_key(|&(node, ..)| node);
        let max_steps = self.max_group_steps(members.len(), self.linking.sources.len());
        let mut is_linked = true;
        // Members lead to one another, but no edge leads into the group from elsewhere.
        if !is_entered {
            members.iter().for_each(|&(_, block, _)| self.cut_off(block));
        } else if !self.find_dominators(&members, max_steps) || !self.link_members(&members, max_steps) {
            // A member is older than all nodes that dominate it, or the step budget is exhausted: all stay roots.
            members.iter().for_each(|&(node, ..)| self.tree.set_dominator(node, None));
            is_linked = false;
        }
        self.linking.sources.clear();
        self.linking.members = members;
        is_linked
    }

    /// The number of steps at which linking a group is given up. A small group has no limit of its own; a larger one
    /// may take as many steps for each source as linking may take for each block and edge. No jump leads over a
    /// member, so a climb may pass all of them.
    fn max_group_steps(&self, num_members: usize, num_sources: usize) -> u64 {
        let Thresholds { linked_group, link_steps_per_block, .. } = self.options.thresholds;
        let is_small = num_members <= linked_group;
        if is_small { u64::MAX } else { self.tree.num_steps + u64::from(link_steps_per_block) * num_sources as u64 }
    }

    /// Counts steps. Returns whether linking the group has to be given up.
    fn has_group_ended(&mut self, num_steps: usize, max_steps: u64) -> bool {
        self.tree.num_steps += num_steps as u64;
        self.tree.num_steps > max_steps || self.tree.is_exhausted()
    }

    /// Finds the dominator of each member, round by round; sources below a member without one do not count yet.
    /// Returns whether all were found.
    fn find_dominators(&mut self, members: &[(NodeId, Block, Range<usize>)], max_steps: u64) -> bool {
        let (mut has_changed, mut is_backwards) = (true, false);
        // Each visit of a member counts as steps, so this ends with the budget at the latest.
        while has_changed {
            has_changed = false;
            for index in 0..members.len() {
                let (node, block, ref sources) = members[if is_backwards { members.len() - 1 - index } else { index }];
                if self.has_group_ended(sources.len(), max_steps) {
                    return false;
                }
                let Self { tree, linking, .. } = self;
                let first = linking.sources.len();
                for place in sources.clone() {
                    let source = linking.sources[place];
                    let root = tree.root(source, Some(node));
                    if root == node || !linking.in_group.contains(tree.block(root)) {
                        linking.sources.push(source);
                    }
                }
                let before = tree.dominator(node);
                let found = tree.meet(&linking.sources[first..], Some(node));
                linking.sources.truncate(first);
                // Perhaps no source counts yet, or a climb has ended at a member without a dominator: a later round
                // knows more.
                let Ok(Meeting { dominator: Some(up), .. }) = found else { continue };
                if before != Some(up) {
                    debug_assert!(!self.blocks.get(block).state.has(State::CUT_OFF), "{block} is reached from {up}");
                    self.tree.set_dominator(node, Some(up));
                    has_changed = true;
                }
            }
            is_backwards = !is_backwards;
        }
        let Self { tree, linking, .. } = self;
        // Sources were left out on the way, and failures passed over. The result counts only if all sources of each
        // member meet at the dominator found for it.
        members.iter().all(|(node, _, sources)| {
            let (up, sources) = (tree.dominator(*node), &linking.sources[sources.clone()]);
            up.is_some() && tree.meet(sources, Some(*node)).is_ok_and(|meeting| meeting.dominator == up)
        })
    }

    /// Links all members below the dominators that were found, or none if the steps for linking are used up on the
    /// way. Returns whether they are linked.
    fn link_members(&mut self, members: &[(NodeId, Block, Range<usize>)], max_steps: u64) -> bool {
        if self.find_written(members, max_steps).is_err() {
            return false;
        }
        let Self { linking: Scratch { sources, meetings, .. }, tree, .. } = self;
        // All meetings are known before the first member is linked: if one of them fails, no member is.
        meetings.clear();
        let found = members.iter().map(|(node, _, range)| tree.meet(&sources[range.clone()], Some(*node)));
        meetings.extend(found.map_while(Result::ok));
        if meetings.len() < members.len() {
            return false;
        }
        // One member may be passed on the way to another, and has no end yet.
        let end = meetings.iter().map(|meeting| meeting.end).max().unwrap_or(NodeId::LAST);
        for (index, &(node, block, _)) in members.iter().enumerate() {
            self.release(block);
            self.link_below(block, Some(node), Meeting { end, ..self.linking.meetings[index] });
        }
        true
    }

    /// Adds to the mask of each member the variables written between it and its dominator, until no member passes on
    /// more.
    fn find_written(&mut self, members: &[(NodeId, Block, Range<usize>)], max_steps: u64) -> Result<(), Blocked> {
        let (mut has_changed, mut is_backwards) = (true, false);
        // Masks only grow, so this comes to an end even if the budget is large.
        while has_changed {
            has_changed = false;
            for index in 0..members.len() {
                let (node, _, ref sources) = members[if is_backwards { members.len() - 1 - index } else { index }];
                if self.has_group_ended(sources.len(), max_steps) {
                    return Err(Blocked);
                }
                let Meeting { between, .. } = self.tree.meet(&self.linking.sources[sources.clone()], Some(node))?;
                has_changed |= !self.tree.written(node).has_all(between);
                self.tree.add_written(node, between);
            }
            is_backwards = !is_backwards;
        }
        Ok(())
    }

    /// All blocks of the group stay roots.
    pub(super) fn give_up_group(&mut self) {
        for index in 0..self.linking.group.len() {
            self.give_up(self.linking.group[index]);
        }
    }
}
