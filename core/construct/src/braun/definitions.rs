//! `currentDef`: what a variable holds at the end of a block, so far.
//!
//! Most blocks define a few variables, so each has a short list, newest first.
//! What a block defines beyond that goes into a hash table all blocks share.

use super::hashed::Hashed;
use crate::fault::{self, Fault};
use alloc::vec::Vec;
use ssaphire_graph::{Block, Value, Variable};

/// Lists are not longer than this.
const LONGEST: u8 = 12;

/// The definitions of one block.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    first: u32,
    len: u8,
    /// The variables the block defines, by their bit: what is not in here need not be looked for.
    pub(super) variables: u64,
}

impl List {
    pub(super) const EMPTY: Self = Self { first: NONE, len: 0, variables: 0 };
}

/// A definition that may be changed in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place(u32);

impl Place {
    /// No place: the definition is to be looked for.
    pub(super) const UNKNOWN: Self = Self(NONE);
}

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Entry {
    variable: Variable,
    value: Value,
    next: u32,
}

/// The definitions of all blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Definitions {
    entries: Vec<Entry>,
    hashed: Hashed,
}

/// The bit that stands for the variable in sets of 64; variables may share one.
#[inline]
pub(super) fn bit(variable: Variable) -> u64 {
    1 << (variable.index() & 63)
}

impl Definitions {
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.hashed.clear();
    }

    #[inline]
    pub(super) fn get(&self, list: &List, block: Block, variable: Variable) -> Option<Value> {
        if list.variables & bit(variable) == 0 {
            return None;
        }
        self.find(list, block, variable)
    }

    #[inline]
    fn find(&self, list: &List, block: Block, variable: Variable) -> Option<Value> {
        if list.len > LONGEST && !fault::is_on(Fault::ListedComesFirst) {
            // What is hashed is newer than what is listed.
            if let Some(value) = self.hashed.get(block, variable) {
                return Some(value);
            }
        }
        let mut place = list.first;
        while let Some(entry) = self.entries.get(place as usize) {
            if entry.variable == variable {
                return Some(entry.value);
            }
            place = entry.next;
        }
        if fault::is_on(Fault::ListedComesFirst) {
            return self.hashed.get(block, variable);
        }
        None
    }

    /// Defines the variable anew; the newest definition counts.
    #[inline(always)]
    pub(super) fn push(&mut self, list: &mut List, block: Block, variable: Variable, value: Value) -> Place {
        list.variables |= if fault::is_on(Fault::DefinitionsHaveNoBit) { 0 } else { bit(variable) };
        if list.len >= LONGEST {
            list.len = LONGEST + 1;
            self.hashed.set(block, variable, value);
            return Place::UNKNOWN;
        }
        list.len += 1;
        let place = self.entries.len() as u32;
        self.entries.push(Entry { variable, value, next: list.first });
        list.first = place;
        Place(place)
    }

    /// Changes the definition at a place that is known.
    #[inline]
    pub(super) fn change(&mut self, place: Place, value: Value) {
        self.entries[place.0 as usize].value = value;
    }
}
