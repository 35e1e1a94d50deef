//! Graphs for tests: random ones of several shapes, and the named families.

extern crate std;

use crate::{Block, FlatCfg};
use alloc::vec;
use alloc::vec::Vec;

/// A deterministic stream of numbers (xorshift).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    pub(crate) fn one_in(&mut self, odds: usize) -> bool {
        self.below(odds) == 0
    }
}

/// `count` small random graphs, always the same ones, each shape in turn.
pub(crate) fn random(count: u64) -> impl Iterator<Item = FlatCfg> {
    (0..count).map(|seed| {
        let random = &mut Random::new(seed + 1);
        match seed % 4 {
            0 => any_edges(random),
            1 => one_way_in(random),
            2 => mostly_forward(random),
            _ => structured(random),
        }
    })
}

/// Edges anywhere: unreachable parts, self-loops, repeated edges, edges to the entry, irreducible cycles.
fn any_edges(random: &mut Random) -> FlatCfg {
    let num_blocks = 1 + random.below(12);
    let degree = 1 + random.below(3);
    let mut successors = vec![Vec::new(); num_blocks];
    for targets in &mut successors {
        for _ in 0..random.below(degree + 2) {
            targets.push(random.below(num_blocks));
        }
    }
    graph(random.below(num_blocks), &successors)
}

/// As [`any_edges`], with a path that reaches everything, and so more and longer irreducible cycles.
fn one_way_in(random: &mut Random) -> FlatCfg {
    let num_blocks = 2 + random.below(12);
    let mut successors = vec![Vec::new(); num_blocks];
    for block in 1..num_blocks {
        successors[random.below(block)].push(block);
    }
    for _ in 0..num_blocks / 2 + random.below(num_blocks) {
        successors[random.below(num_blocks)].push(random.below(num_blocks));
    }
    graph(0, &successors)
}

/// Mostly a directed acyclic graph, with a few edges back.
fn mostly_forward(random: &mut Random) -> FlatCfg {
    let num_blocks = 2 + random.below(14);
    let mut successors = vec![Vec::new(); num_blocks];
    for (source, targets) in successors.iter_mut().enumerate().take(num_blocks - 1) {
        for _ in 0..1 + random.below(2) {
            let later = source + 1 + random.below(num_blocks - source - 1);
            targets.push(if random.one_in(6) { random.below(source + 1) } else { later });
        }
    }
    graph(0, &successors)
}

/// Branches and loops with one way in, nested at random; reducible by construction.
fn structured(random: &mut Random) -> FlatCfg {
    let mut successors = vec![vec![1], vec![]];
    for _ in 0..random.below(6) {
        // Replaces an edge by a branch, a loop around a block, or a loop back to its source.
        let source = random.below(successors.len());
        if successors[source].is_empty() {
            continue;
        }
        let slot = random.below(successors[source].len());
        let target = successors[source][slot];
        let new = successors.len();
        successors[source][slot] = new;
        match random.below(3) {
            0 => {
                successors.push(vec![new + 1, target]);
                successors.push(vec![target]);
            }
            1 => successors.push(vec![new, target]),
            _ => {
                successors.push(vec![new + 1, target]);
                successors.push(vec![new]);
            }
        }
    }
    graph(0, &successors)
}

/// Blocks in a line.
pub(crate) fn chain(num_blocks: usize) -> FlatCfg {
    let edges = (1..num_blocks).map(|block| (block - 1, block));
    from_edges(num_blocks, edges)
}

/// A path that can be walked both ways, entered at both ends: an irreducible cycle at every step.
pub(crate) fn ladder(num_blocks: usize) -> FlatCfg {
    let last = num_blocks - 1;
    let rungs = (1..=last).flat_map(move |block| {
        let down = (block > 1).then(|| (block, block - 1));
        down.into_iter().chain((block < last).then(|| (block, block + 1)))
    });
    from_edges(num_blocks, [(0, 1), (0, last)].into_iter().chain(rungs))
}

/// So many `do`-`while` loops in each other: block `i` is the header of a loop, `2 * depth - 1 - i` its end.
pub(crate) fn nest(depth: usize) -> FlatCfg {
    let num_blocks = 2 * depth + 1;
    let edges = (0..2 * depth).flat_map(move |block| {
        let back = (block >= depth).then(|| (block, 2 * depth - 1 - block));
        back.into_iter().chain([(block, block + 1)])
    });
    from_edges(num_blocks, edges)
}

/// So many blocks between the entry and one block that each reaches by two edges; from there back to the entry.
pub(crate) fn fan_in(width: usize) -> FlatCfg {
    let last = width + 1;
    let fan_out = (1..=width).map(|block| (0, block));
    let fan_in = (1..=width).flat_map(move |block| [(block, last); 2]);
    from_edges(width + 2, fan_out.chain(fan_in).chain([(last, 0)]))
}

/// A chain from the entry whose last block leads to each of so many others, as the entry does: the parent of these in
/// the depth-first tree is deep in the dominator tree, and the entry dominates them immediately.
pub(crate) fn shortcuts(length: usize) -> FlatCfg {
    let others = |source: usize| (length + 1..=2 * length).map(move |block| (source, block));
    let chain = (1..length).map(|block| (block, block + 1));
    from_edges(2 * length + 1, [(0, 1)].into_iter().chain(others(0)).chain(chain).chain(others(length)))
}

/// Every graph of three blocks with at most two edges from each, successors in either order.
pub(crate) fn every_small() -> impl Iterator<Item = FlatCfg> {
    // A block's edges as a number: none, one (3), two (9).
    let targets = |code: usize| match code {
        0 => vec![],
        1..4 => vec![code - 1],
        _ => vec![(code - 4) / 3, (code - 4) % 3],
    };
    (0..13 * 13 * 13).map(move |code| graph(0, &[code % 13, code / 13 % 13, code / 169].map(targets)))
}

/// Whether a path leads from `from` to `to` without `avoided`. By definition: a search.
pub(crate) fn reaches(cfg: &FlatCfg, from: Block, to: Block, avoided: Option<Block>) -> bool {
    let mut seen = vec![false; cfg.num_blocks()];
    let mut work = vec![from];
    while let Some(block) = work.pop() {
        if Some(block) == avoided || seen[block.index()] {
            continue;
        }
        if block == to {
            return true;
        }
        seen[block.index()] = true;
        work.extend(cfg.targets(block));
    }
    false
}

/// Runs `test` on a thread with a stack of 256 KiB.
pub(crate) fn on_small_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 * 1024).spawn(test).unwrap().join().unwrap();
}

/// The graph with these successor lists.
pub(crate) fn graph(entry: usize, successors: &[Vec<usize>]) -> FlatCfg {
    let successors: Vec<Vec<Block>> =
        successors.iter().map(|targets| targets.iter().copied().map(Block::new).collect()).collect();
    FlatCfg::from_successors(Block::new(entry), &successors).unwrap()
}

fn from_edges(num_blocks: usize, edges: impl Iterator<Item = (usize, usize)>) -> FlatCfg {
    let mut flat = FlatCfg::default();
    let edges = edges.map(|(source, target)| (Block::new(source), Block::new(target)));
    flat.rebuild_from_edges(num_blocks, Block::new(0), edges).unwrap();
    flat
}
