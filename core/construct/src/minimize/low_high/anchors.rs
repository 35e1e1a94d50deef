//! Phis that two values with a place hold in theirs.
//!
//! Values from outside are anchored, and so is a phi with two different
//! anchored operands. It goes next to the one on the side of the other, and
//! later values do not change which are to its left and which to its right. On acyclic graphs
//! without redundant phis this leaves nothing: a first phi that is not anchored
//! has anchored operands alone, so all of them are one.

use super::nodes::{NONE, Nodes};
use alloc::vec::Vec;

/// The anchored nodes, in an order in which each phi comes after its two anchors.
#[derive(Clone, Debug, Default)]
pub(super) struct Anchors {
    order: Vec<u32>,
    /// By phi: the anchored operands met first and second.
    pairs: Vec<[u32; 2]>,
}

impl Anchors {
    /// Anchors all that can be.
    pub(super) fn spread(&mut self, nodes: &Nodes) {
        self.pairs.clear();
        self.pairs.resize(nodes.phis().count(), [NONE, NONE]);
        self.order.clear();
        self.order.extend(nodes.outside());
        let mut next = 0;
        while let Some(&node) = self.order.get(next) {
            for &user in nodes.users(node) {
                self.meet(user, node);
            }
            next += 1;
        }
    }

    /// The phi has the anchored operand `node`. Itself it meets only when it is anchored already.
    fn meet(&mut self, phi: u32, node: u32) {
        match &mut self.pairs[phi as usize] {
            [first @ NONE, _] => *first = node,
            [first, second @ NONE] if *first != node => {
                *second = node;
                self.order.push(phi);
            }
            _ => {}
        }
    }

    /// The anchored nodes, those from outside first.
    pub(super) fn order(&self) -> &[u32] {
        &self.order
    }

    /// The two anchors of a phi that is anchored.
    pub(super) fn pair(&self, node: u32) -> Option<[u32; 2]> {
        self.pairs.get(node as usize).copied().filter(|pair| pair[1] != NONE)
    }

    /// Whether `node` is from outside, or a phi with two anchors.
    pub(super) fn contains(&self, node: u32) -> bool {
        self.pairs.get(node as usize).is_none_or(|pair| pair[1] != NONE)
    }
}
