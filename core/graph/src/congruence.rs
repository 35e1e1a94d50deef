//! Congruence: a partition of nodes into classes that compute the same.
//!
//! A node has a *label* (what it does) and *operands*, which are nodes. Two nodes are congruent if they have the same
//! label and congruent operands, one by one. Where nodes depend on each other in cycles this may be true of more than
//! one partition; the *coarsest* is computed, in which all indistinguishable nodes are congruent.
//!
//! The partition begins with a class for each label, and is refined: a class whose members differ in whether their
//! operand number *i* is in another class is split. The smaller half becomes a new class, by which others are refined
//! later. If the others have been refined by the whole class, refining by the larger half would change nothing.
//!
//! # Complexity
//! O(*m* log *n*) for *n* nodes with *m* operands, plus sorting the users of a class by operand number.
//!
//! # Departures
//! The algorithm is Hopcroft's for automata (1971), with operand numbers for letters, as Alpern, Wegman and Zadeck
//! (1988) apply it to SSA form. Whether the label of a phi contains its block or its condition is the caller's choice.

use crate::{Id, IdLists, IdMap, internal_id};
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

internal_id!(
    /// Number of a class.
    Class, "class"
);

/// The coarsest partition of nodes `N` into congruent ones; keeps its memory.
///
/// # Examples
/// ```
/// use ssaphire::graph::{Congruence, IdLists, IdMap};
/// use ssaphire::Value;
///
/// // v0 and v1 are parameters, v2 = v0 + v1, v3 = v0 + v1, v4 = v1 + v0
/// let values = [0, 1, 2, 3, 4].map(Value::new);
/// let [a, b, sum, again, other] = values;
/// let labels: IdMap<Value, u32> = [0, 1, 2, 2, 2].into_iter().collect();
/// let mut operands = IdLists::new();
/// operands.rebuild(5, [(sum, a), (sum, b), (again, a), (again, b), (other, b), (other, a)].into_iter());
/// let mut congruence = Congruence::new();
/// congruence.rebuild(&labels, &operands);
/// assert!(congruence.are_congruent(sum, again) && !congruence.are_congruent(sum, other));
/// assert_eq!((congruence.congruent_to(sum).len(), congruence.classes().count()), (2, 4));
/// ```
#[derive(Clone)]
pub struct Congruence<N> {
    /// The nodes, class by class.
    members: Vec<N>,
    /// Where each node is among them.
    place: IdMap<N, u32>,
    class_of: IdMap<N, Class>,
    classes: IdMap<Class, ClassData>,
    /// The classes to compare others with.
    work: Vec<Class>,
    /// By node: the nodes it is an operand of, each with the number of the operand.
    users: IdLists<N, (u32, N)>,
    /// The users of the current class, by operand number.
    using: Vec<(u32, N)>,
    /// The classes some members of which were found to use it.
    touched: Vec<Class>,
}

#[derive(Clone, Copy, Debug)]
struct ClassData {
    /// Where its members begin, and end.
    first: u32,
    end: u32,
    /// Number of members found to use the current class: they come first.
    num_found: u32,
}

impl ClassData {
    fn range(self) -> Range<usize> {
        self.first as usize..self.end as usize
    }
}

impl<N: Id> fmt::Debug for Congruence<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.classes()).finish()
    }
}

impl<N: Id> Default for Congruence<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<N: Id> Congruence<N> {
    /// An empty partition.
    pub const fn new() -> Self {
        Self {
            members: Vec::new(),
            place: IdMap::new(),
            class_of: IdMap::new(),
            classes: IdMap::new(),
            work: Vec::new(),
            users: IdLists::new(),
            using: Vec::new(),
            touched: Vec::new(),
        }
    }

    /// Recomputes the coarsest partition of the nodes that have a label.
    ///
    /// Nodes with the same label have the same number of operands; otherwise, the first operand that one of
    /// them lacks separates them.
    ///
    /// # Panics
    /// If an operand has no label.
    ///
    /// # Complexity
    /// See the [module](self).
    pub fn rebuild(&mut self, labels: &IdMap<N, u32>, operands: &IdLists<N, N>) {
        let nodes = || labels.keys();
        let uses =
            nodes().flat_map(|user| (0..).zip(operands.of(user)).map(move |(index, &used)| (used, (index, user))));
        self.users.rebuild(labels.len(), uses);
        self.begin(labels);
        while let Some(class) = self.work.pop() {
            self.using.clear();
            for &member in &self.members[self.classes[class].range()] {
                self.using.extend_from_slice(self.users.of(member));
            }
            self.using.sort_unstable();
            let using = core::mem::take(&mut self.using);
            for users in using.chunk_by(|(index, _), (other, _)| index == other) {
                self.split_by(users);
            }
            self.using = using;
        }
    }

