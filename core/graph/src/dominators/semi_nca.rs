//! Semi-NCA: the immediate dominator is a common ancestor in the tree built so far.
//!
//! The immediate dominator of a vertex is the nearest common ancestor, in the
//! dominator tree, of its parent in the depth-first tree and its
//! semidominator (Georgiadis 2005). In preorder, that part of the tree is
//! known already.
//!
//! # Departures
//! None of its own: those of [`super`].

use super::link_eval::LinkEval;
use crate::{FlatCfg, Order};
use alloc::vec::Vec;

pub(super) fn semi_nca(cfg: &FlatCfg, order: &Order, forest: &mut LinkEval, idom: &mut Vec<u32>) {
    forest.begin(order);
    let num_reachable = order.num_reachable() as u32;
    for vertex in (1..num_reachable).rev() {
        forest.find_semi(cfg, order, vertex);
    }
    idom.clear();
    idom.extend_from_slice(order.parents());
    for vertex in 1..num_reachable {
        idom[vertex as usize] = climb(idom, idom[vertex as usize], forest.semi(vertex));
    }
}

/// The nearest dominator of `from`, or `from`, that is not below `semi`.
///
/// It is the common ancestor because `semi` is an ancestor of `from` in the
/// depth-first tree: the dominators of `from` up to `semi` dominate `semi`.
#[inline]
fn climb(idom: &[u32], from: u32, semi: u32) -> u32 {
    let mut dominator = from;
    while dominator > semi {
        dominator = idom[dominator as usize];
    }
    dominator
}
