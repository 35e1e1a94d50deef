//! The values of a phi graph, by dense numbers.
//!
//! Phis come first, in the order of the graph; the values from outside follow in
//! the order in which operands name them.

use crate::minimize::PhiGraph;
use alloc::vec::Vec;
use ssaphire_graph::internal_id;
use ssaphire_graph::{Id, IdLists, IdMap, PackedOption, Value};

internal_id!(
    /// Number of a value of a phi graph.
    pub(super) Node, "node"
);

/// The nodes of a phi graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    /// By value, its node; none between calls.
    node_of: IdMap<Value, PackedOption<Node>>,
    values: IdMap<Node, Value>,
    num_phis: usize,
    /// The operands of phi `i` start here; and one end.
    start: Vec<u32>,
    operands: Vec<Node>,
    users: IdLists<Node, Node>,
}

impl Nodes {
    /// Becomes the nodes of `graph`.
    pub(super) fn rebuild(&mut self, graph: &PhiGraph) {
        self.values.clear();
        for &phi in graph.phis() {
            self.add(phi);
        }
        self.num_phis = self.values.len();
        self.start.clear();
        self.operands.clear();
        for phi in graph.numbers() {
            self.start.push(self.operands.len() as u32);
            for &operand in graph.operands_of(phi) {
                let node = self.node_of.get(operand).and_then(|node| node.expand());
                let node = node.unwrap_or_else(|| self.add(operand));
                self.operands.push(node);
            }
        }
        self.start.push(self.operands.len() as u32);
        for &value in self.values.values() {
            self.node_of[value] = PackedOption::NONE;
        }
        self.list_users();
    }

    fn list_users(&mut self) {
        let mut users = core::mem::take(&mut self.users);
        let pairs = self.phis().flat_map(|phi| self.operands(phi).iter().map(move |&operand| (operand, phi)));
        users.rebuild(self.len(), pairs);
        self.users = users;
    }

    fn add(&mut self, value: Value) -> Node {
        let node = self.values.push(value);
        self.node_of.grow_to(value, PackedOption::NONE);
        self.node_of[value] = node.into();
        node
    }

    /// Number of nodes.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// The nodes that are phis.
    pub(super) fn phis(&self) -> impl ExactSizeIterator<Item = Node> + Clone + use<> {
        (0..self.num_phis).map(Node::new)
    }

    /// The nodes that are values from outside.
    pub(super) fn outside(&self) -> impl Iterator<Item = Node> + use<> {
        (self.num_phis..self.values.len()).map(Node::new)
    }

    /// The value of a node.
    pub(super) fn value(&self, node: Node) -> Value {
        self.values[node]
    }

    /// The operands of a phi.
    #[inline]
    pub(super) fn operands(&self, phi: Node) -> &[Node] {
        &self.operands[self.start[phi.index()] as usize..self.start[phi.index() + 1] as usize]
    }

    /// The phis that have `node` as an operand, once per operand.
    #[inline]
    pub(super) fn users(&self, node: Node) -> &[Node] {
        self.users.of(node)
    }
}
