//! The dominator tree, laid out for queries.
//!
//! Blocks are numbered in preorder of the tree, so that each block dominates
//! a range of numbers.

use super::{ImmediateDominators, Method};
use crate::forest_layout::{ForestLayout, Position};
use crate::order::Preorder;
use crate::{Block, FlatCfg, Id, IdLists, IdMap, Order, PackedOption};

/// The dominator tree of a graph.
///
/// A block that no path from the entry reaches dominates nothing and is
/// dominated by nothing, not even itself; the same holds for a block the
/// graph does not have. Rebuilding reuses memory.
///
/// # Complexity
/// O(*e* log *n*) by the default [`Method`]; every query is O(1).
///
/// # Examples
/// ```
/// use ssaphire::graph::DominatorTree;
/// use ssaphire::{Block, FlatCfg};
///
/// let [top, left, right, bottom] = [0, 1, 2, 3].map(Block::new);
/// let cfg = FlatCfg::from_successors(top, &[vec![left, right], vec![bottom], vec![bottom], vec![]]).unwrap();
/// let dominators = DominatorTree::new(&cfg);
/// assert_eq!(dominators.idom(bottom), Some(top));
/// assert_eq!(dominators.children(top), [left, bottom, right]);
/// assert!(dominators.dominates(top, bottom) && !dominators.dominates(left, bottom));
/// ```
#[derive(Clone, Debug, Default)]
pub struct DominatorTree {
    immediate: ImmediateDominators,
    spans: IdMap<Block, Span>,
    preorder: IdMap<Position, Block>,
    /// The immediate dominator.
    parent: IdMap<Position, PackedOption<Position>>,
    level: IdMap<Position, u32>,
    children: IdLists<Position, Block>,
    layout: ForestLayout<Preorder>,
}

/// The positions, in preorder, of the blocks that a block dominates.
#[derive(Clone, Copy, Debug)]
struct Span {
    first: PackedOption<Position>,
    last: Position,
}

/// Contains nothing and is contained in nothing: no position comes after all positions.
const UNREACHABLE: Span = Span { first: PackedOption::NONE, last: Position::FIRST };

impl DominatorTree {
    /// The dominator tree of `cfg`, by the default method.
    pub fn new(cfg: &FlatCfg) -> Self {
        let mut tree = Self::default();
        tree.rebuild(cfg);
        tree
    }

    /// Recomputes the tree for `cfg`, and reuses its memory.
    pub fn rebuild(&mut self, cfg: &FlatCfg) {
        self.immediate.rebuild(cfg);
        self.complete(cfg);
    }

    /// As [`rebuild`](Self::rebuild), by a method that the caller chooses.
    pub fn rebuild_by(&mut self, method: Method, cfg: &FlatCfg) {
        self.immediate.rebuild_by(method, cfg);
        self.complete(cfg);
    }

    /// The immediate dominator of `block`, or `None` for the entry and unreachable blocks.
    #[doc(alias = "immediate_dominator")]
    pub fn idom(&self, block: Block) -> Option<Block> {
        self.preorder.find(self.parent[self.position(block)?]).copied()
    }

    /// Whether a path leads from the entry to `block`.
    #[inline]
    pub fn is_reachable(&self, block: Block) -> bool {
        self.span(block).first.is_some()
    }

    /// Whether every path from the entry to `below` passes `above`. A reachable block dominates itself.
    ///
    /// False if either block is unreachable.
    #[inline]
    pub fn dominates(&self, above: Block, below: Block) -> bool {
        let Span { first, last } = self.span(above);
        // The `first` of an unreachable block comes after all positions: as a beginning it makes the range empty, and
        // no range has it.
        (first..=last.into()).contains(&self.span(below).first)
    }

    /// Whether `above` dominates `below` and is another block.
    #[inline]
    pub fn strictly_dominates(&self, above: Block, below: Block) -> bool {
        above != below && self.dominates(above, below)
    }

    /// The blocks whose immediate dominator is `block`, in the order of [`DominatorTree::preorder`].
    pub fn children(&self, block: Block) -> &[Block] {
        self.position(block).map_or(&[], |position| self.children.of(position))
    }

