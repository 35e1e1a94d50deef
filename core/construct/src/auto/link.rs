//! Linking: a block that is sealed is put below its dominator.
//!
//! Where that is not known yet, the block waits for one that is in the way: a root
//! that is not sealed. If blocks wait for one another alone, they are the ways into
//! irreducible loops, and are linked together: their dominators are
//! found round by round, as those of any graph (Cooper, Harvey and Kennedy 2001).
//!
//! What leads to a block from unreachable code does not count.
//!
//! # Departures
//! Cooper, Harvey and Kennedy go through a whole graph; here a round is over the blocks that wait for one another,
//! whose trees are climbed as they are.

use super::Builder;
use super::dominators::{Meeting, Tree};
use super::order::Order;
use crate::observe::Observer;
use crate::protocol::State;
use alloc::vec::Vec;
use core::ops::Range;
use ssaphire_graph::{Block, IdMap, PackedOption};

/// Blocks are linked together only if there are no more: rounds times members are looked at.
const LARGEST_GROUP: usize = 32;

/// Sealed blocks that are not linked.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    /// By waiting block, the one that it waits for.
    blocker: IdMap<Block, PackedOption<Block>>,
    /// By block, those that wait for it, in the order they began to: a list.
    queues: IdMap<Block, Queue>,
    /// By waiting block, the next of its list.
    next: IdMap<Block, PackedOption<Block>>,
    /// Blocks that wait no longer, and are to be looked at again: the next one last.
    again: Vec<Block>,
    /// The roots above the sources looked at last.
    roots: Vec<Order>,
    group: Vec<Block>,
    /// Blocks that are linked together, with their sources, as a range of their own.
    members: Vec<(Order, Block, Range<usize>)>,
}

/// What is known of the blocks that are in one another's way.
enum Group {
    /// No others are in their way.
    Closed,
    /// One that is not sealed is in their way.
    WaitsFor(Block),
    /// Nothing but unreachable code leads to one of them.
    HasUnreachable(Block),
}

#[derive(Clone, Copy, Debug, Default)]
struct Queue {
    first: PackedOption<Block>,
    last: PackedOption<Block>,
}

impl Waiting {
    pub(super) fn clear(&mut self) {
        self.blocker.clear();
        self.queues.clear();
        self.next.clear();
        self.again.clear();
    }

    /// The block that this one waits for.
    fn blocker(&self, block: Block) -> Option<Block> {
        self.blocker.get(block)?.expand()
    }

    fn wait(&mut self, block: Block, blocker: Block) {
        self.blocker.grow_to(block, PackedOption::NONE);
        self.blocker[block] = blocker.into();
        self.next.grow_to(block, PackedOption::NONE);
        self.next[block] = PackedOption::NONE;
        self.queues.grow_to(blocker, Queue::default());
        let queue = &mut self.queues[blocker];
        match queue.last.replace(block).expand() {
            Some(before) => self.next[before] = block.into(),
            None => queue.first = block.into(),
        }
    }

    /// Lets those that wait for the block be looked at again, in the order they began to wait.
    fn wake(&mut self, block: Block) {
        let Some(queue) = self.queues.get_mut(block) else { return };
        let mut next = core::mem::take(queue).first;
        let num_before = self.again.len();
        while let Some(waiting) = next.expand() {
            self.again.push(waiting);
            self.blocker[waiting] = PackedOption::NONE;
            next = self.next[waiting];
        }
        self.again[num_before..].reverse();
    }
}

impl<O: Observer> Builder<O> {
    /// Links a block that has been sealed, and those that have waited for it.
    pub(super) fn link(&mut self, block: Block) {
        let Self { blocks, tree, incoming, .. } = self;
        let data = *blocks.get(block);
        if data.num_in == 0 {
            // A root for good, and not in the way of what control reaches otherwise.
            self.waiting.wake(block);
            return self.link_again();
        }
        if data.num_in == 1 && data.own.order.is_none() {
            // It is linked when it is begun.
            return;
        }
        let (first, first_incoming) = (tree.num_sources(), incoming.len());
        for edge in blocks.incoming(block) {
            let Some(source) = blocks.get(edge.source).own.order.expand() else { unreachable!("a source is filled") };
            tree.push_source(source);
            incoming.push(edge);
        }
        let own = &mut blocks.get_mut(block).own;
        (own.first_source, own.first_incoming) = (first as u32, first_incoming as u32);
        match tree.meet(first..first + data.num_in as usize, own.order.expand()) {
            Ok(meeting) => self.link_below(block, meeting),
            Err(_) => self.link_with_care(block),
        }
        self.link_again();
    }