    /// A class for each label.
    fn begin(&mut self, labels: &IdMap<N, u32>) {
        self.members.clear();
        self.members.extend(labels.keys());
        self.members.sort_by_key(|&node| labels[node]);
        self.place.reset(labels.len(), 0);
        self.class_of.reset(labels.len(), Class(0));
        self.classes.clear();
        self.work.clear();
        let mut first = 0;
        for members in self.members.chunk_by(|&one, &other| labels[one] == labels[other]) {
            let end = first + members.len() as u32;
            let class = self.classes.push(ClassData { first, end, num_found: 0 });
            for (&member, place) in members.iter().zip(first..) {
                (self.place[member], self.class_of[member]) = (place, class);
            }
            self.work.push(class);
            first = end;
        }
    }

    /// Splits each class that has members both in `users`, where each occurs once, and outside of it.
    fn split_by(&mut self, users: &[(u32, N)]) {
        for &(_, user) in users {
            let class = self.class_of[user];
            let data = &mut self.classes[class];
            if data.num_found == 0 {
                self.touched.push(class);
            }
            let to = data.first + data.num_found;
            data.num_found += 1;
            self.swap(self.place[user], to);
        }
        while let Some(class) = self.touched.pop() {
            let ClassData { first, end, num_found, .. } = self.classes[class];
            self.classes[class].num_found = 0;
            if first + num_found < end {
                self.split(class, first + num_found);
            }
        }
    }

    fn swap(&mut self, from: u32, to: u32) {
        self.members.swap(from as usize, to as usize);
        for place in [from, to] {
            self.place[self.members[place as usize]] = place;
        }
    }

    /// Makes the members before `middle`, or those from there on, a class of their own.
    ///
    /// The smaller part is moved: it has no more members than were found, so that a class which loses members one by
    /// one is not traversed for each of them.
    fn split(&mut self, class: Class, middle: u32) {
        let ClassData { first, end, .. } = self.classes[class];
        let (kept, moved) = match end - middle <= middle - first {
            true => (first..middle, middle..end),
            false => (middle..end, first..middle),
        };
        (self.classes[class].first, self.classes[class].end) = (kept.start, kept.end);
        let new = self.classes.push(ClassData { first: moved.start, end: moved.end, num_found: 0 });
        for &member in &self.members[moved.start as usize..moved.end as usize] {
            self.class_of[member] = new;
        }
        // If the whole class is queued, so is the remainder.
        self.work.push(new);
    }

    /// Whether the two are congruent.
    pub fn are_congruent(&self, one: N, other: N) -> bool {
        self.class_of[one] == self.class_of[other]
    }

    /// The nodes congruent to `node`, itself included, in no particular but a fixed order.
    pub fn congruent_to(&self, node: N) -> &[N] {
        &self.members[self.classes[self.class_of[node]].range()]
    }

    /// The classes, in no particular but a fixed order.
    pub fn classes(&self) -> impl Iterator<Item = &[N]> {
        self.classes.values().map(|class| &self.members[class.range()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Value;

    /// A class that loses members one by one, each to a class of its own.
    #[test]
    fn a_chain_of_two_hundred_thousand_nodes_is_told_apart() {
        const LEN: usize = 200_000;
        let nodes: Vec<Value> = (0..LEN).map(Value::new).collect();
        let labels: IdMap<Value, u32> = nodes.iter().map(|node| u32::from(node.index() > 0)).collect();
        let mut operands = IdLists::new();
        operands.rebuild(LEN, nodes.windows(2).map(|pair| (pair[1], pair[0])));
        let mut congruence = Congruence::new();
        congruence.rebuild(&labels, &operands);
        assert_eq!(congruence.classes().count(), LEN);
    }
}
