//! One list of all nodes, each put next to another on the side of a third.
//!
//! On which side that is has to be known for each node before the list is
//! there. No structure for order in a list is needed: the neighbor that a node is put next to is
//! known in advance for all nodes, so these form a forest that can be laid out as
//! a whole. Two nodes are compared by the children of their nearest common ancestor
//! through which they hang on it, for the one that was inserted later
//! is nearer to the ancestor, with all that hangs on it.
//!
//! Nodes are counted as they are inserted, from 1. Number 0 is the end of the list, which
//! is no node; a node put next to it comes before it.
//!
//! # Complexity
//! O(*n* log *n*) for *n* nodes: a climb passes as many heavy paths as a
//! root-path of the forest has, at most log *n*.

use super::nodes::Node;
use core::mem;
use ssaphire_graph::internal_id;
use ssaphire_graph::{IdMap, PackedOption};

internal_id!(
    /// Number of a node, in the order of insertion.
    Number, "number"
);

/// Where the list ends, and begins again.
const END: Number = Number(0);

/// Nodes in the order of their insertion, and then in that of the list.
#[derive(Clone, Debug, Default)]
pub(super) struct Insertion {
    /// By node: its number, once it is inserted.
    number_of: IdMap<Node, PackedOption<Number>>,
    // By number:
    /// The node; none for the end.
    nodes: IdMap<Number, PackedOption<Node>>,
    /// The node next to which it goes. Parents have smaller numbers.
    parent: IdMap<Number, Number>,
    /// The node on whose side of the parent it goes.
    towards: IdMap<Number, Number>,
    /// The child with the most nodes below it.
    heavy: IdMap<Number, PackedOption<Number>>,
    /// The topmost one on its heavy path.
    head: IdMap<Number, Number>,
    /// Number of nodes below it, itself included.
    size: IdMap<Number, u32>,
    /// It goes after its parent.
    is_after: IdMap<Number, bool>,
    next: IdMap<Number, Number>,
    previous: IdMap<Number, Number>,
    /// Its position in the list.
    position: IdMap<Number, u32>,
    steps: u64,
}

impl Insertion {
    /// Begins a list for that many nodes.
    pub(super) fn begin(&mut self, num_nodes: usize) {
        self.number_of.reset(num_nodes, PackedOption::NONE);
        self.nodes.clear();
        self.parent.clear();
        self.towards.clear();
        // The end, which is the root of all nodes.
        self.push_number(PackedOption::NONE, END, END);
    }

    /// Inserts `node` at the end.
    pub(super) fn push(&mut self, node: Node) {
        self.number_of[node] = self.push_number(node.into(), END, END).into();
    }

    /// Inserts `node` next to `beside` on the side of `towards`. Needs: both inserted.
    pub(super) fn push_beside(&mut self, node: Node, beside: Node, towards: Node) {
        let number = |node: Node| self.number_of[node].expand().unwrap_or(END);
        self.number_of[node] = self.push_number(node.into(), number(beside), number(towards)).into();
    }

    fn push_number(&mut self, node: PackedOption<Node>, parent: Number, towards: Number) -> Number {
        self.parent.push(parent);
        self.towards.push(towards);
        self.nodes.push(node)
    }

    /// The numbers of the nodes, without the end.
    fn numbers(&self) -> impl DoubleEndedIterator<Item = Number> + use<> {
        self.nodes.keys().skip(1)
    }

    /// Finds the place of every node.
    pub(super) fn link(&mut self) {
        self.lay_out();
        let len = self.nodes.len();
        self.next.reset(len, END);
        self.previous.reset(len, END);
        self.is_after.reset(len, false);
        self.steps = 0;
        for number in self.numbers() {
            let parent = self.parent[number];
            self.is_after[number] = parent != END && self.lies_after(parent, self.towards[number]);
            // A node next to the end goes before it, which is after all nodes so far.
            let left = if self.is_after[number] { parent } else { self.previous[parent] };
            let right = mem::replace(&mut self.next[left], number);
            self.previous[right] = number;
            (self.previous[number], self.next[number]) = (left, right);
        }
        self.find_positions();
    }

    /// Heavy paths, in three loops: parents come before children.
    fn lay_out(&mut self) {
        let len = self.nodes.len();
        self.size.reset(len, 1);
        for number in self.numbers().rev() {
            self.size[self.parent[number]] += self.size[number];
        }
        self.heavy.reset(len, PackedOption::NONE);
        for number in self.numbers() {
            let heavy = &mut self.heavy[self.parent[number]];
            if heavy.expand().is_none_or(|heavy| self.size[number] > self.size[heavy]) {
                *heavy = number.into();
            }
        }
        self.head.clear();
        self.head.push(END);
        for number in self.numbers() {
            let parent = self.parent[number];
            let is_heavy = self.heavy[parent] == number.into();
            self.head.push(if is_heavy { self.head[parent] } else { number });
        }
    }

    /// Whether `other` is after `one` in the list. Both are there, and differ.
    fn lies_after(&mut self, one: Number, other: Number) -> bool {
        // No child: the node is itself the common ancestor.
        let (mut above, mut child) = ([one, other], [PackedOption::NONE; 2]);
        // Climb to the same heavy path: the head with the larger number is not above the other one.
        loop {
            let heads = above.map(|number| self.head[number]);
            if heads[0] == heads[1] {
                break;
            }
            let lower = usize::from(heads[1] > heads[0]);
            child[lower] = heads[lower].into();
            above[lower] = self.parent[heads[lower]];
            self.steps += 1;
        }
        // The upper one of the two is the common ancestor.
        if above[0] != above[1] {
            let lower = usize::from(above[1] > above[0]);
            child[lower] = self.heavy[above[1 - lower]];
        }
        let is_after = |child: PackedOption<Number>| self.is_after.find(child).is_some_and(|&is_after| is_after);
        // The child inserted first is farther away, and so is all that hangs on it. No child comes after all.
        if child[1] < child[0] { is_after(child[1]) } else { !is_after(child[0]) }
    }

    fn find_positions(&mut self) {
        self.position.reset(self.nodes.len(), 0);
        let mut number = self.next[END];
        for position in 1.. {
            if number == END {
                break;
            }
            self.position[number] = position;
            number = self.next[number];
        }
    }

    /// The nodes in the order of the list.
    pub(super) fn in_order(&self) -> impl Iterator<Item = Node> + '_ {
        let follow = |&number: &Number| Some(self.next[number]).filter(|&next| next != END);
        core::iter::successors(follow(&END), follow).filter_map(|number| self.nodes[number].expand())
    }

    /// The position of `node` in the list, or `None` if it was not inserted.
    #[inline]
    pub(super) fn position(&self, node: Node) -> Option<u32> {
        self.number_of[node].expand().map(|number| self.position[number])
    }

    /// Number of heavy paths that were climbed.
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }
}
