//! Semidominators, how they are reached, and relative dominators.
//!
//! The *semidominator* of a vertex is the least vertex with a path to it whose
//! inner vertices are all larger than it. The *relative dominator* is
//! a vertex of least semidominator on the tree path from the semidominator, itself left out,
//! down to the vertex.
//!
//! | Lengauer and Tarjan 1979 | here |
//! |---|---|
//! | step 2, semidominators in decreasing order | `find_semi` |
//! | step 3, buckets of vertices by semidominator | `empty_bucket`, which keeps what `EVAL` finds: it is the relative dominator |
//! | `LINK`, simple version | the vertices from `linked` on |
//! | `EVAL`, `COMPRESS` | `least_above`, `compress` |
//!
//! # Departures
//! Immediate dominators are not derived. For each vertex it is kept through
//! which incoming arc its semidominator is reached. Compression uses a stack of its own.

use super::search::{Search, Vertex};
use alloc::vec::Vec;
use ssaphire_graph::{IdMap, IdStacks};

/// The semidominators of all vertices.
#[derive(Clone, Debug, Default)]
pub(super) struct Semidominators {
    /// By vertex, its semidominator; the vertex itself before that is known.
    semi: IdMap<Vertex, Vertex>,
    /// By vertex, the source of the arc through which it has its semidominator.
    source: IdMap<Vertex, Vertex>,
    /// By vertex, its relative dominator.
    relative: IdMap<Vertex, Vertex>,
    /// By vertex, the one of least `semi` among those passed over on the way to below its `ancestor`.
    label: IdMap<Vertex, Vertex>,
    /// By vertex, an ancestor in the tree.
    ancestor: IdMap<Vertex, Vertex>,
    /// By vertex, those whose semidominator it is.
    buckets: IdStacks<Vertex, Vertex>,
    path: Vec<Vertex>,
    steps: u64,
}

impl Semidominators {
    /// Becomes the semidominators of the vertices of `search`.
    pub(super) fn rebuild(&mut self, search: &Search) {
        self.begin(search);
        for vertex in search.vertices().skip(1).rev() {
            self.find_semi(search, vertex);
            self.buckets.push(self.semi(vertex), vertex);
            // From here on `vertex` is linked. The vertices in the bucket of its parent lie below `vertex`: those
            // below later children have been taken out.
            self.empty_bucket(search.parent(vertex), vertex);
        }
    }

    fn begin(&mut self, search: &Search) {
        let len = search.len();
        for identity in [&mut self.semi, &mut self.relative, &mut self.label] {
            identity.clear();
            identity.extend(search.vertices());
        }
        for tree in [&mut self.source, &mut self.ancestor] {
            tree.clear();
            tree.extend(search.parents().values().copied());
        }
        self.buckets.begin(len, len);
        self.steps = 0;
    }

    /// Needs: all larger vertices done.
    fn find_semi(&mut self, search: &Search, vertex: Vertex) {
        let mut found = (search.parent(vertex), search.parent(vertex));
        for &source in search.sources(vertex) {
            // Smaller vertices are not linked yet: such a source is itself the least on its path.
            let least = if source <= vertex { source } else { self.least_above(source, vertex.next()) };
            let semi = self.semi(least);
            if semi < found.0 {
                found = (semi, source);
            }
        }
        (self.semi[vertex], self.source[vertex]) = found;
    }

    /// The tree paths from below `semi` to the vertices in its bucket are linked as a whole now, and no more than that.
    fn empty_bucket(&mut self, semi: Vertex, linked: Vertex) {
        while let Some(waiting) = self.buckets.pop(semi) {
            let least = self.least_above(waiting, linked);
            self.relative[waiting] = least;
        }
    }

    /// The vertex of least semidominator on the path up from `vertex` through linked vertices, those from `linked` on.
    #[inline]
    fn least_above(&mut self, vertex: Vertex, linked: Vertex) -> Vertex {
        if self.ancestor[vertex] >= linked {
            self.compress(vertex, linked);
        }
        self.label[vertex]
    }

    /// Passes over all linked ancestors of `vertex`, and over theirs.
    fn compress(&mut self, vertex: Vertex, linked: Vertex) {
        let mut above = vertex;
        while self.ancestor[above] >= linked {
            self.path.push(above);
            above = self.ancestor[above];
        }
        self.steps += self.path.len() as u64;
        // Going down, `above` always spans the whole way up, so two labels make one.
        while let Some(below) = self.path.pop() {
            let upper = self.label[above];
            if self.semi(upper) < self.semi(self.label[below]) {
                self.label[below] = upper;
            }
            self.ancestor[below] = self.ancestor[above];
            above = below;
        }
    }

    /// The semidominator of `vertex`.
    #[inline]
    pub(super) fn semi(&self, vertex: Vertex) -> Vertex {
        self.semi[vertex]
    }

    /// The source of the arc through which `vertex` has its semidominator, by vertex.
    pub(super) fn sources(&self) -> &IdMap<Vertex, Vertex> {
        &self.source
    }

    /// The relative dominator of `vertex`.
    pub(super) fn relative(&self, vertex: Vertex) -> Vertex {
        self.relative[vertex]
    }

    /// Number of vertices passed over by compression.
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    /// Forgets relative dominators: each vertex counts as its own.
    #[cfg(test)]
    pub(super) fn forget_relatives(&mut self) {
        self.relative = self.relative.keys().collect();
    }
}
