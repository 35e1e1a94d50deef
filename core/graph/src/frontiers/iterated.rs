//! The iterated frontier of a set, in linear time.
//!
//! Blocks are processed from the deepest level of the dominator tree upwards.
//! From each a walk visits its subtree, along edges of the tree, and finds the
//! targets of other edges (join edges) at its own level or above: those are in
//! the frontier, and are processed in turn. Levels never increase, so a subtree
//! is walked only once, and each edge is examined once.

use crate::{Block, DominatorTree, FlatCfg, Id, IdMap, IdStacks, internal_id};
use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::mem;

/// The priority queue of blocks, ordered by level. The choice does not affect the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Queue {
    /// A heap for sets that are small compared to the graph, buckets for the rest.
    #[default]
    BySize,
    /// In a list per level: O(*n* + *e*).
    Buckets,
    /// In a heap: O(*k* log *k* + *e*) for *k* blocks in set and frontier.
    Heap,
}

/// Computes iterated dominance frontiers; its memory is reused from one set to the next.
///
/// # Examples
/// ```
/// use ssaphire::graph::{DominatorTree, IteratedFrontier};
/// use ssaphire::{Block, FlatCfg};
///
/// // A conditional in a loop: what is written in an arm meets at its end, and at the header.
/// let blocks = [0, 1, 2, 3, 4].map(Block::new);
/// let [entry, header, arm, end, exit] = blocks;
/// let successors = [vec![header], vec![arm, end], vec![end], vec![header, exit], vec![]];
/// let cfg = FlatCfg::from_successors(entry, &successors).unwrap();
/// let tree = DominatorTree::new(&cfg);
/// let mut frontier = IteratedFrontier::new();
/// assert_eq!(frontier.of(&cfg, &tree, &[arm]), [header, end]);
/// assert_eq!(frontier.of_live(&cfg, &tree, &[arm], |block| block == end), [end]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct IteratedFrontier {
    queue: Queue,
    /// By block: the last set for which it was met, walked, waiting.
    marks: IdMap<Block, Marks>,
    stamp: u32,
    waiting: Waiting,
    walk: Vec<Block>,
    frontier: Vec<Block>,
    num_steps: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    member: u32,
    met: u32,
    walked: u32,
}

impl IteratedFrontier {
    /// With the default queue.
    pub fn new() -> Self {
        Self::default()
    }

    /// With another queue.
    pub fn with_queue(queue: Queue) -> Self {
        Self { queue, ..Self::default() }
    }

    /// The iterated frontier of `set`, in id order. Unreachable blocks in the set count for nothing.
    ///
    /// The entry is not added to the set: where a variable counts as written on entry, that changes nothing unless
    /// the entry has incoming edges.
    ///
    /// # Complexity
    /// See [`Queue`].
    pub fn of(&mut self, cfg: &FlatCfg, tree: &DominatorTree, set: &[Block]) -> &[Block] {
        self.of_live(cfg, tree, set, |_| true)
    }

    /// The blocks of the iterated frontier in which a variable written by the blocks of `set` is live-in: the phi
    /// placement of pruned SSA form.
    ///
    /// `is_live` holds for the blocks from whose top a path leads to a use without passing a write of the variable.
    ///
    /// # Complexity
    /// O(edges out of the set and of the blocks where the variable is live), and what the [`Queue`] adds.
    pub fn of_live(
        &mut self,
        cfg: &FlatCfg,
        tree: &DominatorTree,
        set: &[Block],
        is_live: impl Fn(Block) -> bool,
    ) -> &[Block] {
        self.begin(cfg.num_blocks(), tree, set);
        while let Some((level, root)) = self.waiting.pop() {
            self.walk.push(root);
            self.marks[root].walked = self.stamp;
            while let Some(block) = self.walk.pop() {
                self.num_steps += 1 + cfg.targets(block).len() as u64;
                for &met in cfg.targets(block) {
                    if tree.idom(met) != Some(block) {
                        self.meet(met, level, tree, &is_live);
                    }
                }
                for &child in tree.children(block) {
                    if is_live(child) && mem::replace(&mut self.marks[child].walked, self.stamp) != self.stamp {
                        self.walk.push(child);
                    }
                }
            }
        }
        self.frontier.sort_unstable();
        &self.frontier
    }