    /// How many blocks strictly dominate `block`: 0 for the entry, or `None` if it is unreachable.
    pub fn level(&self, block: Block) -> Option<usize> {
        self.position(block).map(|position| self.level[position] as usize)
    }

    /// The reachable blocks in preorder of the tree; children in the order the depth-first walk met them.
    pub fn preorder(&self) -> &[Block] {
        self.preorder.as_slice()
    }

    /// The position of `block` in [`DominatorTree::preorder`], or `None` if it is unreachable.
    #[inline]
    pub fn preorder_index(&self, block: Block) -> Option<usize> {
        self.position(block).map(Position::index)
    }

    /// The blocks that `block` dominates, itself first, in preorder of the tree; none if it is unreachable.
    pub fn dominated_by(&self, block: Block) -> &[Block] {
        let Span { first, last } = self.span(block);
        first.expand().map_or(&[], |first| &self.preorder()[first.index()..=last.index()])
    }

    /// The depth-first orders the tree was computed with.
    pub fn order(&self) -> &Order {
        self.immediate.order()
    }

    #[inline]
    fn span(&self, block: Block) -> Span {
        self.spans.get(block).copied().unwrap_or(UNREACHABLE)
    }

    #[inline]
    fn position(&self, block: Block) -> Option<Position> {
        self.span(block).first.expand()
    }

    /// The tree of the immediate dominators.
    fn complete(&mut self, cfg: &FlatCfg) {
        self.lay_out(cfg.num_blocks());
        self.collect_children();
    }

    /// Gives every block its span and its place in preorder.
    fn lay_out(&mut self, num_blocks: usize) {
        let order = self.immediate.order();
        let len = order.num_reachable();
        self.layout.rebuild(len, |number| self.immediate.number(number));
        self.spans.reset(num_blocks, UNREACHABLE);
        self.preorder.reset(len, Block::new(0));
        self.parent.reset(len, PackedOption::NONE);
        for number in order.numbers() {
            let (block, first, last) = (order.block(number), self.layout.first(number), self.layout.last(number));
            self.spans[block] = Span { first: first.into(), last };
            self.preorder[first] = block;
            self.parent[first] = self.immediate.number(number).map(|idom| self.layout.first(idom)).into();
        }
    }

