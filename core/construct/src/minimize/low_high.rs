//! An order of the values that proves every phi needed.
//!
//! In a *low-high order* each phi has an operand below it and an operand above
//! it. Such an order proves that no set of phis is redundant: the lowest phi of
//! the set has an operand below all of the set and the highest one an operand
//! above all of it, and a redundant set has one outer value, not two. Checking
//! the order takes one comparison for each operand.
//!
//! The order exists if and only if no phi is redundant. It is found on the value
//! graph of [`Minimizer::dominated`](super::Minimizer::dominated): a root, an
//! arc from it to each value from outside, an arc from each operand to its phi.
//!
//! | step | here |
//! |---|---|
//! | number the values | `nodes` |
//! | a phi with two different *anchored* operands is placed next to one, towards the other | `anchors` |
//! | depth-first tree of the phis left | `search` |
//! | semidominators by linking and evaluating (Lengauer and Tarjan 1979), relative dominators by buckets | `semidominators` |
//! | two trees whose paths from the root to a value meet in no other value (Georgiadis and Tarjan, *Dominator tree certification and divergent spanning trees*) | `trees` |
//! | remove a phi that is the parent of at most one phi, repeatedly | `peel` |
//! | insert the phis again, each next to one of its parents on the side of the other | `insertion` |
//!
//! A phi is redundant if and only if some phi has its depth-first parent as
//! semidominator, which is then its immediate dominator: so the first half of the
//! computation of dominators decides, and a refusal names both. For let `value` dominate
//! a phi strictly. It dominates the first value below it on the tree path to the phi, too, or
//! there would be a way around it; the parent of that one is `value`, and its semidominator, which comes
//! neither above a dominator nor below the parent, is `value` as well.
//!
//! That the paths of the two trees never meet is the authors' theorem for
//! semidominators that are reached through larger vertices. The result does not
//! rely on it: the order is checked before it is returned, and a wrong one is an
//! error.
//!
//! # Complexity
//! With *o* operands: O(*o* log *o*), for the evaluation of semidominators with
//! simple linking and the climbs of `insertion`; everything else is O(*o*). Memory O(*o*).
//!
//! # Departures
//! Georgiadis and Tarjan order the vertices of any flow graph by its dominator tree; here that tree is flat, or there
//! is no order at all, so it is not computed. Anchored phis take no part in trees. The order is kept without a
//! structure that maintains it: all parents are known before the first value is placed.

mod anchors;
mod insertion;
mod nodes;
mod peel;
mod search;
mod semidominators;
#[cfg(test)]
mod tests;
mod trees;

use super::PhiGraph;
use alloc::vec::Vec;
use anchors::Anchors;
use core::fmt;
use insertion::Insertion;
use nodes::{Node, Nodes};
use peel::Peel;
use search::{Search, Vertex};
use semidominators::Semidominators;
use ssaphire_graph::Value;
use trees::Trees;

/// Why the phis of a graph have no low-high order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unordered {
    /// All that flows into the phi passes `value`: it is redundant with respect to it.
    Dominated {
        /// The phi.
        phi: Value,
        /// Its immediate dominator in the value graph.
        value: Value,
    },
    /// No value flows into the phi.
    Unreached {
        /// The phi.
        phi: Value,
    },
    /// The order found fails its own test. No graph is known on which it does.
    NotBetween {
        /// A phi that is not between two of its operands.
        phi: Value,
    },
}

impl fmt::Display for Unordered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dominated { phi, value } => write!(f, "{phi}: redundant, always equal to {value}"),
            Self::Unreached { phi } => write!(f, "{phi}: no value flows into it"),
            Self::NotBetween { phi } => write!(f, "{phi}: not between two operands in the order found"),
        }
    }
}

impl core::error::Error for Unordered {}

