//! The loops around a loop, each found in logarithmic time.
//!
//! Each loop has a link to some loop around it, besides its parent. The links are those of Myers 1983, "An applicative
//! random-access stack": O(1) for a loop to be linked, O(log *d*) to find one among *d* around it.

use ssaphire_graph::{Block, FlatCfg, IdMap, LoopForest};

/// The loops around loops.
pub(crate) struct Ancestors<'l> {
    loops: &'l LoopForest,
    /// By header, that of a loop around its own; itself if there is none.
    leap: IdMap<Block, Block>,
}

impl<'l> Ancestors<'l> {
    /// Those of the loops of `cfg`.
    pub(crate) fn new(cfg: &FlatCfg, loops: &'l LoopForest) -> Self {
        let mut leap: IdMap<Block, Block> = IdMap::filled(cfg.num_blocks(), Block::new(0));
        // Outer loops come first.
        for header in loops.headers() {
            leap[header] = loops.parent(header).map_or(header, |parent| {
                let (once, twice) = (leap[parent], leap[leap[parent]]);
                let [depth, once_depth, twice_depth] = [parent, once, twice].map(|header| loops.depth(header));
                if depth - once_depth == once_depth - twice_depth { twice } else { parent }
            });
        }
        Self { loops, leap }
    }

    /// The header of the loop of that depth around the loop of `header`, which may be the same loop.
    pub(crate) fn at_depth(&self, depth: usize, mut header: Block, work: &mut u64) -> Block {
        while self.loops.depth(header) > depth {
            *work += 1;
            let leap = self.leap[header];
            let parent = || self.loops.parent(header).expect("a loop of a greater depth lies in others");
            header = if self.loops.depth(leap) >= depth { leap } else { parent() };
        }
        header
    }
}

#[cfg(test)]
mod tests {
    use super::Ancestors;
    use alloc::vec::Vec;
    use ssaphire_graph::{Block, DominatorTree, FlatCfg, LoopForest};

    /// Loops in each other: the last block leads back to all others.
    fn nest(depth: usize) -> FlatCfg {
        let mut targets: Vec<Vec<Block>> = (0..depth).map(|block| [Block::new(block + 1)].into()).collect();
        targets.push((0..depth).map(Block::new).collect());
        FlatCfg::from_successors(Block::new(0), &targets).unwrap()
    }

    #[test]
    fn each_loop_around_is_found_in_a_few_steps() {
        let cfg = nest(300);
        let loops = LoopForest::new(&cfg, &DominatorTree::new(&cfg));
        let ancestors = Ancestors::new(&cfg, &loops);
        for header in 0..300 {
            for depth in 1..=header + 1 {
                let mut work = 0;
                let found = ancestors.at_depth(depth, Block::new(header), &mut work);
                assert_eq!((found, loops.depth(found)), (Block::new(depth - 1), depth));
                assert!(work <= 3 * (header + 2).ilog2() as u64, "{header} {depth}: {work}");
            }
        }
    }
}
