//! Blocks that only jump.
//!
//! An edge into such a block is redirected to the target of its jump, with the
//! operands that the phis there have for the jump. Several edges of one source
//! may then lead to one block with different operands: this is valid, since an
//! operand belongs to an edge.
//!
//! These blocks stay:
//!
//! * the entry, unless its jump is the only edge to its target;
//! * a block whose predecessor's terminator defines results there, since that edge must be the block's only one;
//! * one block of each cycle of empty blocks;
//! * a block that shares operands: if *n* edges reach a block with *p* phis through an empty block, each phi has one
//!   operand for them; without the empty block, it has *n*, so *n* checks that jump to one empty label would take *np*
//!   operands. If *n* and *p* exceed [`Thresholds::multiplied`], the last empty block on the path stays, and those
//!   before it lead to that one.

use super::Thresholds;
use crate::dialect::Syntax;
use crate::function::{Action, Function, IncomingEdge};
use ssaphire::Block;
use ssaphire::graph::{CfgError, FlatCfg, IdMap};

/// Removes the blocks of `function` that have no phis and only jump; returns their number.
///
/// # Errors
/// If the graph violates its contract.
///
/// # Complexity
/// O(size of the function), except for sorting the incoming edges of each block. The number of operands grows to at
/// most [`multiplied`](Thresholds::multiplied) times that of the operands and edges before.
pub fn remove_empty_blocks<D: Syntax>(function: &mut Function<D>) -> Result<usize, CfgError> {
    remove_empty_blocks_up_to(function, Thresholds::default())
}

/// Like [`remove_empty_blocks`], with other thresholds.
///
/// # Errors
/// As [`remove_empty_blocks`].
pub(super) fn remove_empty_blocks_up_to<D: Syntax>(
    function: &mut Function<D>,
    thresholds: Thresholds,
) -> Result<usize, CfgError> {
    FlatCfg::new(function)?;
    let num_blocks = function.num_blocks();
    let entered = first_nonempty_block(function);
    let removed = Removed::of(function, entered, thresholds.multiplied);
    for block in function.blocks().filter(|&block| removed.target[block].is_none()) {
        removed.redirect_edges_to(function, block);
    }
    for block in function.blocks() {
        function.retarget(block, |target| removed.end(target));
    }
    function.set_entry(entered);
    function.retain_blocks(|block| removed.target[block].is_none());
    Ok(num_blocks - function.num_blocks())
}

/// The target of `block`, if it only jumps.
fn jump_target<D: Syntax>(function: &Function<D>, block: Block) -> Option<Block> {
    let data = function.block(block);
    let terminator = data.terminator()?;
    let is_jump = *terminator.action == Action::Op(D::jump()) && data.insts().len() == 1;
    let &[target] = terminator.targets else { return None };
    let is_empty = is_jump && data.phis().is_empty() && function.results_at_top(block).is_empty();
    is_empty.then_some(target)
}

/// The first block on the path from the entry that does more than jump, or that has other incoming edges.
fn first_nonempty_block<D: Syntax>(function: &Function<D>) -> Block {
    let mut block = function.entry();
    while let Some(target) = jump_target(function, block) {
        // An entry before a loop header stays: not every analysis accepts an entry with incoming edges.
        let is_alone = function.block(target).incoming().len() == 1 && function.block(target).phis().is_empty();
        if !function.block(block).incoming().is_empty() && block == function.entry() || !is_alone {
            break;
        }
        block = target;
    }
    block
}

/// The blocks to remove.
struct Removed {
    /// By block to remove, its target; without cycles.
    target: IdMap<Block, Option<Block>>,
    /// By block, the first one on the path of jumps that stays.
    end: IdMap<Block, Block>,
    /// The block before that, or the block itself if it is removed.
    last: IdMap<Block, Block>,
}

impl Removed {
    fn of<D: Syntax>(function: &Function<D>, entry: Block, multiplied: usize) -> Self {
        let jump = |block| jump_target(function, block).filter(|_| block != entry);
        let blocks = || function.blocks().collect();
        let mut removed = Self { target: function.blocks().map(jump).collect(), end: blocks(), last: blocks() };
        let mut is_done = IdMap::filled(function.num_blocks(), false);
        let mut path = Vec::new();
        for start in function.blocks() {
            let mut block = start;
            while let Some(target) = removed.target[block].filter(|_| !is_done[block]) {
                is_done[block] = true;
                path.push(block);
                block = target;
            }
            // The path leads back to itself, so its end is not known: this block of the cycle stays.
            if removed.target[block].is_some() && removed.end[block] == block {
                removed.target[block] = None;
            }
            let end = removed.end[block];
            let last = if removed.target[block].is_some() {
                removed.last[block]
            } else {
                path.last().copied().unwrap_or(block)
            };
            for passed in path.drain(..) {
                (removed.end[passed], removed.last[passed]) = (end, last);
            }
        }
        removed.keep_shared_blocks(function, multiplied);
        removed
    }

    /// Keeps blocks through which many edges reach many phis.
    fn keep_shared_blocks<D: Syntax>(&mut self, function: &Function<D>, multiplied: usize) {
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

    /// Replaces each edge from a removed block to `block`, which stays, with the edges into the removed block.
    fn redirect_edges_to<D: Syntax>(&self, function: &mut Function<D>, block: Block) {
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

/// Sorts the edges of each source by slot, within the positions of that source's edges.
fn order_slots(edges: &mut [(IncomingEdge, Option<usize>)]) {
    let mut by_slot = edges.to_vec();
    by_slot.sort_unstable_by_key(|&(edge, _)| edge);
    let mut places: Vec<usize> = (0..edges.len()).collect();
    places.sort_by_key(|&place| edges[place].0.source);
    for (place, edge) in places.into_iter().zip(by_slot) {
        edges[place] = edge;
    }
}
