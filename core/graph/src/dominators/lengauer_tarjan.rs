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
use crate::order::Preorder;
use crate::{FlatCfg, IdMap, IdStacks, Order};

/// For each vertex the vertices it is the semidominator of.
pub(super) type Buckets = IdStacks<Preorder, Preorder>;

pub(super) fn lengauer_tarjan(
    cfg: &FlatCfg,
    order: &Order,
    forest: &mut LinkEval,
    buckets: &mut Buckets,
    idom: &mut IdMap<Preorder, Preorder>,
) {
    forest.begin(order);
    buckets.begin(order.num_reachable(), order.num_reachable());
    idom.reset(order.num_reachable(), Preorder::ENTRY);
    for vertex in order.numbers().skip(1).rev() {
        forest.find_semi(cfg, order, vertex);
        buckets.push(forest.semi(vertex), vertex);
        // From here on `vertex` is linked to its parent. The vertices in the bucket of the parent lie in the
        // subtree of `vertex`: those below later children have been taken out.
        let parent = order.parents()[vertex];
        while let Some(waiting) = buckets.pop(parent) {
            let least = forest.eval(waiting, vertex);
            let is_own = forest.semi(least) == forest.semi(waiting);
            idom[waiting] = if is_own { parent } else { least };
        }
    }
    // A vertex that was given `least` has the same immediate dominator, which is known by now:
    // `least` comes before it.
    for vertex in order.numbers().skip(1) {
        let found = idom[vertex];
        if found != forest.semi(vertex) {
            idom[vertex] = idom[found];
        }
    }
}