    /// Blocks walked for the last set, and edges out of them.
    pub fn num_steps(&self) -> u64 {
        self.num_steps
    }

    fn begin(&mut self, num_blocks: usize, tree: &DominatorTree, set: &[Block]) {
        if self.marks.len() != num_blocks || self.stamp == u32::MAX {
            self.marks.reset(num_blocks, Marks::default());
            self.stamp = 0;
        }
        self.stamp += 1;
        self.num_steps = 0;
        self.frontier.clear();
        let is_heap = match self.queue {
            Queue::BySize => set.len() < num_blocks / 16,
            Queue::Buckets => false,
            Queue::Heap => true,
        };
        self.waiting.begin(num_blocks, is_heap);
        for &block in set {
            let (Some(level), Some(marks)) = (tree.level(block), self.marks.get_mut(block)) else { continue };
            if mem::replace(&mut marks.member, self.stamp) != self.stamp {
                self.waiting.push(Level::new(level), block);
            }
        }
    }

    /// Handles a join edge to `met` from the current subtree, whose root has that level.
    fn meet(&mut self, met: Block, level: Level, tree: &DominatorTree, is_live: impl Fn(Block) -> bool) {
        let Some(own) = tree.level(met).map(Level::new).filter(|&own| own <= level) else { return };
        let marks = &mut self.marks[met];
        if mem::replace(&mut marks.met, self.stamp) == self.stamp || !is_live(met) {
            return;
        }
        self.frontier.push(met);
        if mem::replace(&mut marks.member, self.stamp) != self.stamp {
            self.waiting.push(own, met);
        }
    }
}

internal_id!(
    /// A level of the dominator tree.
    Level, "level", Block::LIMIT
);

/// The queued blocks, deepest first. A block that is added is never deeper than the last one taken.
#[derive(Clone, Debug, Default)]
struct Waiting {
    is_heap: bool,
    heap: BinaryHeap<(Level, Block)>,
    levels: IdStacks<Level, Block>,
    /// No block waits at a deeper level.
    deepest: usize,
}

impl Waiting {
    /// Nothing waits: all that did has been taken.
    fn begin(&mut self, num_blocks: usize, is_heap: bool) {
        self.is_heap = is_heap;
        if !is_heap {
            self.levels.make_room(num_blocks, num_blocks);
            self.deepest = 0;
        }
    }

    fn push(&mut self, level: Level, block: Block) {
        if self.is_heap {
            self.heap.push((level, block));
            return;
        }
        self.levels.push(level, block);
        self.deepest = self.deepest.max(level.index());
    }

