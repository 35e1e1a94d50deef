//! Dominance frontiers: the joins where the dominance of a block ends.
//!
//! `y` is in the frontier of `x` if `x` dominates a predecessor of `y` and does
//! not strictly dominate `y`. A definition in `x` needs a phi there: it is
//! the first point that another definition can reach.
//!
//! | paper | here |
//! |---|---|
//! | Cytron et al. 1991, section 4.2, Fig. 10 | [`DominanceFrontiers`] |
//! | there, *DF*+; Sreedhar and Gao 1995, DJ graphs | [`IteratedFrontier`] |
//!
//! # Complexity
//! All frontiers together can be quadratic in the blocks: a nest of
//! repeat-until loops has one of every size. One iterated frontier is linear.
//!
//! # Departures
//! There is no recursion. The entry may have incoming edges: then it is in the
//! frontiers of their sources. Unreachable blocks are in no frontier and have
//! an empty one; edges from them are ignored.

mod iterated;

pub use iterated::{IteratedFrontier, Queue};

use crate::{Block, DominatorTree, FlatCfg, IdMap};
use alloc::vec::Vec;
use core::ops::Range;

/// The dominance frontier of every block, in full.
///
/// Rebuilding reuses memory. Where phis are to be placed, [`IteratedFrontier`] is cheaper.
///
/// # Complexity
/// O(*e* + size of all frontiers × children they are passed on to), time; the result can be quadratic in the blocks.
///
/// # Examples
/// ```
/// use ssaphire::graph::{DominanceFrontiers, DominatorTree};
/// use ssaphire::{Block, FlatCfg};
///
/// let [top, left, right, bottom] = [0, 1, 2, 3].map(Block::new);
/// let cfg = FlatCfg::from_successors(top, &[vec![left, right], vec![bottom], vec![bottom], vec![]]).unwrap();
/// let frontiers = DominanceFrontiers::new(&cfg, &DominatorTree::new(&cfg));
/// assert_eq!(frontiers.of(left), [bottom]);
/// assert_eq!(frontiers.of(top), []);
/// ```
#[derive(Clone, Debug, Default)]
pub struct DominanceFrontiers {
    ranges: IdMap<Block, Range<u32>>,
    blocks: Vec<Block>,
    /// By block: the last block whose frontier it was put into, plus one.
    seen: IdMap<Block, u32>,
}

impl DominanceFrontiers {
    /// The frontiers of `cfg`, whose dominator tree is `tree`.
    pub fn new(cfg: &FlatCfg, tree: &DominatorTree) -> Self {
        let mut frontiers = Self::default();
        frontiers.rebuild(cfg, tree);
        frontiers
    }

    /// Recomputes the frontiers for `cfg`, and reuses its memory.
    pub fn rebuild(&mut self, cfg: &FlatCfg, tree: &DominatorTree) {
        self.ranges.reset(cfg.num_blocks(), 0..0);
        self.seen.reset(cfg.num_blocks(), 0);
        self.blocks.clear();
        // Children before parents.
        for &block in tree.preorder().iter().rev() {
            let first = self.blocks.len();
            for &target in cfg.targets(block) {
                self.add(block, target, tree);
            }
            for &child in tree.children(block) {
                for place in self.ranges[child].clone() {
                    self.add(block, self.blocks[place as usize], tree);
                }
            }
            self.blocks[first..].sort_unstable();
            self.ranges[block] = first as u32..self.blocks.len() as u32;
        }
    }

    fn add(&mut self, block: Block, met: Block, tree: &DominatorTree) {
        let stamp = block.index() as u32 + 1;
        if tree.idom(met) != Some(block) && self.seen[met] != stamp {
            self.seen[met] = stamp;
            self.blocks.push(met);
        }
    }

    /// The frontier of `block`, in id order; empty for one that is unreachable.
    pub fn of(&self, block: Block) -> &[Block] {
        let range = self.ranges.get(block).cloned().unwrap_or(0..0);
        &self.blocks[range.start as usize..range.end as usize]
    }

    /// Number of blocks in all frontiers together.
    pub fn size(&self) -> usize {
        self.blocks.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_graphs::{self, on_small_stack};

    #[test]
    fn frontiers_are_those_of_the_definition() {
        let (mut tree, mut frontiers) = (DominatorTree::default(), DominanceFrontiers::default());
        for cfg in sample_graphs::every_small().chain(sample_graphs::random(3000)) {
            tree.rebuild(&cfg);
            frontiers.rebuild(&cfg, &tree);
            let mut size = 0;
            for block in cfg.blocks() {
                let meets = |met: Block| {
                    let mut sources = cfg.incoming(met).iter().map(|&edge| cfg.source(edge));
                    sources.any(|source| tree.dominates(block, source)) && !tree.strictly_dominates(block, met)
                };
                let expected: Vec<Block> = cfg.blocks().filter(|&met| meets(met)).collect();
                assert_eq!(frontiers.of(block), expected, "{block} {cfg:?}");
                size += expected.len();
            }
            assert_eq!(frontiers.size(), size);
        }
    }

    #[test]
    fn a_nest_of_loops_has_quadratic_frontiers() {
        let cfg = sample_graphs::nest(100);
        let frontiers = DominanceFrontiers::new(&cfg, &DominatorTree::new(&cfg));
        // Header number i of 100, counted from outside, has itself and all headers outside of it, and so has its end.
        assert_eq!(frontiers.size(), 100 * 101);
    }

    #[test]
    fn long_graphs_take_no_stack() {
        on_small_stack(|| {
            let cfg = sample_graphs::chain(1_000_000);
            assert_eq!(DominanceFrontiers::new(&cfg, &DominatorTree::new(&cfg)).size(), 0);
        });
    }
}
