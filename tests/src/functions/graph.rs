//! Random control-flow graphs: the targets of each block. Block 0 is the entry.

use super::{Rng, Shape};

pub(super) type Graph = Vec<Vec<usize>>;

pub(super) fn successors(shape: Shape, size: usize, rng: &mut Rng) -> Graph {
    let mut graph = match shape {
        Shape::OneBlock => vec![Vec::new()],
        Shape::Structured | Shape::Exceptions => structured(size, rng),
        Shape::Reducible => reducible(size, rng),
        Shape::Irreducible => irreducible(size, rng),
        _ if rng.chance(1, 2) => structured(size, rng),
        _ => irreducible(size, rng),
    };
    match shape {
        Shape::Unreachable => add_unreachable(&mut graph, size / 3 + 1, rng),
        Shape::SelfLoops => add_edges(&mut graph, rng, |block, _| block),
        Shape::RepeatedEdges => add_edges(&mut graph, rng, |_, again| again),
        Shape::NoExit => close(&mut graph, rng),
        Shape::EntryLoop => {
            add_edges(&mut graph, rng, |_, _| 0);
            let last = graph.len() - 1;
            graph[last].push(0);
        }
        _ => {}
    }
    graph
}

/// Starts with two blocks in a row and replaces jumps by conditionals, loops and sequences.
fn structured(size: usize, rng: &mut Rng) -> Graph {
    let mut graph: Graph = vec![Vec::new()];
    if size > 1 {
        graph = vec![vec![1], Vec::new()];
    }
    // The blocks with one target.
    let mut jumps = vec![0];
    while graph.len() < size {
        let place = rng.below(jumps.len());
        let block = jumps[place];
        let (new_targets, new_blocks) = construct(rng.below(6), graph.len(), graph[block][0]);
        let new = graph.len();
        graph[block] = new_targets;
        graph.extend(new_blocks);
        if graph[block].len() > 1 {
            jumps.swap_remove(place);
        }
        jumps.extend((new..graph.len()).filter(|&block| graph[block].len() == 1));
    }
    graph
}

/// What a jump to `next` becomes: its targets, and blocks from number `new` on.
fn construct(kind: usize, new: usize, next: usize) -> (Vec<usize>, Graph) {
    match kind {
        // A sequence.
        0 => (vec![new], vec![vec![next]]),
        // A conditional: both arms, join.
        1 | 2 => (vec![new, new + 1], vec![vec![new + 2], vec![new + 2], vec![next]]),
        // A conditional with one arm: arm, join.
        3 => (vec![new, new + 1], vec![vec![new + 1], vec![next]]),
        // A while loop: header, body.
        4 => (vec![new], vec![vec![new + 1, next], vec![new]]),
        // A repeat loop: body, test.
        _ => (vec![new], vec![vec![new + 1], vec![new, next]]),
    }
}

/// A random acyclic graph in id order, and back edges to dominators: these change no dominator.
fn reducible(size: usize, rng: &mut Rng) -> Graph {
    let mut graph: Graph = vec![Vec::new(); size];
    let mut idom = vec![0; size];
    for block in 1..size {
        let first = near(block, rng);
        graph[first].push(block);
        idom[block] = first;
        while rng.chance(1, 3) {
            let other = near(block, rng);
            graph[other].push(block);
            idom[block] = common_dominator(&idom, idom[block], other);
        }
    }
    for (block, targets) in graph.iter_mut().enumerate().skip(1) {
        if rng.chance(1, 4) {
            let mut header = block;
            while rng.chance(2, 3) {
                header = idom[header];
            }
            // An edge to the entry would be another shape.
            targets.extend((header != 0).then_some(header));
        }
    }
    graph
}

/// A block before `block`, mostly a near one: graphs stay deep.
fn near(block: usize, rng: &mut Rng) -> usize {
    let window = if rng.chance(1, 4) { block } else { block.min(4) };
    block - 1 - rng.below(window)
}

fn common_dominator(idom: &[usize], mut one: usize, mut other: usize) -> usize {
    while one != other {
        if one > other {
            one = idom[one];
        } else {
            other = idom[other];
        }
    }
    one
}

/// A tree, so that all blocks are reachable, and edges between any two blocks but to the entry.
fn irreducible(size: usize, rng: &mut Rng) -> Graph {
    let mut graph: Graph = vec![Vec::new(); size];
    for block in 1..size {
        let parent = near(block, rng);
        graph[parent].push(block);
    }
    if size >= 3 {
        // Two blocks that lead to each other, both entered from the entry.
        graph[0] = graph[0].iter().copied().filter(|&to| to > 2).chain([1, 2]).collect();
        graph[1].retain(|&to| to != 2);
        graph[1].push(2);
        graph[2].push(1);
    }
    for targets in graph.iter_mut().skip(1) {
        while rng.chance(1, 3) {
            targets.push(1 + rng.below(size - 1));
        }
    }
    graph
}

fn add_unreachable(graph: &mut Graph, count: usize, rng: &mut Rng) {
    let reachable = graph.len();
    for _ in 0..count {
        let targets = (0..rng.below(3)).map(|_| 1 + rng.below(reachable + count - 1)).collect();
        // Not to block 0: the entry stays without incoming edges.
        graph.push(targets);
    }
}

/// Adds to about half of the blocks an edge to what `target` says, given the block and one of its targets.
fn add_edges(graph: &mut Graph, rng: &mut Rng, target: impl Fn(usize, usize) -> usize) {
    for (block, targets) in graph.iter_mut().enumerate() {
        if let Some(&one) = rng.pick(targets)
            && rng.chance(1, 2)
            && (block != 0 || target(block, one) != 0)
        {
            let place = rng.below(targets.len() + 1);
            targets.insert(place, target(block, one));
        }
    }
}

/// Leads every block without targets back to some block.
fn close(graph: &mut Graph, rng: &mut Rng) {
    let size = graph.len();
    if size == 1 {
        graph.push(vec![1]);
        graph[0].push(1);
        return;
    }
    for targets in graph.iter_mut().filter(|targets| targets.is_empty()) {
        targets.push(1 + rng.below(size - 1));
    }
}
