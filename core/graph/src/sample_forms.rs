//! Functions for tests: graphs with something in their blocks.

use crate::{Access, Block, Cfg, FlatCfg, VariableForm};
use alloc::vec::Vec;

/// Implements [`Cfg`] for what has one in its field `cfg`.
macro_rules! cfg_of_field {
    ($name:ident) => {
        impl Cfg for $name {
            fn num_blocks(&self) -> usize {
                self.cfg.num_blocks()
            }

            fn entry(&self) -> Block {
                self.cfg.entry()
            }

            fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
                self.cfg.successors(block)
            }

            fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
                self.cfg.predecessors(block)
            }
        }
    };
}

pub(crate) use cfg_of_field;

/// A function with variables; blocks beyond the list have no accesses.
#[derive(Debug)]
pub(crate) struct Variables {
    pub(crate) cfg: FlatCfg,
    pub(crate) num_variables: usize,
    pub(crate) accesses: Vec<Vec<Access>>,
}

cfg_of_field!(Variables);

impl VariableForm for Variables {
    fn num_variables(&self) -> usize {
        self.num_variables
    }

    fn accesses(&self, block: Block) -> impl Iterator<Item = Access> {
        self.accesses.get(block.index()).into_iter().flatten().copied()
    }
}