    /// Levels and lists of children, from the top down.
    fn collect_children(&mut self) {
        self.level.reset(self.preorder.len(), 0);
        // In preorder, so the level of the parent is known.
        for position in self.level.keys() {
            if let Some(parent) = self.parent[position].expand() {
                self.level[position] = self.level[parent] + 1;
            }
        }
        let blocks = self.parent.values().zip(self.preorder.values());
        let children = blocks.filter_map(|(parent, &block)| Some((parent.expand()?, block)));
        self.children.rebuild(self.preorder.len(), children);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_graphs::{self, on_small_stack, reaches};
    use alloc::vec::Vec;

    const METHODS: [Method; 3] = [Method::SemiNca, Method::LengauerTarjan, Method::Iterative];

    /// By definition: without `above`, no path leads to `below`.
    fn dominates_by_definition(cfg: &FlatCfg, above: Block, below: Block) -> bool {
        reaches(cfg, cfg.entry(), below, None) && !reaches(cfg, cfg.entry(), below, Some(above))
    }

    #[test]
    fn every_method_agrees_with_the_definition() {
        let mut trees = METHODS.map(|method| (method, DominatorTree::default()));
        for cfg in sample_graphs::every_small().chain(sample_graphs::random(3000)) {
            trees.iter_mut().for_each(|(method, tree)| tree.rebuild_by(*method, &cfg));
            for below in cfg.blocks() {
                for above in cfg.blocks() {
                    let expected = dominates_by_definition(&cfg, above, below);
                    for (_, tree) in &trees {
                        assert_eq!(tree.dominates(above, below), expected, "{above} {below} {cfg:?}");
                        assert_eq!(tree.strictly_dominates(above, below), expected && above != below);
                    }
                }
            }
        }
    }

    #[test]
    fn the_tree_is_consistent_with_itself() {
        let mut tree = DominatorTree::default();
        for cfg in sample_graphs::random(1000) {
            tree.rebuild(&cfg);
            assert_eq!(tree.idom(cfg.entry()), None);
            assert_eq!(tree.preorder().first(), Some(&cfg.entry()));
            for block in cfg.blocks() {
                let dominators = cfg.blocks().filter(|&above| tree.dominates(above, block)).count();
                assert_eq!(tree.level(block), dominators.checked_sub(1));
                assert_eq!(tree.is_reachable(block), dominators > 0);
                let children: Vec<_> =
                    tree.preorder().iter().copied().filter(|&below| tree.idom(below) == Some(block)).collect();
                assert_eq!(tree.children(block), children);
                let dominated: Vec<_> =
                    tree.preorder().iter().copied().filter(|&below| tree.dominates(block, below)).collect();
                assert_eq!(tree.dominated_by(block), dominated);
            }
        }
    }

    #[test]
    fn pairs_come_after_their_dominators() {
        for cfg in sample_graphs::random(500) {
            let immediate = ImmediateDominators::new(&cfg);
            let mut seen = alloc::vec![cfg.entry()];
            for (block, idom) in immediate.pairs() {
                assert_eq!(immediate.idom(block), Some(idom));
                assert!(seen.contains(&idom));
                seen.push(block);
            }
            assert_eq!(seen.len(), immediate.order().num_reachable());
        }
    }

    #[test]
    fn unreachable_and_unknown_blocks_dominate_nothing() {
        let tree = DominatorTree::new(&sample_graphs::graph(0, &[alloc::vec![0], alloc::vec![0, 1]]));
        for block in [1, 7].map(Block::new) {
            assert!(!tree.dominates(block, block) && !tree.dominates(Block::new(0), block));
            assert_eq!((tree.idom(block), tree.level(block)), (None, None));
            assert!(tree.children(block).is_empty() && tree.dominated_by(block).is_empty());
        }
        assert!(tree.dominates(Block::new(0), Block::new(0)));
        assert!(DominatorTree::new(&FlatCfg::default()).preorder().is_empty());
    }

    #[track_caller]
    fn check_family(cfg: &FlatCfg, methods: &[Method], expected: impl Fn(usize) -> usize) {
        let expected: Vec<_> = (1..cfg.num_blocks()).map(|block| Some(Block::new(expected(block)))).collect();
        for &method in methods {
            let mut tree = DominatorTree::default();
            tree.rebuild_by(method, cfg);
            let found: Vec<_> = cfg.blocks().skip(1).map(|block| tree.idom(block)).collect();
            assert!(found == expected, "{method:?}");
        }
    }

    #[test]
    fn families_have_the_trees_they_must_have() {
        for size in [3, 4, 5, 10, 500] {
            check_family(&sample_graphs::chain(size), &METHODS, |block| block - 1);
            check_family(&sample_graphs::ladder(size), &METHODS, |_| 0);
            check_family(&sample_graphs::nest(size), &METHODS, |block| block - 1);
            check_family(&sample_graphs::shortcuts(size), &METHODS, |block| if block <= size { block - 1 } else { 0 });
        }
    }

    /// The iterative method takes part where it is not quadratic. On `shortcuts`, climbs step by step would take hours.
    #[test]
    fn large_families_need_no_stack() {
        on_small_stack(|| {
            check_family(&sample_graphs::chain(1_000_000), &METHODS, |block| block - 1);
            check_family(&sample_graphs::ladder(300_000), &METHODS[..2], |_| 0);
            check_family(&sample_graphs::nest(300_000), &METHODS[..2], |block| block - 1);
            let shortcuts = sample_graphs::shortcuts(1_000_000);
            check_family(&shortcuts, &METHODS[..2], |block| if block <= 1_000_000 { block - 1 } else { 0 });
        });
    }

    #[test]
    fn ten_thousand_edges_into_one_block() {
        check_family(&sample_graphs::fan_in(10_000), &METHODS, |_| 0);
    }
}
