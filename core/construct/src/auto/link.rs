//! Linking: a block that is sealed is put below its dominator.
//!
//! Where that is not known yet, the block waits for one that is in the way: a root
//! that is not sealed. Meanwhile, phis at its top are incomplete, as in a block that is not sealed.
//! If blocks wait for one another alone, they are the ways into irreducible loops, and are linked together: their dominators are
//! found round by round, as those of any graph (Cooper, Harvey and Kennedy 2001).
//!
//! What leads to a block from unreachable code does not count.
//!
//! # Departures
//! Cooper, Harvey and Kennedy go through a whole graph; here a round is over the blocks that wait for one another,
//! whose trees are climbed as they are.

use super::Builder;
use super::dominators::{Blocked, Meeting};
use super::order::Order;
use crate::error::Stopped;
use crate::host::PhiHost;
use crate::observe::Observer;
use crate::protocol::State;
use alloc::vec::Vec;
use core::ops::Range;
use ssaphire_graph::{Block, IdMap, IdSet, PackedOption};

/// What is looked at of the blocks that are to be linked.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// By block that has been looked at, how many of its sources are known to lie in one tree.
    agreeing: IdMap<Block, Agreeing>,
    /// Sources that are not known to be unreachable: each block's by operand index, on top of those before.
    sources: Vec<Order>,
    /// The roots above the sources looked at last.
    roots: Vec<Order>,
    /// Blocks that are in one another's way, and the same as a set.
    group: Vec<Block>,
    in_group: IdSet<Block>,
    /// Blocks that are linked together, with their sources, as a range of their own.
    members: Vec<(Order, Block, Range<usize>)>,
    /// Where the sources of each meet.
    meetings: Vec<Meeting>,
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

    /// Lets the block alone be the group.
    fn begin_group(&mut self, block: Block) {
        for member in self.group.drain(..) {
            self.in_group.remove(member);
        }
        self.group.push(block);
        self.in_group.insert(block);
    }
}

/// Steps that linking of a large group may take for each source: enough for two rounds of dominators, and two of what is written.
const STEPS_PER_SOURCE: u64 = 6;

/// What is known of the blocks that are in one another's way.
enum Group {
    /// No others are in their way, but for this root above all of them, which may be the entry.
    Closed(Option<Block>),
    /// One that is not sealed is in their way, and another one, or the entry.
    WaitsFor(Block),
    /// Nothing but unreachable code leads to one of them.
    HasUnreachable(Block),
}

impl<O: Observer> Builder<O> {
    /// Links a block that has been sealed, and those that have waited for it.
    pub(super) fn link(&mut self, block: Block) {
        let data = self.blocks.get(block);
        match (data.num_in, data.own.order.expand()) {
            // A root for good, and not in the way of what control reaches otherwise.
            (0, _) => self.waiting.wake(block),
            (1, None) => {
                let own = &mut self.blocks.get_mut(block).own;
                own.order = own.above;
            }
            // Another root for good: it takes nothing from its sources.
            (num_in, _) if data.state.has(State::CUT_OFF) => {
                self.blocks.get_mut(block).own.above = PackedOption::NONE;
                self.note_edges(block, num_in as usize);
                self.waiting.wake(block);
            }
            (num_in, order) => {
                self.link_at(block, num_in, order);
            }
        }
        self.link_again();
    }

    /// Links a join that has been sealed and was not begun, so that no block waits for it.
    #[inline(never)]
    pub(super) fn link_new(&mut self, host: &mut dyn PhiHost, block: Block, num_in: u32) -> Result<(), Stopped> {
        let num_steps = self.tree.num_steps;
        let is_linked = self.link_at(block, num_in, None);
        self.spend(self.tree.num_steps - num_steps)?;
        if is_linked { Ok(()) } else { self.complete_released(host) }
    }

    /// Links a block where its sources meet, if that is known at once: whether it is.
    #[inline(always)]
    fn link_at(&mut self, block: Block, num_in: u32, order: Option<Order>) -> bool {
        let first = self.note_edges(block, num_in as usize);
        match self.tree.meet(self.joins.sources(first, num_in as usize), order) {
            Ok(meeting) => {
                self.link_below(block, order, meeting);
                true
            }
            Err(_) => {
                self.link_with_care(block);
                self.link_again();
                false
            }
        }
    }

