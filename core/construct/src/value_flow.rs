//! The flow of values through a part of a graph, for one variable or several: it decides which places need a phi.
//!
//! A *node* is a place into which values flow from its *sources*: values from outside, and other nodes. If every path
//! of the flow into a node passes one source, the node stands for that source; else different values meet there for the
//! first time, and it stands for itself. So the flow decides which phis are needed before any phi is created.
//!
//! A node whose sources all stand for one source stands for it, and one whose sources differ stands for itself: if each
//! node can be decided after its sources, or if a single value enters, that is all. Otherwise [`Minimizer::dominated`]
//! answers, for one phi per node, by dominators.
//!
//! # Complexity
//! O(nodes + sources), plus one computation of dominators (Semi-NCA) where
//! there are cycles that several values enter.
//!
//! # Departures
//! Braun et al. 2013, section 3.3, find the places where values meet by strongly connected components; dominators of
//! the value flow are our own.

use crate::minimize::{Minimizer, PhiGraph};
use alloc::vec::Vec;
use core::ops::Range;
use ssaphire_graph::{Id, IdMap, Value, internal_id};

internal_id!(
    /// Number of a node, in the order in which they were added.
    pub NodeId, "node"
);

/// One input of a node, or the answer for a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// No value flows in: no path from the entry leads here.
    #[default]
    Nothing,
    /// A value from outside.
    Value(Value),
    /// The value of that node; as an answer, its phi.
    Node(NodeId),
}

/// Nodes and their sources; keeps its memory from one graph to the next.
#[derive(Clone, Debug, Default)]
pub struct ValueFlow {
    /// By node: the index of its first source, and the number of its sources.
    listed: IdMap<NodeId, (u32, u32)>,
    /// The sources of all nodes.
    sources: Vec<Source>,
    /// By node: the source that it stands for; itself if it needs a phi.
    stands_for: IdMap<NodeId, Source>,
    graph: PhiGraph,
    minimizer: Minimizer,
}

impl ValueFlow {
    /// Forgets all nodes; keeps memory.
    pub fn clear(&mut self) {
        self.listed.clear();
        self.sources.clear();
    }

    /// Adds a node without sources.
    pub fn push_node(&mut self) -> NodeId {
        self.listed.push((0, 0))
    }

    /// Makes the sources pushed next those of `node`, in place of any it has.
    pub fn begin_sources(&mut self, node: NodeId) {
        self.listed[node] = (self.sources.len() as u32, 0);
    }

    /// Adds a source to `node`, the last node passed to `begin_sources`.
    pub fn push_source(&mut self, node: NodeId, source: Source) {
        self.sources.push(source);
        self.listed[node].1 += 1;
    }

    /// Number of nodes.
    pub fn num_nodes(&self) -> usize {
        self.listed.len()
    }