    /// Links the blocks that wait no longer.
    fn link_again(&mut self) {
        while let Some(waiting) = self.waiting.again.pop() {
            self.link_with_care(waiting);
        }
    }

    fn sources_of(&self, block: Block) -> Range<usize> {
        let data = self.blocks.get(block);
        let first = data.own.first_source as usize;
        first..first + data.num_in as usize
    }

    /// Links the block where its sources meet.
    #[inline]
    fn link_below(&mut self, block: Block, meeting: Meeting) {
        let Meeting { dominator, between, is_rough } = meeting;
        let data = self.blocks.get_mut(block);
        let order = data.own.order.expand();
        let Some(up) = dominator else {
            // Only the block itself leads to it.
            data.own.is_unreachable = true;
            return self.waiting.wake(block);
        };
        self.is_exact &= !is_rough;
        data.own.between = between;
        match order {
            None => data.own.dominator = up.into(),
            Some(order) => {
                self.tree.link(order, up, between);
                self.defs.pass_on(order, up, between);
                self.waiting.wake(block);
            }
        }
    }

    /// Links a block whose sources lie in several trees, or finds one that it has to wait for.
    #[cold]
    #[inline(never)]
    fn link_with_care(&mut self, block: Block) {
        if self.tree.is_exhausted() {
            return;
        }
        let own = self.blocks.get(block).own.order.expand();
        let sources = self.push_reachable_sources(block);
        let found = if sources.is_empty() { None } else { Some(self.tree.meet(sources.clone(), own)) };
        self.tree.truncate_sources(sources.start);
        match found {
            None => {
                self.blocks.get_mut(block).own.is_unreachable = true;
                return self.waiting.wake(block);
            }
            Some(Ok(meeting)) => return self.link_below(block, meeting),
            Some(Err(_)) => {}
        }
        let entry = self.blocks.entry();
        let mut blockers = self.waiting.roots.iter().map(|&root| self.tree.block(root));
        let Some(mut blocker) = blockers.find(|&root| root != entry && root != block) else { return };
        for _ in 0..LARGEST_GROUP {
            match self.waiting.blocker(blocker) {
                Some(next) if next != block => blocker = next,
                _ => break,
            }
        }
        if self.waiting.blocker(blocker) != Some(block) {
            return self.waiting.wait(block, blocker);
        }
        match self.find_group(block) {
            Group::Closed if self.waiting.group.len() <= LARGEST_GROUP => self.link_group(),
            Group::Closed => {}
            Group::WaitsFor(unsealed) => self.waiting.wait(block, unsealed),
            Group::HasUnreachable(member) => {
                self.waiting.again.push(block);
                self.blocks.get_mut(member).own.is_unreachable = true;
                self.waiting.wake(member);
            }
        }
    }

    /// The sources of the block that are not known to be unreachable, as a range of their own; lists the roots above them.
    fn push_reachable_sources(&mut self, block: Block) -> Range<usize> {
        let own = self.blocks.get(block).own.order.expand();
        let first = self.tree.num_sources();
        self.waiting.roots.clear();
        for place in self.sources_of(block) {
            let source = self.tree.source(place);
            let root = self.tree.root(source, own);
            if !self.is_unreachable_root(root) {
                self.waiting.roots.push(root);
                self.tree.push_source(source);
            }
        }
        self.waiting.roots.sort_unstable();
        self.waiting.roots.dedup();
        first..self.tree.num_sources()
    }

    fn is_unreachable_root(&self, root: Order) -> bool {
        let block = self.tree.block(root);
        let data = self.blocks.get(block);
        let has_no_edges = data.state.has(State::SEALED) && data.num_in == 0 && block != self.blocks.entry();
        has_no_edges || data.own.is_unreachable
    }