    /// Notes the edges of a block that has been sealed: where the first one is.
    #[inline(always)]
    fn note_edges(&mut self, block: Block, num_in: usize) -> usize {
        let Self { blocks, joins, tree, .. } = self;
        let first = joins.take(num_in);
        let (edges, sources) = (&mut joins.edges[first..][..num_in], &mut joins.sources[first..][..num_in]);
        let mut place = num_in;
        blocks.visit_incoming_backwards(block, |edge| {
            let Some(order) = blocks.get(edge.source).own.order.expand() else { unreachable!("a source is filled") };
            place -= 1;
            (edges[place], sources[place]) = (edge, order);
        });
        tree.expect_climbs(num_in);
        blocks.get_mut(block).own.first_edge = first as u32;
        first
    }

    /// Links the blocks that wait no longer.
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
    fn link_below(&mut self, block: Block, order: Option<Order>, meeting: Meeting) {
        let Meeting { dominator, between, is_rough } = meeting;
        let data = self.blocks.get_mut(block);
        let Some(up) = dominator else {
            // Only the block itself leads to it.
            data.state.set(State::CUT_OFF);
            return self.waiting.wake(block);
        };
        data.own.between = between;
        data.own.above = up.into();
        if order.is_none() && between.is_empty() {
            data.own.order = up.into();
        }
        if let Some(order) = order {
            self.is_exact &= !is_rough;
            self.tree.link(order, up, between);
            self.defs.pass_on(order, up, between);
            self.waiting.wake(block);
        }
    }

