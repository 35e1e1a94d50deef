//! Semidominators: the half that Lengauer-Tarjan and Semi-NCA share.
//!
//! Vertices are preorder numbers. The vertices from some number on are *linked*
//! to their parents in the depth-first tree and so form a forest; `eval` finds
//! the vertex of least semidominator on the way up to a root, and shortens
//! that way for the next call.
//!
//! # Departures
//! None of its own: those of [`super`].

use crate::{FlatCfg, Order, order::NONE};
use alloc::vec::Vec;

#[derive(Clone, Debug, Default)]
pub(super) struct LinkEval {
    /// The semidominator of each vertex; the vertex itself before it is computed.
    semi: Vec<u32>,
    /// The vertex of least `semi` among those passed on the way from a vertex to below its `ancestor`.
    label: Vec<u32>,
    /// A proper ancestor in the depth-first tree; the nearer ones have been passed over.
    ancestor: Vec<u32>,
    path: Vec<u32>,
}

impl LinkEval {
    /// Begins with no vertex linked and no semidominator known.
    pub(super) fn begin(&mut self, order: &Order) {
        let num_reachable = order.num_reachable() as u32;
        for identity in [&mut self.semi, &mut self.label] {
            identity.clear();
            identity.extend(0..num_reachable);
        }
        self.ancestor.clear();
        self.ancestor.extend_from_slice(order.parents());
    }

    pub(super) fn semi(&self, vertex: u32) -> u32 {
        self.semi[vertex as usize]
    }

    /// Computes the semidominator of `vertex` (not the entry). Needs: all larger vertices done.
    ///
    /// Lengauer and Tarjan 1979, Theorem 4: it is the least among the
    /// predecessors below `vertex` and the semidominators of those
    /// ancestors of the other predecessors that come after `vertex`.
    #[inline]
    pub(super) fn find_semi(&mut self, cfg: &FlatCfg, order: &Order, vertex: u32) {
        let mut semi = order.parents()[vertex as usize];
        for &edge in cfg.incoming(order.preorder()[vertex as usize]) {
            let source = order.number(cfg.source(edge));
            if source != NONE {
                let least = self.eval(source, vertex + 1);
                semi = semi.min(self.semi(least));
            }
        }
        self.semi[vertex as usize] = semi;
    }

    /// The vertex of least semidominator on the path from `vertex` up to, but without, the root
    /// of its tree; a root itself. The vertices from `linked` on are linked to their parents.
    #[inline]
    pub(super) fn eval(&mut self, vertex: u32, linked: u32) -> u32 {
        if vertex < linked {
            return vertex;
        }
        if self.ancestor[vertex as usize] >= linked {
            self.compress(vertex, linked);
        }
        self.label[vertex as usize]
    }

    /// Makes the root of its tree the `ancestor` of every vertex on the way up from `vertex`.
    fn compress(&mut self, vertex: u32, linked: u32) {
        let mut above = vertex;
        while self.ancestor[above as usize] >= linked {
            self.path.push(above);
            above = self.ancestor[above as usize];
        }
        // The topmost vertex below the root needs nothing: its ancestor is the root. Going down,
        // `above` always spans the whole way to the root, so two labels make one.
        while let Some(below) = self.path.pop() {
            let upper = self.label[above as usize];
            if self.semi(upper) < self.semi(self.label[below as usize]) {
                self.label[below as usize] = upper;
            }
            self.ancestor[below as usize] = self.ancestor[above as usize];
            above = below;
        }
    }
}
