//! Redundant sets by one dominator computation.
//!
//! The *value graph* has a root, an arc from the root to each value from
//! outside, and an arc from each operand to its phi. A phi is redundant with
//! respect to a value exactly if that value strictly dominates it there: all
//! that flows into the phi passes the value. So each phi stands for the topmost
//! of its dominators below the root, and the phis left are irredundant.
//!
//! The fast path decides most phis without dominators: a phi with two
//! different operands that are *anchored* is anchored itself; values from
//! outside are anchored to begin with. Nothing below the root dominates an
//! anchored phi, since it would have to dominate both operands, and only an
//! operand itself can do that. For the rest anchored phis count as outside.
//!
//! # Complexity
//! O(operands) for the fast path; one computation of dominators (Semi-NCA) for the phis that it leaves.
//!
//! # Departures
//! Braun et al. 2013 find the same sets by Algorithm 5, see `components`; this
//! view of them is our own.

use super::phi_graph::PhiNumber;
use super::{PhiGraph, Replacement};
use alloc::vec::Vec;
use ssaphire_graph::{Block, FlatCfg, IdLists, IdMap, IdSet, ImmediateDominators, PackedOption, Value};

/// Finds redundant sets of phis; keeps its memory from one graph to the next.
#[derive(Clone, Debug, Default)]
pub struct Minimizer {
    /// By value: the phi it is; none between calls.
    number: IdMap<Value, PackedOption<PhiNumber>>,
    /// By phi: the phis that have it as an operand.
    users: IdLists<PhiNumber, PhiNumber>,
    /// By phi: the anchored operand met first.
    anchor: IdMap<PhiNumber, PackedOption<Value>>,
    anchored: IdSet<PhiNumber>,
    work: Vec<PhiNumber>,
    value_graph: ValueGraph,
    dominators: ImmediateDominators,
    pub(super) replacements: Vec<Replacement>,
    pub(super) components: super::components::Scratch,
}

/// The value graph of the phis that the fast path leaves.
#[derive(Clone, Debug, Default)]
struct ValueGraph {
    /// By value: its node; none between calls.
    node: IdMap<Value, PackedOption<Block>>,
    /// The value of node `i + 1`; node 0 is the root.
    values: Vec<Value>,
    num_phis: usize,
    arcs: Vec<(Block, Block)>,
    /// By node: those that its arcs lead to.
    targets: IdLists<Block, Block>,
    flat: FlatCfg,
    /// By node: the value it stands for.
    stands_for: Vec<Value>,
}

/// The root of the value graph.
const ROOT: Block = Block::new(0);

impl Minimizer {
    /// The redundant phis of the graph, with the values they stand for, in an unspecified but fixed order.
    pub fn dominated(&mut self, graph: &PhiGraph) -> &[Replacement] {
        self.replacements.clear();
        self.number_phis(graph);
        self.list_users(graph);
        self.spread_anchors(graph);
        if self.anchored.len() < graph.phis().len() {
            self.build_value_graph(graph);
            self.dominators.rebuild(&self.value_graph.flat);
            self.replace_dominated(graph);
        }
        for &phi in graph.phis() {
            self.number[phi] = PackedOption::NONE;
        }
        &self.replacements
    }

    fn number_phis(&mut self, graph: &PhiGraph) {
        for (number, phi) in graph.numbered() {
            self.number.grow_to(phi, PackedOption::NONE);
            self.number[phi] = number.into();
        }
    }

    fn phi(&self, value: Value) -> Option<PhiNumber> {
        self.number.get(value)?.expand()
    }

    fn list_users(&mut self, graph: &PhiGraph) {
        let number = &self.number;
        let pairs = graph.numbers().flat_map(|user| {
            let operands = graph.operands_of(user).iter();
            operands.filter_map(move |&operand| Some((number.get(operand)?.expand()?, user)))
        });
        self.users.rebuild(graph.phis().len(), pairs);
    }

