//! Depth-first orders of the reachable blocks.
//!
//! One walk from the entry, successors in terminator order, gives preorder,
//! post-order and the depth-first tree. Everything else in this crate numbers
//! blocks by it.
//!
//! # Complexity
//! O(*n* + *e*) time, O(*n*) memory.

use crate::{Block, Edge, FlatCfg, IdMap};
use alloc::vec::Vec;

/// The number of a block the walk does not reach. No block has it: it is beyond [`Block::LIMIT`].
pub(crate) const NONE: u32 = u32::MAX;

/// The reachable blocks in depth-first preorder and post-order.
///
/// Unreachable blocks have no place in any of the orders; neither has a block
/// the graph does not have. Rebuilding reuses memory.
///
/// # Examples
/// ```
/// use ssaphire_graph::{Block, FlatCfg, Order};
///
/// let [a, b, c, unreachable] = [0, 1, 2, 3].map(Block::new);
/// let cfg = FlatCfg::from_successors(a, &[vec![b, c], vec![c], vec![], vec![c]]).unwrap();
/// let order = Order::new(&cfg);
/// assert_eq!(order.rpo().collect::<Vec<_>>(), [a, b, c]);
/// assert_eq!(order.rpo_index(c), Some(2));
/// assert!(!order.is_reachable(unreachable));
/// ```
#[derive(Clone, Debug, Default)]
#[doc(alias = "dfs")]
pub struct Order {
    places: IdMap<Block, Place>,
    preorder: Vec<Block>,
    postorder: Vec<Block>,
    /// By preorder index: that of the parent in the depth-first tree.
    parent: Vec<u32>,
    stack: Vec<Step>,
}

/// Where a block stands: [`NONE`] twice if the walk does not reach it.
#[derive(Clone, Copy, Debug)]
struct Place {
    preorder: u32,
    postorder: u32,
}

/// A block on the path from the entry to the block at hand, and the slot to look at next.
#[derive(Clone, Copy, Debug)]
struct Step {
    number: u32,
    slot: u32,
}

impl Order {
    /// The orders of `cfg`.
    pub fn new(cfg: &FlatCfg) -> Self {
        let mut order = Self::default();
        order.rebuild(cfg);
        order
    }

    /// Becomes the orders of `cfg`, in the memory it has.
    pub fn rebuild(&mut self, cfg: &FlatCfg) {
        self.places.reset(cfg.num_blocks(), Place { preorder: NONE, postorder: NONE });
        self.preorder.clear();
        self.postorder.clear();
        self.parent.clear();
        if cfg.num_blocks() > 0 {
            self.enter(cfg.entry(), NONE);
        }
        while let Some(step) = self.stack.last_mut() {
            let block = self.preorder[step.number as usize];
            let targets = &cfg.targets(block)[step.slot as usize..];
            let places = &self.places;
            match targets.iter().position(|&target| places[target].preorder == NONE) {
                Some(passed) => {
                    step.slot += passed as u32 + 1;
                    let parent = step.number;
                    self.enter(targets[passed], parent);
                }
                None => self.leave(block),
            }
        }
    }

    /// The reachable blocks, each after its parent in the depth-first tree; the entry comes first.
    pub fn preorder(&self) -> &[Block] {
        &self.preorder
    }

    /// The reachable blocks, each after all its children in the depth-first tree; the entry comes last.
    pub fn postorder(&self) -> &[Block] {
        &self.postorder
    }

