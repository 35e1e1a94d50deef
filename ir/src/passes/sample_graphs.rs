//! Random graphs for the tests of passes.

use ssaphire::Block;
use ssaphire::graph::FlatCfg;

/// Numbers that look random and follow from a seed (SplitMix64).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `limit`.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % limit as u64) as usize
    }

    fn one_in(&mut self, odds: usize) -> bool {
        self.below(odds) == 0
    }
}

/// A graph of `size` blocks with loops in each other, of one entry or several.
///
/// By seed, there are unreachable blocks, self-loops, repeated edges and edges to the entry, and no exit.
pub(super) fn graph(size: usize, seed: u64) -> FlatCfg {
    let mut random = Random::new(seed);
    let mut parents = vec![0; size];
    let mut targets = vec![Vec::new(); size];
    let (is_any_graph, has_unreachable, has_exit) = (random.one_in(2), random.one_in(3), !random.one_in(4));
    for block in 1..size {
        parents[block] = block - 1 - random.below(block.min(3));
        if !has_unreachable || !random.one_in(6) {
            targets[parents[block]].push(block);
        }
    }
    for (block, targets) in targets.iter_mut().enumerate() {
        while random.one_in(2) {
            let target = match random.below(8) {
                // A block above in the tree, seldom the entry: a loop around all between.
                0..4 => {
                    let mut header = block;
                    while header != 0 && !random.one_in(4) {
                        header = parents[header];
                    }
                    if header == 0 && !random.one_in(8) { block } else { header }
                }
                4 => targets.first().copied().unwrap_or(block),
                _ if is_any_graph => random.below(size),
                _ => (block + 1 + random.below(4)).min(size - 1),
            };
            targets.push(target);
        }
        if targets.is_empty() && !has_exit {
            targets.push(random.below(size));
        }
    }
    let targets: Vec<Vec<Block>> =
        targets.into_iter().map(|targets| targets.into_iter().map(Block::new).collect()).collect();
    FlatCfg::from_successors(Block::new(0), &targets).expect("the targets are blocks")
}