    /// Anchors every phi with two different anchored operands.
    fn spread_anchors(&mut self, graph: &PhiGraph) {
        self.anchor.reset(graph.phis().len(), PackedOption::NONE);
        self.anchored.clear();
        self.work.clear();
        for phi in graph.numbers() {
            for &operand in graph.operands_of(phi) {
                if self.phi(operand).is_none() {
                    self.meet(phi, operand);
                }
            }
        }
        while let Some(phi) = self.work.pop() {
            // A phi that is its own user changes nothing: it is anchored, and inserted once.
            for place in self.users.range(phi) {
                self.meet(self.users.members()[place], graph.phi(phi));
            }
        }
    }

    /// The phi has the anchored operand `value`.
    fn meet(&mut self, phi: PhiNumber, value: Value) {
        let anchor = &mut self.anchor[phi];
        if anchor.is_none() {
            *anchor = value.into();
        } else if *anchor != value.into() && self.anchored.insert(phi) {
            self.work.push(phi);
        }
    }

    /// Nodes: the root, the phis left, then the anchored values they use.
    fn build_value_graph(&mut self, graph: &PhiGraph) {
        let Self { anchored, value_graph, .. } = self;
        value_graph.clear();
        let left = || graph.numbers().filter(|&phi| !anchored.contains(phi));
        // Phis get their nodes first: `add_arcs` takes an operand without a node for a value from outside, as an
        // anchored phi is.
        for phi in left() {
            value_graph.add(graph.phi(phi));
        }
        value_graph.num_phis = value_graph.values.len();
        left().for_each(|phi| value_graph.add_arcs(graph.phi(phi), graph.operands_of(phi)));
        value_graph.lay_out();
    }

    fn replace_dominated(&mut self, graph: &PhiGraph) {
        let ValueGraph { values, num_phis, stands_for, .. } = &mut self.value_graph;
        stands_for.clear();
        stands_for.extend_from_slice(values);
        // A node comes after those that dominate it.
        for (node, idom) in self.dominators.pairs() {
            // A value from outside has an arc from the root, and so the root as dominator: only phis are replaced.
            if idom != ROOT {
                stands_for[node.index() - 1] = stands_for[idom.index() - 1];
                self.replacements.push((values[node.index() - 1], Some(stands_for[node.index() - 1])));
            }
        }
        let order = self.dominators.order();
        // `pairs` leaves out what the root does not reach: phis into which no value flows.
        let unreached = (0..*num_phis).filter(|&phi| !order.is_reachable(Block::new(phi + 1)));
        self.replacements.extend(unreached.map(|phi| (values[phi], None)));
        debug_assert!(self.replacements.len() <= graph.phis().len(), "each phi is replaced at most once");
    }
}

impl ValueGraph {
    fn clear(&mut self) {
        self.values.clear();
        self.arcs.clear();
    }

    /// Gives the value a node.
    fn add(&mut self, value: Value) -> Block {
        self.values.push(value);
        let node = Block::new(self.values.len());
        self.node.grow_to(value, PackedOption::NONE);
        self.node[value] = node.into();
        node
    }

    /// Arcs lead to the phi from its operands, and from the root to those that are new.
    fn add_arcs(&mut self, phi: Value, operands: &[Value]) {
        let Some(target) = self.node[phi].expand() else { return };
        for &operand in operands {
            let source = self.node.get(operand).and_then(|node| node.expand());
            let source = source.unwrap_or_else(|| {
                let source = self.add(operand);
                self.arcs.push((ROOT, source));
                source
            });
            self.arcs.push((source, target));
        }
    }

    /// Lays the graph out, and takes the nodes from the values.
    fn lay_out(&mut self) {
        for &value in &self.values {
            self.node[value] = PackedOption::NONE;
        }
        let num_nodes = self.values.len() + 1;
        self.targets.rebuild(num_nodes, self.arcs.iter().copied());
        let laid_out = self.flat.rebuild_from_targets(num_nodes, ROOT, |node| self.targets.of(node));
        debug_assert!(laid_out.is_ok(), "arcs join nodes");
    }
}
