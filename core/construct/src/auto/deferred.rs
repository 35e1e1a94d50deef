//! Phis of sealed blocks that are equal to the values of their variables at the top of an open block.
//!
//! When a loop header with an incomplete phi is sealed, and the loop does not write the variable, the phi is equal to
//! the value of the variable at the dominator. If that value depends on the header of an enclosing loop, which is not
//! sealed, the phi is deferred until it is. Otherwise each loop around a read would get a phi that is removed when the
//! loop is sealed.
//!
//! # Complexity
//! O(1) for each phi when its block is sealed. Then phis of all variables that share a bit are deferred together from a
//! block to one above, in O(1), as long as none that has the bit may be written between the two; the others take a
//! lookup each.
//!
//! Without rows, [the last write of each variable](super::unwritten) determines which phis are deferred further.
//!
//! # Departures
//! Braun et al. 2013 look up the operands of an incomplete phi when its block is sealed (Algorithm 4).

use super::Builder;
use super::bloom::VariableMask;
use super::current_def::Held;
use super::dominators::Tree;
use super::node_id::NodeId;
use super::phis::{self, State};
use crate::error::Stopped;
use crate::host::PhiHost;
use crate::observe::Observer;
use crate::protocol;
use crate::values::PhiId;
use ssaphire_graph::{Block, IdMap, PackedOption, internal_id};

internal_id!(
    /// A list of deferred phis.
    ListId, "list"
);

/// Phis of variables that share a bit.
#[derive(Clone, Copy, Debug)]
struct List {
    bit: VariableMask,
    first: PhiId,
    last: PhiId,
    /// Another list that is deferred until the same block is no longer open; in a free list, the next free one.
    next: PackedOption<ListId>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Deferred {
    /// By open block, one of its lists.
    lists_of: IdMap<Block, PackedOption<ListId>>,
    lists: IdMap<ListId, List>,
    /// A list that is no longer in use.
    free: PackedOption<ListId>,
    /// By deferred phi, the next of its list.
    next: IdMap<PhiId, PackedOption<PhiId>>,
}

impl Deferred {
    pub(super) fn clear(&mut self) {
        self.lists_of.clear();
        self.lists.clear();
        self.free = PackedOption::NONE;
        self.next.clear();
    }

    /// Defers all phis of a list until the block is no longer open.
    fn append(&mut self, open: Block, list: List) {
        self.lists_of.grow_to(open, PackedOption::NONE);
        let others = self.lists_of[open];
        let mut of_block = core::iter::successors(others.expand(), |&list| self.lists[list].next.expand());
        // A block has one list for each bit at most, so this looks at 64 of them.
        let same = of_block.find(|&other| self.lists[other].bit == list.bit);
        if let Some(same) = same {
            let before = core::mem::replace(&mut self.lists[same].last, list.last);
            self.next[before] = list.first.into();
            return;
        }
        let list = List { next: others, ..list };
        let id = match self.free.expand() {
            Some(id) => {
                self.free = self.lists[id].next;
                self.lists[id] = list;
                id
            }
            None => self.lists.push(list),
        };
        self.lists_of[open] = id.into();
    }

    /// Takes one of the lists of the block away.
    fn pop(&mut self, block: Block) -> Option<List> {
        let id = self.lists_of.get(block)?.expand()?;
        let list = self.lists[id];
        self.lists_of[block] = list.next;
        self.lists[id].next = self.free;
        self.free = id.into();
        Some(list)
    }
}

impl<O: Observer> Builder<O> {
    /// Whether a lookup that reaches the top of the block cannot go any further.
    #[inline]
    pub(super) fn is_open(&self, top: NodeId) -> bool {
        !self.blocks.get(self.tree.block(top)).state.has(protocol::State::DECIDED)
    }

    /// Whether the values of variables at the top of the block follow from those at the ends of several edges.
    fn is_plain_join(&self, top: NodeId) -> bool {
        let data = self.blocks.get(self.tree.block(top));
        let is_decided = data.state.has(protocol::State::SEALED) && data.state.has(protocol::State::DECIDED);
        is_decided && !data.state.has(protocol::State::CUT_OFF) && data.num_in > 1
    }

