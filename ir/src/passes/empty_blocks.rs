//! Blocks that only jump.
//!
//! An edge into such a block leads on to where the block jumps, with the
//! operands that the phis there have for the jump. Several edges of one source
//! may then arrive at one block with different operands, which is in order:
//! an operand belongs to an edge.
//!
//! These stay:
//!
//! * the entry, unless nothing else leads to where it jumps;
//! * a block that sees the results of the terminator before it, which belong to no edge that others share;
//! * of a cycle of such blocks, one;
//! * a block that shares operands: *n* edges that arrive by one block have one operand in each of *p* phis, and *n* without it,
//!   so that *n* checks that jump to one empty label would take *np* operands. Where both are more than
//!   [`Thresholds::multiplied`], the last block on the way stays; those before it lead to that one.

use super::Thresholds;
use crate::dialect::Dialect;
use crate::function::{Action, Function, IncomingEdge};
use ssaphire::Block;
use ssaphire::graph::{CfgError, FlatCfg, IdMap};

/// Removes the blocks of `function` that have no phis and only jump; returns their number.
///
/// # Errors
/// If the graph violates its contract.
///
/// # Complexity
/// O(size of the function), but for sorting the incoming edges of each block. The operands become at most
/// [`multiplied`](Thresholds::multiplied) times as many as operands and edges were.
pub fn remove_empty_blocks<D: Dialect>(function: &mut Function<D>) -> Result<usize, CfgError> {
    remove_empty_blocks_up_to(function, Thresholds::default())
}

/// Like [`remove_empty_blocks`], with other thresholds.
///
/// # Errors
/// As [`remove_empty_blocks`].
pub(super) fn remove_empty_blocks_up_to<D: Dialect>(
    function: &mut Function<D>,
    thresholds: Thresholds,
) -> Result<usize, CfgError> {
    FlatCfg::new(function)?;
    let num_blocks = function.num_blocks();
    let entered = first_block_that_does_something(function);
    let removed = Removed::of(function, entered, thresholds.multiplied);
    for block in function.blocks().filter(|&block| removed.target[block].is_none()) {
        removed.lead_edges_to(function, block);
    }
    for block in function.blocks() {
        function.retarget(block, |target| removed.end(target));
    }
    function.set_entry(entered);
    function.retain_blocks(|block| removed.target[block].is_none());
    Ok(num_blocks - function.num_blocks())
}

/// Where `block` jumps, if that is all it does.
fn jumps_on<D: Dialect>(function: &Function<D>, block: Block) -> Option<Block> {
    let data = function.block(block);
    let terminator = data.terminator()?;
    let is_jump = *terminator.action == Action::Op(D::jump()) && data.insts().len() == 1;
    let &[target] = terminator.targets else { return None };
    let is_empty = is_jump && data.phis().is_empty() && function.results_at_top(block).is_empty();
    is_empty.then_some(target)
}

/// The entry, or where it jumps if nothing else leads there, and so on.
fn first_block_that_does_something<D: Dialect>(function: &Function<D>) -> Block {
    let mut block = function.entry();
    while let Some(target) = jumps_on(function, block) {
        // A block in front of a loop stays: not every reader of a graph takes an entry with incoming edges.
        let is_alone = function.block(target).incoming().len() == 1 && function.block(target).phis().is_empty();
        if !function.block(block).incoming().is_empty() && block == function.entry() || !is_alone {
            break;
        }
        block = target;
    }
    block
}

/// The blocks that go.
struct Removed {
    /// Where each of them jumps: no cycle of these.
    target: IdMap<Block, Option<Block>>,
    /// The first block on the way that stays.
    end: IdMap<Block, Block>,
    /// The block before that, itself if it goes.
    last: IdMap<Block, Block>,
}

impl Removed {
    fn of<D: Dialect>(function: &Function<D>, entry: Block, multiplied: usize) -> Self {
        let jump = |block| jumps_on(function, block).filter(|_| block != entry);
        let blocks = || function.blocks().collect();
        let mut removed = Self { target: function.blocks().map(jump).collect(), end: blocks(), last: blocks() };
        let mut is_done = IdMap::filled(function.num_blocks(), false);
        let mut way = Vec::new();
        for start in function.blocks() {
            let mut block = start;
            while let Some(target) = removed.target[block].filter(|_| !is_done[block]) {
                is_done[block] = true;
                way.push(block);
                block = target;
            }
            // Back on the way itself, whose ends are not known: a cycle, of which this block stays.
            if removed.target[block].is_some() && removed.end[block] == block {
                removed.target[block] = None;
            }
            let end = removed.end[block];
            let last = if removed.target[block].is_some() {
                removed.last[block]
            } else {
                way.last().copied().unwrap_or(block)
            };
            for passed in way.drain(..) {
                (removed.end[passed], removed.last[passed]) = (end, last);
            }
        }
        removed.keep_what_shares(function, multiplied);
        removed
    }

    /// Keeps blocks by which many edges arrive at many phis.
    fn keep_what_shares<D: Dialect>(&mut self, function: &Function<D>, multiplied: usize) {
        let mut num_edges = IdMap::filled(function.num_blocks(), 0);
        for block in function.blocks().filter(|&block| self.target[block].is_some()) {
            let incoming = function.block(block).incoming().iter();
            num_edges[self.last[block]] += incoming.filter(|edge| self.target[edge.source].is_none()).count();
        }
        let num_phis = |block| function.block(block).phis().len();
        let shares = |last| num_edges[last] > multiplied && num_phis(self.end[last]) > multiplied;
        let stays: IdMap<Block, bool> = function.blocks().map(|block| shares(self.last[block])).collect();
        for block in function.blocks() {
            if self.target[block].is_some() && stays[block] {
                let last = self.last[block];
                self.end[block] = last;
                if block == last {
                    self.target[block] = None;
                }
            }
        }
    }

    fn end(&self, block: Block) -> Block {
        self.end.get(block).copied().unwrap_or(block)
    }

    /// Gives `block`, which stays, in place of each edge from a block that goes the edges into that.
    fn lead_edges_to<D: Dialect>(&self, function: &mut Function<D>, block: Block) {
        let goes = |edge: &IncomingEdge| self.target[edge.source].is_some();
        if !function.block(block).incoming().iter().any(goes) {
            return;
        }
        let mut edges = Vec::new();
        let mut work = Vec::new();
        for (index, &edge) in function.block(block).incoming().iter().enumerate() {
            work.push(edge);
            while let Some(edge) = work.pop() {
                if goes(&edge) {
                    work.extend(function.block(edge.source).incoming().iter().rev());
                } else {
                    edges.push((edge, Some(index)));
                }
            }
        }
        order_slots(&mut edges);
        function.replace_incoming(block, &edges);
    }
}

/// Puts the edges of each source into the order of their slots, in the places that they have together.
fn order_slots(edges: &mut [(IncomingEdge, Option<usize>)]) {
    let mut by_slot = edges.to_vec();
    by_slot.sort_unstable_by_key(|&(edge, _)| edge);
    let mut places: Vec<usize> = (0..edges.len()).collect();
    places.sort_by_key(|&place| edges[place].0.source);
    for (place, edge) in places.into_iter().zip(by_slot) {
        edges[place] = edge;
    }
}