    /// Lists the blocks that are in one another's way, this one among them, in `group`.
    ///
    /// A group with more members than may be linked need not be complete.
    fn find_group(&mut self, block: Block) -> Group {
        self.waiting.group.clear();
        self.waiting.group.push(block);
        let mut next = 0;
        while let Some(&member) = self.waiting.group.get(next).filter(|_| next < LARGEST_GROUP) {
            next += 1;
            let sources = self.push_reachable_sources(member);
            self.tree.truncate_sources(sources.start);
            let Self { waiting, tree, blocks, .. } = self;
            if waiting.roots.iter().all(|&root| tree.block(root) == member) {
                return Group::HasUnreachable(member);
            }
            for root in waiting.roots.iter().map(|&root| tree.block(root)) {
                if root == blocks.entry() || waiting.group.contains(&root) {
                    continue;
                }
                if !blocks.get(root).state.has(State::SEALED) {
                    return Group::WaitsFor(root);
                }
                waiting.group.push(root);
            }
        }
        Group::Closed
    }

    /// Links the blocks of the group, which are in one another's way and in no other's.
    fn link_group(&mut self) {
        let mut members = core::mem::take(&mut self.waiting.members);
        members.clear();
        let mut is_entered = false;
        for index in 0..self.waiting.group.len() {
            let block = self.waiting.group[index];
            let Some(order) = self.blocks.get(block).own.order.expand() else { unreachable!("it is a root") };
            members.push((order, block, self.push_reachable_sources(block)));
            let Self { waiting, tree, .. } = self;
            is_entered |= waiting.roots.iter().any(|&root| !waiting.group.contains(&tree.block(root)));
        }
        members.sort_unstable_by_key(|&(order, ..)| order);
        self.find_dominators(&members);
        let is_known = |tree: &mut Tree, (order, _, sources): &(Order, Block, Range<usize>)| {
            let up = tree.dominator(*order);
            up.is_some() && tree.meet(sources.clone(), Some(*order)).is_ok_and(|meeting| meeting.dominator == up)
        };
        if !is_entered {
            for &(_, block, _) in &members {
                self.blocks.get_mut(block).own.is_unreachable = true;
                self.waiting.wake(block);
            }
        } else if members.iter().all(|member| is_known(&mut self.tree, member)) {
            self.find_written(&members);
            for (order, block, sources) in &members {
                if let Ok(meeting) = self.tree.meet(sources.clone(), Some(*order)) {
                    self.link_below(*block, meeting);
                }
            }
        } else {
            // One was begun before all that dominates it, and stays a root; so do the others.
            members.iter().for_each(|&(order, ..)| self.tree.set_dominator(order, PackedOption::NONE));
        }
        if let Some(first) = members.iter().map(|(_, _, sources)| sources.start).min() {
            self.tree.truncate_sources(first);
        }
        self.waiting.members = members;
    }

    /// Each member's dominator, round by round: sources below a member that has none yet do not count.
    fn find_dominators(&mut self, members: &[(Order, Block, Range<usize>)]) {
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for &(order, block, ref sources) in members {
                let first = self.tree.num_sources();
                for place in sources.clone() {
                    let source = self.tree.source(place);
                    let root = self.tree.root(source, Some(order));
                    if root == order || !members.iter().any(|&(member, ..)| member == root) {
                        self.tree.push_source(source);
                    }
                }
                let before = self.tree.dominator(order);
                let found = self.tree.meet(first..self.tree.num_sources(), Some(order));
                self.tree.truncate_sources(first);
                let Ok(Meeting { dominator: Some(up), .. }) = found else { continue };
                if before != Some(up) {
                    debug_assert!(!self.blocks.get(block).own.is_unreachable, "{block} is reached from {up}");
                    self.tree.set_dominator(order, up.into());
                    has_changed = true;
                }
            }
        }
    }

    /// What is written between each member and its dominator, as far as members pass it on to one another.
    fn find_written(&mut self, members: &[(Order, Block, Range<usize>)]) {
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for &(order, _, ref sources) in members {
                if let Ok(Meeting { between, .. }) = self.tree.meet(sources.clone(), Some(order)) {
                    has_changed |= !self.tree.written(order).has_all(between);
                    self.tree.add_written(order, between);
                }
            }
        }
    }
}
