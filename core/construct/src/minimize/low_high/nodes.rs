//! The values of a phi graph, by dense numbers.
//!
//! Phis come first, in the order of the graph; the values from outside follow in
//! the order in which operands name them.

use super::lists::Lists;
use crate::minimize::PhiGraph;
use alloc::vec::Vec;
use ssaphire_graph::{IdMap, Value};

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// The nodes of a phi graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    /// By value, its node; [`NONE`] between calls.
    node_of: IdMap<Value, u32>,
    values: Vec<Value>,
    num_phis: u32,
    /// The operands of phi `i` start here; and one end.
    start: Vec<u32>,
    operands: Vec<u32>,
    users: Lists,
}

impl Nodes {
    /// Becomes the nodes of `graph`.
    pub(super) fn rebuild(&mut self, graph: &PhiGraph) {
        self.values.clear();
        graph.phis().iter().for_each(|&phi| self.add(phi));
        self.num_phis = self.values.len() as u32;
        self.start.clear();
        self.operands.clear();
        for phi in 0..graph.phis().len() {
            self.start.push(self.operands.len() as u32);
            for &operand in graph.operands(phi) {
                if self.node_of.get(operand).is_none_or(|&node| node == NONE) {
                    self.add(operand);
                }
                self.operands.push(self.node_of[operand]);
            }
        }
        self.start.push(self.operands.len() as u32);
        for &value in &self.values {
            self.node_of[value] = NONE;
        }
        self.list_users();
    }

    fn list_users(&mut self) {
        let (start, operands) = (&self.start, &self.operands);
        let of = |phi: u32| &operands[start[phi as usize] as usize..start[phi as usize + 1] as usize];
        let pairs = (0..self.num_phis).flat_map(|phi| of(phi).iter().map(move |&operand| (operand, phi)));
        self.users.rebuild(self.values.len(), pairs);
    }

    fn add(&mut self, value: Value) {
        self.node_of.grow_to(value, NONE);
        self.node_of[value] = self.values.len() as u32;
        self.values.push(value);
    }

    /// Number of nodes.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// The nodes that are phis.
    pub(super) fn phis(&self) -> impl Iterator<Item = u32> + use<> {
        0..self.num_phis
    }

    /// The nodes that are values from outside.
    pub(super) fn outside(&self) -> impl Iterator<Item = u32> + use<> {
        self.num_phis..self.values.len() as u32
    }

    /// The value of a node.
    pub(super) fn value(&self, node: u32) -> Value {
        self.values[node as usize]
    }

    /// The operands of a phi.
    #[inline]
    pub(super) fn operands(&self, phi: u32) -> &[u32] {
        &self.operands[self.start[phi as usize] as usize..self.start[phi as usize + 1] as usize]
    }

    /// The phis that have `node` as an operand, once per operand.
    #[inline]
    pub(super) fn users(&self, node: u32) -> &[u32] {
        self.users.of(node)
    }
}
