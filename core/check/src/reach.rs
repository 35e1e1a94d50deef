//! Which blocks control can enter.

use alloc::vec::Vec;
use ssaphire_graph::{Block, Cfg, IdSet};

/// The blocks that paths from the entry reach. Rebuilding reuses memory.
#[derive(Debug, Default)]
pub(crate) struct Reachable {
    blocks: IdSet<Block>,
    pending: Vec<Block>,
}

impl Reachable {
    /// Becomes the reachable blocks of `cfg`, whose entry exists.
    pub(crate) fn rebuild(&mut self, cfg: &impl Cfg) {
        self.blocks.clear();
        self.pending.clear();
        self.blocks.insert(cfg.entry());
        self.pending.push(cfg.entry());
        while let Some(block) = self.pending.pop() {
            for target in cfg.successors(block) {
                if self.blocks.insert(target) {
                    self.pending.push(target);
                }
            }
        }
    }

    pub(crate) fn contains(&self, block: Block) -> bool {
        self.blocks.contains(block)
    }
}
