//! Redundant sets by one dominator computation.
//!
//! The *value graph* has a root, an arc from the root to each value from
//! outside, and an arc from each operand to its phi. A phi is redundant with
//! respect to a value exactly if that value strictly dominates it there: all
//! that flows into the phi passes the value. So each phi stands for the topmost
//! of its dominators below the root, and what is left is irredundant.
//!
//! The fast path decides most phis without dominators: a phi with two
//! different operands that are *anchored* is anchored itself, values from
//! outside being so to begin with. Nothing below the root dominates an
//! anchored phi, since it would have to dominate both operands, and only an
//! operand itself can do that. For the rest anchored phis count as outside.
//!
//! # Complexity
//! O(operands) for the fast path; one computation of dominators (Semi-NCA) for what it leaves.
//!
//! # Departures
//! Braun et al. 2013 find the same sets by Algorithm 5, see `components`; this
//! view of them is our own.

use super::{PhiGraph, Replacement};
use alloc::vec::Vec;
use ssaphire_graph::{Block, FlatCfg, IdMap, ImmediateDominators, Value};

/// Finds redundant sets of phis; keeps its memory from one graph to the next.
#[derive(Clone, Debug, Default)]
pub struct Minimizer {
    /// Number of the phi a value is, or of the node a value from outside has; `NONE` between calls.
    number: IdMap<Value, u32>,
    /// By phi: the anchored value met first, as a code, or `ANCHORED`.
    anchor: Vec<u32>,
    user_start: Vec<u32>,
    users: Vec<u32>,
    work: Vec<u32>,
    value_graph: ValueGraph,
    dominators: ImmediateDominators,
    pub(super) replacements: Vec<Replacement>,
    pub(super) components: super::components::Scratch,
}

/// The value graph of the phis that the fast path leaves.
#[derive(Clone, Debug, Default)]
struct ValueGraph {
    /// The value of node `i + 1`; node 0 is the root.
    values: Vec<Value>,
    num_phis: usize,
    arcs: Vec<(u32, u32)>,
    sorted: Vec<(u32, u32)>,
    start: Vec<u32>,
    flat: FlatCfg,
    /// By node: the value it stands for.
    stands_for: Vec<Value>,
}

const NONE: u32 = u32::MAX;
const ANCHORED: u32 = u32::MAX - 1;

impl Minimizer {
    /// The redundant phis of the graph with what they stand for, in no particular but a fixed order.
    pub fn dominated(&mut self, graph: &PhiGraph) -> &[Replacement] {
        self.replacements.clear();
        self.number_phis(graph);
        self.list_users(graph);
        self.spread_anchors(graph);
        if self.anchor.iter().any(|&anchor| anchor != ANCHORED) {
            self.build_value_graph(graph);
            self.dominators.rebuild(&self.value_graph.flat);
            self.replace_dominated(graph);
        }
        for &phi in graph.phis() {
            self.number[phi] = NONE;
        }
        &self.replacements
    }

    fn number_phis(&mut self, graph: &PhiGraph) {
        for (index, &phi) in graph.phis().iter().enumerate() {
            self.number.grow_to(phi, NONE);
            self.number[phi] = index as u32;
        }
    }

    fn phi(&self, value: Value) -> Option<usize> {
        let number = *self.number.get(value)?;
        (number != NONE).then_some(number as usize)
    }

    /// Lists by phi the phis that have it as an operand: a counting sort.
    fn list_users(&mut self, graph: &PhiGraph) {
        let num_phis = graph.phis().len();
        self.user_start.clear();
        self.user_start.resize(num_phis + 2, 0);
        let each = |phi: usize| graph.operands(phi).iter().filter_map(|&operand| self.number.get(operand));
        for used in (0..num_phis).flat_map(each).filter(|&&used| used != NONE) {
            self.user_start[*used as usize + 2] += 1;
        }
        for index in 2..num_phis + 2 {
            self.user_start[index] += self.user_start[index - 1];
        }
        self.users.clear();
        self.users.resize(self.user_start[num_phis + 1] as usize, 0);
        for phi in 0..num_phis {
            for &operand in graph.operands(phi) {
                if let Some(used) = self.number.get(operand).filter(|&&used| used != NONE) {
                    let place = &mut self.user_start[*used as usize + 1];
                    self.users[*place as usize] = phi as u32;
                    *place += 1;
                }
            }
        }
    }

