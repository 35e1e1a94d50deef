//! Takes the phis off the two trees, one by one.
//!
//! A phi with at most one child, in one color, can go: the child moves up to
//! its parent of the same color. Paths only lose a vertex, so those of two
//! colors still do not meet. There is always such a phi: two arcs lead into each of
//! *k* phis, and two at least leave values that are no phis, one in each tree.
//!
//! Phis that were taken off go back, the last one first, each next to its parent of the color in
//! which it had a child, on the side of its other parent. So it comes
//! between its parents. And it stays between the child and the parent the child had
//! meanwhile, for nothing is closer to that parent: every phi is
//! between its two parents of the moment, and at the end these are operands.

use super::search::{Search, Vertex};
use super::trees::{BLUE, RED, Trees};
use alloc::vec::Vec;
use ssaphire_graph::{Id, IdMap};

/// A phi taken off, and two vertices it comes between.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peeled {
    pub(super) vertex: Vertex,
    /// It goes next to this one.
    pub(super) beside: Vertex,
    /// And on the side of this one.
    pub(super) towards: Vertex,
}

/// The phis in the order in which they are taken off.
#[derive(Clone, Debug, Default)]
pub(super) struct Peel {
    /// By vertex: the arcs that leave it, of both colors.
    leaving: IdMap<Vertex, Leaving>,
    is_gone: IdMap<Vertex, bool>,
    work: Vec<Vertex>,
    peeled: Vec<Peeled>,
}

/// The number of arcs that leave a vertex, and all of them in one: if it is one arc, that is it.
#[derive(Clone, Copy, Debug, Default)]
struct Leaving {
    count: u32,
    /// The numbers of the targets, `xor`.
    target: u32,
    /// Whether an odd number of them is red.
    is_red: bool,
}

impl Leaving {
    /// Adds or removes an arc, for which `xor` is the same.
    fn toggle(&mut self, color: usize, target: Vertex) {
        self.target ^= target.index() as u32;
        self.is_red ^= color == RED;
    }
}

impl Peel {
    /// Takes all phis off. Needs: two trees whose paths meet in no phi; otherwise some phis may be left.
    pub(super) fn run(&mut self, search: &Search, trees: &mut Trees) {
        self.begin(search, trees);
        while let Some(vertex) = self.work.pop() {
            if !self.is_gone[vertex] {
                self.take_off(search, trees, vertex);
            }
        }
    }

    fn begin(&mut self, search: &Search, trees: &Trees) {
        self.leaving.reset(search.len(), Leaving::default());
        self.is_gone.reset(search.len(), false);
        self.peeled.clear();
        self.peeled.reserve(search.num_phis());
        for vertex in search.phis() {
            for color in [BLUE, RED] {
                self.hang(color, vertex, trees.parent(color, vertex));
            }
        }
        self.work.clear();
        self.work.extend(search.phis().filter(|&vertex| self.leaving[vertex].count <= 1));
    }

    fn hang(&mut self, color: usize, vertex: Vertex, parent: Vertex) {
        let leaving = &mut self.leaving[parent];
        leaving.count += 1;
        leaving.toggle(color, vertex);
    }

    fn take_off(&mut self, search: &Search, trees: &mut Trees, vertex: Vertex) {
        self.is_gone[vertex] = true;
        let Leaving { count, target, is_red } = self.leaving[vertex];
        // Without a child the two sides are alike, and either color will do.
        let color = if count == 1 && is_red { RED } else { BLUE };
        let (beside, towards) = (trees.parent(color, vertex), trees.parent(1 - color, vertex));
        if count == 1 {
            let child = Vertex::new(target as usize);
            // The arc from this vertex to the child is not removed from its count: the vertex is gone, and nobody
            // looks at it again.
            trees.set_parent(color, child, beside);
            self.hang(color, child, beside);
        }
        for color in [BLUE, RED] {
            let parent = trees.parent(color, vertex);
            let leaving = &mut self.leaving[parent];
            leaving.count -= 1;
            leaving.toggle(color, vertex);
            // A parent may be pushed twice; the second time, it is gone when it is taken.
            if leaving.count <= 1 && search.is_phi(parent) && !self.is_gone[parent] {
                self.work.push(parent);
            }
        }
        self.peeled.push(Peeled { vertex, beside, towards });
    }

    /// The phis in the order in which they were taken off.
    pub(super) fn peeled(&self) -> &[Peeled] {
        &self.peeled
    }

    /// The same, to be tampered with.
    #[cfg(test)]
    pub(super) fn peeled_mut(&mut self) -> &mut [Peeled] {
        &mut self.peeled
    }
}
