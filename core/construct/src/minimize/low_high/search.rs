//! Depth-first search of the phis that are not anchored.
//!
//! The value graph of what is left: a root, an arc from it to each anchored
//! value that a phi left uses, an arc from each operand to its phi. Everything after the
//! search speaks of *vertices*, which are numbers in preorder; vertex 0 is the root.

use super::anchors::Anchors;
use super::lists::Lists;
use super::nodes::{NONE, Nodes};
use alloc::vec::Vec;

/// The root.
pub(super) const ROOT: u32 = 0;

/// The depth-first tree of the value graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    /// The nodes of the value graph by place: nothing for the root, the phis left, then the anchored values they use.
    nodes: Vec<u32>,
    num_phis: u32,
    /// By node, its place; [`NONE`] if it has none.
    place_of: Vec<u32>,
    /// By place, the places its arcs lead to.
    targets: Lists,
    /// By place, its vertex.
    vertex_of: Vec<u32>,
    /// By vertex, its node.
    vertices: Vec<u32>,
    /// By vertex, its parent in the tree.
    parents: Vec<u32>,
    /// By vertex, the vertices its incoming arcs leave.
    sources: Lists,
    stack: Vec<Step>,
}

/// A place on the path from the root, and the arc to look at next.
#[derive(Clone, Copy, Debug)]
struct Step {
    place: u32,
    next: u32,
}

impl Search {
    /// Searches the graph of the phis that `anchors` lacks: a phi that no value reaches, if there is one.
    pub(super) fn run(&mut self, nodes: &Nodes, anchors: &Anchors) -> Option<u32> {
        self.collect(nodes, anchors);
        self.walk();
        let unreached = self.vertex_of.iter().position(|&vertex| vertex == NONE);
        if let Some(place) = unreached {
            return Some(self.nodes[place]);
        }
        self.collect_sources();
        None
    }

    /// Gives each node of the value graph its place, and each place its arcs.
    fn collect(&mut self, nodes: &Nodes, anchors: &Anchors) {
        self.place_of.clear();
        self.place_of.resize(nodes.len(), NONE);
        self.nodes.clear();
        self.nodes.push(NONE);
        for phi in nodes.phis().filter(|&phi| !anchors.contains(phi)) {
            self.add(phi);
        }
        let num_phis = self.nodes.len();
        self.num_phis = num_phis as u32 - 1;
        for place in 1..num_phis {
            for &operand in nodes.operands(self.nodes[place]) {
                if self.place_of[operand as usize] == NONE {
                    self.add(operand);
                }
            }
        }
        let from_root = (num_phis..self.nodes.len()).map(|place| (ROOT, place as u32));
        let (phis, place_of) = (&self.nodes[1..num_phis], &self.place_of);
        let from_operands = phis.iter().flat_map(|&phi| {
            let operands = nodes.operands(phi).iter().filter(move |&&operand| operand != phi);
            operands.map(move |&operand| (place_of[operand as usize], place_of[phi as usize]))
        });
        self.targets.rebuild(self.nodes.len(), from_root.chain(from_operands));
    }

    fn add(&mut self, node: u32) {
        self.place_of[node as usize] = self.nodes.len() as u32;
        self.nodes.push(node);
    }

    /// Numbers the places in preorder.
    fn walk(&mut self) {
        self.vertex_of.clear();
        self.vertex_of.resize(self.nodes.len(), NONE);
        self.vertices.clear();
        self.parents.clear();
        self.enter(ROOT, ROOT);
        while let Some(step) = self.stack.last_mut() {
            let targets = &self.targets.of(step.place)[step.next as usize..];
            let Some(passed) = targets.iter().position(|&target| self.vertex_of[target as usize] == NONE) else {
                self.stack.pop();
                continue;
            };
            step.next += passed as u32 + 1;
            let (target, parent) = (targets[passed], self.vertex_of[step.place as usize]);
            self.enter(target, parent);
        }
    }

    fn enter(&mut self, place: u32, parent: u32) {
        self.vertex_of[place as usize] = self.vertices.len() as u32;
        self.vertices.push(self.nodes[place as usize]);
        self.parents.push(parent);
        self.stack.push(Step { place, next: 0 });
    }

    /// Turns the arcs around.
    fn collect_sources(&mut self) {
        let (targets, vertex_of) = (&self.targets, &self.vertex_of);
        let arcs = (0..self.nodes.len() as u32).flat_map(|place| {
            let source = vertex_of[place as usize];
            targets.of(place).iter().map(move |&target| (vertex_of[target as usize], source))
        });
        self.sources.rebuild(self.nodes.len(), arcs);
    }

    /// Number of vertices.
    pub(super) fn len(&self) -> usize {
        self.vertices.len()
    }

    /// Number of phis among the vertices.
    pub(super) fn num_phis(&self) -> usize {
        self.num_phis as usize
    }

    /// The node of a vertex that is not the root.
    pub(super) fn node(&self, vertex: u32) -> u32 {
        self.vertices[vertex as usize]
    }

    /// The parent of each vertex in the depth-first tree; the root is its own.
    pub(super) fn parents(&self) -> &[u32] {
        &self.parents
    }

    /// The parent of `vertex` in the depth-first tree.
    #[inline]
    pub(super) fn parent(&self, vertex: u32) -> u32 {
        self.parents[vertex as usize]
    }

    /// Whether `vertex` is a phi: anchored values hang on the root, and nothing else does.
    #[inline]
    pub(super) fn is_phi(&self, vertex: u32) -> bool {
        self.parent(vertex) != ROOT
    }

    /// The vertices that are phis, in preorder.
    pub(super) fn phis(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.len() as u32).filter(|&vertex| self.is_phi(vertex))
    }

    /// The vertices that the incoming arcs of `vertex` leave.
    #[inline]
    pub(super) fn sources(&self, vertex: u32) -> &[u32] {
        self.sources.of(vertex)
    }
}
