//! Cooper, Harvey and Kennedy's algorithm: data-flow analysis on a tree.
//!
//! The dominators of a vertex are itself and what dominates all its
//! predecessors. Sets are paths in a tree that is refined in reverse post-order
//! until nothing changes; two sets are intersected by walking up from both ends.
//!
//! # Departures
//! None of its own: those of [`super`].

use crate::{Block, FlatCfg, Order, order::NONE};
use alloc::vec::Vec;

pub(super) fn iterative(cfg: &FlatCfg, order: &Order, idom: &mut Vec<u32>) {
    idom.clear();
    idom.resize(order.num_reachable(), NONE);
    // The entry stands for its own dominator until the end, so that walks stop there.
    if let Some(entry) = idom.first_mut() {
        *entry = 0;
    }
    let mut changed = true;
    while changed {
        changed = false;
        for block in order.rpo().skip(1) {
            let new = meet_of_predecessors(cfg, order, idom, block);
            let old = &mut idom[order.number(block) as usize];
            changed |= *old != new;
            *old = new;
        }
    }
    if let Some(entry) = idom.first_mut() {
        *entry = NONE;
    }
}

/// What the predecessors with a known dominator have in common. One is known: the parent comes before in rpo.
fn meet_of_predecessors(cfg: &FlatCfg, order: &Order, idom: &[u32], block: Block) -> u32 {
    let mut meet = NONE;
    for &edge in cfg.incoming(block) {
        let source = order.number(cfg.source(edge));
        if source == NONE || idom[source as usize] == NONE {
            continue;
        }
        meet = if meet == NONE { source } else { intersect(idom, meet, source) };
    }
    meet
}

/// The nearest common ancestor. A step up always leads to a smaller number: a dominator, even a
/// presumed one, is an ancestor in the depth-first tree.
fn intersect(idom: &[u32], mut left: u32, mut right: u32) -> u32 {
    while left != right {
        while left > right {
            left = idom[left as usize];
        }
        while right > left {
            right = idom[right as usize];
        }
    }
    left
}
