//! Reaching definitions where rows would be too large: the definitions of each variable, by block.
//!
//! A definition is the value that a variable is known to have at the end of a node: it was written there, or found by a
//! lookup. A lookup starts at a node, and finds the last definition at it or an older node. No node in between has a
//! definition, so the lookup passes all of them that dominate the node, unless a write reaches one of their tops along
//! a back edge: from a node that is newer than the start and older than the [end](Tree::loop_end) of a loop that is
//! passed. So the lookup leaps to the highest of these dominators, with the jumps of the tree. If the last definition
//! is in a node that does not dominate this one, as in an arm of a conditional above, the lookup continues from the
//! next dominator. If that happens often, the lookup stores a definition at each of these dominators, since other
//! lookups will pass them, too.
//!
//! The sources of a join often come in order, each below the one before: a [`Walk`] uses the result for one at the
//! next.
//!
//! # Complexity
//! O(log *d* + log *n*) for each leap, with *d* definitions of the variable; O(1) for a node right below the one
//! before, if nothing is written in between. Memory: a definition for each access, phi and decided join, and for each
//! dominator at which a lookup has stored one; two entries for each write, by variable and by node.

use super::current_def::Held;
use super::dominators::Tree;
use super::jumps::Leap;
use super::node_id::NodeId;
use alloc::collections::BTreeMap;
use alloc::collections::btree_map::Entry;
use alloc::vec::Vec;
use core::cell::OnceCell;
use core::ops::Bound;
use ssaphire_graph::internal_id;
use ssaphire_graph::{IdMap, PackedOption, Value, Variable};

internal_id!(
    /// Where the definitions of a variable are.
    Place, "place"
);

/// The definitions of one variable.
#[derive(Clone, Debug)]
struct Definitions {
    by_block: BTreeMap<NodeId, Value>,
    /// The last of them.
    latest: (NodeId, Value),
    /// The blocks that write the variable, with the last value of each. Without the values, a program would contain the
    /// code of a second kind of tree.
    writes: BTreeMap<NodeId, Value>,
    /// The newest of those.
    latest_write: PackedOption<NodeId>,
}

internal_id!(
    /// A block that writes a variable.
    Note, "note"
);

impl Definitions {
    fn note_latest(&mut self, node: NodeId, value: Value) {
        // Also if it is the same block: its later value is the one at its end.
        if self.latest.0 <= node {
            self.latest = (node, value);
        }
    }

    /// The last definition in the block or one before it.
    fn last(&self, node: NodeId) -> Option<(NodeId, Value)> {
        if self.latest.0 <= node {
            return Some(self.latest);
        }
        self.by_block.range(..=node).next_back().map(|(&at, &value)| (at, value))
    }

    /// The first block after this one that writes the variable.
    fn next_write(&self, node: NodeId) -> Option<NodeId> {
        if self.latest_write.expand() <= Some(node) {
            return None;
        }
        self.writes.range((Bound::Excluded(node), Bound::Unbounded)).next().map(|(&at, _)| at)
    }

