//! The loops around a loop, without going through all of them.
//!
//! Each loop has a jump to one of those around it, so that a way up takes a
//! logarithmic number of jumps and single steps. Here `None` is what is
//! outside of all loops, at depth 0.
//!
//! | Myers 1983, "An applicative random-access stack" | here |
//! |---|---|
//! | the pointer to the rest | [`LoopForest::parent`] |
//! | the jump pointer | `jump` |
//!
//! # Complexity
//! O(log depth) by question, after O(loops).
//!
//! # Departures
//! None.

use ssaphire::Block;
use ssaphire::graph::{IdMap, LoopForest};

/// The ways up from the loops of a forest.
pub(super) struct Ancestors<'l> {
    loops: &'l LoopForest,
    /// By header: a loop around its loop.
    jump: IdMap<Block, Option<Block>>,
}

impl<'l> Ancestors<'l> {
    pub(super) fn new(loops: &'l LoopForest, num_blocks: usize) -> Self {
        let mut ancestors = Self { loops, jump: IdMap::filled(num_blocks, None) };
        for header in loops.headers() {
            let parent = loops.parent(header);
            let first = ancestors.jump(parent);
            let second = ancestors.jump(first);
            // Two jumps of one length become one.
            let [from, over, to] = [parent, first, second].map(|header| ancestors.depth(header));
            ancestors.jump[header] = if from - over == over - to { second } else { parent };
        }
        ancestors
    }

    fn depth(&self, header: Option<Block>) -> usize {
        header.map_or(0, |header| self.loops.depth(header))
    }

    fn jump(&self, header: Option<Block>) -> Option<Block> {
        self.jump[header?]
    }

    fn parent(&self, header: Option<Block>) -> Option<Block> {
        self.loops.parent(header?)
    }

    /// The loop at that depth around the loop of `header`, itself included.
    pub(super) fn at_depth(&self, mut header: Option<Block>, depth: usize) -> Option<Block> {
        while self.depth(header) > depth {
            let jump = self.jump(header);
            header = if self.depth(jump) >= depth { jump } else { self.parent(header) };
        }
        header
    }

    /// How many loops contain both.
    pub(super) fn common_depth(&self, one: Option<Block>, other: Option<Block>) -> usize {
        let depth = self.depth(one).min(self.depth(other));
        if depth == 0 {
            return 0;
        }
        let (mut one, mut other) = (self.at_depth(one, depth), self.at_depth(other, depth));
        while one != other {
            // At one depth both jump as far.
            let jumps = (self.jump(one), self.jump(other));
            (one, other) = if jumps.0 == jumps.1 { (self.parent(one), self.parent(other)) } else { jumps };
        }
        self.depth(one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::sample_graphs::graph;
    use ssaphire::graph::DominatorTree;

    #[test]
    fn ways_up_are_those_of_single_steps() {
        let mut deepest = 0;
        for round in 0..500 {
            let cfg = graph(1 + round % 37, round as u64);
            let loops = LoopForest::new(&cfg, &DominatorTree::new(&cfg));
            let ancestors = Ancestors::new(&loops, cfg.num_blocks());
            let around = |header| -> Vec<Block> {
                std::iter::successors(Some(header), |&header| loops.parent(header)).collect()
            };
            for header in loops.headers() {
                deepest = deepest.max(around(header).len());
                for (index, &above) in around(header).iter().rev().enumerate() {
                    assert_eq!(ancestors.at_depth(Some(header), index + 1), Some(above), "{cfg:?}");
                }
                assert_eq!(ancestors.at_depth(Some(header), 0), None);
                assert_eq!(ancestors.common_depth(Some(header), None), 0);
                for other in loops.headers() {
                    let common = around(other).iter().filter(|above| around(header).contains(above)).count();
                    assert_eq!(ancestors.common_depth(Some(header), Some(other)), common, "{cfg:?}");
                }
            }
        }
        assert!(deepest > 5, "{deepest}");
    }
}
