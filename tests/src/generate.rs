//! Random functions by shape.

use crate::case::Case;
use crate::rng::Rng;
use ssaphire::graph::{DominatorTree, FlatCfg, LoopForest};
use ssaphire::{Access, Variable};

/// What the graph of a random function looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Sequences, choices and loops in each other.
    Structured,
    /// Any graph each of whose cycles has a block that dominates it.
    Reducible,
    /// Any graph with a cycle that can be entered in several ways.
    Irreducible,
    /// Blocks that no path reaches, with edges into the others.
    Unreachable,
    /// Many edges from blocks to themselves.
    SelfLoops,
    /// Terminators that name a target several times.
    RepeatedEdges,
    /// The entry alone.
    OneBlock,
    /// Every block has a successor.
    NoExit,
    /// Edges enter the entry.
    EntryWithPredecessors,
}

impl Shape {
    /// All shapes.
    pub const ALL: [Self; 9] = [
        Self::Structured,
        Self::Reducible,
        Self::Irreducible,
        Self::Unreachable,
        Self::SelfLoops,
        Self::RepeatedEdges,
        Self::OneBlock,
        Self::NoExit,
        Self::EntryWithPredecessors,
    ];
}

/// A random function of that shape. Its blocks are numbered in any order.
///
/// A function with copies has tuples of them, too.
pub fn generate(shape: Shape, has_copies: bool, rng: &mut Rng) -> Case {
    let num_variables = 1 + rng.below(4);
    let mut case = Case::of_graph(0, &graph(shape, rng), num_variables);
    for block in case.blocks() {
        case.accesses[block.index()] = accesses(num_variables, has_copies, rng);
    }
    case.shuffled(rng)
}

/// Whether each cycle of the graph has a block that dominates it.
pub fn is_reducible(cfg: &FlatCfg) -> bool {
    LoopForest::new(cfg, &DominatorTree::new(cfg)).is_reducible()
}

fn graph(shape: Shape, rng: &mut Rng) -> Vec<Vec<usize>> {
    match shape {
        Shape::Structured => structured(rng),
        Shape::Reducible => digraph_until(rng, true),
        Shape::Irreducible => digraph_until(rng, false),
        Shape::Unreachable => with_unreachable(rng),
        Shape::OneBlock => vec![Vec::new()],
        Shape::SelfLoops => {
            let mut targets = digraph(rng);
            for (block, list) in targets.iter_mut().enumerate().skip(1) {
                if rng.chance(60) {
                    list.insert(rng.below(list.len() + 1), block);
                }
            }
            targets
        }
        Shape::RepeatedEdges => {
            let mut targets = digraph(rng);
            for list in &mut targets {
                for _ in 0..rng.below(3).min(list.len() * 2) {
                    list.insert(rng.below(list.len() + 1), rng.pick(list));
                }
            }
            targets
        }
        Shape::NoExit => {
            let mut targets = digraph(rng);
            let num_blocks = targets.len();
            for list in targets.iter_mut().filter(|list| list.is_empty()) {
                list.push(1 + rng.below(num_blocks - 1));
            }
            targets
        }
        Shape::EntryWithPredecessors => {
            let mut targets = digraph(rng);
            for _ in 0..1 + rng.below(3) {
                let source = rng.below(targets.len());
                let place = rng.below(targets[source].len() + 1);
                targets[source].insert(place, 0);
            }
            targets
        }
    }
}

/// Any graph of 2 to 10 blocks whose entry, block 0, has no incoming edges and in which paths reach all blocks.
fn digraph(rng: &mut Rng) -> Vec<Vec<usize>> {
    let num_blocks = 2 + rng.below(9);
    let mut targets = vec![Vec::new(); num_blocks];
    for block in 1..num_blocks {
        // A path comes from some block before it.
        let source = rng.below(block);
        targets[source].push(block);
    }
    for _ in 0..rng.below(num_blocks + 2) {
        let source = rng.below(num_blocks);
        targets[source].push(1 + rng.below(num_blocks - 1));
    }
    for list in &mut targets {
        rng.shuffle(list);
    }
    targets
}

fn digraph_until(rng: &mut Rng, reducible: bool) -> Vec<Vec<usize>> {
    loop {
        let targets = digraph(rng);
        if is_reducible(&Case::of_graph(0, &targets, 0).cfg) == reducible {
            return targets;
        }
    }
}

fn with_unreachable(rng: &mut Rng) -> Vec<Vec<usize>> {
    let mut targets = digraph(rng);
    let num_reachable = targets.len();
    for _ in 0..1 + rng.below(4) {
        targets.push(Vec::new());
    }
    let num_blocks = targets.len();
    for list in &mut targets[num_reachable..] {
        for _ in 0..rng.below(4) {
            // Half of the edges stay among the unreachable blocks.
            let first = if rng.chance(50) { num_reachable } else { 1 };
            list.push(first + rng.below(num_blocks - first));
        }
    }
    targets
}

/// Edges of a graph of two blocks are replaced by pieces of programs, again and again.
fn structured(rng: &mut Rng) -> Vec<Vec<usize>> {
    let mut targets = vec![vec![1], Vec::new()];
    for _ in 0..rng.below(5) {
        let sources: Vec<usize> = (0..targets.len()).filter(|&block| !targets[block].is_empty()).collect();
        let source = rng.pick(&sources);
        let slot = rng.below(targets[source].len());
        let after = targets[source][slot];
        let new = targets.len();
        targets[source][slot] = new;
        match rng.below(6) {
            // A sequence; one choice; two; `while`; `repeat`; a choice of three that falls through.
            0 => targets.push(vec![after]),
            1 => targets.extend([vec![new + 1, new + 2], vec![new + 2], vec![after]]),
            2 => targets.extend([vec![new + 1, new + 2], vec![new + 3], vec![new + 3], vec![after]]),
            3 => targets.extend([vec![new + 1, after], vec![new]]),
            4 => targets.extend([vec![new + 1], vec![new, after]]),
            _ => targets.extend([vec![new + 1, new + 2, new + 3], vec![new + 2], vec![new + 3], vec![after]]),
        }
    }
    targets
}

fn accesses(num_variables: usize, has_copies: bool, rng: &mut Rng) -> Vec<Access> {
    let mut accesses = Vec::new();
    for _ in 0..rng.below(5) {
        if rng.chance(12) {
            let len = 2 + rng.below(3);
            accesses.push(Access::Tuple(len as u32));
            accesses.extend((0..len).map(|_| access(num_variables, has_copies, rng)));
        } else {
            accesses.push(access(num_variables, has_copies, rng));
        }
    }
    accesses
}

fn access(num_variables: usize, has_copies: bool, rng: &mut Rng) -> Access {
    let mut variable = || Variable::new(rng.below(num_variables));
    let (first, second) = (variable(), variable());
    match rng.below(if has_copies { 7 } else { 5 }) {
        0..3 => Access::Read(first),
        3 | 4 => Access::Write(first),
        _ => Access::Copy(first, second),
    }
}
