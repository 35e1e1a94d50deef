//! Phis whose place follows from two operands that have a place.
//!
//! Values from outside are anchored, and so is a phi with two different
//! anchored operands. It goes next to the one on the side of the other, and
//! later values do not change which are to its left and which to its right. On acyclic graphs
//! without redundant phis this leaves nothing: a first phi that is not anchored
//! has anchored operands alone, so all of them are one.

use super::nodes::{Node, Nodes};
use alloc::vec::Vec;
use ssaphire_graph::{IdMap, PackedOption};

/// The anchored nodes, in an order in which each phi comes after its two anchors.
#[derive(Clone, Debug, Default)]
pub(super) struct Anchors {
    order: Vec<Node>,
    /// By phi: the anchored operands met first and second.
    pairs: IdMap<Node, [PackedOption<Node>; 2]>,
}

impl Anchors {
    /// Anchors all that can be.
    pub(super) fn spread(&mut self, nodes: &Nodes) {
        self.pairs.reset(nodes.phis().len(), [PackedOption::NONE; 2]);
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
    fn meet(&mut self, phi: Node, node: Node) {
        let [first, second] = &mut self.pairs[phi];
        // The second anchor is set once, so a phi is pushed once, and after both of its anchors.
        if first.is_none() {
            *first = node.into();
        } else if second.is_none() && *first != node.into() {
            *second = node.into();
            self.order.push(phi);
        }
    }

    /// The anchored nodes, those from outside first.
    pub(super) fn order(&self) -> &[Node] {
        &self.order
    }

    /// The two anchors of a phi that is anchored.
    pub(super) fn pair(&self, node: Node) -> Option<[Node; 2]> {
        let [first, second] = self.pairs.get(node)?;
        Some([first.expand()?, second.expand()?])
    }

    /// Whether `node` is from outside, or a phi with two anchors.
    pub(super) fn contains(&self, node: Node) -> bool {
        self.pairs.get(node).is_none_or(|[_, second]| second.is_some())
    }
}
