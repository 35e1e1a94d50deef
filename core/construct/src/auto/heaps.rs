//! Heaps that are united, from which the greatest members are taken first.
//!
//! They are skew heaps (Sleator and Tarjan 1986): to unite two of them, or to take a member, takes O(log *n*) amortized
//! steps.
//!
//! # Departures
//! None but that the greatest member is on top, and not the smallest.

use super::node_id::NodeId;
use ssaphire_graph::{Id, IdMap, PackedOption};

/// Nodes of all heaps; each is in one at most.
#[derive(Clone, Debug)]
pub(super) struct Heaps<I: Id> {
    nodes: IdMap<I, Node<I>>,
}

impl<I: Id> Default for Heaps<I> {
    fn default() -> Self {
        Self { nodes: IdMap::default() }
    }
}

#[derive(Clone, Copy, Debug)]
struct Node<I: Id> {
    key: NodeId,
    left: PackedOption<I>,
    right: PackedOption<I>,
}

impl<I: Id> Heaps<I> {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
    }

    /// Adds the member, which is in no heap, to a heap, and returns the top of the new one.
    pub(super) fn insert(&mut self, top: PackedOption<I>, member: I, key: NodeId) -> PackedOption<I> {
        let node = Node { key, left: PackedOption::NONE, right: PackedOption::NONE };
        self.nodes.grow_to(member, node);
        self.nodes[member] = node;
        self.unite(top, member.into())
    }

    /// The key of a member.
    pub(super) fn key(&self, member: I) -> NodeId {
        self.nodes[member].key
    }

    /// Takes the top away, and returns the next one.
    pub(super) fn pop(&mut self, top: I) -> PackedOption<I> {
        let Node { left, right, .. } = self.nodes[top];
        self.unite(left, right)
    }

    /// Unites two heaps, and returns the top of the result.
    pub(super) fn unite(&mut self, first: PackedOption<I>, second: PackedOption<I>) -> PackedOption<I> {
        let (Some(first), Some(second)) = (first.expand(), second.expand()) else {
            return if first.is_some() { first } else { second };
        };
        let (top, mut other) = self.ordered(first, second);
        let mut at = top;
        loop {
            let node = &mut self.nodes[at];
            let below = core::mem::replace(&mut node.right, node.left);
            let Some(below) = below.expand() else {
                node.left = other.into();
                return top.into();
            };
            let (next, rest) = self.ordered(below, other);
            self.nodes[at].left = next.into();
            (at, other) = (next, rest);
        }
    }

    /// The two with the greater one first.
    fn ordered(&self, first: I, second: I) -> (I, I) {
        if self.key(second) > self.key(first) { (second, first) } else { (first, second) }
    }
}
