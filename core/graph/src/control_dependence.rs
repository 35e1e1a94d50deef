//! Control dependence: the edges that decide whether a block is executed.
//!
//! A block depends on an edge if it post-dominates the edge's target and does
//! not strictly post-dominate its source (Ferrante, Ottenstein and Warren 1987;
//! Cytron et al. 1991, section 6). These are the frontiers of the reversed graph.
//!
//! | question | answer |
//! |---|---|
//! | the blocks that depend on an edge | [`ControlDependence::dependents`], lazily |
//! | the edges on which a block depends | [`ControlDependence::controllers`], lazily |
//! | the same for all blocks at once | [`ControlDependence::all`] |
//! | the blocks that are always executed | [`ControlDependence::always_executed`]: those that depend on the arc from entry to exit that the paper adds |
//!
//! # Complexity
//! All dependences together can be quadratic in the blocks, so they are stored only on request.
//!
//! # Departures
//! Dependences name edges, where the paper has edge labels. The arc from entry to exit, which the paper adds to the
//! graph, exists only as the query `always_executed`.

use crate::{Block, Edge, FlatCfg, PostDominators};
use alloc::vec::Vec;

/// Control dependence in a graph.
///
/// # Examples
/// ```
/// use ssaphire::graph::{ControlDependence, PostDominators};
/// use ssaphire::{Block, FlatCfg};
///
/// let [top, left, right, bottom] = [0, 1, 2, 3].map(Block::new);
/// let cfg = FlatCfg::from_successors(top, &[vec![left, right], vec![bottom], vec![bottom], vec![]]).unwrap();
/// let post_dominators = PostDominators::new(&cfg);
/// let dependence = ControlDependence::new(&cfg, &post_dominators);
/// let to_left = cfg.edge_at(top, 0).unwrap();
/// assert_eq!(dependence.dependents(to_left).collect::<Vec<_>>(), [left]);
/// assert_eq!(dependence.controllers(left).collect::<Vec<_>>(), [to_left]);
/// assert_eq!(dependence.always_executed().collect::<Vec<_>>(), [top, bottom]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ControlDependence<'g> {
    cfg: &'g FlatCfg,
    post_dominators: &'g PostDominators,
}

impl<'g> ControlDependence<'g> {
    /// The control dependence of `cfg`, whose post-dominator tree is `post_dominators`.
    pub fn new(cfg: &'g FlatCfg, post_dominators: &'g PostDominators) -> Self {
        Self { cfg, post_dominators }
    }

    /// The blocks that depend on `edge`: from its target up the post-dominator tree. None if its source is unreachable.
    ///
    /// Every block but the last is post-dominated by the next.
    ///
    /// # Complexity
    /// O(1) per block.
    pub fn dependents(self, edge: Edge) -> impl Iterator<Item = Block> + 'g {
        let (source, target) = (self.cfg.source(edge), self.cfg.target(edge));
        let end = self.post_dominators.ipdom(source);
        let first = end.map(|_| target);
        self.climb(first, end)
    }

    /// The blocks that are executed whenever control enters, if it ends: from the entry up the post-dominator tree.
    pub fn always_executed(self) -> impl Iterator<Item = Block> + 'g {
        let entry = (self.cfg.num_blocks() > 0).then(|| self.cfg.entry());
        self.climb(entry, Some(self.post_dominators.exit()))
    }

    /// From `first` up the tree as long as `end` is not reached.
    fn climb(self, first: Option<Block>, end: Option<Block>) -> impl Iterator<Item = Block> + 'g {
        let first = first.filter(|_| first != end);
        core::iter::successors(first, move |&block| self.post_dominators.ipdom(block).filter(|&next| Some(next) != end))
    }

    /// The edges that `block` depends on, by number. Several from one block are listed each.
    ///
    /// # Complexity
    /// O(blocks it post-dominates, and their incoming edges).
    pub fn controllers(self, block: Block) -> impl Iterator<Item = Edge> + 'g {
        let below = self.post_dominators.tree().dominated_by(block).iter();
        let edges = below.filter(|&&below| below != self.post_dominators.exit());
        let mut edges: Vec<Edge> = edges.flat_map(|&below| self.cfg.incoming(below)).copied().collect();
        edges.retain(|&edge| {
            let source = self.cfg.source(edge);
            let is_reachable = self.post_dominators.ipdom(source).is_some();
            is_reachable && !self.post_dominators.strictly_post_dominates(block, source)
        });
        edges.sort_unstable();
        edges.into_iter()
    }

    /// All dependences: the block, and the edge it depends on, ordered by edge.
    ///
    /// # Complexity
    /// O(*e* + their number), which can be quadratic.
    pub fn all(self) -> impl Iterator<Item = (Block, Edge)> + 'g {
        let edges = self.cfg.blocks().flat_map(move |block| self.cfg.outgoing(block));
        edges.flat_map(move |edge| self.dependents(edge).map(move |block| (block, edge)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_graphs;

    fn edges(cfg: &FlatCfg) -> impl Iterator<Item = Edge> + '_ {
        cfg.blocks().flat_map(|block| cfg.outgoing(block))
    }

    #[test]
    fn dependences_are_those_of_the_definition() {
        let mut post_dominators = PostDominators::default();
        for cfg in sample_graphs::every_small().chain(sample_graphs::random(3000)) {
            post_dominators.rebuild(&cfg);
            let dependence = ControlDependence::new(&cfg, &post_dominators);
            let depends = |block: Block, edge: Edge| {
                let (source, target) = (cfg.source(edge), cfg.target(edge));
                post_dominators.post_dominates(source, source)
                    && post_dominators.post_dominates(block, target)
                    && !post_dominators.strictly_post_dominates(block, source)
            };
            for edge in edges(&cfg) {
                let mut found: Vec<Block> = dependence.dependents(edge).collect();
                found.sort_unstable();
                let expected: Vec<Block> = cfg.blocks().filter(|&block| depends(block, edge)).collect();
                assert_eq!(found, expected, "{edge:?} {cfg:?}");
            }
            for block in cfg.blocks() {
                let expected: Vec<Edge> = edges(&cfg).filter(|&edge| depends(block, edge)).collect();
                assert_eq!(dependence.controllers(block).collect::<Vec<_>>(), expected, "{block} {cfg:?}");
            }
            let num = edges(&cfg).map(|edge| dependence.dependents(edge).count()).sum::<usize>();
            assert_eq!(dependence.all().count(), num);
            let mut always: Vec<Block> = dependence.always_executed().collect();
            always.sort_unstable();
            let expected: Vec<Block> =
                cfg.blocks().filter(|&block| post_dominators.post_dominates(block, cfg.entry())).collect();
            assert_eq!(always, expected, "{cfg:?}");
        }
    }
}
