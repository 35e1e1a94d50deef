//! `currentDef`: the value of a variable at the end of a block, so far.
//!
//! Most blocks define a few variables, so each has a short list, newest first.
//! A block with more definitions has a hash table.

use super::tables::{TableId, Tables};
use ssaphire_construct::Thresholds;
use ssaphire_graph::{Id, IdMap, PackedOption, Value, Variable, internal_id};

/// The definitions of one block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    first: PackedOption<Place>,
    len: u8,
    /// The bits of the variables that the block defines: no other variable needs to be searched for.
    pub(crate) variables: u64,
}

impl List {
    pub(crate) const EMPTY: Self = Self { first: PackedOption::NONE, len: 0, variables: 0 };
}

internal_id!(
    /// Where a definition is stored, and may be changed.
    pub(crate) Place, "place"
);

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The variable; the number of the block's table in the first entry of a list with a table.
    variable: Variable,
    value: Value,
    next: PackedOption<Place>,
}

/// The definitions of all blocks.
#[derive(Clone, Debug)]
pub(crate) struct Definitions {
    /// Lists are not longer than this.
    longest: u8,
    entries: IdMap<Place, Entry>,
    tables: Tables,
}

/// The bit of the variable in sets of 64; variables may share one.
#[inline]
pub(crate) fn bit(variable: Variable) -> u64 {
    1 << (variable.index() % NUM_BITS)
}

/// Variables whose numbers differ by a multiple of this share a bit.
pub(crate) const NUM_BITS: usize = u64::BITS as usize;

impl Definitions {
    pub(crate) fn new(thresholds: &Thresholds) -> Self {
        // The length of a list with a table is one more.
        let longest = thresholds.listed_definitions.min(u8::MAX - 1);
        Self { longest, entries: IdMap::new(), tables: Tables::new(thresholds.table_bits) }
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.tables.clear();
    }

    #[inline]
    pub(crate) fn get(&self, list: &List, variable: Variable) -> Option<Value> {
        if list.variables & bit(variable) == 0 {
            return None;
        }
        if list.len > self.longest {
            return self.find_in_table(list, variable);
        }
        self.find(list.first, variable)
    }

    #[inline]
    fn find(&self, first: PackedOption<Place>, variable: Variable) -> Option<Value> {
        let mut place = first;
        while let Some(entry) = self.entries.find(place) {
            if entry.variable == variable {
                return Some(entry.value);
            }
            place = entry.next;
        }
        None
    }

    #[inline(never)]
    fn find_in_table(&self, list: &List, variable: Variable) -> Option<Value> {
        let (table, older) = self.table(list)?;
        let newer = self.tables.get(table, variable);
        newer.or_else(|| self.find(older, variable))
    }

    /// The table of a list that is too long, and the rest of the list, which is older than the table.
    fn table(&self, list: &List) -> Option<(TableId, PackedOption<Place>)> {
        let head = self.entries.find(list.first).filter(|_| list.len > self.longest)?;
        Some((TableId::new(head.variable.index()), head.next))
    }

    /// Adds a definition of the variable, which replaces older ones. Returns where it is stored, if it is in the list.
    #[inline(always)]
    pub(crate) fn push(&mut self, list: &mut List, variable: Variable, value: Value) -> PackedOption<Place> {
        list.variables |= bit(variable);
        if list.len >= self.longest {
            return self.push_to_table(list, variable, value);
        }
        list.len += 1;
        list.first = self.entries.push(Entry { variable, value, next: list.first }).into();
        list.first
    }

    #[inline(never)]
    fn push_to_table(&mut self, list: &mut List, variable: Variable, value: Value) -> PackedOption<Place> {
        if list.len == self.longest {
            list.len += 1;
            let table = Variable::new(self.tables.make().index());
            list.first = self.entries.push(Entry { variable: table, value, next: list.first }).into();
        }
        if let Some((table, _)) = self.table(list) {
            self.tables.set(table, variable, value);
        }
        PackedOption::NONE
    }

    /// Calls `visit` with each definition of the block; of those of one variable, the newest comes first.
    pub(crate) fn visit(&self, list: &List, mut visit: impl FnMut(Variable, Value)) {
        let mut place = list.first;
        if let Some((table, older)) = self.table(list) {
            self.tables.visit(table, &mut visit);
            place = older;
        }
        while let Some(entry) = self.entries.find(place) {
            visit(entry.variable, entry.value);
            place = entry.next;
        }
    }

    /// Changes the definition at a place that is known.
    #[inline]
    pub(crate) fn change(&mut self, place: Place, value: Value) {
        self.entries[place].value = value;
    }
}
