//! Cooper, Harvey and Kennedy's algorithm: data-flow analysis on a tree.
//!
//! The dominators of a vertex are itself and the common dominators of all its
//! predecessors. Sets are paths in a tree that is refined in reverse post-order
//! until nothing changes; two sets are intersected by walking up from both ends.
//!
//! # Departures
//! None of its own: those of [`super`].

use crate::order::Preorder;
use crate::{Block, FlatCfg, IdMap, Order};

pub(super) fn iterative(cfg: &FlatCfg, order: &Order, idom: &mut IdMap<Preorder, Preorder>) {
    // A vertex is its own dominator until one is known, and the entry always is: walks stop there.
    idom.clear();
    idom.extend(order.numbers());
    let mut changed = true;
    while changed {
        changed = false;
        for block in order.rpo().skip(1) {
            let meet = meet_of_predecessors(cfg, order, idom, block);
            if let (Some(number), Some(meet)) = (order.number(block), meet) {
                changed |= core::mem::replace(&mut idom[number], meet) != meet;
            }
        }
    }
}

/// The nearest common ancestor of the predecessors with a known dominator. One is known: the parent comes before in
/// rpo.
fn meet_of_predecessors(
    cfg: &FlatCfg,
    order: &Order,
    idom: &IdMap<Preorder, Preorder>,
    block: Block,
) -> Option<Preorder> {
    let sources = cfg.incoming(block).iter().filter_map(|&edge| order.number(cfg.source(edge)));
    // Predecessors that come later in reverse post-order are unknown in the first pass, and may be left out: to count
    // them later only moves the meet up.
    let known = sources.filter(|&source| source == Preorder::ENTRY || idom[source] != source);
    known.reduce(|meet, source| intersect(idom, meet, source))
}

/// The nearest common ancestor. A step up always leads to a smaller number: a dominator, even a
/// presumed one, is an ancestor in the depth-first tree.
fn intersect(idom: &IdMap<Preorder, Preorder>, mut left: Preorder, mut right: Preorder) -> Preorder {
    while left != right {
        while left > right {
            left = idom[left];
        }
        while right > left {
            right = idom[right];
        }
    }
    left
}
