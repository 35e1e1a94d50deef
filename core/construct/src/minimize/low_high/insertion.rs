//! One list of all nodes, each put next to another on the side of a third.
//!
//! On which side that is has to be known for each node before the list is
//! there. No structure for order in a list is needed: whom a node is put next to is
//! known of all nodes in advance, so these form a forest that can be laid out as
//! a whole. Two nodes are compared by the children of their nearest common ancestor
//! through which they hang on it, for the one that was inserted later
//! is nearer to the ancestor, with all that hangs on it.
//!
//! Nodes are counted as they are inserted, from 1. Number 0 is the end of the list, which
//! is no node; what is put next to it comes before it.
//!
//! # Complexity
//! O(*n* log *n*) for *n* nodes: a climb passes as many heavy paths as a
//! root-path of the forest has, at most log *n*.

use alloc::vec::Vec;

/// Where the list ends, and begins again.
const END: u32 = 0;

/// No child: the node is itself the common ancestor.
const NEVER: u32 = u32::MAX;

/// Nodes in the order of their insertion, and then in that of the list.
#[derive(Clone, Debug, Default)]
pub(super) struct Insertion {
    /// By node: its number, 0 if it is not inserted.
    number_of: Vec<u32>,
    /// By number: the node.
    nodes: Vec<u32>,
    /// By number: next to whom it goes. Parents have smaller numbers.
    parent: Vec<u32>,
    /// By number: on whose side.
    towards: Vec<u32>,
    /// By number: the child on which most hangs, 0 if there is none.
    heavy: Vec<u32>,
    /// By number: the topmost one on its heavy path.
    head: Vec<u32>,
    /// By number: how many hang on it, itself included.
    size: Vec<u32>,
    /// By number: it goes after its parent.
    is_after: Vec<bool>,
    next: Vec<u32>,
    previous: Vec<u32>,
    /// By number: its position in the list.
    position: Vec<u32>,
    steps: u64,
}

impl Insertion {
    /// Begins a list for that many nodes.
    pub(super) fn begin(&mut self, num_nodes: usize) {
        self.number_of.clear();
        self.number_of.resize(num_nodes, END);
        self.nodes.clear();
        self.parent.clear();
        self.towards.clear();
        // The end, on which everything hangs in the end.
        self.nodes.push(END);
        self.parent.push(END);
        self.towards.push(END);
    }

    /// Inserts `node` at the end.
    pub(super) fn push(&mut self, node: u32) {
        self.push_numbers(node, END, END);
    }

    /// Inserts `node` next to `beside` on the side of `towards`. Needs: both inserted.
    pub(super) fn push_beside(&mut self, node: u32, beside: u32, towards: u32) {
        let number = |node: u32| self.number_of[node as usize];
        self.push_numbers(node, number(beside), number(towards));
    }

    fn push_numbers(&mut self, node: u32, parent: u32, towards: u32) {
        self.number_of[node as usize] = self.nodes.len() as u32;
        self.nodes.push(node);
        self.parent.push(parent);
        self.towards.push(towards);
    }

    /// Finds the place of every node.
    pub(super) fn link(&mut self) {
        self.lay_out();
        let len = self.nodes.len();
        for list in [&mut self.next, &mut self.previous] {
            list.clear();
            list.resize(len, END);
        }
        self.is_after.clear();
        self.is_after.resize(len, false);
        self.steps = 0;
        for number in 1..len {
            let parent = self.parent[number];
            self.is_after[number] = parent != END && self.lies_after(parent, self.towards[number]);
            let left = if self.is_after[number] { parent } else { self.previous[parent as usize] };
            let right = core::mem::replace(&mut self.next[left as usize], number as u32);
            self.previous[right as usize] = number as u32;
            (self.previous[number], self.next[number]) = (left, right);
        }
        self.find_positions();
    }

    /// Heavy paths, in three loops: parents come before children.
    fn lay_out(&mut self) {
        let len = self.nodes.len();
        self.size.clear();
        self.size.resize(len, 1);
        for number in (1..len).rev() {
            self.size[self.parent[number] as usize] += self.size[number];
        }
        self.heavy.clear();
        self.heavy.resize(len, END);
        for number in 1..len {
            let heavy = &mut self.heavy[self.parent[number] as usize];
            if *heavy == END || self.size[number] > self.size[*heavy as usize] {
                *heavy = number as u32;
            }
        }
        self.head.clear();
        self.head.push(END);
        for number in 1..len {
            let parent = self.parent[number] as usize;
            let is_heavy = self.heavy[parent] == number as u32;
            self.head.push(if is_heavy { self.head[parent] } else { number as u32 });
        }
    }

    /// Whether `other` is after `one` in the list. Both are there, and differ.
    fn lies_after(&mut self, one: u32, other: u32) -> bool {
        let (mut above, mut child) = ([one, other], [NEVER; 2]);
        // Climb to the same heavy path: the head with the larger number is not above the other one.
        loop {
            let heads = above.map(|number| self.head[number as usize]);
            if heads[0] == heads[1] {
                break;
            }
            let lower = usize::from(heads[1] > heads[0]);
            child[lower] = heads[lower];
            above[lower] = self.parent[heads[lower] as usize];
            self.steps += 1;
        }
        // The upper one of the two is the common ancestor.
        if above[0] != above[1] {
            let lower = usize::from(above[1] > above[0]);
            child[lower] = self.heavy[above[1 - lower] as usize];
        }
        let is_after = |child: u32| self.is_after.get(child as usize).is_some_and(|&is_after| is_after);
        // The child inserted first is farther away, and so is all that hangs on it.
        if child[1] < child[0] { is_after(child[1]) } else { !is_after(child[0]) }
    }

    fn find_positions(&mut self) {
        self.position.clear();
        self.position.resize(self.nodes.len(), 0);
        let mut number = self.next[END as usize];
        for position in 1.. {
            if number == END {
                break;
            }
            self.position[number as usize] = position;
            number = self.next[number as usize];
        }
    }

    /// The nodes as they stand in the list.
    pub(super) fn in_order(&self) -> impl Iterator<Item = u32> + '_ {
        let follow = |&number: &u32| Some(self.next[number as usize]).filter(|&next| next != END);
        core::iter::successors(follow(&END), follow).map(|number| self.nodes[number as usize])
    }

    /// The position of `node` in the list, or `None` if it was not inserted.
    #[inline]
    pub(super) fn position(&self, node: u32) -> Option<u32> {
        let number = self.number_of[node as usize];
        (number != END).then(|| self.position[number as usize])
    }

    /// Number of heavy paths that were climbed.
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }
}
