//! What each node of a region stands for.
//!
//! A node whose sources all stand for one thing stands for it, one whose
//! sources differ stands for itself: if the nodes can be taken in such an
//! order, or if a single value enters the region, that is all. The rest is what
//! [`Minimizer::dominated`](ssaphire_construct::minimize::Minimizer::dominated) answers for
//! one phi per node, by dominators: the phis it would remove are never made.
//!
//! # Complexity
//! O(nodes + sources), plus one computation of dominators (Semi-NCA) where
//! there are cycles that several values enter.
//!
//! # Departures
//! None.

use super::{NodeId, Region, Source};
use ssaphire_graph::{Id, Value};

impl Region {
    /// Decides what each node stands for: number of steps.
    pub(crate) fn decide(&mut self) -> usize {
        self.stands_for.reset(self.nodes.len(), Source::Nothing);
        if self.decide_in_order() || self.decide_if_one_value_enters() {
            return 0;
        }
        self.decide_by_dominators();
        self.sources.len()
    }

    /// Decides nodes after their sources, which were met later unless there is a cycle: whether all could be decided.
    fn decide_in_order(&mut self) -> bool {
        for node in self.nodes.keys().rev() {
            let mut held = Source::Nothing;
            for index in self.range(node) {
                let source = match self.sources[index] {
                    Source::Node(source) if source == node => continue,
                    Source::Node(source) if source < node => return false,
                    Source::Node(source) => self.stands_for[source],
                    source => source,
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

    /// Whether one value enters at most, and two sweeps see it reach every node: then all stand for it.
    fn decide_if_one_value_enters(&mut self) -> bool {
        let mut values = self.sources.iter().filter(|source| matches!(source, Source::Value(_)));
        let value = values.next().copied().unwrap_or(Source::Nothing);
        if values.any(|&other| other != value) {
            return false;
        }
        self.stands_for.reset(self.nodes.len(), Source::Nothing);
        for node in self.nodes.keys().rev() {
            self.reach(node, value);
        }
        for node in self.nodes.keys() {
            self.reach(node, value);
        }
        value == Source::Nothing || !self.stands_for.as_slice().contains(&Source::Nothing)
    }

    /// Lets the node stand for `value` if a source of it is that, or stands for it.
    fn reach(&mut self, node: NodeId, value: Source) {
        let reaches = |&source: &Source| match source {
            Source::Node(source) => self.stands_for[source] == value,
            source => source == value,
        };
        if self.sources[self.range(node)].iter().any(reaches) {
            self.stands_for[node] = value;
        }
    }

    /// Each node stands for the topmost thing that all that flows into it passes.
    fn decide_by_dominators(&mut self) {
        let after = |source: &Source| if let Source::Value(value) = source { value.index() + 1 } else { 0 };
        // Nodes go by the numbers after those of the values.
        let num_values = self.sources.iter().map(after).max().unwrap_or(0);
        let name = |node: NodeId| Value::new(num_values + node.index());
        self.graph.clear();
        for node in self.nodes.keys() {
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
    use ssaphire_graph::{Block, Variable};

    /// Random nodes; node by node some sources, of few values or of any nodes.
    fn random(state: &mut u64) -> Region {
        let mut below = |limit: u64| {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*state >> 33) % limit
        };
        let mut scratch = Region::default();
        let (num_nodes, num_values) = (1 + below(9), 1 + below(3));
        let is_cyclic = below(3) > 0;
        for node in 0..num_nodes {
            scratch.open(Block::new(node as usize), Variable::new(0));
            let first_source = scratch.sources.len();
            for _ in 0..below(4) {
                let other = if is_cyclic { below(num_nodes) } else { node + below(num_nodes - node) };
                let is_value = below(3) == 0;
                let value = Source::Value(Value::new(7 * below(num_values) as usize));
                scratch.sources.push(if is_value { value } else { Source::Node(NodeId::new(other as usize)) });
            }
            let num_sources = scratch.sources.len() - first_source;
            let data = &mut scratch.nodes[NodeId::new(node as usize)];
            (data.first_source, data.num_sources) = (first_source, num_sources);
        }
        scratch
    }

    #[test]
    fn the_short_ways_give_what_dominators_give() {
        let (mut state, mut num_short) = (1, 0);
        for _ in 0..20_000 {
            let mut scratch = random(&mut state);
            num_short += u32::from(scratch.decide() == 0);
            let decided = scratch.stands_for.clone();
            scratch.decide_by_dominators();
            assert_eq!(decided, scratch.stands_for, "{:?} {:?}", scratch.nodes, scratch.sources);
        }
        assert!((5_000..18_000).contains(&num_short), "{num_short}");
    }
}
