//! Whether an assignment can change the content of a variable at a join, exactly: by iterated dominance frontiers.
//!
//! The intervals of the [layout](super::ancestry) between a join `j` and its immediate dominator `d` also cover blocks
//! that control never passes on its way to `j`. If one of these assigns the variable, a climb stops at `j`, and the
//! obligation moves to every edge into `j`, although nothing may have changed. So the join is decided exactly first:
//!
//! **`j` is in the iterated frontier of the assignments that `d` strictly dominates, taken among blocks that `d`
//! strictly dominates, if and only if some path leads from one of them to `j` without passing `d`.**
//! 1. All blocks of such a path are strictly dominated by `d`. For if a path from the entry reached one of them
//!    without `d`, it would reach `j` without `d`.
//! 2. From the path to the frontier: by Lemma 4 of Cytron et al., a path from `w` to `j` has a block in the iterated
//!    frontier of `w` that dominates `j`, or else `w` dominates all of the path. By 1 such a block is `j` itself. And
//!    if `w` dominates all of the path, it dominates `j`, so it is `j`, and `j` is in its own frontier.
//! 3. From the frontier to the path: each step of the iteration is a path from a block through what it dominates,
//!    and one edge more, to a block that `d` strictly dominates. None of these is `d`.
//!
//! So without such an assignment, the variable has at the top of `j` the content that it had when control last left
//! `d`. With one, predecessors may supply different definitions, and each edge has to be examined.
//!
//! A *join edge* leads to a block that is not deeper in the dominator tree than its source. Join edges are sorted by
//! the position of their source. A block dominates a range of positions, so its frontier has the targets that are not
//! deeper than itself, of the edges in a range: a tree of minimum levels finds them one by one.
//!
//! | Cytron et al. 1991 | here |
//! |---|---|
//! | section 4.2, dominance frontier | `Edges::next_leaving` |
//! | section 5.1, iterated frontier with a work list | [`Frontier::reaches`] |
//!
//! # Complexity
//! A query takes at most as many steps as the join has edges, which it may save, O(log *e*) each. If it is not
//! decided by then, the answer is that an assignment may arrive. O(*n* + *e*) once for a function with a query.
//!
//! # Departures
//! Frontiers are not stored: a nest of loops has frontiers of quadratic size.

use super::ancestry::{Ancestry, Rpo};
use alloc::vec::Vec;
use ssaphire_graph::{FlatCfg, IdMap};

/// The memory of queries. Empty until the first query of a function.
#[derive(Debug, Default)]
pub(super) struct Frontier {
    edges: Edges,
    is_built: bool,
    /// By block, the last question in whose iterated frontier it was found.
    seen: IdMap<Rpo, u32>,
    question: u32,
    pending: Vec<Rpo>,
    /// Steps of all questions about the function.
    steps: u64,
}

/// The join edges, by the position of their source.
#[derive(Debug, Default)]
struct Edges {
    /// By position, the first of the edges that leave the block there; and the end of all.
    first: Vec<u32>,
    targets: Vec<Rpo>,
    /// A tree of least levels: of the target of edge *i* at `width` + *i*, of nodes 2*i* and 2*i* + 1 at *i*.
    least: Vec<u32>,
    width: usize,
}

/// A join that asks, below its immediate dominator.
#[derive(Clone, Copy)]
pub(super) struct Join {
    pub(super) block: Rpo,
    /// Number of steps it may take to answer.
    pub(super) max_steps: usize,
}

impl Frontier {
    /// Forgets the function.
    pub(super) fn clear(&mut self) {
        self.is_built = false;
        self.steps = 0;
    }

    /// Steps of all questions about the function.
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    /// Whether the blocks at the positions `writes`, strictly dominated by the immediate dominator of `join`, reach it
    /// without passing that; true, too, if that is not known in as many steps as the join allows.
    pub(super) fn reaches(&mut self, (cfg, ancestry): (&FlatCfg, &Ancestry), writes: [&[u32]; 2], join: Join) -> bool {
        let num_writes = writes[0].len() + writes[1].len();
        // `true` is always safe: the obligation goes back by every edge, and is decided there.
        let Some(mut budget) = join.max_steps.checked_sub(num_writes + 1) else { return true };
        if num_writes == 0 {
            return false;
        }
        if !self.is_built {
            self.build(cfg, ancestry);
        }
        self.question += 1;
        self.pending.clear();
        self.pending.extend(writes.into_iter().flatten().map(|&position| ancestry.at(position)));
        self.steps += num_writes as u64;
        let top = ancestry.node(ancestry.node(join.block).parent).level;
        while let Some(block) = self.pending.pop() {
            let node = ancestry.node(block);
            let mut range = self.edges.range(node.first, node.end);
            while let Some(edge) = self.edges.next_leaving(range.clone(), node.level) {
                let target = self.edges.targets[edge];
                if target == join.block || budget == 0 {
                    return true;
                }
                budget -= 1;
                self.steps += 1;
                range.start = edge + 1;
                // An edge from below the dominator leads below it, to it, or to a block that it does not dominate;
                // the last two are no further down than the dominator itself.
                let is_below = ancestry.node(target).level > top;
                if is_below && core::mem::replace(&mut self.seen[target], self.question) != self.question {
                    self.pending.push(target);
                }
            }
        }
        false
    }

    fn build(&mut self, cfg: &FlatCfg, ancestry: &Ancestry) {
        self.edges.rebuild(cfg, ancestry);
        self.seen.reset(ancestry.len(), 0);
        self.question = 0;
        self.is_built = true;
    }
}

