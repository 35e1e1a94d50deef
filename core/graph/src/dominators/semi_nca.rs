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
use crate::order::Preorder;
use crate::{FlatCfg, IdMap, Order};

pub(super) fn semi_nca(cfg: &FlatCfg, order: &Order, forest: &mut LinkEval, idom: &mut IdMap<Preorder, Preorder>) {
    forest.begin(order);
    // Backwards, as a semidominator needs those of all larger vertices.
    for vertex in order.numbers().skip(1).rev() {
        forest.find_semi(cfg, order, vertex);
    }
    idom.clear();
    idom.extend(order.parents().values().copied());
    for vertex in order.numbers().skip(1) {
        // Forwards: the parent has a smaller number, and so have its dominators, which are final by now.
        idom[vertex] = climb(idom, idom[vertex], forest.semi(vertex));
    }
}

/// The nearest dominator of `from`, or `from`, that is not below `semi`.
///
/// It is the common ancestor because `semi` is an ancestor of `from` in the
/// depth-first tree: the dominators of `from` up to `semi` dominate `semi`.
#[inline]
fn climb(idom: &IdMap<Preorder, Preorder>, from: Preorder, semi: Preorder) -> Preorder {
    let mut dominator = from;
    // Each step leads to a smaller number, and the entry has the least: the loop ends there at the latest.
    while dominator > semi {
        dominator = idom[dominator];
    }
    dominator
}