    /// Defers the phi: it is equal to its variable at the top of `open`.
    pub(super) fn defer(&mut self, phi: PhiId, open: NodeId) {
        let data = &mut self.phis.table[phi];
        data.state = State::Deferred;
        let bit = VariableMask::of(data.variable);
        if self.defs.is_sparse() {
            return self.defer_unwritten(phi, self.tree.block(open));
        }
        self.deferred.next.grow_to(phi, PackedOption::NONE);
        self.deferred.next[phi] = PackedOption::NONE;
        self.deferred.append(self.tree.block(open), List { bit, first: phi, last: phi, next: PackedOption::NONE });
    }

    /// Completes the phis that were deferred until the block is no longer open, or defers them further.
    #[inline]
    pub(super) fn complete_deferred(&mut self, host: &mut dyn PhiHost, block: Block) -> Result<(), Stopped> {
        if !self.deferred.lists.is_empty() {
            self.complete_lists(host, block)?;
        }
        if self.unwritten.is_empty() { Ok(()) } else { self.complete_unwritten(host, block) }
    }

    #[inline(never)]
    fn complete_lists(&mut self, host: &mut dyn PhiHost, block: Block) -> Result<(), Stopped> {
        let mut next = self.deferred.pop(block);
        // Computed once, because completing phis links no block.
        let above = if next.is_some() { self.open_above(block) } else { None };
        while let Some(list) = next {
            match above {
                Some((open, written)) if !written.may_meet(list.bit) => self.deferred.append(open, list),
                _ => self.complete_list(host, block, list.first)?,
            }
            next = self.deferred.pop(block);
        }
        Ok(())
    }

    fn complete_list(&mut self, host: &mut dyn PhiHost, block: Block, first: PhiId) -> Result<(), Stopped> {
        let mut next = Some(first);
        while let Some(phi) = next {
            // First, as the phi may be deferred again, and is then in another list.
            next = self.deferred.next[phi].expand();
            self.num_needless += 1;
            self.complete_at(host, block, phi)?;
        }
        Ok(())
    }

    /// Completes a phi that is equal to its variable at the top of the block, which does not write it; or defers it
    /// further.
    #[inline(never)]
    pub(super) fn complete_at(&mut self, host: &mut dyn PhiHost, block: Block, phi: PhiId) -> Result<(), Stopped> {
        let phis::Phi { variable, value, block: own, .. } = self.phis.table[phi];
        let (Some(above), Some(top)) = (self.node_of(block), self.node_of(own)) else {
            unreachable!("blocks with phis have nodes")
        };
        if let Held::Top(at) = self.defs.held(&mut self.tree, above, variable) {
            if self.is_plain_join(at) {
                // The phi itself may reach the join along a back edge, so it is stored there before its operands are
                // looked up.
                self.defs.define_top(at, variable, value);
                return self.complete(host, at, phi);
            }
        }
        if self.stand_for(host, top, phi, above)? { Ok(()) } else { self.complete(host, top, phi) }
    }

    /// The open block above, if there is one, and the variables that may be written on the way: all others have the
    /// same values at the tops of both blocks.
    pub(super) fn open_above(&mut self, block: Block) -> Option<(Block, VariableMask)> {
        let top = self.node_of(block)?;
        let up = self.tree.dominator(top)?;
        let (root, mut written) = self.tree.written_since_root(up);
        written.add(self.tree.between(top));
        // A lookup does not stop at a root that is not open, so no phi has to wait for one.
        self.is_open(root).then(|| (self.tree.block(root), written))
    }
}

impl Tree {
    /// The root above the block, and all variables that may be written between the top of that root and the end of the
    /// block.
    fn written_since_root(&mut self, node: NodeId) -> (NodeId, VariableMask) {
        let (mut at, mut written, mut num_steps) = (node, VariableMask::EMPTY, 0);
        loop {
            // The root's own writes, too: they come after its top, at which the phis are to be decided.
            written.add(self.nodes[at].written);
            let Some(up) = self.dominator(at) else { return (at, written) };
            num_steps += 1;
            self.num_steps += 1;
            if num_steps >= self.thresholds.climb_steps {
                self.need_jumps();
            }
            let jump = if self.needs_jumps { self.jump_from(at) } else { None };
            let (to, passed) = jump.unwrap_or((up, VariableMask::EMPTY));
            written.add(passed);
            at = to;
        }
    }
}
