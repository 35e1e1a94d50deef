//! Depth-first orders of the reachable blocks.
//!
//! One walk from the entry, successors in terminator order, gives preorder,
//! post-order and the depth-first tree. Everything else in this crate numbers
//! blocks by it.
//!
//! # Complexity
//! O(*n* + *e*) time, O(*n*) memory.

use crate::{Block, Edge, FlatCfg, Id, IdMap, PackedOption, internal_id};
use alloc::vec::Vec;

internal_id!(
    /// Number of a reachable block in depth-first preorder.
    pub(crate) Preorder, "preorder", Block::LIMIT
);

internal_id!(
    /// Number of a reachable block in post-order.
    Postorder, "postorder", Block::LIMIT
);

impl Preorder {
    /// The entry.
    pub(crate) const ENTRY: Self = Self(0);

    /// The number after it, which need not be that of a block.
    #[inline]
    pub(crate) fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// The reachable blocks in depth-first preorder and post-order.
///
/// Unreachable blocks have no place in any of the orders; neither has a block
/// the graph does not have. Rebuilding reuses memory.
///
/// # Examples
/// ```
/// use ssaphire::graph::Order;
/// use ssaphire::{Block, FlatCfg};
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
    preorder: IdMap<Preorder, Block>,
    postorder: IdMap<Postorder, Block>,
    /// The parent in the depth-first tree; the entry is its own.
    parent: IdMap<Preorder, Preorder>,
    stack: Vec<Step>,
}

/// The numbers of a block, if the walk reaches it.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    preorder: PackedOption<Preorder>,
    postorder: PackedOption<Postorder>,
}

/// A block on the path from the entry to the current block, and the slot to follow next.
#[derive(Clone, Copy, Debug)]
struct Step {
    number: Preorder,
    slot: u32,
}

impl Order {
    /// The orders of `cfg`.
    pub fn new(cfg: &FlatCfg) -> Self {
        let mut order = Self::default();
        order.rebuild(cfg);
        order
    }

    /// Recomputes the orders for `cfg`, and reuses its memory.
    pub fn rebuild(&mut self, cfg: &FlatCfg) {
        self.places.reset(cfg.num_blocks(), Place::default());
        self.preorder.clear();
        self.postorder.clear();
        self.parent.clear();
        if cfg.num_blocks() > 0 {
            self.enter(cfg.entry(), Preorder::ENTRY);
        }
        while let Some(step) = self.stack.last_mut() {
            let block = self.preorder[step.number];
            let targets = &cfg.targets(block)[step.slot as usize..];
            let places = &self.places;
            match targets.iter().position(|&target| places[target].preorder.is_none()) {
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
        self.preorder.as_slice()
    }

    /// The reachable blocks, each after all its children in the depth-first tree; the entry comes last.
    pub fn postorder(&self) -> &[Block] {
        self.postorder.as_slice()
    }

    /// The reachable blocks in reverse post-order.
    ///
    /// The entry comes first, and the source of an edge before its target unless the edge is retreating.
    #[doc(alias = "reverse_postorder")]
    pub fn rpo(&self) -> impl DoubleEndedIterator<Item = Block> + ExactSizeIterator + '_ {
        self.postorder.values().rev().copied()
    }

    /// The position of `block` in [`Order::rpo`], or `None` if it is unreachable.
    pub fn rpo_index(&self, block: Block) -> Option<usize> {
        let postorder = self.places.get(block)?.postorder.expand()?;
        Some(self.postorder.len() - 1 - postorder.index())
    }

    /// The position of `block` in [`Order::preorder`], or `None` if it is unreachable.
    pub fn preorder_index(&self, block: Block) -> Option<usize> {
        self.places.get(block)?.preorder.expand().map(Preorder::index)
    }

    /// Whether a path leads from the entry to `block`.
    #[inline]
    pub fn is_reachable(&self, block: Block) -> bool {
        self.places.get(block).is_some_and(|place| place.preorder.is_some())
    }

    /// Number of blocks that can be reached from the entry, itself included.
    pub fn num_reachable(&self) -> usize {
        self.preorder.len()
    }

    /// The parent of `block` in the depth-first tree, or `None` for the entry and unreachable blocks.
    pub fn parent(&self, block: Block) -> Option<Block> {
        let number = self.places.get(block)?.preorder.expand().filter(|&number| number != Preorder::ENTRY)?;
        Some(self.block(self.parent[number]))
    }

    /// Whether the depth-first tree has a path from `ancestor` to `block`, which may be the same block.
    pub fn is_ancestor(&self, ancestor: Block, block: Block) -> bool {
        let (Some(above), Some(below)) = (self.places.get(ancestor), self.places.get(block)) else { return false };
        below.preorder.is_some() && above.preorder <= below.preorder && below.postorder <= above.postorder
    }

    /// Whether `edge` of `cfg` leads from a reachable block to itself or an ancestor in the depth-first tree.
    ///
    /// Each cycle has such an edge. In a reducible graph they are the back
    /// edges, whatever the order of the walk; elsewhere the order decides.
    pub fn is_retreating(&self, cfg: &FlatCfg, edge: Edge) -> bool {
        self.is_ancestor(cfg.target(edge), cfg.source(edge))
    }

    /// The number of a block of the graph, or `None` if it is unreachable.
    #[inline]
    pub(crate) fn number(&self, block: Block) -> Option<Preorder> {
        self.places[block].preorder.expand()
    }

    /// The numbers of the reachable blocks.
    pub(crate) fn numbers(&self) -> impl DoubleEndedIterator<Item = Preorder> + ExactSizeIterator + Clone + use<> {
        self.preorder.keys()
    }

    /// The block of that number.
    #[inline]
    pub(crate) fn block(&self, number: Preorder) -> Block {
        self.preorder[number]
    }

    /// The parent of each block in the depth-first tree; the entry is its own.
    #[inline]
    pub(crate) fn parents(&self) -> &IdMap<Preorder, Preorder> {
        &self.parent
    }

    fn enter(&mut self, block: Block, parent: Preorder) {
        let number = self.preorder.push(block);
        self.places[block].preorder = number.into();
        self.parent.push(parent);
        self.stack.push(Step { number, slot: 0 });
    }

    fn leave(&mut self, block: Block) {
        self.places[block].postorder = self.postorder.push(block).into();
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