/// Finds low-high orders; keeps its memory from one graph to the next.
///
/// # Examples
/// ```
/// use ssaphire::Value;
/// use ssaphire::minimize::{LowHigh, PhiGraph, Unordered};
///
/// let [a, b, x, y] = [0, 1, 2, 3].map(Value::new);
/// let graph = |phis: &[(Value, [Value; 2])]| {
///     let mut graph = PhiGraph::default();
///     for &(phi, operands) in phis {
///         graph.begin_phi(phi);
///         operands.into_iter().for_each(|operand| graph.push_operand(operand));
///     }
///     graph
/// };
/// let mut low_high = LowHigh::default();
/// // x between a and y, y between x and b.
/// assert_eq!(low_high.order(&graph(&[(x, [a, y]), (y, [x, b])])), Ok([a, x, y, b].as_slice()));
/// assert_eq!(low_high.order(&graph(&[(x, [a, y]), (y, [x, y])])), Err(Unordered::Dominated { phi: x, value: a }));
/// ```
#[derive(Clone, Debug, Default)]
pub struct LowHigh {
    nodes: Nodes,
    anchors: Anchors,
    search: Search,
    semidominators: Semidominators,
    trees: Trees,
    peel: Peel,
    insertion: Insertion,
    order: Vec<Value>,
    steps: u64,
}

impl LowHigh {
    /// The values of the graph, phis and operands, such that each phi has an operand before it and one after it.
    ///
    /// A phi among its own operands, and one that is named twice, change nothing.
    ///
    /// # Errors
    /// If a phi is redundant, or no value flows into it.
    ///
    /// # Complexity
    /// O(operands), and a logarithmic factor for phis without two anchored operands.
    pub fn order(&mut self, graph: &PhiGraph) -> Result<&[Value], Unordered> {
        self.steps = 0;
        self.nodes.rebuild(graph);
        self.anchors.spread(&self.nodes);
        self.insertion.begin(self.nodes.len());
        self.insert_anchored();
        // On an acyclic graph without redundant phis nothing is left: see `anchors`.
        if self.anchors.order().len() < self.nodes.len() {
            self.separate()?;
            self.trees.color(&self.search, &self.semidominators);
            self.peel.run(&self.search, &mut self.trees);
            self.insert_peeled();
        }
        self.number()
    }

    /// Steps of the last call that are not bounded by the operands: paths compressed, and heavy paths climbed.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    fn insert_anchored(&mut self) {
        for &node in self.anchors.order() {
            match self.anchors.pair(node) {
                Some([beside, towards]) => self.insertion.push_beside(node, beside, towards),
                None => self.insertion.push(node),
            }
        }
    }

    /// Semidominators of the phis that are not anchored, if none of them is redundant.
    fn separate(&mut self) -> Result<(), Unordered> {
        if let Some(unreached) = self.search.run(&self.nodes, &self.anchors) {
            return Err(Unordered::Unreached { phi: self.nodes.value(unreached) });
        }
        self.semidominators.rebuild(&self.search);
        self.steps += self.semidominators.steps();
        let is_dominated = |&phi: &Vertex| self.semidominators.semi(phi) == self.search.parent(phi);
        let dominated = self.search.phis().find(is_dominated);
        dominated.map_or(Ok(()), |phi| {
            let value = |vertex| self.nodes.value(self.search.node(vertex));
            Err(Unordered::Dominated { phi: value(phi), value: value(self.search.parent(phi)) })
        })
    }

    /// The last one taken off is the first one to be put back.
    fn insert_peeled(&mut self) {
        let node = |vertex| self.search.node(vertex);
        for peeled in self.peel.peeled().iter().rev() {
            self.insertion.push_beside(node(peeled.vertex), node(peeled.beside), node(peeled.towards));
        }
    }

    /// Links the list, and checks the order at each operand.
    fn number(&mut self) -> Result<&[Value], Unordered> {
        self.insertion.link();
        self.steps += self.insertion.steps();
        self.order.clear();
        self.order.extend(self.insertion.in_order().map(|node| self.nodes.value(node)));
        match self.nodes.phis().find(|&phi| !self.is_between(phi)) {
            Some(phi) => Err(Unordered::NotBetween { phi: self.nodes.value(phi) }),
            None => Ok(&self.order),
        }
    }

    fn is_between(&self, phi: Node) -> bool {
        let own = self.insertion.position(phi);
        let operands = || self.nodes.operands(phi).iter().map(|&operand| self.insertion.position(operand));
        // A phi that was never placed has no position, and is not between anything.
        own.is_some() && operands().any(|position| position < own) && operands().any(|position| position > own)
    }
}
