//! The frame that every check of a form needs: its graph, its dominators, and the definitions of its values.

use crate::definitions::Definitions;
use crate::violation::Violation;
use alloc::vec::Vec;
use ssaphire_graph::{Block, DominatorTree, FlatCfg, SsaForm};

/// The graph of a form, its dominators and its definitions. Rebuilding reuses memory.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    pub(crate) cfg: FlatCfg,
    pub(crate) tree: DominatorTree,
    pub(crate) definitions: Definitions,
}

impl Frame {
    /// Becomes the frame of `form`, and reports its errors; returns whether there is a graph to walk.
    pub(crate) fn rebuild(&mut self, form: &impl SsaForm, violations: &mut Vec<Violation>) -> bool {
        if let Err(error) = self.cfg.rebuild(form) {
            violations.push(error.into());
            return false;
        }
        self.tree.rebuild(&self.cfg);
        self.definitions.rebuild(form, violations);
        true
    }

    /// Whether a path leads from the entry to `block`.
    pub(crate) fn is_reachable(&self, block: Block) -> bool {
        self.tree.is_reachable(block)
    }

    /// The sources of the incoming edges of `block`, by operand index.
    pub(crate) fn sources(&self, block: Block) -> impl ExactSizeIterator<Item = Block> + '_ {
        self.cfg.incoming(block).iter().map(|&edge| self.cfg.source(edge))
    }
}
