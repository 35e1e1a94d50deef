//! Live-in and live-out sets of each block, as [sets](crate::sets) that share their memory.
//!
//! The live set of a block differs little from those of its neighbors, so it takes little additional memory, however
//! large it is.
//!
//! | Brandner, Boissinot, Darte, Dupont de Dinechin, Rastello 2011 | here |
//! |---|---|
//! | Alg. 1, `DAG_DFS`: backward, without back edges | [`LiveSets::go_backward`] |
//! | Alg. 2, `LoopTree_DFS`: values that are live at a header are live in all of its loop | [`LiveSets::fill_loops`] |
//! | irreducible loops: an edge leads to the header of the outermost loop that it enters | `Entries` |
//!
//! # Complexity
//! One union for each forward edge, and two unions and two changes for each block. A union takes O(log keys) for each
//! difference of the two sets, less if one of them has no neighbors of it. In all, near-linear in the blocks, edges,
//! definitions and uses if the sets of the successors of a block differ little, or one of them is empty. In the worst
//! case, the size of all live sets.
//!
//! # Departures
//! Sets are persistent, and not stored block by block. Both algorithms recurse over blocks; here they follow orders of
//! the graph.

use crate::ancestors::Ancestors;
use crate::sets::{Set, Sets};
use alloc::vec::Vec;
use ssaphire_graph::{Block, DominatorTree, FlatCfg, IdMap, LoopForest};

/// The uses and definitions in a block of keys that other blocks know, in any order.
#[derive(Debug, Default)]
pub(crate) struct Local {
    /// Used, and not defined before in the block.
    pub(crate) used: Vec<u32>,
    pub(crate) defined: Vec<u32>,
    /// Used at the end, by phis of successors.
    pub(crate) at_end: Vec<u32>,
    /// The keys that differ between top and end, and whether they are live at the top.
    changes: Vec<(u32, bool)>,
}

/// The live-in and live-out sets of each block. Unreachable blocks have empty sets.
#[derive(Debug)]
pub(crate) struct LiveSets {
    sets: Sets,
    at_top: IdMap<Block, Set>,
    at_end: IdMap<Block, Set>,
}

impl LiveSets {
    /// For keys below `num_keys`; `describe` returns the uses and definitions of a block.
    ///
    /// Needs: the definition of a key dominates its uses.
    pub(crate) fn new(
        num_keys: usize,
        cfg: &FlatCfg,
        dominators: &DominatorTree,
        loops: &LoopForest,
        describe: impl FnMut(Block, &mut Local),
    ) -> Self {
        let empty = || IdMap::filled(cfg.num_blocks(), Set::EMPTY);
        let mut live = Self { sets: Sets::new(num_keys), at_top: empty(), at_end: empty() };
        live.go_backward(cfg, dominators, loops, describe);
        live.fill_loops(dominators, loops);
        live
    }

    /// The live-in set of `block`, without its phis.
    pub(crate) fn at_top(&self, block: Block) -> Set {
        self.at_top[block]
    }

    /// The live-out set of `block`, phi operands of its outgoing edges included.
    pub(crate) fn at_end(&self, block: Block) -> Set {
        self.at_end[block]
    }

    pub(crate) fn sets(&self) -> &Sets {
        &self.sets
    }

    pub(crate) fn sets_mut(&mut self) -> &mut Sets {
        &mut self.sets
    }

    pub(crate) fn is_at_top(&self, block: Block, key: usize) -> bool {
        self.sets.contains(self.at_top[block], key)
    }

    pub(crate) fn is_at_end(&self, block: Block, key: usize) -> bool {
        self.sets.contains(self.at_end[block], key)
    }

    /// From the ends of the function to its entry, by all edges but those that go back.
    fn go_backward(
        &mut self,
        cfg: &FlatCfg,
        dominators: &DominatorTree,
        loops: &LoopForest,
        mut describe: impl FnMut(Block, &mut Local),
    ) {
        let entries = Entries::new(cfg, loops);
        let order = dominators.order();
        let mut local = Local::default();
        for &block in order.postorder() {
            local.clear();
            describe(block, &mut local);
            local.at_end.sort_unstable();
            let mut live = Set::EMPTY;
            for edge in cfg.outgoing(block).filter(|&edge| !order.is_retreating(cfg, edge)) {
                let target = entries.entered(block, cfg.target(edge));
                live = self.sets.union(live, self.at_top[target]);
            }
            live = self.sets.change(live, local.at_end.iter().map(|&key| (key as usize, true)));
            self.at_end[block] = live;
            let changes =
                local.used.iter().map(|&key| (key, true)).chain(local.defined.iter().map(|&key| (key, false)));
            local.changes.extend(changes);
            local.changes.sort_unstable();
            let changes = local.changes.iter().map(|&(key, is_live)| (key as usize, is_live));
            self.at_top[block] = self.sets.change(live, changes);
        }
    }

    /// A key that is live at the top of a header is defined outside of its loop, and so is live everywhere in the loop.
    fn fill_loops(&mut self, dominators: &DominatorTree, loops: &LoopForest) {
        // Headers come before the other blocks of their loops.
        for &block in dominators.order().preorder() {
            if let Some(header) = loops.parent(block) {
                self.at_top[block] = self.sets.union(self.at_top[block], self.at_top[header]);
            }
            if let Some(header) = loops.innermost(block) {
                self.at_end[block] = self.sets.union(self.at_end[block], self.at_top[header]);
            }
        }
    }
}

impl Local {
    fn clear(&mut self) {
        [&mut self.used, &mut self.defined, &mut self.at_end].into_iter().for_each(Vec::clear);
        self.changes.clear();
    }
}

/// Where edges enter loops.
struct Entries<'l> {
    loops: &'l LoopForest,
    /// Loops around loops, if some edge enters a loop elsewhere than at its header.
    ancestors: Option<Ancestors<'l>>,
}

impl<'l> Entries<'l> {
    fn new(cfg: &FlatCfg, loops: &'l LoopForest) -> Self {
        Self { loops, ancestors: (!loops.is_reducible()).then(|| Ancestors::new(cfg, loops)) }
    }

    /// The header of the outermost loop that an edge enters; its target if it enters none.
    ///
    /// A key that is defined outside of the loop is live at the target if and only if it is live at the header.
    fn entered(&self, source: Block, target: Block) -> Block {
        let Some(ancestors) = &self.ancestors else { return target };
        let outside = |header: Block| !self.loops.contains(header, source);
        let Some(innermost) = self.loops.innermost(target).filter(|&header| outside(header)) else { return target };
        // The least depth of a loop around the target, and not around the source.
        let (mut low, mut high) = (1, self.loops.depth(innermost));
        while low < high {
            let middle = (low + high) / 2;
            if outside(ancestors.at_depth(middle, innermost, &mut 0)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        ancestors.at_depth(high, innermost, &mut 0)
    }
}

#[cfg(test)]
mod tests;
