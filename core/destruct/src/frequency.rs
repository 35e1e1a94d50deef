//! Block frequencies, estimated from the loop nesting.

use ssaphire_graph::{Block, DominatorTree, FlatCfg, LoopForest};

/// The estimated number of executions of each block: ten times as many as of a block around it, for each loop it is in.
#[derive(Debug)]
pub(crate) struct Frequencies(LoopForest);

impl Frequencies {
    pub(crate) fn new(cfg: &FlatCfg, dominators: &DominatorTree) -> Self {
        Self(LoopForest::new(cfg, dominators))
    }

    pub(crate) fn loops(&self) -> &LoopForest {
        &self.0
    }

    /// Beyond 19 loops, as often as for 19: the number has 64 bits.
    pub(crate) fn of(&self, block: Block) -> u64 {
        10_u64.saturating_pow(self.0.depth(block).min(19) as u32)
    }
}