    /// The first block after this one that has a definition.
    fn next(&self, node: NodeId) -> Option<NodeId> {
        if self.latest.0 <= node {
            return None;
        }
        self.by_block.range((Bound::Excluded(node), Bound::Unbounded)).next().map(|(&at, _)| at)
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct History {
    /// By variable, where its definitions are, if it has any.
    places: IdMap<Variable, PackedOption<Place>>,
    definitions: IdMap<Place, Definitions>,
    /// By block, the last note of a variable that it writes; with each note, the one before.
    last_notes: IdMap<NodeId, PackedOption<Note>>,
    notes: IdMap<Note, (Variable, PackedOption<Note>)>,
    /// The dominators from which the last lookup has gone on, as the variable has no definition there.
    passed: Vec<NodeId>,
    /// [`Thresholds::passed_dominators`](crate::Thresholds::passed_dominators).
    max_passed: usize,
}

impl History {
    pub(super) fn new(max_passed: usize) -> Self {
        Self { max_passed, ..Self::default() }
    }

    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.definitions.clear();
        self.last_notes.clear();
        self.notes.clear();
    }

    fn of(&self, variable: Variable) -> Option<&Definitions> {
        self.places.get(variable)?.expand().map(|place| &self.definitions[place])
    }

    /// The definitions of the variable; with `value` as the latest one if it had none before.
    fn of_mut(&mut self, variable: Variable, node: NodeId, value: Value) -> &mut Definitions {
        self.places.grow_to(variable, PackedOption::NONE);
        let Self { places, definitions, .. } = self;
        let place = places[variable].expand().unwrap_or_else(|| {
            let place = definitions.push(Definitions {
                by_block: BTreeMap::new(),
                latest: (node, value),
                writes: BTreeMap::new(),
                latest_write: PackedOption::NONE,
            });
            places[variable] = place.into();
            place
        });
        &mut definitions[place]
    }

    pub(super) fn get(&self, variable: Variable, node: NodeId) -> Option<Value> {
        self.of(variable)?.by_block.get(&node).copied()
    }

    pub(super) fn set(&mut self, variable: Variable, node: NodeId, value: Value) {
        let definitions = self.of_mut(variable, node, value);
        definitions.by_block.insert(node, value);
        definitions.note_latest(node, value);
    }

    /// The block writes the value.
    pub(super) fn write(&mut self, variable: Variable, node: NodeId, value: Value) {
        let definitions = self.of_mut(variable, node, value);
        definitions.by_block.insert(node, value);
        definitions.note_latest(node, value);
        if definitions.writes.insert(node, value).is_none() {
            // Writes may come in any order, not only in that of the nodes.
            let latest = definitions.latest_write.expand().map_or(node, |latest| latest.max(node));
            definitions.latest_write = latest.into();
            self.last_notes.grow_to(node, PackedOption::NONE);
            let before = self.last_notes[node];
            self.last_notes[node] = self.notes.push((variable, before)).into();
        }
    }

    /// The newest node that writes the variable.
    pub(super) fn latest_write(&self, variable: Variable) -> Option<NodeId> {
        self.of(variable)?.latest_write.expand()
    }

    /// Whether it is known that nothing writes the variable between a node and its dominator: no node writes it that is
    /// newer than the dominator and older than the bound of the nodes between.
    pub(super) fn is_unwritten_below(&self, tree: &Tree, up: NodeId, node: NodeId, variable: Variable) -> bool {
        // All nodes in between are newer than `up`, which dominates them, and older than `end`: if the node is not
        // late, its edges were known when it was created, so all of these nodes existed before it.
        let end = tree.loop_end(node).max(node);
        let next = self.of(variable).and_then(|definitions| definitions.next_write(up));
        next.is_none_or(|next| next >= end)
    }

    /// The variables noted as written in the block.
    pub(super) fn written_in(&self, node: NodeId) -> impl Iterator<Item = Variable> {
        let mut next = self.last_notes.get(node).copied().unwrap_or_default();
        core::iter::from_fn(move || {
            let (variable, before) = self.notes[next.expand()?];
            next = before;
            Some(variable)
        })
    }

    pub(super) fn set_if_new(&mut self, variable: Variable, node: NodeId, value: Value) {
        let definitions = self.of_mut(variable, node, value);
        if let Entry::Vacant(entry) = definitions.by_block.entry(node) {
            entry.insert(value);
            definitions.note_latest(node, value);
        }
    }

    /// The value of the variable at the end of the block, or the top that decides it. Each definition found counts one
    /// step, and so does each jump.
    #[inline]
    pub(super) fn held(&mut self, tree: &mut Tree, node: NodeId, variable: Variable, num_steps: &mut u64) -> Held {
        self.passed.clear();
        let held = self.find(tree, node, variable, num_steps);
        // Without these definitions, each read below a row of conditionals would pass all of them again.
        if self.passed.len() > self.max_passed {
            if let Held::Value(value) = held {
                self.define_passed(variable, value);
            }
        }
        held
    }

    /// The value of the variable at the end of the block, or the top that decides it; lists in `passed` the dominators
    /// from which the lookup goes on.
    fn find(&mut self, tree: &mut Tree, node: NodeId, variable: Variable, num_steps: &mut u64) -> Held {
        let mut at = node;
        loop {
            let last = self.of(variable).and_then(|definitions| definitions.last(at));
            if let Some((_, value)) = last.filter(|&(last, _)| last == at) {
                *num_steps += 1;
                return Held::Value(value);
            }
            let Leap { top, is_written_in_loop, num_steps: jumps } =
                self.leap(tree, at, last.map(|(last, _)| last), variable);
            *num_steps += jumps;
            // At a root, and at a top that a write reaches along a back edge, predecessors may supply different
            // definitions.
            let Some(up) = tree.dominator(top).filter(|_| !is_written_in_loop) else { return Held::Top(top) };
            match last {
                // No node newer than `up`, up to `at`, has a definition, and none of a newer one reaches the top:
                // there is no definition in between.
                Some((last, value)) if last == up => return Held::Value(value),
                // The last definition is in a block that does not dominate this one, as in an arm of a conditional:
                // the variable may be written on the way.
                _ if tree.between(top).may_have(variable) && !self.is_unwritten_below(tree, up, top, variable) => {
                    return Held::Top(top);
                }
                _ => {
                    self.passed.push(up);
                    at = up;
                }
            }
        }
    }

    /// Defines the value in all blocks that the last lookup has passed.
    #[cold]
    #[inline(never)]
    fn define_passed(&mut self, variable: Variable, value: Value) {
        let passed = core::mem::take(&mut self.passed);
        passed.iter().for_each(|&at| self.set_if_new(variable, at, value));
        self.passed = passed;
    }

    /// [`Tree::leap`], with the definitions of the variable.
    fn leap(&self, tree: &mut Tree, node: NodeId, since: Option<NodeId>, variable: Variable) -> Leap {
        let next = OnceCell::new();
        let find_next =
            || self.of(variable).and_then(|definitions| definitions.next_write(node)).unwrap_or(NodeId::LAST);
        tree.leap(node, since, variable, self.latest_write(variable), || *next.get_or_init(find_next))
    }

    /// Whether the variable is known to have the same value at the end of the block as at the end of `above`.
    fn is_passed_on(&self, tree: &mut Tree, above: NodeId, node: NodeId, variable: Variable) -> bool {
        let last = self.of(variable).and_then(|definitions| definitions.last(node));
        // A dominator is older. And a definition newer than `above` may lie between the two, or in the node itself.
        if node <= above || last.is_some_and(|(last, _)| last > above) {
            return false;
        }
        let Leap { top, is_written_in_loop, .. } = self.leap(tree, node, Some(above), variable);
        !is_written_in_loop && tree.dominator(top) == Some(above)
    }

    /// Begins to look up the variable in one block after the other.
    pub(super) fn walk<'a>(&'a mut self, variable: Variable, num_steps: &'a mut u64) -> Walk<'a> {
        Walk { history: self, variable, num_steps, before: None, next: None }
    }
}

/// Looks up one variable in one block after the other.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    history: &'a mut History,
    variable: Variable,
    num_steps: &'a mut u64,
    /// The block asked before, and the value of the variable there.
    before: Option<(NodeId, Value)>,
    /// The first block after that one that has a definition.
    next: Option<NodeId>,
}

impl Walk<'_> {
    /// The value of the variable at the end of the block, or the top that decides it.
    pub(super) fn held(&mut self, tree: &mut Tree, node: NodeId) -> Held {
        if let Some((above, value)) = self.before {
            let has_none = self.next.is_none_or(|next| node < next);
            // `next` stays right: no definition lies between the two blocks.
            if has_none && tree.dominator(node) == Some(above) && tree.is_passed_by(node, self.variable) {
                *self.num_steps += 1;
                self.before = Some((node, value));
                return Held::Value(value);
            }
        }
        let passed_on = self.before.filter(|&(above, _)| self.history.is_passed_on(tree, above, node, self.variable));
        let held = match passed_on {
            Some((_, value)) => {
                *self.num_steps += 1;
                Held::Value(value)
            }
            None => self.history.held(tree, node, self.variable, self.num_steps),
        };
        if let Held::Value(value) = held {
            self.before = Some((node, value));
            self.next = self.history.of(self.variable).and_then(|definitions| definitions.next(node));
        }
        held
    }
}
