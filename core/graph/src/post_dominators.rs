//! Post-dominators: the blocks that every path from a block to the exit passes.
//!
//! They are the dominators of the reversed graph, in which control enters at a
//! virtual exit. An edge leads to it from every block without successors. For
//! infinite loops, blocks from which no path reaches the exit, one more edge is
//! added for each strongly connected component of such blocks that no edge
//! leaves. Without these edges those blocks would have no post-dominators; with
//! an edge from every such block, only trivial ones.
//!
//! Blocks that the entry does not reach are left out: they post-dominate nothing.
//!
//! # Complexity
//! That of the dominator tree, plus O(*n* + *e*).
//!
//! # Departures
//! Cytron et al. 1991 assume that every block lies on a path to the exit.
//! The member of an infinite loop that gets the edge is arbitrary, but the
//! same for the same graph.

use crate::{Block, CfgError, DominatorTree, Edge, FlatCfg, IdSet};
use alloc::vec::Vec;

/// The post-dominator tree of a graph. Its root is a block that the graph does not have: [`exit`](Self::exit).
///
/// Rebuilding reuses memory.
///
/// # Examples
/// ```
/// use ssaphire::graph::PostDominators;
/// use ssaphire::{Block, FlatCfg};
///
/// let [top, left, right, bottom] = [0, 1, 2, 3].map(Block::new);
/// let cfg = FlatCfg::from_successors(top, &[vec![left, right], vec![bottom], vec![bottom], vec![]]).unwrap();
/// let post_dominators = PostDominators::new(&cfg);
/// assert!(post_dominators.post_dominates(bottom, top) && !post_dominators.post_dominates(left, top));
/// assert_eq!(post_dominators.ipdom(bottom), Some(post_dominators.exit()));
/// ```
#[derive(Clone, Debug, Default)]
pub struct PostDominators {
    tree: DominatorTree,
    /// The reversed graph: the exit, and all edges from blocks that the entry reaches.
    reversed: FlatCfg,
    /// Blocks from which an edge to the exit was added: blocks without successors, then those of infinite loops.
    ends: Vec<Block>,
    num_natural_ends: usize,
    scratch: Scratch,
}

#[derive(Clone, Debug, Default)]
struct Scratch {
    reachable: IdSet<Block>,
    /// Blocks from which a path reaches the exit.
    covered: IdSet<Block>,
    visited: IdSet<Block>,
    /// A backward walk: blocks, and the incoming edge to follow next.
    stack: Vec<(Block, u32)>,
    work: Vec<Block>,
    finished: Vec<Block>,
    edges: Vec<(Block, Block)>,
}

impl PostDominators {
    /// The post-dominators of `cfg`.
    pub fn new(cfg: &FlatCfg) -> Self {
        let mut post_dominators = Self::default();
        post_dominators.rebuild(cfg);
        post_dominators
    }

    /// Recomputes the post-dominators for `cfg`, and reuses its memory.
    pub fn rebuild(&mut self, cfg: &FlatCfg) {
        self.find_reachable(cfg);
        self.find_natural_ends(cfg);
        self.find_endless_ends(cfg);
        let reversed = self.reverse(cfg);
        debug_assert_eq!(reversed, Ok(()), "edges are in order, and between blocks");
        self.tree.rebuild(&self.reversed);
    }

    /// The virtual block where all paths end: the first number that is no block's.
    pub fn exit(&self) -> Block {
        self.reversed.entry()
    }

    /// The dominator tree of the reversed graph, whose root is [`exit`](Self::exit).
    pub fn tree(&self) -> &DominatorTree {
        &self.tree
    }

    /// The reversed graph: control enters at [`exit`](Self::exit).
    pub fn reversed(&self) -> &FlatCfg {
        &self.reversed
    }

    /// The immediate post-dominator of `block`; `None` for the exit and for blocks the entry does not reach.
    pub fn ipdom(&self, block: Block) -> Option<Block> {
        self.tree.idom(block)
    }

