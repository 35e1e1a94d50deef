//! Deferred phis once rows are given up: kept by the last writes of their variables.
//!
//! [Lists by bit](super::deferred) are examined phi by phi at each loop that writes a variable of the same bit; in a
//! nest of more than 64 loops, each with a counter, there is such a loop for every bit. Without rows, the engine knows,
//! for each variable, the newest node that writes it. If an open block's node is newer, nothing writes the variable
//! below its top. So the phis of an open block are in a heap, with the newest write on top. When the block is linked
//! below another open block, the phis of variables written in that node or a newer one are examined, and all others are
//! deferred to it in one step.
//!
//! A deferred phi notes the first write of its variable that is added later: then it is examined as soon as its block
//! is linked.
//!
//! # Complexity
//! O(log *n*) amortized for each phi that is deferred or examined, and for each open block that is linked; O(log^2 *n*)
//! for each phi that notes a write.

use super::Builder;
use super::heaps::Heaps;
use super::node_id::NodeId;
use super::phis::State;
use crate::error::Stopped;
use crate::host::PhiHost;
use crate::observe::Observer;
use crate::values::PhiId;
use alloc::vec::Vec;
use ssaphire_graph::{Block, IdMap, IdSet, PackedOption, Variable, internal_id};

internal_id!(
    /// A phi as it was deferred once.
    EntryId, "entry"
);

#[derive(Clone, Debug, Default)]
pub(super) struct Unwritten {
    /// By open block, of the phis that are deferred until it is no longer open, the entry with the latest write.
    last_of: IdMap<Block, PackedOption<EntryId>>,
    heaps: Heaps<EntryId>,
    phis: IdMap<EntryId, PhiId>,
    /// By phi, the entry that counts.
    entries: IdMap<PhiId, PackedOption<EntryId>>,
    /// By variable, a deferred phi that is to note the next write; by phi, the next of these.
    watched: IdMap<Variable, PackedOption<PhiId>>,
    next_watched: IdMap<PhiId, PackedOption<PhiId>>,
    is_watched: IdSet<PhiId>,
    /// Phis that are to be completed, block by block.
    due: Vec<PhiId>,
}

impl Unwritten {
    pub(super) fn clear(&mut self) {
        self.last_of.clear();
        self.heaps.clear();
        self.phis.clear();
        self.entries.clear();
        self.watched.clear();
        self.next_watched.clear();
        self.is_watched.clear();
        self.due.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.phis.is_empty()
    }

    /// Defers a phi until the block is no longer open. `written` is the newest node that writes its variable.
    fn insert(&mut self, open: Block, phi: PhiId, written: NodeId) {
        let entry = self.phis.push(phi);
        self.entries.grow_to(phi, PackedOption::NONE);
        self.entries[phi] = entry.into();
        self.last_of.grow_to(open, PackedOption::NONE);
        self.last_of[open] = self.heaps.insert(self.last_of[open], entry, written);
    }

    /// Lets the phi note the next write of its variable.
    fn watch(&mut self, variable: Variable, phi: PhiId) {
        // A phi has one link, so it is in one list at most, however often it is deferred.
        if self.is_watched.insert(phi) {
            self.watched.grow_to(variable, PackedOption::NONE);
            self.next_watched.grow_to(phi, PackedOption::NONE);
            self.next_watched[phi] = core::mem::replace(&mut self.watched[variable], phi.into());
        }
    }

    /// Takes a phi that is to note a write of the variable off its list.
    fn take_watched(&mut self, variable: Variable) -> Option<PhiId> {
        let phi = self.watched.get(variable)?.expand()?;
        self.watched[variable] = self.next_watched[phi];
        self.is_watched.remove(phi);
        Some(phi)
    }

    /// Removes a phi that is deferred until the block is no longer open, and whose variable is written in `since` or a
    /// newer node.
    fn pop(&mut self, block: Block, since: NodeId) -> Option<PhiId> {
        loop {
            let last = self.last_of.get(block)?.expand().filter(|&last| self.heaps.key(last) >= since)?;
            self.last_of[block] = self.heaps.pop(last);
            let phi = self.phis[last];
            // Other entries of the phi are from earlier deferrals: a heap cannot drop them sooner.
            if self.entries[phi].expand() == Some(last) {
                return Some(phi);
            }
        }
    }

    /// Defers the phis of the block further, until the one above is no longer open.
    fn pass_on(&mut self, block: Block, above: Block) {
        let Some(last) = self.last_of.get_mut(block) else { return };
        let last = core::mem::take(last);
        self.last_of.grow_to(above, PackedOption::NONE);
        self.last_of[above] = self.heaps.unite(self.last_of[above], last);
    }
}

impl<O: Observer> Builder<O> {
    /// Defers the phi, which is equal to its variable at the top of `open`; there are no rows.
    pub(super) fn defer_unwritten(&mut self, phi: PhiId, open: Block) {
        let variable = self.phis.table[phi].variable;
        // If nothing writes the variable, the phi passes on to every open block above.
        let written = self.defs.latest_write(variable).unwrap_or(NodeId::FIRST);
        self.unwritten.insert(open, phi, written);
        self.unwritten.watch(variable, phi);
    }

    /// Notes that the current block writes a variable; there are no rows.
    #[inline]
    pub(super) fn note_deferred_write(&mut self, variable: Variable) {
        if !self.unwritten.is_empty() {
            self.note_write_since(variable);
        }
    }

    #[inline(never)]
    fn note_write_since(&mut self, variable: Variable) {
        while let Some(phi) = self.unwritten.take_watched(variable) {
            let data = &self.phis.table[phi];
            // The phi may have been completed since it began to watch.
            if data.state == State::Deferred {
                let Some(top) = self.node_of(data.block) else { unreachable!("a block with phis has a node") };
                let root = self.tree.root(top, None);
                // It does not note the next write, so it has to be examined in any case, even if the current node is
                // older than the root.
                let written = self.current.node.max(root);
                self.unwritten.insert(self.tree.block(root), phi, written);
            }
        }
    }

    /// Completes phis that were deferred until the block is no longer open, or defers them further.
    pub(super) fn complete_unwritten(&mut self, host: &mut dyn PhiHost, block: Block) -> Result<(), Stopped> {
        if self.unwritten.last_of.get(block).is_none_or(|last| last.is_none()) {
            return Ok(());
        }
        let above = self.open_above(block).map(|(above, _)| above);
        // Without an open block above, all phis are due. A write in that block itself counts: it comes after its top.
        let since = above.and_then(|above| self.node_of(above)).unwrap_or(NodeId::FIRST);
        let first = self.unwritten.due.len();
        while let Some(phi) = self.unwritten.pop(block, since) {
            self.unwritten.due.push(phi);
        }
        if let Some(above) = above {
            self.unwritten.pass_on(block, above);
        }
        let result = (first..self.unwritten.due.len()).try_for_each(|index| {
            let phi = self.unwritten.due[index];
            self.complete_at(host, block, phi)
        });
        self.unwritten.due.truncate(first);
        result
    }
}
