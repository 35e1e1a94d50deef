//! `currentDef`: what a variable holds at the end of a block, so far.
//!
//! Most blocks define a few variables, so each has a short list, newest first.
//! What a block defines beyond that goes into a hash table of its own.

use super::tables::{TableId, Tables};
use alloc::vec::Vec;
use ssaphire_graph::{Value, Variable};

/// Lists are not longer than this.
const LONGEST: u8 = 20;

/// The definitions of one block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    first: u32,
    len: u8,
    /// The variables the block defines, by their bit: what is not in here need not be looked for.
    pub(crate) variables: u64,
}

impl List {
    pub(crate) const EMPTY: Self = Self { first: NONE, len: 0, variables: 0 };
}

/// A definition that may be changed in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place(u32);

impl Place {
    /// No place: the definition is to be looked for.
    pub(crate) const UNKNOWN: Self = Self(NONE);
}

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The variable; the number of the block's table in the first entry of a list with a table.
    variable: Variable,
    value: Value,
    next: u32,
}

/// The definitions of all blocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Definitions {
    entries: Vec<Entry>,
    tables: Tables,
}

/// The bit that stands for the variable in sets of 64; variables may share one.
#[inline]
pub(crate) fn bit(variable: Variable) -> u64 {
    1 << (variable.index() % NUM_BITS)
}

/// Variables whose numbers differ by a multiple of this share a bit.
pub(crate) const NUM_BITS: usize = u64::BITS as usize;

impl Definitions {
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.tables.clear();
    }

    #[inline]
    pub(crate) fn get(&self, list: &List, variable: Variable) -> Option<Value> {
        if list.variables & bit(variable) == 0 {
            return None;
        }
        if list.len > LONGEST {
            return self.find_in_table(list, variable);
        }
        self.find(list.first, variable)
    }

    #[inline]
    fn find(&self, first: u32, variable: Variable) -> Option<Value> {
        let mut place = first;
        while let Some(entry) = self.entries.get(place as usize) {
            if entry.variable == variable {
                return Some(entry.value);
            }
            place = entry.next;
        }
        None
    }

    #[inline(never)]
    fn find_in_table(&self, list: &List, variable: Variable) -> Option<Value> {
        let Entry { variable: table, next, .. } = self.entries[list.first as usize];
        // What is in the table is newer than what is listed.
        let newer = self.tables.get(TableId(table.index() as u32), variable);
        newer.or_else(|| self.find(next, variable))
    }

    /// Defines the variable anew; the newest definition counts.
    #[inline(always)]
    pub(crate) fn push(&mut self, list: &mut List, variable: Variable, value: Value) -> Place {
        list.variables |= bit(variable);
        if list.len >= LONGEST {
            return self.push_to_table(list, variable, value);
        }
        list.len += 1;
        let place = self.entries.len() as u32;
        self.entries.push(Entry { variable, value, next: list.first });
        list.first = place;
        Place(place)
    }

    #[inline(never)]
    fn push_to_table(&mut self, list: &mut List, variable: Variable, value: Value) -> Place {
        if list.len == LONGEST {
            list.len += 1;
            let TableId(table) = self.tables.make();
            let entry = Entry { variable: Variable::new(table as usize), value, next: list.first };
            list.first = self.entries.len() as u32;
            self.entries.push(entry);
        }
        let table = self.entries[list.first as usize].variable;
        self.tables.set(TableId(table.index() as u32), variable, value);
        Place::UNKNOWN
    }

    /// Calls `visit` with each definition of the block; of those of one variable, the newest comes first.
    pub(crate) fn visit(&self, list: &List, mut visit: impl FnMut(Variable, Value)) {
        let mut place = list.first;
        if list.len > LONGEST {
            let Entry { variable: table, next, .. } = self.entries[place as usize];
            self.tables.visit(TableId(table.index() as u32), &mut visit);
            place = next;
        }
        while let Some(entry) = self.entries.get(place as usize) {
            visit(entry.variable, entry.value);
            place = entry.next;
        }
    }

    /// Changes the definition at a place that is known.
    #[inline]
    pub(crate) fn change(&mut self, place: Place, value: Value) {
        self.entries[place.0 as usize].value = value;
    }
}
