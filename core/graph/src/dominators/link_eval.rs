//! Semidominators: the phase that Lengauer-Tarjan and Semi-NCA share.
//!
//! Vertices are preorder numbers. The vertices from some number on are *linked*
//! to their parents in the depth-first tree and so form a forest; `eval` finds
//! the vertex of least semidominator on the path to its root, and compresses
//! the path for the next call.
//!
//! # Departures
//! Those of [`super`].

use crate::order::Preorder;
use crate::{FlatCfg, IdMap, Order};
use alloc::vec::Vec;

#[derive(Clone, Debug, Default)]
pub(super) struct LinkEval {
    /// The semidominator of each vertex; the vertex itself before it is computed.
    semi: IdMap<Preorder, Preorder>,
    /// The vertex of least `semi` among those passed on the way from a vertex to below its `ancestor`.
    label: IdMap<Preorder, Preorder>,
    /// A proper ancestor in the depth-first tree; the nearer ones have been passed over.
    ancestor: IdMap<Preorder, Preorder>,
    path: Vec<Preorder>,
}

impl LinkEval {
    /// Begins with no vertex linked and no semidominator known.
    pub(super) fn begin(&mut self, order: &Order) {
        for identity in [&mut self.semi, &mut self.label] {
            identity.clear();
            identity.extend(order.numbers());
        }
        self.ancestor.clear();
        self.ancestor.extend(order.parents().values().copied());
    }

    pub(super) fn semi(&self, vertex: Preorder) -> Preorder {
        self.semi[vertex]
    }

    /// Computes the semidominator of `vertex` (not the entry). Needs: all larger vertices done.
    ///
    /// Lengauer and Tarjan 1979, Theorem 4: it is the least among the
    /// predecessors below `vertex` and the semidominators of those
    /// ancestors of the other predecessors that come after `vertex`.
    #[inline(always)]
    pub(super) fn find_semi(&mut self, cfg: &FlatCfg, order: &Order, vertex: Preorder) {
        let mut semi = order.parents()[vertex];
        for &edge in cfg.incoming(order.block(vertex)) {
            if let Some(source) = order.number(cfg.source(edge)) {
                // A self-loop counts as the vertex itself, which is larger than its parent: it changes nothing.
                let least = self.eval(source, vertex.next());
                semi = semi.min(self.semi(least));
            }
        }
        self.semi[vertex] = semi;
    }

    /// The vertex of least semidominator on the path from `vertex` up to, but without, the root
    /// of its tree; a root itself. The vertices from `linked` on are linked to their parents.
    #[inline(always)]
    pub(super) fn eval(&mut self, vertex: Preorder, linked: Preorder) -> Preorder {
        if vertex < linked {
            return vertex;
        }
        if self.ancestor[vertex] >= linked {
            self.compress(vertex, linked);
        }
        self.label[vertex]
    }

    /// Makes the root of its tree the `ancestor` of every vertex on the way up from `vertex`.
    #[inline(never)]
    fn compress(&mut self, vertex: Preorder, linked: Preorder) {
        let mut above = vertex;
        while self.ancestor[above] >= linked {
            self.path.push(above);
            above = self.ancestor[above];
        }
        // The topmost vertex below the root needs nothing: its ancestor is the root. Going down,
        // `above` always spans the whole way to the root, so two labels make one.
        while let Some(below) = self.path.pop() {
            let upper = self.label[above];
            if self.semi(upper) < self.semi(self.label[below]) {
                self.label[below] = upper;
            }
            self.ancestor[below] = self.ancestor[above];
            above = below;
        }
    }
}
