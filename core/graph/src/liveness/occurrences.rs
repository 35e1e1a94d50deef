//! Where each variable or value is used and defined, block by block.
//!
//! Within a block only two facts matter to the outside: whether a key is used
//! before the block defines it, and whether the block defines it at all.

use crate::{Access, Block, Id, IdMap, PackedOption, Value, ValueEvent, Variable, at_once, internal_id};
use alloc::vec::Vec;

/// For each key the blocks that use or define it, repetitions left out.
#[derive(Clone, Debug)]
pub(super) struct Occurrences<K: Id> {
    /// Blocks that use a key before they define it, if they do.
    exposed: BlockLists<K>,
    /// Blocks at whose end a phi reads a key; a block may be listed again.
    at_end: BlockLists<K>,
    defining: BlockLists<K>,
    /// Variables that are written when the tuple is complete.
    pending: Vec<K>,
}

impl<K: Id> Default for Occurrences<K> {
    fn default() -> Self {
        Self {
            exposed: BlockLists::default(),
            at_end: BlockLists::default(),
            defining: BlockLists::default(),
            pending: Vec::new(),
        }
    }
}

impl<K: Id> Occurrences<K> {
    /// Forgets everything. Keys beyond `num_keys` are taken too when they occur.
    pub(super) fn begin(&mut self, num_keys: usize) {
        for lists in [&mut self.exposed, &mut self.at_end, &mut self.defining] {
            lists.begin(num_keys);
        }
    }

    pub(super) fn num_keys(&self) -> usize {
        self.exposed.last.len().max(self.at_end.last.len())
    }

    pub(super) fn exposed(&self, key: K) -> impl Iterator<Item = Block> + '_ {
        self.exposed.blocks(key)
    }

    pub(super) fn at_end(&self, key: K) -> impl Iterator<Item = Block> + '_ {
        self.at_end.blocks(key)
    }

    pub(super) fn defining(&self, key: K) -> impl Iterator<Item = Block> + '_ {
        self.defining.blocks(key)
    }

    pub(super) fn use_at_end(&mut self, key: K, block: Block) {
        self.at_end.push(key, block);
    }

    fn use_(&mut self, key: K, block: Block) {
        if !self.defining.ends_with(key, block) {
            self.exposed.push(key, block);
        }
    }

    fn def(&mut self, key: K, block: Block) {
        self.defining.push(key, block);
    }
}

impl Occurrences<Variable> {
    /// Records the accesses of one block. Needs: no other block in between.
    pub(super) fn record_accesses(&mut self, block: Block, accesses: impl Iterator<Item = Access>) {
        for (access, is_last) in at_once(accesses) {
            match access {
                Access::Read(variable) => self.use_(variable, block),
                Access::Write(variable) => self.pending.push(variable),
                Access::Copy(target, source) => {
                    self.use_(source, block);
                    self.pending.push(target);
                }
                Access::Tuple(_) => {}
            }
            if is_last {
                self.write_pending(block);
            }
        }
    }

    fn write_pending(&mut self, block: Block) {
        while let Some(variable) = self.pending.pop() {
            self.def(variable, block);
        }
    }
}

impl Occurrences<Value> {
    /// Records the phis' results and the events of one block. Needs: no other block in between.
    pub(super) fn record_values(
        &mut self,
        block: Block,
        phis: impl Iterator<Item = Value>,
        events: impl Iterator<Item = ValueEvent>,
    ) {
        for phi in phis {
            self.def(phi, block);
        }
        for event in events {
            match event {
                ValueEvent::Def(value) => self.def(value, block),
                ValueEvent::Use(value) => self.use_(value, block),
            }
        }
    }
}

internal_id!(
    /// Number of an entry of a list of blocks.
    ListedId, "listed"
);

/// A list of blocks per key, threaded through one pool.
#[derive(Clone, Debug)]
struct BlockLists<K: Id> {
    /// The entry of the pool that was added last.
    last: IdMap<K, PackedOption<ListedId>>,
    pool: IdMap<ListedId, Listed>,
}

#[derive(Clone, Copy, Debug)]
struct Listed {
    block: Block,
    before: PackedOption<ListedId>,
}

impl<K: Id> Default for BlockLists<K> {
    fn default() -> Self {
        Self { last: IdMap::new(), pool: IdMap::new() }
    }
}

impl<K: Id> BlockLists<K> {
    fn begin(&mut self, num_keys: usize) {
        self.last.reset(num_keys, PackedOption::NONE);
        self.pool.clear();
    }

    fn latest(&self, key: K) -> Option<Listed> {
        self.pool.find(*self.last.get(key)?).copied()
    }

    /// Whether `block` was added last: it is the one at hand and already listed.
    fn ends_with(&self, key: K, block: Block) -> bool {
        self.latest(key).is_some_and(|listed| listed.block == block)
    }

    fn push(&mut self, key: K, block: Block) {
        if !self.ends_with(key, block) {
            self.last.grow_to(key, PackedOption::NONE);
            self.last[key] = self.pool.push(Listed { block, before: self.last[key] }).into();
        }
    }

    fn blocks(&self, key: K) -> impl Iterator<Item = Block> + '_ {
        let before = |listed: &Listed| self.pool.find(listed.before).copied();
        core::iter::successors(self.latest(key), before).map(|listed| listed.block)
    }
}
