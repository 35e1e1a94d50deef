//! Reaching definitions where rows would be too large: the definitions of each variable, by block.
//!
//! A definition is the value that a variable is known to have at the end of a block: it was written there, or found by
//! a lookup. No block begun after the last definition, and up to the block that is asked, has one: the lookup passes
//! all of these that dominate the block, unless a write comes round from below: from a block begun after this one and
//! before the [end](Tree::loop_end) of a loop that is passed. So a lookup leaps to the first of those, by the jumps of
//! the dominator tree. If the last definition is in a block that does not dominate this one, as in an arm of a
//! conditional above, the lookup goes on from the next dominator begun before it. A lookup that goes on often leaves a
//! definition at each of these dominators, since other lookups will pass them, too.
//!
//! The sources of a join often come in order, each below the one before: there a [`Walk`] goes from one to the next.
//!
//! # Complexity
//! O(log *d* + log *n*) for each leap, with *d* definitions of the variable; O(1) for a block below the one before, if
//! the variable passes it. Memory: a definition for each access, phi and join asked and for each dominator that a lookup has
//! left one at, and two entries for each write: by variable and by block.

use super::current_def::Held;
use super::dominators::Tree;
use super::jumps::Leap;
use super::order::Order;
use alloc::collections::btree_map::Entry;
use alloc::collections::{BTreeMap, BTreeSet};
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
    by_block: BTreeMap<Order, Value>,
    /// The last of them.
    latest: (Order, Value),
    /// The blocks that write the variable.
    writes: BTreeSet<Order>,
    /// The one of those that was begun last.
    latest_write: PackedOption<Order>,
}

internal_id!(
    /// A block that writes a variable.
    Note, "note"
);

impl Definitions {
    fn note_latest(&mut self, order: Order, value: Value) {
        // Also if it is the same block: its later value is the one at its end.
        if self.latest.0 <= order {
            self.latest = (order, value);
        }
    }

    /// The last definition in the block or one before it.
    fn last(&self, order: Order) -> Option<(Order, Value)> {
        if self.latest.0 <= order {
            return Some(self.latest);
        }
        self.by_block.range(..=order).next_back().map(|(&at, &value)| (at, value))
    }

    /// The first block after this one that writes the variable.
    fn next_write(&self, order: Order) -> Option<Order> {
        if self.latest_write.expand() <= Some(order) {
            return None;
        }
        self.writes.range((Bound::Excluded(order), Bound::Unbounded)).next().copied()
    }

