//! Slots for which no phi is needed: never loaded, stored once, or used in one block.

use super::State;
use super::slots::{Access, AccessKind, Slot};
use crate::dialect::Syntax;
use ssaphire_graph::Value;

impl<D: Syntax> State<'_, D> {
    /// Replaces what loads of the slot find, as far as no phi is needed: the slot with the loads that are left, if
    /// there are any.
    pub(super) fn promote_simply(&mut self, mut slot: Slot<D>) -> Option<Slot<D>> {
        self.report.accesses += slot.num_stores();
        if !slot.is_loaded() {
            self.report.unused += 1;
            return None;
        }
        if let Some((store, stored)) = single_store(&slot) {
            self.take_from_single_store(&mut slot, store, stored);
            if !slot.is_loaded() {
                self.report.single_store += 1;
                return None;
            }
        }
        if self.take_in_single_block(&slot) {
            self.report.single_block += 1;
            return None;
        }
        Some(slot)
    }

    /// Loads that the only store dominates take what it stores; so do all, if that is there from the beginning: they
    /// would find nothing otherwise.
    fn take_from_single_store(&mut self, slot: &mut Slot<D>, store: Access, stored: Value) {
        let is_global = self.is_global(stored);
        slot.accesses.retain(|access| {
            let AccessKind::Load(loaded) = access.kind else { return true };
            let is_dominated = match store.block == access.block {
                true => store.index < access.index,
                false => self.tree.dominates(store.block, access.block),
            };
            let is_answered = is_dominated || is_global;
            if is_answered {
                self.report.early_loads += usize::from(!is_dominated);
                self.replace(loaded, stored);
            }
            !is_answered
        });
    }

    /// Where one block has all accesses, loads take what was stored last: whether that answers all of them.
    ///
    /// A load before the first store may see the last one, if the block is in a loop. Without any store it finds nothing.
    fn take_in_single_block(&mut self, slot: &Slot<D>) -> bool {
        let block = slot.accesses[0].block;
        let has_store = slot.num_stores() > 0;
        if slot.accesses.iter().any(|access| access.block != block) && has_store {
            return false;
        }
        let is_early = matches!(slot.accesses[0].kind, AccessKind::Load(_));
        if is_early && has_store {
            return false;
        }
        let mut stored = None;
        for access in &slot.accesses {
            match access.kind {
                AccessKind::Store(value) => stored = Some(value),
                AccessKind::Clear => stored = None,
                AccessKind::Load(loaded) => {
                    let held = stored.unwrap_or_else(|| self.undefined(slot));
                    self.replace(loaded, held);
                }
            }
        }
        true
    }
}

/// The store of a slot that nothing else defines, and the value stored.
fn single_store<D: Syntax>(slot: &Slot<D>) -> Option<(Access, Value)> {
    let mut definitions = slot.definitions();
    match (definitions.next(), definitions.next()) {
        (Some(store), None) => match store.kind {
            AccessKind::Store(stored) => Some((store, stored)),
            _ => None,
        },
        _ => None,
    }
}
