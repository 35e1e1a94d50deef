//! Dominance: the blocks that become unreachable when a block is removed.

use super::{blocks, reached_from};
use ssaphire::graph::{Block, Cfg};

/// Whether a path leads from the entry to `block`. O(*n* + *e*).
pub fn is_reachable(cfg: &impl Cfg, block: Block) -> bool {
    reached_from(cfg, &[cfg.entry()], None)[block.index()]
}

/// Whether every path from the entry to `below` passes `above`: without `above`, no path is left.
///
/// A reachable block dominates itself. O(*n* + *e*).
pub fn dominates(cfg: &impl Cfg, above: Block, below: Block) -> bool {
    is_reachable(cfg, below) && !reached_from(cfg, &[cfg.entry()], Some(above))[below.index()]
}

/// Whether `above` dominates `below` and is another block. O(*n* + *e*).
pub fn strictly_dominates(cfg: &impl Cfg, above: Block, below: Block) -> bool {
    above != below && dominates(cfg, above, below)
}

/// The blocks that dominate `block`, in id order; none if it is unreachable. O(*n* (*n* + *e*)).
pub fn dominators(cfg: &impl Cfg, block: Block) -> Vec<Block> {
    blocks(cfg).filter(|&above| dominates(cfg, above, block)).collect()
}

/// The strict dominator of `block` that dominates no other strict dominator of it.
///
/// `None` for the entry and unreachable blocks. O(*n*² (*n* + *e*)).
pub fn idom(cfg: &impl Cfg, block: Block) -> Option<Block> {
    let mut strict = dominators(cfg, block);
    strict.retain(|&above| above != block);
    strict.iter().copied().find(|&above| strict.iter().all(|&other| !strictly_dominates(cfg, above, other)))
}

/// The dominance frontier of `block`, in id order.
///
/// These are the blocks that `block` does not strictly dominate, but of which
/// it dominates a predecessor. O(*e* (*n* + *e*)).
pub fn dominance_frontier(cfg: &impl Cfg, block: Block) -> Vec<Block> {
    let has_dominated_predecessor = |at: Block| cfg.predecessors(at).any(|source| dominates(cfg, block, source));
    let is_end = |&at: &Block| has_dominated_predecessor(at) && !strictly_dominates(cfg, block, at);
    blocks(cfg).filter(is_end).collect()
}

/// The limit of DF(S), DF(S and DF(S)), and so on, in id order. O(*n*² *e* (*n* + *e*)).
pub fn iterated_frontier(cfg: &impl Cfg, set: &[Block]) -> Vec<Block> {
    let mut limit: Vec<Block> = Vec::new();
    loop {
        let mut next: Vec<_> = set.iter().chain(&limit).flat_map(|&block| dominance_frontier(cfg, block)).collect();
        next.sort_unstable();
        next.dedup();
        if next == limit {
            return limit;
        }
        limit = next;
    }
}
