//! The content of each location at the current point.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use ssaphire_graph::Value;

/// The symbolic contents of locations. A location without an entry has an unknown content.
#[derive(Debug, Default)]
pub(super) struct State {
    held: BTreeMap<u32, Value>,
    /// The contents before each change of a trial, last change last.
    undo: Option<Vec<(u32, Option<Value>)>>,
}

impl State {
    pub(super) fn clear(&mut self) {
        self.held.clear();
        self.undo = None;
    }

    pub(super) fn get(&self, location: u32) -> Option<Value> {
        self.held.get(&location).copied()
    }

    /// Sets the content of the location; returns the previous one.
    pub(super) fn set(&mut self, location: u32, value: Value) -> Option<Value> {
        self.change(location, Some(value))
    }

    pub(super) fn copy(&mut self, to: u32, from: u32) {
        self.change(to, self.get(from));
    }

    fn change(&mut self, location: u32, value: Option<Value>) -> Option<Value> {
        let before = match value {
            Some(value) => self.held.insert(location, value),
            None => self.held.remove(&location),
        };
        if let Some(undo) = &mut self.undo {
            undo.push((location, before));
        }
        before
    }

    /// Begins a trial: [`Self::end_trial`] undoes the changes from here on.
    pub(super) fn begin_trial(&mut self) {
        self.undo = Some(Vec::new());
    }

    pub(super) fn end_trial(&mut self) {
        for (location, before) in self.undo.take().into_iter().flatten().rev() {
            self.change(location, before);
        }
    }
}