    /// Whether every path from `above` to the exit passes `below`. A reachable block post-dominates itself.
    #[inline]
    pub fn post_dominates(&self, below: Block, above: Block) -> bool {
        self.tree.dominates(below, above)
    }

    /// Whether `below` post-dominates `above` and is another block.
    #[inline]
    pub fn strictly_post_dominates(&self, below: Block, above: Block) -> bool {
        self.tree.strictly_dominates(below, above)
    }

    /// Blocks from which an edge was added, so that paths from an endless part of the graph end, too.
    pub fn endless_ends(&self) -> &[Block] {
        &self.ends[self.num_natural_ends..]
    }

    fn find_reachable(&mut self, cfg: &FlatCfg) {
        let Scratch { reachable, work, .. } = &mut self.scratch;
        reachable.clear();
        work.clear();
        if cfg.num_blocks() > 0 {
            work.push(cfg.entry());
        }
        while let Some(block) = work.pop() {
            if reachable.insert(block) {
                work.extend(cfg.targets(block));
            }
        }
    }

    fn find_natural_ends(&mut self, cfg: &FlatCfg) {
        self.ends.clear();
        self.scratch.covered.clear();
        let ends = cfg.blocks().filter(|&block| cfg.targets(block).is_empty());
        self.ends.extend(ends.filter(|&block| self.scratch.reachable.contains(block)));
        self.num_natural_ends = self.ends.len();
        for place in 0..self.ends.len() {
            self.cover(cfg, self.ends[place]);
        }
    }

    /// Notes that paths end from `end` and from every block that reaches it.
    fn cover(&mut self, cfg: &FlatCfg, end: Block) {
        let Scratch { reachable, covered, work, .. } = &mut self.scratch;
        work.push(end);
        while let Some(block) = work.pop() {
            if reachable.contains(block) && covered.insert(block) {
                work.extend(cfg.incoming(block).iter().map(|&edge| cfg.source(edge)));
            }
        }
    }

    /// Adds one end for each component of uncovered blocks that no edge leaves.
    ///
    /// A backward walk finishes last in a component that no edge leaves. All blocks that reach it are covered then, and
    /// the same holds for the rest (Kosaraju and Sharir).
    fn find_endless_ends(&mut self, cfg: &FlatCfg) {
        self.scratch.finished.clear();
        self.scratch.visited.clear();
        for block in cfg.blocks() {
            let is_endless = self.scratch.reachable.contains(block) && !self.scratch.covered.contains(block);
            if is_endless {
                self.walk_back(cfg, block);
            }
        }
        while let Some(block) = self.scratch.finished.pop() {
            if !self.scratch.covered.contains(block) {
                self.ends.push(block);
                self.cover(cfg, block);
            }
        }
    }

    /// Walks against the edges, depth first, through blocks that are not covered: appends them as they are finished.
    ///
    /// A predecessor of an uncovered block may be covered through another path: the walk does not pass it.
    fn walk_back(&mut self, cfg: &FlatCfg, from: Block) {
        let Scratch { reachable, covered, visited, stack, finished, .. } = &mut self.scratch;
        if visited.insert(from) {
            stack.push((from, 0));
        }
        while let Some((block, next)) = stack.last_mut() {
            let Some(&edge) = cfg.incoming(*block).get(*next as usize) else {
                finished.push(*block);
                stack.pop();
                continue;
            };
            *next += 1;
            let source = cfg.source(edge);
            if reachable.contains(source) && !covered.contains(source) && visited.insert(source) {
                stack.push((source, 0));
            }
        }
    }

