//! Lengauer and Tarjan's algorithm, with simple linking.
//!
//! Let `least` be the vertex of least semidominator on the depth-first tree's
//! path from the semidominator of a vertex, itself left out, down to the
//! vertex. If that is the vertex's own semidominator, it is the immediate
//! dominator; otherwise the vertex has the immediate dominator of `least`
//! (Theorems 2 and 3 there).
//!
//! # Departures
//! None of its own: those of [`super`].

use super::link_eval::LinkEval;
use crate::{FlatCfg, Order, order::NONE};
use alloc::vec::Vec;

/// For each vertex a list of the vertices it is the semidominator of, threaded through `next`.
#[derive(Clone, Debug, Default)]
pub(super) struct Buckets {
    first: Vec<u32>,
    next: Vec<u32>,
}

impl Buckets {
    fn begin(&mut self, len: usize) {
        for links in [&mut self.first, &mut self.next] {
            links.clear();
            links.resize(len, NONE);
        }
    }

    fn push(&mut self, bucket: u32, vertex: u32) {
        self.next[vertex as usize] = self.first[bucket as usize];
        self.first[bucket as usize] = vertex;
    }

    fn pop(&mut self, bucket: u32) -> Option<u32> {
        let vertex = self.first[bucket as usize];
        self.first[bucket as usize] = *self.next.get(vertex as usize)?;
        Some(vertex)
    }
}

pub(super) fn lengauer_tarjan(
    cfg: &FlatCfg,
    order: &Order,
    forest: &mut LinkEval,
    buckets: &mut Buckets,
    idom: &mut Vec<u32>,
) {
    forest.begin(order);
    let num_reachable = order.num_reachable() as u32;
    buckets.begin(num_reachable as usize);
    idom.clear();
    idom.resize(num_reachable as usize, NONE);
    for vertex in (1..num_reachable).rev() {
        forest.find_semi(cfg, order, vertex);
        buckets.push(forest.semi(vertex), vertex);
        // From here on `vertex` is linked to its parent. Whatever waits for the parent lies in the
        // subtree of `vertex`: subtrees of later children have had their turn.
        let parent = order.parents()[vertex as usize];
        while let Some(waiting) = buckets.pop(parent) {
            let least = forest.eval(waiting, vertex);
            let is_own = forest.semi(least) == forest.semi(waiting);
            idom[waiting as usize] = if is_own { parent } else { least };
        }
    }
    // A vertex that was given `least` has the same immediate dominator, which is known by now:
    // `least` comes before it.
    for vertex in 1..num_reachable {
        let found = idom[vertex as usize];
        if found != forest.semi(vertex) {
            idom[vertex as usize] = idom[found as usize];
        }
    }
}
