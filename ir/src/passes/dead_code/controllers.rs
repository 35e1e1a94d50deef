//! The branches that decide on a block, each told once.
//!
//! An edge decides on the blocks from its target up the post-dominator tree,
//! as far as what immediately post-dominates its source, which it does not
//! decide on. So a block depends on an edge if it post-dominates the edge's
//! target, and that end is above it. With the edges in preorder of their
//! targets, those into what a block post-dominates are a range, and in a tree
//! of minima over the levels of their ends those with an end above it are
//! found without a look at the others.
//!
//! # Complexity
//! O(log *e*) per edge told and per block asked for, after O(*n* + *e*).

use ssaphire::Block;
use ssaphire::graph::{FlatCfg, PostDominators};

/// The control dependences that have not been reported.
pub(super) struct Controllers<'g> {
    post_dominators: &'g PostDominators,
    /// By position in the preorder of the post-dominator tree, plus one at the end: the first edge into that block.
    start: Vec<usize>,
    sources: Vec<Block>,
    /// A complete binary tree, its root at 1. Its leaves are the levels of the ends of edges, or [`REPORTED`]; an inner
    /// node has the minimum of its children.
    least: Vec<u32>,
    num_leaves: usize,
    work: Vec<usize>,
}

/// Deeper than all levels.
const REPORTED: u32 = u32::MAX;

impl<'g> Controllers<'g> {
    /// All of `cfg`, whose post-dominators these are.
    pub(super) fn new(cfg: &FlatCfg, post_dominators: &'g PostDominators) -> Self {
        let (mut start, mut sources, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        for &target in post_dominators.tree().preorder() {
            start.push(sources.len());
            let incoming = if target == post_dominators.exit() { &[] } else { cfg.incoming(target) };
            for source in incoming.iter().map(|&edge| cfg.source(edge)) {
                let end = post_dominators.ipdom(source).filter(|&end| end != target);
                if let Some(level) = end.and_then(|end| post_dominators.tree().level(end)) {
                    sources.push(source);
                    ends.push(level as u32);
                }
            }
        }
        start.push(sources.len());
        let num_leaves = ends.len().next_power_of_two();
        let mut least = vec![REPORTED; 2 * num_leaves];
        least[num_leaves..][..ends.len()].copy_from_slice(&ends);
        for node in (1..num_leaves).rev() {
            least[node] = least[2 * node].min(least[2 * node + 1]);
        }
        Self { post_dominators, start, sources, least, num_leaves, work: Vec::new() }
    }

    /// Reports the sources of the edges on which `block` is control dependent, except for edges reported before.
    pub(super) fn report(&mut self, block: Block, mut report: impl FnMut(Block)) {
        let tree = self.post_dominators.tree();
        let (Some(first), Some(level)) = (tree.preorder_index(block), tree.level(block)) else { return };
        self.find_nodes(self.start[first], self.start[first + tree.dominated_by(block).len()]);
        while let Some(node) = self.work.pop() {
            if self.least[node] >= level as u32 {
                continue;
            }
            if node < self.num_leaves {
                self.work.extend([2 * node + 1, 2 * node]);
            } else {
                report(self.sources[node - self.num_leaves]);
                self.mark_reported(node);
            }
        }
    }

    /// The nodes whose subtrees together have exactly the leaves in `start..end`.
    fn find_nodes(&mut self, start: usize, end: usize) {
        let (mut left, mut right) = (start + self.num_leaves, end + self.num_leaves);
        while left < right {
            if left % 2 == 1 {
                self.work.push(left);
                left += 1;
            }
            if right % 2 == 1 {
                right -= 1;
                self.work.push(right);
            }
            (left, right) = (left / 2, right / 2);
        }
    }

    fn mark_reported(&mut self, leaf: usize) {
        self.least[leaf] = REPORTED;
        let mut node = leaf / 2;
        while node > 0 {
            self.least[node] = self.least[2 * node].min(self.least[2 * node + 1]);
            node /= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::sample_graphs::{Random, graph};
    use ssaphire::graph::{ControlDependence, IteratedFrontier};

    #[test]
    fn what_is_told_is_what_decides_and_is_not_told_again() {
        let mut random = Random::new(1);
        for round in 0..2000 {
            let cfg = graph(1 + round % 17, round as u64);
            let post_dominators = PostDominators::new(&cfg);
            let dependence = ControlDependence::new(&cfg, &post_dominators);
            let mut controllers = Controllers::new(&cfg, &post_dominators);
            let mut told = Vec::new();
            for _ in 0..4 {
                let block = Block::new(random.below(cfg.num_blocks()));
                let mut new = dependence.controllers(block).collect::<Vec<_>>();
                new.retain(|edge| !told.contains(edge));
                let mut expected: Vec<Block> = new.iter().map(|&edge| cfg.source(edge)).collect();
                told.extend(new);
                let mut found = Vec::new();
                controllers.report(block, |source| found.push(source));
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, expected, "{block} {cfg:?}");
            }
        }
    }

    /// What the paper asks for all blocks at once is their iterated frontier in the reversed graph.
    #[test]
    fn asked_for_what_they_tell_they_tell_the_iterated_frontier() {
        let mut frontier = IteratedFrontier::new();
        for round in 0..2000 {
            let cfg = graph(1 + round % 17, round as u64);
            let post_dominators = PostDominators::new(&cfg);
            let mut controllers = Controllers::new(&cfg, &post_dominators);
            let set: Vec<Block> = cfg.blocks().filter(|block| (block.index() + round) % 5 == 0).collect();
            let (mut work, mut found) = (set.clone(), Vec::new());
            while let Some(block) = work.pop() {
                controllers.report(block, |source| {
                    work.push(source);
                    found.push(source);
                });
            }
            found.sort_unstable();
            found.dedup();
            let expected = frontier.of(post_dominators.reversed(), post_dominators.tree(), &set);
            assert_eq!(found, expected, "{cfg:?}");
        }
    }
}
