//! The reachable blocks.

use alloc::vec::Vec;
use ssaphire_graph::{Block, Cfg, IdSet};

/// The blocks to which a path leads from the entry.
///
/// Edges to blocks that do not exist are ignored, so that a graph that is not validated yet does no harm. Rebuilding
/// reuses memory.
#[derive(Debug, Default)]
pub(crate) struct Reachable {
    blocks: IdSet<Block>,
    work: Vec<Block>,
    num_blocks: usize,
}

impl Reachable {
    pub(crate) fn new(cfg: &impl Cfg) -> Self {
        let mut reachable = Self::default();
        reachable.rebuild(cfg);
        reachable
    }

    pub(crate) fn rebuild(&mut self, cfg: &impl Cfg) {
        self.num_blocks = cfg.num_blocks();
        self.blocks.clear();
        self.reach(cfg.entry());
        while let Some(block) = self.work.pop() {
            for target in cfg.successors(block) {
                self.reach(target);
            }
        }
    }

    fn reach(&mut self, block: Block) {
        if block.index() < self.num_blocks && self.blocks.insert(block) {
            self.work.push(block);
        }
    }

    pub(crate) fn contains(&self, block: Block) -> bool {
        self.blocks.contains(block)
    }

    /// The reachable blocks, in id order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Block> + '_ {
        self.blocks.iter()
    }
}
