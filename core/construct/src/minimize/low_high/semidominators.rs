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

use super::nodes::NONE;
use super::search::Search;
use alloc::vec::Vec;

/// The semidominators of all vertices.
#[derive(Clone, Debug, Default)]
pub(super) struct Semidominators {
    /// By vertex, its semidominator; the vertex itself before that is known.
    semi: Vec<u32>,
    /// By vertex, the source of the arc through which it has its semidominator.
    source: Vec<u32>,
    /// By vertex, its relative dominator.
    relative: Vec<u32>,
    /// By vertex, the one of least `semi` among those passed over on the way to below its `ancestor`.
    label: Vec<u32>,
    /// By vertex, an ancestor in the tree.
    ancestor: Vec<u32>,
    /// The vertices with a given semidominator, threaded through `next`.
    bucket: Vec<u32>,
    next: Vec<u32>,
    path: Vec<u32>,
    steps: u64,
}

impl Semidominators {
    /// Becomes the semidominators of the vertices of `search`.
    pub(super) fn rebuild(&mut self, search: &Search) {
        self.begin(search);
        for vertex in (1..search.len() as u32).rev() {
            self.find_semi(search, vertex);
            let semi = self.semi[vertex as usize] as usize;
            self.next[vertex as usize] = self.bucket[semi];
            self.bucket[semi] = vertex;
            // From here on `vertex` is linked. What waits for its parent lies below `vertex`.
            self.empty_bucket(search.parent(vertex), vertex);
        }
    }

    fn begin(&mut self, search: &Search) {
        let len = search.len();
        for identity in [&mut self.semi, &mut self.relative, &mut self.label] {
            identity.clear();
            identity.extend(0..len as u32);
        }
        for tree in [&mut self.source, &mut self.ancestor] {
            tree.clear();
            tree.extend_from_slice(search.parents());
        }
        for links in [&mut self.bucket, &mut self.next] {
            links.clear();
            links.resize(len, NONE);
        }
        self.steps = 0;
    }

    /// Needs: all larger vertices done.
    fn find_semi(&mut self, search: &Search, vertex: u32) {
        let mut found = (search.parent(vertex), search.parent(vertex));
        for &source in search.sources(vertex) {
            let least = if source <= vertex { source } else { self.least_above(source, vertex + 1) };
            let semi = self.semi(least);
            if semi < found.0 {
                found = (semi, source);
            }
        }
        (self.semi[vertex as usize], self.source[vertex as usize]) = found;
    }

    /// The tree paths from below `semi` to the vertices in its bucket are linked as a whole now, and no more than that.
    fn empty_bucket(&mut self, semi: u32, linked: u32) {
        let mut waiting = core::mem::replace(&mut self.bucket[semi as usize], NONE);
        while waiting != NONE {
            let least = self.least_above(waiting, linked);
            self.relative[waiting as usize] = least;
            waiting = self.next[waiting as usize];
        }
    }

    /// The vertex of least semidominator on the path up from `vertex` through linked vertices, those from `linked` on.
    #[inline]
    fn least_above(&mut self, vertex: u32, linked: u32) -> u32 {
        if self.ancestor[vertex as usize] >= linked {
            self.compress(vertex, linked);
        }
        self.label[vertex as usize]
    }

    /// Passes over all linked ancestors of `vertex`, and over theirs.
    fn compress(&mut self, vertex: u32, linked: u32) {
        let mut above = vertex;
        while self.ancestor[above as usize] >= linked {
            self.path.push(above);
            above = self.ancestor[above as usize];
        }
        self.steps += self.path.len() as u64;
        // Going down, `above` always spans the whole way up, so two labels make one.
        while let Some(below) = self.path.pop() {
            let upper = self.label[above as usize];
            if self.semi(upper) < self.semi(self.label[below as usize]) {
                self.label[below as usize] = upper;
            }
            self.ancestor[below as usize] = self.ancestor[above as usize];
            above = below;
        }
    }

    /// The semidominator of `vertex`.
    #[inline]
    pub(super) fn semi(&self, vertex: u32) -> u32 {
        self.semi[vertex as usize]
    }

    /// The source of the arc through which `vertex` has its semidominator, by vertex.
    pub(super) fn sources(&self) -> &[u32] {
        &self.source
    }

    /// The relative dominator of `vertex`.
    pub(super) fn relative(&self, vertex: u32) -> u32 {
        self.relative[vertex as usize]
    }

    /// Number of vertices passed over by compression.
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    /// Forgets relative dominators: each vertex counts as its own.
    #[cfg(test)]
    pub(super) fn forget_relatives(&mut self) {
        for (vertex, relative) in self.relative.iter_mut().enumerate() {
            *relative = vertex as u32;
        }
    }
}
