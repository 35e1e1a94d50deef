//! Large graphs by family, for what reads graphs alone.

use crate::rng::Rng;
use ssaphire::Block;
use ssaphire::graph::{DominatorTree, FlatCfg};

/// The graph with entry 0 whose blocks have these targets.
fn graph(targets: &[Vec<usize>]) -> FlatCfg {
    let edges = targets.iter().enumerate();
    let edges = edges.flat_map(|(source, targets)| targets.iter().map(move |&target| (source, target)));
    let mut cfg = FlatCfg::default();
    let edges = edges.map(|(source, target)| (Block::new(source), Block::new(target)));
    cfg.rebuild_from_edges(targets.len(), Block::new(0), edges).expect("targets are blocks");
    cfg
}

/// Blocks in a line.
pub fn line(num_blocks: usize) -> FlatCfg {
    graph(&(1..=num_blocks).map(|next| if next < num_blocks { vec![next] } else { vec![] }).collect::<Vec<_>>())
}

/// Choices in each other: a block that decides, for each of them, and a block where both ways join.
pub fn nested_choices(depth: usize) -> FlatCfg {
    let mut targets: Vec<Vec<usize>> = (0..depth).map(|block| vec![block + 1, 2 * depth - block]).collect();
    targets.extend((depth..2 * depth).map(|block| vec![block + 1]));
    targets.push(vec![]);
    graph(&targets)
}

/// Choices in each other, each of which may also leave all of them, or all loops if there are some around: by
/// labels far away.
pub fn leaving_choices(depth: usize, has_loops: bool) -> FlatCfg {
    let end = 2 * depth + 1;
    let mut targets: Vec<Vec<usize>> = (0..depth).map(|block| vec![block + 1, 2 * depth - block, end]).collect();
    targets.extend((depth..2 * depth).map(|block| vec![block + 1]));
    targets.push(vec![end]);
    targets.push(vec![]);
    if has_loops {
        (0..depth).for_each(|block| targets[2 * depth - 1 - block].push(block));
    }
    graph(&targets)
}

/// Loops in each other, each of which is left from the innermost block, too.
pub fn nested_loops(depth: usize) -> FlatCfg {
    let mut targets: Vec<Vec<usize>> = (0..depth).map(|block| vec![block + 1, 2 * depth - block + 1]).collect();
    targets.push((0..=depth).map(|level| depth + 1 + level).collect());
    targets.extend((0..=depth).map(|level| if level < depth { vec![depth - 1 - level] } else { vec![] }));
    graph(&targets)
}

/// A switch whose arms meet again, and every other one of which falls through into the next.
pub fn switch(num_arms: usize) -> FlatCfg {
    let join = num_arms + 1;
    let mut targets = vec![(1..=num_arms).collect::<Vec<_>>()];
    targets.extend((1..=num_arms).map(|arm| if arm % 2 == 1 { vec![arm + 1] } else { vec![join] }));
    targets.push(vec![]);
    graph(&targets)
}

/// Any graph whose blocks are reachable and whose cycles each have a block that dominates it.
pub fn reducible(num_blocks: usize, rng: &mut Rng) -> FlatCfg {
    let mut targets = vec![Vec::new(); num_blocks];
    for block in 1..num_blocks {
        let source = block - 1 - rng.below(block.min(3));
        targets[source].push(block);
        if rng.chance(30) && block + 1 < num_blocks {
            let ahead = 1 + rng.below(10).min(num_blocks - block - 2);
            targets[block].push(block + ahead);
        }
    }
    let dominators = DominatorTree::new(&graph(&targets));
    for (block, targets) in targets.iter_mut().enumerate() {
        if rng.chance(20) {
            let mut header = Block::new(block);
            for _ in 0..rng.below(8) {
                header = dominators.idom(header).unwrap_or(header);
            }
            targets.push(header.index());
        }
        rng.shuffle(targets);
    }
    graph(&targets)
}

/// A path with edges both ways that the entry leads to at each block: an irreducible loop in another at every step.
pub fn open_path(len: usize) -> FlatCfg {
    let mut targets = vec![(1..=len).collect::<Vec<_>>()];
    for block in 1..=len {
        targets.push(vec![if block < len { block + 1 } else { 1 }, if block > 1 { block - 1 } else { len }]);
    }
    graph(&targets)
}

/// Any graph whose blocks have two edges each.
pub fn digraph(num_blocks: usize, rng: &mut Rng) -> FlatCfg {
    let targets: Vec<Vec<usize>> =
        (0..num_blocks).map(|_| vec![rng.below(num_blocks), rng.below(num_blocks)]).collect();
    graph(&targets)
}

/// Small cycles in a row, each entered at both of its blocks.
pub fn irreducible_row(len: usize) -> FlatCfg {
    let mut targets = Vec::new();
    for at in (0..len).map(|index| 3 * index) {
        targets.extend([vec![at + 1, at + 2], vec![at + 2], vec![at + 1, at + 3]]);
    }
    targets.push(vec![]);
    graph(&targets)
}
