//! Graph properties by definition, slow and plain; incoming edges in another order.

use ssaphire::Block;
use ssaphire::graph::FlatCfg;
use ssaphire_ir::{Basic, Function, IncomingEdge};
use ssaphire_tests::functions::Rng;

/// Which blocks the entry reaches without passing `avoided`.
pub(crate) fn reachable(flat: &FlatCfg, avoided: Option<Block>) -> Vec<bool> {
    let mut seen = vec![false; flat.num_blocks()];
    let mut work = vec![flat.entry()];
    while let Some(block) = work.pop() {
        if Some(block) != avoided && !std::mem::replace(&mut seen[block.index()], true) {
            work.extend(flat.targets(block));
        }
    }
    seen
}

/// By definition: without edges to dominators of their source, what is reachable has no cycle.
pub(crate) fn is_reducible(flat: &FlatCfg) -> bool {
    let all = reachable(flat, None);
    let forward = |block: Block| flat.targets(block).iter().copied().filter(move |&to| !dominates(flat, to, block));
    let mut degree = vec![0; flat.num_blocks()];
    let live: Vec<_> = flat.blocks().filter(|block| all[block.index()]).collect();
    live.iter().flat_map(|&block| forward(block)).for_each(|to| degree[to.index()] += 1);
    let mut work: Vec<_> = live.iter().copied().filter(|block| degree[block.index()] == 0).collect();
    let mut done = 0;
    while let Some(block) = work.pop() {
        done += 1;
        for to in forward(block) {
            degree[to.index()] -= 1;
            if degree[to.index()] == 0 {
                work.push(to);
            }
        }
    }
    done == live.len()
}

/// By definition: without `block`, the entry does not reach `other`. For reachable blocks.
pub(crate) fn dominates(flat: &FlatCfg, block: Block, other: Block) -> bool {
    block == other || !reachable(flat, Some(block))[other.index()]
}

/// Puts the incoming edges of some blocks in another order, those of one source by slot.
pub(crate) fn shuffle_edges(function: &mut Function<Basic>, rng: &mut Rng) {
    for block in function.blocks() {
        let mut order: Vec<IncomingEdge> = function.block(block).incoming().to_vec();
        for place in (1..order.len()).rev() {
            order.swap(place, rng.below(place + 1));
        }
        let mut by_slot = order.clone();
        by_slot.sort();
        let mut taken = vec![false; by_slot.len()];
        let order: Vec<_> = order
            .iter()
            .map(|edge| {
                let next = (0..by_slot.len()).find(|&at| !taken[at] && by_slot[at].source == edge.source).unwrap();
                taken[next] = true;
                by_slot[next]
            })
            .collect();
        function.set_incoming_order(block, &order).expect("these are its edges, slots ascending");
    }
    function.canonicalize();
}
