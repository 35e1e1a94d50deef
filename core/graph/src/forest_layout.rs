//! Preorder positions in a forest given by parents.
//!
//! Two passes over numbers, no walk: sizes from the bottom up, positions from
//! the top down.

use crate::{Block, Id, IdMap, internal_id};

internal_id!(
    /// Position in preorder of a forest.
    pub(crate) Position, "position", Block::LIMIT
);

impl Position {
    /// The first one.
    pub(crate) const FIRST: Self = Self(0);
}

/// The preorder position of each subtree: roots and siblings in number order.
#[derive(Clone, Debug)]
pub(crate) struct ForestLayout<I: Id> {
    first: IdMap<I, Position>,
    size: IdMap<I, u32>,
    /// The next free position below each vertex.
    next: IdMap<I, u32>,
}

impl<I: Id> Default for ForestLayout<I> {
    fn default() -> Self {
        Self { first: IdMap::default(), size: IdMap::default(), next: IdMap::default() }
    }
}

impl<I: Id> ForestLayout<I> {
    /// Lays out the forest of `len` vertices in which `parent` says whose child each is, a smaller number, or none if
    /// it is a root.
    pub(crate) fn rebuild(&mut self, len: usize, parent: impl Fn(I) -> Option<I>) {
        self.measure(len, &parent);
        self.first.clear();
        self.next.clear();
        let mut free = 0;
        for (vertex, &size) in self.size.iter() {
            let free = match parent(vertex) {
                Some(above) => &mut self.next[above],
                None => &mut free,
            };
            let first = *free;
            *free += size;
            self.first.push(Position::new(first as usize));
            self.next.push(first + 1);
        }
    }

    /// The position of `vertex`.
    pub(crate) fn first(&self, vertex: I) -> Position {
        self.first[vertex]
    }

    /// The last position of what is below `vertex`, or its own.
    pub(crate) fn last(&self, vertex: I) -> Position {
        Position::new(self.first[vertex].index() + self.size[vertex] as usize - 1)
    }

    fn measure(&mut self, len: usize, parent: impl Fn(I) -> Option<I>) {
        self.size.reset(len, 1);
        for vertex in self.size.keys().rev() {
            if let Some(above) = parent(vertex) {
                debug_assert!(above < vertex, "parents have smaller numbers");
                self.size[above] += self.size[vertex];
            }
        }
    }
}
