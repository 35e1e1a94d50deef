//! Preorder positions in a forest given by parents.
//!
//! Two passes over numbers, no walk: sizes from the bottom up, positions from
//! the top down.

use crate::order::NONE;
use alloc::vec::Vec;
use core::ops::Range;

/// Where each subtree stands in preorder: roots and siblings in number order.
#[derive(Clone, Debug, Default)]
pub(crate) struct ForestLayout {
    first: Vec<u32>,
    size: Vec<u32>,
    /// The next free position below each vertex.
    next: Vec<u32>,
}

impl ForestLayout {
    /// Lays out the forest in which `parent[v]`, smaller than `v`, is the parent of `v`, or [`NONE`] if `v` is a root.
    pub(crate) fn rebuild(&mut self, parent: &[u32]) {
        self.measure(parent);
        self.first.clear();
        self.next.clear();
        let mut free = 0;
        for (&above, &size) in parent.iter().zip(&self.size) {
            let free = self.next.get_mut(above as usize).unwrap_or(&mut free);
            self.first.push(*free);
            let below = *free + 1;
            *free += size;
            self.next.push(below);
        }
    }

    /// The position of `vertex`.
    pub(crate) fn first(&self, vertex: u32) -> u32 {
        self.first[vertex as usize]
    }

    /// The positions of `vertex` and everything below it.
    pub(crate) fn span(&self, vertex: usize) -> Range<u32> {
        self.first[vertex]..self.first[vertex] + self.size[vertex]
    }

    fn measure(&mut self, parent: &[u32]) {
        self.size.clear();
        self.size.resize(parent.len(), 1);
        for vertex in (0..parent.len()).rev() {
            debug_assert!(parent[vertex] == NONE || (parent[vertex] as usize) < vertex);
            let size = self.size[vertex];
            if let Some(above) = self.size.get_mut(parent[vertex] as usize) {
                *above += size;
            }
        }
    }
}
