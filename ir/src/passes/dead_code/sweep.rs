//! Deletion of what is not live: the last loop of Fig. 17.

use super::Report;
use super::mark::Live;
use crate::dialect::Semantics;
use crate::function::{Action, Function, InstRef};
use ssaphire::graph::{IdMap, PostDominators};
use ssaphire::{Block, Value};

/// Deletes the phis and instructions that are not live; terminators that are not live become jumps.
pub(super) fn sweep<D: Semantics>(
    function: &mut Function<D>,
    live: &Live,
    post_dominators: &PostDominators,
    report: &mut Report,
) {
    let live_successors = live_successors(function, live, post_dominators);
    // Phis first: where a dead branch goes on there are none left then, or it has an edge there already.
    for block in function.blocks() {
        report.dead_phis += drop_phis(function, live, block);
        report.dead_insts += drop_insts(function, live, block);
    }
    let is_branch = |&(block, target): &(Block, &Option<Block>)| {
        target.is_some() && function.block(block).terminator().is_some_and(|inst| !is_jump(inst))
    };
    report.dead_branches = live_successors.iter().filter(is_branch).count();
    function.make_jumps(&live_successors);
}

fn is_jump<D: Semantics>(inst: InstRef<'_, D>) -> bool {
    *inst.action == Action::Op(D::jump())
}

fn drop_phis<D: Semantics>(function: &mut Function<D>, live: &Live, block: Block) -> usize {
    let num_phis = function.block(block).phis().len();
    function.retain_phis(block, |phi| live.has_phi(phi.value));
    num_phis - function.block(block).phis().len()
}

/// Drops the dead instructions of `block` but its terminator.
fn drop_insts<D: Semantics>(function: &mut Function<D>, live: &Live, block: Block) -> usize {
    let body = function.block(block).body();
    let len = body.len();
    let dead = body.iter().enumerate().filter(|&(index, _)| !live.has_inst(block, index));
    let values: Vec<Value> = dead.flat_map(|(_, inst)| inst.defined_values()).collect();
    function.values.detach(values);
    function.keep_insts(block, |index| index == len || live.has_inst(block, index));
    function.compact_if_wasteful();
    len - function.block(block).body().len()
}

/// The targets of blocks whose terminator is dead: the nearest live block that post-dominates each.
///
/// The live blocks include their iterated frontier in the reversed graph, except for blocks whose terminator is live.
/// So on every path from a dead terminator, the first live block is the same, and post-dominates it. There is one,
/// because the terminators that leave the function are live, and so are those from which no path leaves it. If that
/// block has live phis, the sources of its edges are live: so the path is a single edge, and the only one, since
/// otherwise the terminator would be live.
fn live_successors<D: Semantics>(
    function: &Function<D>,
    live: &Live,
    post_dominators: &PostDominators,
) -> IdMap<Block, Option<Block>> {
    let tree = post_dominators.tree();
    let mut nearest = IdMap::filled(function.num_blocks() + 1, None);
    for &block in tree.preorder() {
        nearest[block] =
            tree.idom(block).and_then(|above| if live.has_block(above) { Some(above) } else { nearest[above] });
    }
    let way_on = |block: Block| {
        let data = function.block(block);
        let is_dead = data.terminator().is_some() && !live.has_inst(block, data.body().len());
        nearest[block].filter(|_| is_dead)
    };
    function.blocks().map(way_on).collect()
}