    /// The reachable blocks in reverse post-order.
    ///
    /// The entry comes first, and the source of an edge before its target unless the edge is retreating.
    #[doc(alias = "reverse_postorder")]
    pub fn rpo(&self) -> impl DoubleEndedIterator<Item = Block> + ExactSizeIterator + '_ {
        self.postorder.iter().rev().copied()
    }

    /// The position of `block` in [`Order::rpo`], or `None` if it is unreachable.
    pub fn rpo_index(&self, block: Block) -> Option<usize> {
        let place = self.places.get(block).filter(|place| place.postorder != NONE)?;
        Some(self.postorder.len() - 1 - place.postorder as usize)
    }

    /// The position of `block` in [`Order::preorder`], or `None` if it is unreachable.
    pub fn preorder_index(&self, block: Block) -> Option<usize> {
        self.is_reachable(block).then(|| self.number(block) as usize)
    }

    /// Whether a path leads from the entry to `block`.
    #[inline]
    pub fn is_reachable(&self, block: Block) -> bool {
        self.places.get(block).is_some_and(|place| place.preorder != NONE)
    }

    /// Number of blocks that can be reached from the entry, itself included.
    pub fn num_reachable(&self) -> usize {
        self.preorder.len()
    }

    /// The parent of `block` in the depth-first tree, or `None` for the entry and unreachable blocks.
    pub fn parent(&self, block: Block) -> Option<Block> {
        let parent = self.parent[self.preorder_index(block)?];
        self.preorder.get(parent as usize).copied()
    }

    /// Whether the depth-first tree has a path from `ancestor` to `block`, which may be the same block.
    pub fn is_ancestor(&self, ancestor: Block, block: Block) -> bool {
        let (Some(above), Some(below)) = (self.places.get(ancestor), self.places.get(block)) else { return false };
        below.preorder != NONE && above.preorder <= below.preorder && below.postorder <= above.postorder
    }

    /// Whether `edge` of `cfg` leads from a reachable block to itself or an ancestor in the depth-first tree.
    ///
    /// Each cycle has such an edge. In a reducible graph they are the back
    /// edges, whatever the order of the walk; elsewhere the order decides.
    pub fn is_retreating(&self, cfg: &FlatCfg, edge: Edge) -> bool {
        self.is_ancestor(cfg.target(edge), cfg.source(edge))
    }

    /// The preorder index of a block of the graph; [`NONE`] if it is unreachable.
    #[inline]
    pub(crate) fn number(&self, block: Block) -> u32 {
        self.places[block].preorder
    }

    /// By preorder index: that of the parent, [`NONE`] for the entry.
    pub(crate) fn parents(&self) -> &[u32] {
        &self.parent
    }

    fn enter(&mut self, block: Block, parent: u32) {
        let number = self.preorder.len() as u32;
        self.places[block].preorder = number;
        self.preorder.push(block);
        self.parent.push(parent);
        self.stack.push(Step { number, slot: 0 });
    }

    fn leave(&mut self, block: Block) {
        self.places[block].postorder = self.postorder.len() as u32;
        self.postorder.push(block);
        self.stack.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_graphs::{self, on_small_stack};

    #[test]
    fn orders_agree_with_each_other_and_with_reachability() {
        let mut order = Order::default();
        for cfg in sample_graphs::random(2000) {
            order.rebuild(&cfg);
            for block in cfg.blocks() {
                assert_eq!(order.is_reachable(block), sample_graphs::reaches(&cfg, cfg.entry(), block, None));
                assert_eq!(order.preorder_index(block).map(|index| order.preorder()[index]), same(&order, block));
                assert_eq!(order.rpo_index(block).and_then(|index| order.rpo().nth(index)), same(&order, block));
            }
            assert_eq!(order.preorder().len(), order.postorder().len());
        }
    }

    fn same(order: &Order, block: Block) -> Option<Block> {
        order.is_reachable(block).then_some(block)
    }

    #[test]
    fn only_retreating_edges_go_back_in_rpo() {
        for cfg in sample_graphs::random(1000) {
            let order = Order::new(&cfg);
            for edge in (0..cfg.num_edges()).map(Edge::new) {
                let (source, target) = (order.rpo_index(cfg.source(edge)), order.rpo_index(cfg.target(edge)));
                let goes_back = source.is_some() && source >= target;
                assert_eq!(order.is_retreating(&cfg, edge), goes_back);
            }
        }
    }

    #[test]
    fn parents_are_predecessors_that_come_before() {
        for cfg in sample_graphs::random(500) {
            let order = Order::new(&cfg);
            assert_eq!(order.parent(cfg.entry()), None);
            for &block in &order.preorder()[1..] {
                let parent = order.parent(block).unwrap();
                assert!(cfg.targets(parent).contains(&block) && order.is_ancestor(parent, block));
                assert!(order.preorder_index(parent) < order.preorder_index(block));
            }
        }
    }

    #[test]
    fn a_graph_without_blocks_has_empty_orders() {
        let order = Order::new(&FlatCfg::default());
        assert_eq!(order.num_reachable(), 0);
        assert_eq!(order.rpo_index(Block::new(0)), None);
    }

    #[test]
    fn a_million_blocks_in_a_line_need_no_stack() {
        on_small_stack(|| assert_eq!(Order::new(&sample_graphs::chain(1_000_000)).num_reachable(), 1_000_000));
    }
}