    /// The first block after this one that has a definition.
    fn next(&self, order: Order) -> Option<Order> {
        if self.latest.0 <= order {
            return None;
        }
        self.by_block.range((Bound::Excluded(order), Bound::Unbounded)).next().map(|(&at, _)| at)
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct History {
    /// By variable, where its definitions are, if it has any.
    places: IdMap<Variable, PackedOption<Place>>,
    definitions: IdMap<Place, Definitions>,
    /// By block, the last note of a variable that it writes; with each note, the one before.
    last_notes: IdMap<Order, PackedOption<Note>>,
    notes: IdMap<Note, (Variable, PackedOption<Note>)>,
    /// The dominators from which the last lookup has gone on, as the variable has no definition there.
    passed: Vec<Order>,
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
    fn of_mut(&mut self, variable: Variable, order: Order, value: Value) -> &mut Definitions {
        self.places.grow_to(variable, PackedOption::NONE);
        let Self { places, definitions, .. } = self;
        let place = places[variable].expand().unwrap_or_else(|| {
            let place = definitions.push(Definitions {
                by_block: BTreeMap::new(),
                latest: (order, value),
                writes: BTreeSet::new(),
                latest_write: PackedOption::NONE,
            });
            places[variable] = place.into();
            place
        });
        &mut definitions[place]
    }

    pub(super) fn get(&self, variable: Variable, order: Order) -> Option<Value> {
        self.of(variable)?.by_block.get(&order).copied()
    }

    pub(super) fn set(&mut self, variable: Variable, order: Order, value: Value) {
        let definitions = self.of_mut(variable, order, value);
        definitions.by_block.insert(order, value);
        definitions.note_latest(order, value);
    }

    /// The block writes the value.
    pub(super) fn write(&mut self, variable: Variable, order: Order, value: Value) {
        let definitions = self.of_mut(variable, order, value);
        definitions.by_block.insert(order, value);
        definitions.note_latest(order, value);
        if definitions.writes.insert(order) {
            // Blocks may be written in any order, not only in that in which they were begun.
            let latest = definitions.latest_write.expand().map_or(order, |latest| latest.max(order));
            definitions.latest_write = latest.into();
            self.last_notes.grow_to(order, PackedOption::NONE);
            let before = self.last_notes[order];
            self.last_notes[order] = self.notes.push((variable, before)).into();
        }
    }

    /// Of the blocks that write the variable, the one begun last.
    pub(super) fn latest_write(&self, variable: Variable) -> Option<Order> {
        self.of(variable)?.latest_write.expand()
    }

    /// Whether it is known that nothing writes the variable between a block and its dominator, as no block writes it that
    /// was begun after the dominator and before the end of the blocks between.
    pub(super) fn is_unwritten_below(&self, tree: &Tree, up: Order, order: Order, variable: Variable) -> bool {
        // All blocks in between were begun after `up`, which dominates them, and before `end`: if the block is not
        // late, its edges were known when it was begun, and all of these blocks had been begun before.
        let end = tree.loop_end(order).max(order);
        let next = self.of(variable).and_then(|definitions| definitions.next_write(up));
        next.is_none_or(|next| next >= end)
    }

    /// The variables noted as written in the block.
    pub(super) fn written_in(&self, order: Order) -> impl Iterator<Item = Variable> {
        let mut next = self.last_notes.get(order).copied().unwrap_or_default();
        core::iter::from_fn(move || {
            let (variable, before) = self.notes[next.expand()?];
            next = before;
            Some(variable)
        })
    }

    pub(super) fn set_if_new(&mut self, variable: Variable, order: Order, value: Value) {
        let definitions = self.of_mut(variable, order, value);
        if let Entry::Vacant(entry) = definitions.by_block.entry(order) {
            entry.insert(value);
            definitions.note_latest(order, value);
        }
    }

    /// The value of the variable at the end of the block, or the top that decides it. Each definition found counts one
    /// step, and so does each jump.
    #[inline]
    pub(super) fn held(&mut self, tree: &mut Tree, order: Order, variable: Variable, num_steps: &mut u64) -> Held {
        self.passed.clear();
        let held = self.find(tree, order, variable, num_steps);
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
    fn find(&mut self, tree: &mut Tree, order: Order, variable: Variable, num_steps: &mut u64) -> Held {
        let mut at = order;
        loop {
            let last = self.of(variable).and_then(|definitions| definitions.last(at));
            if let Some((_, value)) = last.filter(|&(last, _)| last == at) {
                *num_steps += 1;
                return Held::Value(value);
            }
            let Leap { top, is_written_in_loop, num_steps: jumps } =
                self.leap(tree, at, last.map(|(last, _)| last), variable);
            *num_steps += jumps;
            // At a root, and where a write comes round to the top, predecessors may supply different definitions.
            let Some(up) = tree.dominator(top).filter(|_| !is_written_in_loop) else { return Held::Top(top) };
            match last {
                // No block begun after `up` and up to `at` has a definition, and none comes round from later ones:
                // nothing lies in between.
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
    fn leap(&self, tree: &mut Tree, order: Order, since: Option<Order>, variable: Variable) -> Leap {
        let next = OnceCell::new();
        let find_next =
            || self.of(variable).and_then(|definitions| definitions.next_write(order)).unwrap_or(Order::LAST);
        tree.leap(order, since, variable, self.latest_write(variable), || *next.get_or_init(find_next))
    }

    /// Whether the variable is known to have the same value at the end of the block as at the end of `above`.
    fn is_passed_on(&self, tree: &mut Tree, above: Order, order: Order, variable: Variable) -> bool {
        let last = self.of(variable).and_then(|definitions| definitions.last(order));
        // A dominator is begun first. And a definition after `above` may lie between the two, or in the block itself.
        if order <= above || last.is_some_and(|(last, _)| last > above) {
            return false;
        }
        let Leap { top, is_written_in_loop, .. } = self.leap(tree, order, Some(above), variable);
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
    before: Option<(Order, Value)>,
    /// The first block after that one that has a definition.
    next: Option<Order>,
}

impl Walk<'_> {
    /// The value of the variable at the end of the block, or the top that decides it.
    pub(super) fn held(&mut self, tree: &mut Tree, order: Order) -> Held {
        if let Some((above, value)) = self.before {
            let has_none = self.next.is_none_or(|next| order < next);
            // `next` stays right: no definition lies between the two blocks.
            if has_none && tree.dominator(order) == Some(above) && tree.is_passed_by(order, self.variable) {
                *self.num_steps += 1;
                self.before = Some((order, value));
                return Held::Value(value);
            }
        }
        let passed_on = self.before.filter(|&(above, _)| self.history.is_passed_on(tree, above, order, self.variable));
        let held = match passed_on {
            Some((_, value)) => {
                *self.num_steps += 1;
                Held::Value(value)
            }
            None => self.history.held(tree, order, self.variable, self.num_steps),
        };
        if let Held::Value(value) = held {
            self.before = Some((order, value));
            self.next = self.history.of(self.variable).and_then(|definitions| definitions.next(order));
        }
        held
    }
}