    fn reverse(&mut self, cfg: &FlatCfg) -> Result<(), CfgError> {
        let exit = Block::new(cfg.num_blocks());
        let Scratch { edges, reachable, .. } = &mut self.scratch;
        edges.clear();
        for block in cfg.blocks() {
            let sources = cfg.incoming(block).iter().map(|&edge: &Edge| cfg.source(edge));
            edges.extend(sources.filter(|&source| reachable.contains(source)).map(|source| (block, source)));
        }
        edges.extend(self.ends.iter().map(|&end| (exit, end)));
        self.reversed.rebuild_from_edges(cfg.num_blocks() + 1, exit, edges.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_graphs::{self, graph, on_small_stack, reaches};

    /// The graph with one more block, the successor of every end.
    fn with_exit(cfg: &FlatCfg, ends: &[Block]) -> FlatCfg {
        let exit = Block::new(cfg.num_blocks());
        let mut successors: Vec<Vec<Block>> = cfg.blocks().map(|block| cfg.targets(block).to_vec()).collect();
        ends.iter().for_each(|end| successors[end.index()].push(exit));
        successors.push(Vec::new());
        FlatCfg::from_successors(cfg.entry(), &successors).unwrap()
    }

    #[test]
    fn post_dominators_are_those_of_the_definition() {
        let mut post_dominators = PostDominators::default();
        for cfg in sample_graphs::every_small().chain(sample_graphs::random(3000)) {
            post_dominators.rebuild(&cfg);
            let ended = with_exit(&cfg, &post_dominators.ends);
            let exit = post_dominators.exit();
            for above in cfg.blocks() {
                let is_reachable = reaches(&cfg, cfg.entry(), above, None);
                assert_eq!(reaches(&ended, above, exit, None) && is_reachable, is_reachable, "{above} {cfg:?}");
                for below in cfg.blocks() {
                    let is_one = is_reachable
                        && reaches(&cfg, cfg.entry(), below, None)
                        && !reaches(&ended, above, exit, Some(below));
                    assert_eq!(post_dominators.post_dominates(below, above), is_one, "{below} {above} {cfg:?}");
                }
            }
        }
    }

    #[test]
    fn endless_parts_get_one_end_for_each_component_that_nothing_leaves() {
        let mut post_dominators = PostDominators::default();
        for cfg in sample_graphs::every_small().chain(sample_graphs::random(3000)) {
            post_dominators.rebuild(&cfg);
            let is_reachable = |block: Block| reaches(&cfg, cfg.entry(), block, None);
            let is_endless = |block: Block| {
                is_reachable(block)
                    && cfg.blocks().all(|end| !cfg.targets(end).is_empty() || !reaches(&cfg, block, end, None))
            };
            // Each is in a component of its own that nothing leaves, and each such component has one.
            let ends = post_dominators.endless_ends();
            for block in cfg.blocks().filter(|&block| is_endless(block)) {
                let is_terminal =
                    cfg.blocks().all(|other| !reaches(&cfg, block, other, None) || reaches(&cfg, other, block, None));
                let own =
                    ends.iter().filter(|&&end| reaches(&cfg, block, end, None) && reaches(&cfg, end, block, None));
                assert_eq!(own.count(), usize::from(is_terminal), "{block} {cfg:?}");
            }
            assert!(ends.iter().all(|&end| is_endless(end)), "{cfg:?}");
        }
    }

    #[test]
    fn a_loop_without_an_end_has_post_dominators() {
        // Two endless loops in the arms of a conditional.
        let cfg = graph(0, &[alloc::vec![1, 2], alloc::vec![1], alloc::vec![3], alloc::vec![2]]);
        let post_dominators = PostDominators::new(&cfg);
        assert_eq!(post_dominators.endless_ends().len(), 2);
        assert_eq!(post_dominators.ipdom(Block::new(0)), Some(post_dominators.exit()));
    }

    #[test]
    fn long_graphs_take_no_stack() {
        on_small_stack(|| {
            let mut post_dominators = PostDominators::new(&sample_graphs::chain(300_000));
            assert_eq!(post_dominators.ipdom(Block::new(0)), Some(Block::new(1)));
            let endless = (0..300_000).map(|block| alloc::vec![(block + 1) % 300_000]).collect::<Vec<_>>();
            post_dominators.rebuild(&graph(0, &endless));
            assert_eq!(post_dominators.endless_ends().len(), 1);
        });
    }
}
