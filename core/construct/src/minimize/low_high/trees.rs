//! Two trees in the value graph that share no value on the way to any other.
//!
//! Each vertex keeps two of its incoming arcs: that of the depth-first tree, and
//! the one through which it has its semidominator. One is blue and one is red,
//! and the blue and the red path from the root to a vertex are to meet in these
//! two only. Seen from the vertex, one path jumps to its semidominator at once,
//! and the other one climbs the tree. That one has to jump over the
//! semidominator, and its relative dominator can. So the jump there gets the
//! color of the tree arc here. A vertex that is its own relative dominator has
//! the root as semidominator, where the paths may meet.
//!
//! # Departures
//! From Georgiadis and Tarjan's divergent spanning trees: see [`super`].

use super::search::{Search, Vertex};
use super::semidominators::Semidominators;
use ssaphire_graph::IdMap;

/// Number of the blue tree.
pub(super) const BLUE: usize = 0;
/// Number of the red tree.
pub(super) const RED: usize = 1;

/// The parents of all vertices in two trees.
#[derive(Clone, Debug, Default)]
pub(super) struct Trees {
    /// By color and vertex.
    parents: [IdMap<Vertex, Vertex>; 2],
    /// By vertex: its arc of the depth-first tree is red.
    is_swapped: IdMap<Vertex, bool>,
}

impl Trees {
    /// Chooses colors in preorder: the relative dominator of a vertex comes before it, or is itself.
    pub(super) fn color(&mut self, search: &Search, semidominators: &Semidominators) {
        let arcs = [search.parents(), semidominators.sources()];
        for (parents, arcs) in self.parents.iter_mut().zip(arcs) {
            parents.clear();
            parents.extend(arcs.values().copied());
        }
        self.is_swapped.reset(search.len(), false);
        for vertex in search.phis() {
            let relative = semidominators.relative(vertex);
            // The jump at `relative` is red unless its arcs are swapped, and the tree arc here takes that color.
            if relative != vertex && !self.is_swapped[relative] {
                self.swap(vertex);
            }
        }
    }

    /// Exchanges the colors of the two arcs into `vertex`.
    pub(super) fn swap(&mut self, vertex: Vertex) {
        self.is_swapped[vertex] ^= true;
        let [blue, red] = &mut self.parents;
        core::mem::swap(&mut blue[vertex], &mut red[vertex]);
    }

    /// The parent of `vertex` in the tree of that color.
    #[inline]
    pub(super) fn parent(&self, color: usize, vertex: Vertex) -> Vertex {
        self.parents[color][vertex]
    }

    /// Hangs `vertex` on another parent.
    pub(super) fn set_parent(&mut self, color: usize, vertex: Vertex, parent: Vertex) {
        self.parents[color][vertex] = parent;
    }
}
