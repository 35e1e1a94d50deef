//! The backward search from the uses of one key to its definitions.

use super::occurrences::Occurrences;
use crate::{Block, FlatCfg, Id, IdMap, Order, PackedOption};
use alloc::vec::Vec;

/// What has been found so far, and marks on the blocks for the key at hand.
#[derive(Clone, Debug)]
pub(super) struct Exploration<K: Id> {
    marks: IdMap<Block, Marks<K>>,
    work: Vec<Block>,
    at_top: Vec<(Block, K)>,
    at_end: Vec<(Block, K)>,
}

/// The key for which each fact was noted last, so that no mark needs to be cleared.
#[derive(Clone, Copy, Debug)]
struct Marks<K: Id> {
    defines: PackedOption<K>,
    live_in: PackedOption<K>,
    live_out: PackedOption<K>,
}

impl<K: Id> Default for Exploration<K> {
    fn default() -> Self {
        Self { marks: IdMap::default(), work: Vec::new(), at_top: Vec::new(), at_end: Vec::new() }
    }
}

impl<K: Id> Exploration<K> {
    pub(super) fn begin(&mut self, num_blocks: usize) {
        let none = PackedOption::NONE;
        self.marks.reset(num_blocks, Marks { defines: none, live_in: none, live_out: none });
        self.at_top.clear();
        self.at_end.clear();
    }

    /// Blocks at whose top a key is live, with the key: in the order keys were explored.
    pub(super) fn found_at_top(&self) -> &[(Block, K)] {
        &self.at_top
    }

    /// Blocks at whose end a key is live, with the key: in the order keys were explored.
    pub(super) fn found_at_end(&self) -> &[(Block, K)] {
        &self.at_end
    }

    /// Finds the blocks in which `key` is live.
    pub(super) fn explore(&mut self, key: K, occurrences: &Occurrences<K>, cfg: &FlatCfg, order: &Order) {
        for block in occurrences.defining(key) {
            self.marks[block].defines = key.into();
        }
        for block in occurrences.exposed(key) {
            self.reach_top(block, key);
        }
        for block in occurrences.at_end(key) {
            self.reach_end(block, key);
        }
        while let Some(block) = self.work.pop() {
            for &edge in cfg.incoming(block) {
                if order.is_reachable(cfg.source(edge)) {
                    self.reach_end(cfg.source(edge), key);
                }
            }
        }
    }

    /// `key` is needed at the top of `block`, and so at the end of each predecessor.
    fn reach_top(&mut self, block: Block, key: K) {
        let marks = &mut self.marks[block];
        if marks.live_in.replace(key) != key.into() {
            self.at_top.push((block, key));
            self.work.push(block);
        }
    }

    /// `key` is needed at the end of `block`, and so at its top unless the block defines it.
    fn reach_end(&mut self, block: Block, key: K) {
        let marks = &mut self.marks[block];
        if marks.live_out.replace(key) != key.into() {
            self.at_end.push((block, key));
            if self.marks[block].defines != key.into() {
                self.reach_top(block, key);
            }
        }
    }
}