    /// Anchors every phi with two different anchored operands.
    fn spread_anchors(&mut self, graph: &PhiGraph) {
        self.anchor.clear();
        self.anchor.resize(graph.phis().len(), NONE);
        self.work.clear();
        for phi in 0..graph.phis().len() {
            for &operand in graph.operands(phi) {
                if self.phi(operand).is_none() {
                    self.meet(phi, operand);
                }
            }
        }
        while let Some(phi) = self.work.pop() {
            let phi = phi as usize;
            for place in self.user_start[phi]..self.user_start[phi + 1] {
                self.meet(self.users[place as usize] as usize, graph.phis()[phi]);
            }
        }
    }

    /// The phi has the anchored operand `value`.
    fn meet(&mut self, phi: usize, value: Value) {
        let value = value.index() as u32;
        let anchor = &mut self.anchor[phi];
        if *anchor == NONE {
            *anchor = value;
        } else if *anchor != ANCHORED && *anchor != value {
            *anchor = ANCHORED;
            self.work.push(phi as u32);
        }
    }

    /// Nodes: the root, the phis left, then the anchored values they use.
    fn build_value_graph(&mut self, graph: &PhiGraph) {
        let values = &mut self.value_graph.values;
        values.clear();
        self.value_graph.arcs.clear();
        // From here on a number is that of a node, for the phis left; the anchored ones lose theirs.
        for (index, &phi) in graph.phis().iter().enumerate() {
            let is_left = self.anchor[index] != ANCHORED;
            self.number[phi] = if is_left { values.len() as u32 + 1 } else { NONE };
            if is_left {
                values.push(phi);
            }
        }
        self.value_graph.num_phis = values.len();
        for index in 0..graph.phis().len() {
            if self.anchor[index] != ANCHORED {
                self.add_arcs(graph, index);
            }
        }
        let num_phis = self.value_graph.num_phis;
        for &value in &self.value_graph.values[num_phis..] {
            self.number[value] = NONE;
        }
        self.value_graph.flatten();
    }

    fn add_arcs(&mut self, graph: &PhiGraph, phi: usize) {
        let node = self.number[graph.phis()[phi]];
        for &operand in graph.operands(phi) {
            self.number.grow_to(operand, NONE);
            if self.number[operand] == NONE {
                self.value_graph.values.push(operand);
                let source = self.value_graph.values.len() as u32;
                self.number[operand] = source;
                self.value_graph.arcs.push((0, source));
            }
            self.value_graph.arcs.push((self.number[operand], node));
        }
    }

    fn replace_dominated(&mut self, graph: &PhiGraph) {
        let ValueGraph { values, num_phis, stands_for, .. } = &mut self.value_graph;
        stands_for.clear();
        stands_for.extend_from_slice(values);
        // A node comes after those that dominate it.
        for (node, idom) in self.dominators.pairs() {
            if idom.index() != 0 {
                stands_for[node.index() - 1] = stands_for[idom.index() - 1];
                self.replacements.push((values[node.index() - 1], Some(stands_for[node.index() - 1])));
            }
        }
        let order = self.dominators.order();
        let unreached = (0..*num_phis).filter(|&phi| !order.is_reachable(Block::new(phi + 1)));
        self.replacements.extend(unreached.map(|phi| (values[phi], None)));
        debug_assert!(self.replacements.len() <= graph.phis().len(), "each phi is replaced at most once");
    }
}

impl ValueGraph {
    /// Sorts the arcs by source, by counting, and lays the graph out.
    fn flatten(&mut self) {
        let num_nodes = self.values.len() + 1;
        self.start.clear();
        self.start.resize(num_nodes + 1, 0);
        for &(source, _) in &self.arcs {
            self.start[source as usize + 1] += 1;
        }
        for index in 0..num_nodes {
            self.start[index + 1] += self.start[index];
        }
        self.sorted.clear();
        self.sorted.resize(self.arcs.len(), (0, 0));
        for &(source, target) in &self.arcs {
            let place = &mut self.start[source as usize];
            self.sorted[*place as usize] = (source, target);
            *place += 1;
        }
        let arcs =
            self.sorted.iter().map(|&(source, target)| (Block::new(source as usize), Block::new(target as usize)));
        let laid_out = self.flat.rebuild_from_edges(num_nodes, Block::new(0), arcs);
        debug_assert!(laid_out.is_ok(), "arcs join nodes, in order of their sources");
    }
}