impl Edges {
    fn rebuild(&mut self, cfg: &FlatCfg, ancestry: &Ancestry) {
        let level = |number: Rpo| ancestry.node(number).level;
        self.first.clear();
        self.targets.clear();
        for (position, block) in ancestry.by_position() {
            self.first.push(self.targets.len() as u32);
            let source = level(ancestry.at(position));
            let targets = cfg.targets(block).iter().filter_map(|&target| ancestry.number(target));
            // An edge that leads further down comes from the immediate dominator of its target, so by it the target
            // is in no frontier.
            self.targets.extend(targets.filter(|&target| level(target) <= source));
        }
        self.first.push(self.targets.len() as u32);
        self.width = self.targets.len().next_power_of_two();
        self.least.clear();
        self.least.resize(self.width, 0);
        self.least.extend(self.targets.iter().map(|&target| level(target)));
        self.least.resize(2 * self.width, u32::MAX);
        for node in (1..self.width).rev() {
            self.least[node] = self.least[2 * node].min(self.least[2 * node + 1]);
        }
    }

    /// The edges that leave the blocks at these positions.
    fn range(&self, first: u32, end: u32) -> core::ops::Range<usize> {
        self.first[first as usize] as usize..self.first[end as usize] as usize
    }

    /// The first edge of the range whose target is at this level or above.
    fn next_leaving(&self, range: core::ops::Range<usize>, level: u32) -> Option<usize> {
        if range.is_empty() {
            return None;
        }
        // Up and to the right, to the next subtree that has one.
        let mut node = self.width + range.start;
        // Empty places have the greatest level, so they never stop the search.
        while self.least[node] > level {
            // Past the last one of its row nothing is left.
            if (node + 1).is_power_of_two() {
                return None;
            }
            node += 1;
            node >>= node.trailing_zeros();
        }
        // And down to the first one in it.
        while node < self.width {
            node *= 2;
            node += usize::from(self.least[node] > level);
        }
        Some(node - self.width).filter(|edge| range.contains(edge))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use ssaphire_graph::{Block, Cfg, DominatorTree};

    /// Blocks by number with the targets of their edges; block 0 is the entry.
    struct Graph(Vec<Vec<usize>>);

    impl Cfg for Graph {
        fn num_blocks(&self) -> usize {
            self.0.len()
        }

        fn entry(&self) -> Block {
            Block::new(0)
        }

        fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
            self.0[block.index()].iter().map(|&target| Block::new(target))
        }

        fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
            let edges_of = move |source: usize| self.0[source].iter().filter(move |&&target| target == block.index());
            (0..self.0.len()).flat_map(move |source| edges_of(source).map(move |_| Block::new(source)))
        }
    }

    /// Whether an edge leads from a block reached, from `from` on, to `to`, without passing `avoided`.
    fn has_path(graph: &Graph, from: usize, to: usize, avoided: usize) -> bool {
        let (mut reached, mut pending) = (vec![false; graph.0.len()], vec![from]);
        while let Some(block) = pending.pop() {
            for &target in &graph.0[block] {
                if target == to {
                    return true;
                }
                if target != avoided && !core::mem::replace(&mut reached[target], true) {
                    pending.push(target);
                }
            }
        }
        false
    }

    #[test]
    fn an_assignment_reaches_a_join_if_a_path_does() {
        let mut seed = 1_u64;
        let mut below = |limit: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % limit
        };
        let (mut ancestry, mut frontier, mut answers) = (Ancestry::default(), Frontier::default(), [0_u32; 2]);
        for _ in 0..3_000 {
            let num_blocks = 2 + below(14);
            let mut graph = Graph(vec![Vec::new(); num_blocks]);
            for block in 1..num_blocks {
                graph.0[below(block)].push(block);
            }
            for _ in 0..below(2 * num_blocks) {
                let edge = (below(num_blocks), 1 + below(num_blocks - 1));
                graph.0[edge.0].push(edge.1);
            }
            let cfg = FlatCfg::new(&graph).unwrap();
            let mut tree = DominatorTree::default();
            tree.rebuild(&cfg);
            ancestry.rebuild(&cfg, &tree);
            frontier.clear();
            for join in 1..num_blocks {
                let Some(number) = ancestry.number(Block::new(join)) else { continue };
                let parent = ancestry.node(ancestry.node(number).parent);
                let top = ancestry.block(ancestry.node(number).parent).index();
                for _ in 0..4 {
                    let mut writes: Vec<u32> = (parent.first + 1..parent.end).filter(|_| below(4) == 0).collect();
                    writes.truncate(6);
                    let expected = writes
                        .iter()
                        .any(|&write| has_path(&graph, ancestry.block(ancestry.at(write)).index(), join, top));
                    let mut ask = |num_edges| {
                        let join = Join { block: number, max_steps: num_edges };
                        frontier.reaches(
                            (&cfg, &ancestry),
                            [&writes[..writes.len() / 2], &writes[writes.len() / 2..]],
                            join,
                        )
                    };
                    assert_eq!(ask(1_000), expected, "{:?} {join} {writes:?}", graph.0);
                    // What is not known in time may be.
                    let found: Vec<bool> = (0..20).map(&mut ask).collect();
                    assert!(found.iter().all(|&found| found || !expected));
                    assert!(found.is_sorted_by_key(|&found| !found));
                    answers[usize::from(expected)] += 1;
                }
            }
        }
        assert!(answers.iter().all(|&count| count > 10_000), "{answers:?}");
    }
}
