//! Depth-first search of the phis that are not anchored.
//!
//! The value graph of the phis left: a root, an arc from it to each anchored
//! value that a phi left uses, an arc from each operand to its phi. Everything after the
//! search speaks of *vertices*, which are numbers in preorder; vertex 0 is the root.

use super::anchors::Anchors;
use super::nodes::{Node, Nodes};
use alloc::vec::Vec;
use ssaphire_graph::internal_id;
use ssaphire_graph::{IdLists, IdMap, PackedOption};

internal_id!(
    /// Where a node is kept: the root first, then the phis left, then the anchored values they use.
    Place, "place"
);

internal_id!(
    /// Number of a node in preorder; the root is the first.
    pub(super) Vertex, "vertex"
);

impl Place {
    const ROOT: Self = Self(0);
}

impl Vertex {
    /// The root.
    pub(super) const ROOT: Self = Self(0);

    /// The number after it.
    #[inline]
    pub(super) fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// The depth-first tree of the value graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    /// By place, the node of the value graph; none for the root.
    nodes: IdMap<Place, PackedOption<Node>>,
    num_phis: usize,
    /// By node, its place.
    place_of: IdMap<Node, PackedOption<Place>>,
    arcs: Vec<(Place, Place)>,
    /// By place, the places its arcs lead to.
    targets: IdLists<Place, Place>,
    /// By place, its vertex.
    vertex_of: IdMap<Place, PackedOption<Vertex>>,
    /// By vertex, its node; none for the root.
    vertices: IdMap<Vertex, PackedOption<Node>>,
    /// By vertex, its parent in the tree.
    parents: IdMap<Vertex, Vertex>,
    /// By vertex, the vertices its incoming arcs leave.
    sources: IdLists<Vertex, Vertex>,
    stack: Vec<Step>,
}

/// A place on the path from the root, its vertex, and the arc to look at next.
#[derive(Clone, Copy, Debug)]
struct Step {
    place: Place,
    vertex: Vertex,
    next: usize,
}

impl Search {
    /// Searches the graph of the phis that `anchors` lacks: a phi that no value reaches, if there is one.
    pub(super) fn run(&mut self, nodes: &Nodes, anchors: &Anchors) -> Option<Node> {
        self.collect(nodes, anchors);
        self.walk();
        // Every anchored value has an arc from the root, so a place that is not reached is that of a phi.
        let unreached = self.vertex_of.iter().find(|(_, vertex)| vertex.is_none());
        if let Some((place, _)) = unreached {
            return self.nodes[place].expand();
        }
        self.collect_sources();
        None
    }

    /// Gives each node of the value graph its place, and each place its arcs.
    fn collect(&mut self, nodes: &Nodes, anchors: &Anchors) {
        self.place_of.reset(nodes.len(), PackedOption::NONE);
        self.nodes.clear();
        self.nodes.push(PackedOption::NONE);
        for phi in nodes.phis().filter(|&phi| !anchors.contains(phi)) {
            self.add(phi);
        }
        self.num_phis = self.nodes.len() - 1;
        self.arcs.clear();
        // The keys are those of the phis: a node added on the way is anchored, and only the root has an arc to it.
        for place in self.nodes.keys() {
            let Some(phi) = self.nodes[place].expand() else { continue };
            for &operand in nodes.operands(phi).iter().filter(|&&operand| operand != phi) {
                let source = self.place_of[operand].expand().unwrap_or_else(|| self.add_anchored(operand));
                self.arcs.push((source, place));
            }
        }
        self.targets.rebuild(self.nodes.len(), self.arcs.iter().copied());
    }

    fn add(&mut self, node: Node) -> Place {
        let place = self.nodes.push(node.into());
        self.place_of[node] = place.into();
        place
    }

    fn add_anchored(&mut self, node: Node) -> Place {
        let place = self.add(node);
        self.arcs.push((Place::ROOT, place));
        place
    }

    /// Numbers the places in preorder.
    fn walk(&mut self) {
        self.vertex_of.reset(self.nodes.len(), PackedOption::NONE);
        self.vertices.clear();
        self.parents.clear();
        self.enter(Place::ROOT, Vertex::ROOT);
        while let Some(step) = self.stack.last_mut() {
            let targets = &self.targets.of(step.place)[step.next..];
            let Some(passed) = targets.iter().position(|&target| self.vertex_of[target].is_none()) else {
                self.stack.pop();
                continue;
            };
            // Arcs passed lead to places that have been entered, and are not looked at again.
            step.next += passed + 1;
            let (target, parent) = (targets[passed], step.vertex);
            self.enter(target, parent);
        }
    }

    fn enter(&mut self, place: Place, parent: Vertex) {
        let vertex = self.vertices.push(self.nodes[place]);
        self.vertex_of[place] = vertex.into();
        self.parents.push(parent);
        self.stack.push(Step { place, vertex, next: 0 });
    }

    /// Turns the arcs around.
    fn collect_sources(&mut self) {
        let (targets, vertex_of) = (&self.targets, &self.vertex_of);
        let arcs = vertex_of.iter().flat_map(|(place, source)| {
            targets.of(place).iter().filter_map(|&target| Some((vertex_of[target].expand()?, source.expand()?)))
        });
        self.sources.rebuild(self.nodes.len(), arcs);
    }

    /// Number of vertices.
    pub(super) fn len(&self) -> usize {
        self.vertices.len()
    }

    /// Number of phis among the vertices.
    pub(super) fn num_phis(&self) -> usize {
        self.num_phis
    }

    /// The vertices, in preorder.
    pub(super) fn vertices(&self) -> impl DoubleEndedIterator<Item = Vertex> + ExactSizeIterator + use<> {
        self.vertices.keys()
    }

    /// The node of a vertex that is not the root.
    pub(super) fn node(&self, vertex: Vertex) -> Node {
        self.vertices[vertex].expand().expect("the root has no node, and no phi hangs on it")
    }

    /// The parent of each vertex in the depth-first tree; the root is its own.
    pub(super) fn parents(&self) -> &IdMap<Vertex, Vertex> {
        &self.parents
    }

    /// The parent of `vertex` in the depth-first tree.
    #[inline]
    pub(super) fn parent(&self, vertex: Vertex) -> Vertex {
        self.parents[vertex]
    }

    /// Whether `vertex` is a phi: anchored values hang on the root, and nothing else does.
    #[inline]
    pub(super) fn is_phi(&self, vertex: Vertex) -> bool {
        self.parent(vertex) != Vertex::ROOT
    }

    /// The vertices that are phis, in preorder.
    pub(super) fn phis(&self) -> impl Iterator<Item = Vertex> + '_ {
        self.vertices().filter(|&vertex| self.is_phi(vertex))
    }

    /// The vertices that the incoming arcs of `vertex` leave.
    #[inline]
    pub(super) fn sources(&self, vertex: Vertex) -> &[Vertex] {
        self.sources.of(vertex)
    }
}