    /// The nodes, in the order in which they were added.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        self.listed.keys()
    }

    /// The sources of `node`, in order.
    pub fn sources(&self, node: NodeId) -> &[Source] {
        &self.sources[self.range(node)]
    }

    fn range(&self, node: NodeId) -> Range<usize> {
        let (first, len) = self.listed[node];
        first as usize..first as usize + len as usize
    }

    /// The source that `node` stands for, once that is decided: [`Source::Node`] of itself if it needs a phi.
    pub fn stands_for(&self, node: NodeId) -> Source {
        self.stands_for[node]
    }

    /// The answer for `source`: a value, the phi of a node, or nothing.
    pub fn resolve(&self, source: Source) -> Source {
        match source {
            Source::Node(node) => self.stands_for[node],
            source => source,
        }
    }

    /// Decides the source that each node stands for; returns the number of steps beyond one per source.
    pub fn decide(&mut self) -> usize {
        self.stands_for.reset(self.listed.len(), Source::Nothing);
        if self.decide_in_order() || self.decide_if_one_value_enters() {
            return 0;
        }
        self.decide_by_dominators();
        self.sources.len()
    }

    /// Decides nodes after their sources, which were added later unless there is a cycle; returns whether all could be
    /// decided.
    fn decide_in_order(&mut self) -> bool {
        for node in self.listed.keys().rev() {
            let mut held = Source::Nothing;
            for index in self.range(node) {
                let source = match self.sources[index] {
                    Source::Node(source) if source == node => continue,
                    Source::Node(source) if source < node => return false,
                    source => self.resolve(source),
                };
                held = match held {
                    Source::Nothing => source,
                    _ if source == Source::Nothing || source == held => held,
                    _ => Source::Node(node),
                };
            }
            self.stands_for[node] = held;
        }
        true
    }

    /// Makes all nodes stand for the one value that enters, if at most one does and two sweeps see it reach every node;
    /// returns whether that is so.
    fn decide_if_one_value_enters(&mut self) -> bool {
        let mut values = self.sources.iter().filter(|source| matches!(source, Source::Value(_)));
        let value = values.next().copied().unwrap_or(Source::Nothing);
        if values.any(|&other| other != value) {
            return false;
        }
        self.stands_for.reset(self.listed.len(), Source::Nothing);
        for node in self.listed.keys().rev() {
            self.reach(node, value);
        }
        for node in self.listed.keys() {
            self.reach(node, value);
        }
        value == Source::Nothing || !self.stands_for.as_slice().contains(&Source::Nothing)
    }

    /// Makes the node stand for `value` if one of its sources does.
    fn reach(&mut self, node: NodeId, value: Source) {
        if self.sources(node).iter().any(|&source| self.resolve(source) == value) {
            self.stands_for[node] = value;
        }
    }

    /// Makes each node stand for the topmost source that all flow into it passes.
    fn decide_by_dominators(&mut self) {
        let after = |source: &Source| if let Source::Value(value) = source { value.index() + 1 } else { 0 };
        // Nodes have the numbers after those of the values.
        let num_values = self.sources.iter().map(after).max().unwrap_or(0);
        let name = |node: NodeId| Value::new(num_values + node.index());
        self.graph.clear();
        for node in self.listed.keys() {
            self.stands_for[node] = Source::Node(node);
            self.graph.begin_phi(name(node));
            for &source in &self.sources[self.range(node)] {
                match source {
                    Source::Node(source) => self.graph.push_operand(name(source)),
                    Source::Value(value) => self.graph.push_operand(value),
                    Source::Nothing => {}
                }
            }
        }
        let node = |value: Value| value.index().checked_sub(num_values).map(NodeId::new);
        for &(phi, stands_for) in self.minimizer.dominated(&self.graph) {
            let Some(phi) = node(phi) else { continue };
            let stand = |value| node(value).map_or(Source::Value(value), Source::Node);
            self.stands_for[phi] = stands_for.map_or(Source::Nothing, stand);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random nodes; node by node some sources, of few values or of any nodes.
    fn random(state: &mut u64) -> ValueFlow {
        let mut below = |limit: u64| {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*state >> 33) % limit
        };
        let mut flow = ValueFlow::default();
        let (num_nodes, num_values) = (1 + below(9), 1 + below(3));
        let is_cyclic = below(3) > 0;
        for number in 0..num_nodes {
            let node = flow.push_node();
            flow.begin_sources(node);
            for _ in 0..below(4) {
                let other = if is_cyclic { below(num_nodes) } else { number + below(num_nodes - number) };
                let is_value = below(3) == 0;
                let value = Source::Value(Value::new(7 * below(num_values) as usize));
                let source = if is_value { value } else { Source::Node(NodeId::new(other as usize)) };
                flow.push_source(node, source);
            }
        }
        flow
    }

    #[test]
    fn the_short_ways_give_what_dominators_give() {
        let (mut state, mut num_short) = (1, 0);
        for _ in 0..20_000 {
            let mut flow = random(&mut state);
            num_short += u32::from(flow.decide() == 0);
            let decided = flow.stands_for.clone();
            flow.decide_by_dominators();
            assert_eq!(decided, flow.stands_for, "{:?} {:?}", flow.listed, flow.sources);
        }
        assert!((5_000..18_000).contains(&num_short), "{num_short}");
    }
}
