//! What variables hold, where rows would be too large: the definitions of each variable, by block.
//!
//! A definition is what a block is known to hold for a variable at its end: it
//! was written there, or found. Blocks after the last definition, in order,
//! have none: whichever of them dominates the block that is asked, the variable
//! passes it, unless it comes round from below. So a lookup leaps to
//! the first of those, by the jumps of the dominator tree.
//!
//! # Complexity
//! O(log *d* + log *n*) for each leap, with *d* definitions. Memory: O(*d*), and a definition for each access, phi and
//! join asked.

use super::current_def::Held;
use super::dominators::Tree;
use super::jumps::Leap;
use super::order::Order;
use alloc::collections::BTreeMap;
use alloc::collections::btree_map::Entry;
use ssaphire_graph::{IdMap, Value, Variable};

#[derive(Clone, Debug, Default)]
pub(super) struct History {
    definitions: BTreeMap<(Variable, Order), Value>,
    /// The last definition of each variable.
    latest: IdMap<Variable, Option<(Order, Value)>>,
}

impl History {
    pub(super) fn clear(&mut self) {
        self.definitions.clear();
        self.latest.clear();
    }

    pub(super) fn get(&self, variable: Variable, order: Order) -> Option<Value> {
        self.definitions.get(&(variable, order)).copied()
    }

    pub(super) fn set(&mut self, variable: Variable, order: Order, value: Value) {
        self.definitions.insert((variable, order), value);
        self.note_latest(variable, order, value);
    }

    pub(super) fn set_if_new(&mut self, variable: Variable, order: Order, value: Value) {
        if let Entry::Vacant(entry) = self.definitions.entry((variable, order)) {
            entry.insert(value);
            self.note_latest(variable, order, value);
        }
    }

    fn note_latest(&mut self, variable: Variable, order: Order, value: Value) {
        self.latest.grow_to(variable, None);
        let latest = &mut self.latest[variable];
        if latest.is_none_or(|(last, _)| last <= order) {
            *latest = Some((order, value));
        }
    }

    /// The last definition of the variable in the block or one before it.
    fn last(&self, variable: Variable, order: Order) -> Option<(Order, Value)> {
        let latest = self.latest.get(variable).copied().flatten()?;
        if latest.0 <= order {
            return Some(latest);
        }
        let first = (variable, Order::FIRST);
        let (&(_, at), &value) = self.definitions.range(first..=(variable, order)).next_back()?;
        Some((at, value))
    }

    /// What the variable holds at the end of the block. Each definition that is passed counts one step.
    pub(super) fn held(&self, tree: &Tree, order: Order, variable: Variable, num_steps: &mut u64) -> Held {
        let mut at = order;
        loop {
            *num_steps += 1;
            let last = self.last(variable, at);
            if let Some((_, value)) = last.filter(|&(last, _)| last == at) {
                return Held::Value(value);
            }
            let Leap { top, comes_round } = tree.leap(at, last.map(|(last, _)| last), variable);
            let Some(up) = tree.dominator(top).filter(|_| !comes_round) else { return Held::Top(top) };
            match last {
                Some((last, value)) if last == up => return Held::Value(value),
                _ if tree.between(top).may_have(variable) => return Held::Top(top),
                _ => at = up,
            }
        }
    }
}
