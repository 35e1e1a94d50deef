//! The graph that is translated: that of the function, or one with copies and dispatchers that does the same.
//!
//! Its nodes have ids of blocks. The first ones are the blocks of the function by their own ids.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use ssaphire_graph::{Block, DominatorTree, FlatCfg, LoopForest};

/// The action of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// A block of the function is executed.
    Execute(Block),
    /// The dispatch variable is set.
    SetDispatch(u32),
    /// The dispatch variable says which edge is taken, by slot.
    Dispatch,
}

/// A graph whose nodes have actions.
pub(super) struct Graph<'g> {
    cfg: Cow<'g, FlatCfg>,
    num_blocks: usize,
    /// The actions of the nodes that are no blocks of the function.
    added: Vec<Action>,
}

impl<'g> Graph<'g> {
    /// That of the function.
    pub(super) fn new(cfg: &'g FlatCfg) -> Self {
        Self { cfg: Cow::Borrowed(cfg), num_blocks: cfg.num_blocks(), added: Vec::new() }
    }

    /// Nodes and edges.
    pub(super) fn cfg(&self) -> &FlatCfg {
        &self.cfg
    }

    /// The action of `node`.
    pub(super) fn action(&self, node: Block) -> Action {
        match node.index().checked_sub(self.num_blocks) {
            None => Action::Execute(node),
            Some(index) => self.added[index],
        }
    }

    /// The block that is executed at `node`; of a node that dispatches, itself.
    pub(super) fn block(&self, node: Block) -> Block {
        match self.action(node) {
            Action::Execute(block) => block,
            Action::SetDispatch(_) | Action::Dispatch => node,
        }
    }

    /// Adds nodes with these actions, after all others, and exchanges all edges.
    pub(super) fn replace(&mut self, added: Vec<Action>, edges: impl Iterator<Item = (Block, Block)>) {
        self.added.extend(added);
        let mut cfg = FlatCfg::default();
        let num_nodes = self.num_blocks + self.added.len();
        cfg.rebuild_from_edges(num_nodes, self.cfg.entry(), edges).expect("ends are nodes, ordered by source");
        self.cfg = Cow::Owned(cfg);
    }
}

/// The dominator tree and the loops of a graph.
pub(super) struct Shape {
    pub(super) dominators: DominatorTree,
    pub(super) loops: LoopForest,
}

impl Shape {
    /// Those of `cfg`.
    pub(super) fn new(cfg: &FlatCfg) -> Self {
        let mut shape = Self { dominators: DominatorTree::default(), loops: LoopForest::default() };
        shape.rebuild(cfg);
        shape
    }

    /// Becomes those of `cfg`.
    pub(super) fn rebuild(&mut self, cfg: &FlatCfg) {
        self.dominators.rebuild(cfg);
        self.loops.rebuild(cfg, &self.dominators);
    }

    /// Whether an edge from `source` to `target` is a back edge.
    pub(super) fn is_back_edge(&self, source: Block, target: Block) -> bool {
        self.dominators.dominates(target, source)
    }

    /// How many nodes `node` dominates.
    pub(super) fn num_dominated(&self, node: Block) -> usize {
        self.dominators.dominated_by(node).len()
    }
}