    /// Links a block whose sources lie in several trees, or finds one that it has to wait for.
    #[cold]
    #[inline(never)]
    fn link_with_care(&mut self, block: Block) {
        // Until it is linked.
        self.blocks.get_mut(block).own.above = PackedOption::NONE;
        if self.tree.is_exhausted() {
            return self.give_up(block);
        }
        // What is looked for from here on lies at the roots.
        self.tree.need_jumps();
        let own = self.blocks.get(block).own.order.expand();
        if let Some(root) = self.root_in_the_way(block, own) {
            return self.wait_for(block, root);
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
        let mut blockers = self.linking.roots.iter().map(|&root| self.tree.block(root));
        match blockers.find(|&root| root != entry && root != block) {
            Some(blocker) => self.wait_for(block, blocker),
            None => self.give_up(block),
        }
    }

    /// The block waits no longer.
    fn release(&mut self, block: Block) {
        let data = self.blocks.get_mut(block);
        if data.is_waiting() {
            data.state.set(State::PASSABLE);
            self.waiting.release(block);
        }
    }

    /// The block stays a root, as what dominates it cannot be found.
    fn give_up(&mut self, block: Block) {
        self.release(block);
        self.waiting.wake(block);
    }

    /// Only the block itself and unreachable code lead to the block.
    fn cut_off(&mut self, block: Block) {
        self.blocks.get_mut(block).state.set(State::CUT_OFF);
        self.give_up(block);
    }

    fn wait(&mut self, block: Block, blocker: Block) {
        self.blocks.get_mut(block).state.unset(State::PASSABLE);
        self.waiting.wait(block, blocker);
    }

    /// Where sources of the block lie in two trees: the root that was begun later, which has to be linked before they meet;
    /// or the earlier one, if the later one is the entry, so that they meet only once the earlier one is unreachable.
    ///
    /// Trees grow together and never apart, so that each look goes on where the one before ended.
    fn root_in_the_way(&mut self, block: Block, own: Option<Order>) -> Option<Block> {
        let sources = self.sources_of(block);
        self.linking.agreeing.grow_to(block, Agreeing::default());
        let Agreeing { mut first, mut end } = self.linking.agreeing[block];
        let mut common = None;
        if first < end {
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
                    let later = root.max(before);
                    in_the_way = Some(if self.tree.block(later) == entry { root.min(before) } else { later });
                    break;
                }
                None if counts => (first, common) = (end, Some(root)),
                _ => {}
            }
            end += 1;
        }
        self.linking.agreeing[block] = Agreeing { first, end };
        in_the_way.map(|root| self.tree.block(root))
    }

    /// Lets the block wait for a root that is in its way, or for what that one waits for; links them together if that is
    /// the block itself.
    fn wait_for(&mut self, block: Block, mut blocker: Block) {
        // Blocks that wait for one another farther along are not found, and are given up at the end.
        for _ in 0..self.options.thresholds.linked_group {
            match self.waiting.blocker(blocker) {
                Some(next) if next != block => blocker = next,
                _ => break,
            }
        }
        if self.waiting.blocker(blocker) != Some(block) {
            let is_given_up = !self.blocks.get(blocker).is_open();
            return if is_given_up { self.give_up(block) } else { self.wait(block, blocker) };
        }
        match self.find_group(block) {
            _ if self.tree.is_exhausted() => self.give_up(block),
            Group::WaitsFor(unsealed) => self.wait(block, unsealed),
            Group::HasUnreachable(member) => {
                self.blocks.get_mut(block).state.unset(State::PASSABLE);
                self.waiting.look_again(block);
                self.cut_off(member);
            }
            Group::Closed(above) => match above.filter(|&above| above != self.blocks.entry()) {
                _ if self.link_group() => {}
                // Once that is sealed, they may turn out to be unreachable.
                Some(above) => self.wait(block, above),
                None => self.give_up_group(),
            },
        }
    }

    /// All blocks are sealed: those that still wait are given up.
    pub(super) fn give_up_waiting(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        for block in self.blocks.ids() {
            self.release(block);
        }
        self.complete_released(host)
    }

    fn give_up_group(&mut self) {
        for index in 0..self.linking.group.len() {
            self.give_up(self.linking.group[index]);
        }
    }

    /// The sources of the block that are not known to be unreachable, as a range of their own; lists the roots above them.
    fn push_reachable_sources(&mut self, block: Block) -> Range<usize> {
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

    fn is_unreachable_root(&self, root: Order) -> bool {
        let block = self.tree.block(root);
        let data = self.blocks.get(block);
        let has_no_edges = data.state.has(State::SEALED) && data.num_in == 0 && block != self.blocks.entry();
        has_no_edges || data.state.has(State::CUT_OFF)
    }

    /// Lists the blocks that are in one another's way, this one among them, in `group`.
    ///
    /// They may lie below one root that is not sealed, for they are dominated by what that dominates or by itself, whatever
    /// edges it gets. Below two, they have to wait for one.
    fn find_group(&mut self, block: Block) -> Group {
        self.linking.begin_group(block);
        let (mut next, mut outside) = (0, None);
        while let Some(&member) = self.linking.group.get(next) {
            next += 1;
            let sources = self.push_reachable_sources(member);
            self.linking.sources.truncate(sources.start);
            self.tree.num_steps += sources.len() as u64;
            let Self { linking: Scratch { roots, group, in_group, .. }, tree, blocks, .. } = self;
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
                    return Group::WaitsFor(if root == blocks.entry() { before } else { root });
                }
            }
        }
        Group::Closed(outside)
    }

    /// Links the blocks of the group, which are in one another's way and in no other's, if their dominators can be found: whether
    /// they are known from now on.
    fn link_group(&mut self) -> bool {
        let mut members = core::mem::take(&mut self.linking.members);
        members.clear();
        let mut is_entered = false;
        for index in 0..self.linking.group.len() {
            let block = self.linking.group[index];
            let Some(order) = self.blocks.get(block).own.order.expand() else { unreachable!("it is a root") };
            members.push((order, block, self.push_reachable_sources(block)));
            let Self { linking, tree, .. } = self;
            is_entered |= linking.roots.iter().any(|&root| !linking.in_group.contains(tree.block(root)));
        }
        members.sort_unstable_by_key(|&(order, ..)| order);
        let max_steps = self.max_group_steps(members.len(), self.linking.sources.len());
        let mut is_linked = true;
        if !is_entered {
            members.iter().for_each(|&(_, block, _)| self.cut_off(block));
        } else if !self.find_dominators(&members, max_steps) || !self.link_members(&members, max_steps) {
            // One was begun before all that dominates it, or the steps for linking are used up: all stay roots.
            members.iter().for_each(|&(order, ..)| self.tree.set_dominator(order, None));
            is_linked = false;
        }
        self.linking.sources.clear();
        self.linking.members = members;
        is_linked
    }

    /// The number of steps up to which a group of so many members and sources is linked: that for all linking if it is small,
    /// else those of few rounds. There are no jumps here, so that a climb may pass all members.
    fn max_group_steps(&self, num_members: usize, num_sources: usize) -> u64 {
        let is_small = num_members <= self.options.thresholds.linked_group;
        if is_small { u64::MAX } else { self.tree.num_steps + STEPS_PER_SOURCE * num_sources as u64 }
    }

    /// Whether linking of a group has to be given up; else so many steps more are counted.
    fn has_group_ended(&mut self, num_steps: usize, max_steps: u64) -> bool {
        self.tree.num_steps += num_steps as u64;
        self.tree.num_steps > max_steps || self.tree.is_exhausted()
    }

    /// Each member's dominator, round by round: sources below a member that has none yet do not count. Whether all were found.
    fn find_dominators(&mut self, members: &[(Order, Block, Range<usize>)], max_steps: u64) -> bool {
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for &(order, block, ref sources) in members {
                if self.has_group_ended(sources.len(), max_steps) {
                    return false;
                }
                let Self { tree, linking, .. } = self;
                let first = linking.sources.len();
                for place in sources.clone() {
                    let source = linking.sources[place];
                    let root = tree.root(source, Some(order));
                    if root == order || !linking.in_group.contains(tree.block(root)) {
                        linking.sources.push(source);
                    }
                }
                let before = tree.dominator(order);
                let found = tree.meet(&linking.sources[first..], Some(order));
                linking.sources.truncate(first);
                let Ok(Meeting { dominator: Some(up), .. }) = found else { continue };
                if before != Some(up) {
                    debug_assert!(!self.blocks.get(block).state.has(State::CUT_OFF), "{block} is reached from {up}");
                    self.tree.set_dominator(order, Some(up));
                    has_changed = true;
                }
            }
        }
        let Self { tree, linking, .. } = self;
        members.iter().all(|(order, _, sources)| {
            let (up, sources) = (tree.dominator(*order), &linking.sources[sources.clone()]);
            up.is_some() && tree.meet(sources, Some(*order)).is_ok_and(|meeting| meeting.dominator == up)
        })
    }

    /// Links all members below the dominators that were found, or none, if the steps for linking are used up on the way:
    /// whether it has.
    fn link_members(&mut self, members: &[(Order, Block, Range<usize>)], max_steps: u64) -> bool {
        if self.find_written(members, max_steps).is_err() {
            return false;
        }
        let Self { linking: Scratch { sources, meetings, .. }, tree, .. } = self;
        meetings.clear();
        let found = members.iter().map(|(order, _, range)| tree.meet(&sources[range.clone()], Some(*order)));
        meetings.extend(found.map_while(Result::ok));
        if meetings.len() < members.len() {
            return false;
        }
        for (index, &(order, block, _)) in members.iter().enumerate() {
            self.release(block);
            self.link_below(block, Some(order), self.linking.meetings[index]);
        }
        true
    }

    /// What is written between each member and its dominator, as far as members pass it on to one another.
    fn find_written(&mut self, members: &[(Order, Block, Range<usize>)], max_steps: u64) -> Result<(), Blocked> {
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for &(order, _, ref sources) in members {
                if self.has_group_ended(sources.len(), max_steps) {
                    return Err(Blocked);
                }
                let Meeting { between, .. } = self.tree.meet(&self.linking.sources[sources.clone()], Some(order))?;
                has_changed |= !self.tree.written(order).has_all(between);
                self.tree.add_written(order, between);
            }
        }
        Ok(())
    }
}