    fn pop(&mut self) -> Option<(Level, Block)> {
        if self.is_heap {
            return self.heap.pop();
        }
        loop {
            let level = Level::new(self.deepest);
            if let Some(block) = self.levels.pop(level) {
                return Some((level, block));
            }
            self.deepest = self.deepest.checked_sub(1)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_graphs::{self, Random, on_small_stack};
    use crate::{DominanceFrontiers, IdSet};

    /// By definition: the frontiers of the set and of the blocks found, up to a fixed point.
    fn by_definition(frontiers: &DominanceFrontiers, set: &[Block], is_live: impl Fn(Block) -> bool) -> Vec<Block> {
        let (mut found, mut work) = (IdSet::new(), set.to_vec());
        while let Some(block) = work.pop() {
            let new = frontiers.of(block).iter().copied().filter(|&met| is_live(met) && found.insert(met));
            work.extend(new);
        }
        found.iter().collect()
    }

    fn finders() -> [IteratedFrontier; 3] {
        [Queue::BySize, Queue::Buckets, Queue::Heap].map(IteratedFrontier::with_queue)
    }

    #[test]
    fn every_queue_agrees_with_the_definition() {
        let random = &mut Random::new(17);
        let (mut tree, mut frontiers, mut finders) =
            (DominatorTree::default(), DominanceFrontiers::default(), finders());
        for cfg in sample_graphs::every_small().chain(sample_graphs::random(4000)) {
            tree.rebuild(&cfg);
            frontiers.rebuild(&cfg, &tree);
            for _ in 0..2 {
                let odds = 1 + random.below(4);
                let set: Vec<Block> = cfg.blocks().filter(|_| random.one_in(odds)).collect();
                let expected = by_definition(&frontiers, &set, |_| true);
                for finder in &mut finders {
                    let queue = finder.queue;
                    assert_eq!(finder.of(&cfg, &tree, &set), expected, "{queue:?} {set:?} {cfg:?}");
                }
            }
        }
    }

    #[test]
    fn where_a_variable_is_live_the_frontier_is_that_of_the_pruned_form() {
        let random = &mut Random::new(23);
        let (mut tree, mut frontiers, mut finders) =
            (DominatorTree::default(), DominanceFrontiers::default(), finders());
        for cfg in sample_graphs::random(4000) {
            tree.rebuild(&cfg);
            frontiers.rebuild(&cfg, &tree);
            let set: Vec<Block> = cfg.blocks().filter(|_| random.one_in(3)).collect();
            // Used at the top of these; live where a path leads to a use and passes none of the set.
            let mut live = IdSet::new();
            let mut work: Vec<Block> = cfg.blocks().filter(|_| random.one_in(3)).collect();
            while let Some(block) = work.pop() {
                if live.insert(block) {
                    let sources = cfg.incoming(block).iter().map(|&edge| cfg.source(edge));
                    work.extend(sources.filter(|source| !set.contains(source)));
                }
            }
            let walked = cfg.blocks().filter(|&block| live.contains(block) || set.contains(&block));
            let most = walked.map(|block| 1 + cfg.targets(block).len() as u64).sum();
            let everywhere = by_definition(&frontiers, &set, |_| true);
            let expected: Vec<Block> = everywhere.into_iter().filter(|&block| live.contains(block)).collect();
            for finder in &mut finders {
                assert_eq!(finder.of_live(&cfg, &tree, &set, |block| live.contains(block)), expected, "{cfg:?}");
                assert!(finder.num_steps() <= most, "{cfg:?}");
            }
        }
    }

    #[test]
    fn graphs_of_any_size_follow_each_other() {
        let mut finders = finders();
        for size in [100, 3, 70, 1] {
            let cfg = sample_graphs::nest(size);
            let tree = DominatorTree::new(&cfg);
            for finder in &mut finders {
                let headers: Vec<Block> = (0..size).map(Block::new).collect();
                assert_eq!(finder.of(&cfg, &tree, &[Block::new(2 * size - 1)]), [Block::new(0)]);
                assert_eq!(finder.of(&cfg, &tree, &[Block::new(size)]), headers);
            }
        }
    }

    #[test]
    fn long_and_deep_graphs_take_no_stack_and_no_time() {
        on_small_stack(|| {
            let cfg = sample_graphs::nest(200_000);
            let tree = DominatorTree::new(&cfg);
            for mut finder in finders() {
                assert_eq!(finder.of(&cfg, &tree, &[Block::new(200_000)]).len(), 200_000);
            }
            let cfg = sample_graphs::ladder(200_000);
            let tree = DominatorTree::new(&cfg);
            let all: Vec<Block> = cfg.blocks().collect();
            for mut finder in finders() {
                assert_eq!(finder.of(&cfg, &tree, &all).len(), 199_999);
                assert_eq!(finder.of(&cfg, &tree, &[Block::new(0)]), []);
            }
        });
    }
}
