//! Hash tables from variables to values: one for each block that defines many.
//!
//! Variables with numbers near each other have cells near each other: whoever
//! goes through the variables in order goes through memory in order.

use alloc::vec::Vec;
use ssaphire_graph::{IdMap, PackedOption, Value, Variable, internal_id};

/// The tables, with open addressing, each in a region of the cells.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    /// Bits of the smallest region.
    smallest: u8,
    tables: IdMap<TableId, Table>,
    cells: Vec<Cell>,
    /// By bits, where the regions start that tables have grown out of.
    free: [Vec<usize>; 32],
}

internal_id!(
    /// Number of a table.
    pub(crate) TableId, "table"
);

/// A region of `1 << bits` cells, of which `len` are in use.
#[derive(Clone, Copy, Debug)]
struct Table {
    start: usize,
    len: u32,
    bits: u8,
}

#[derive(Clone, Copy, Debug)]
struct Cell {
    variable: PackedOption<Variable>,
    value: Value,
}

impl Cell {
    const EMPTY: Self = Self { variable: PackedOption::NONE, value: Value::new(0) };
}

impl Tables {
    /// No tables, and later on only with regions of that many bits, or of more.
    pub(crate) fn new(smallest: u8) -> Self {
        Self { smallest: smallest.clamp(2, 31), tables: IdMap::new(), cells: Vec::new(), free: Default::default() }
    }

    pub(crate) fn clear(&mut self) {
        self.tables.clear();
        self.cells.clear();
        self.free.iter_mut().for_each(Vec::clear);
    }

    /// A new table, which has nothing.
    pub(crate) fn make(&mut self) -> TableId {
        let start = self.take_region(self.smallest);
        self.tables.push(Table { start, len: 0, bits: self.smallest })
    }

    #[inline]
    pub(crate) fn get(&self, id: TableId, variable: Variable) -> Option<Value> {
        let cell = &self.cells[self.place(&self.tables[id], variable)];
        cell.variable.is_some().then_some(cell.value)
    }

    /// Calls `visit` with each variable of the table and its value.
    pub(crate) fn visit(&self, id: TableId, mut visit: impl FnMut(Variable, Value)) {
        let Table { start, bits, .. } = self.tables[id];
        for &Cell { variable, value } in &self.cells[start..start + (1 << bits)] {
            if let Some(variable) = variable.expand() {
                visit(variable, value);
            }
        }
    }

    #[inline]
    pub(crate) fn set(&mut self, id: TableId, variable: Variable, value: Value) {
        let table = self.tables[id];
        let place = self.place(&table, variable);
        let before = core::mem::replace(&mut self.cells[place], Cell { variable: variable.into(), value });
        if before.variable.is_none() {
            let len = table.len + 1;
            self.tables[id].len = len;
            // Three quarters full.
            if len > 3 << (table.bits - 2) {
                self.grow(id);
            }
        }
    }

    /// The cell that the variable has, or would get. There is always a free one.
    #[inline]
    fn place(&self, table: &Table, variable: Variable) -> usize {
        let region = &self.cells[table.start..][..1 << table.bits];
        // No two of 2^bits variables in a row want the same cell; each such row is shuffled in its own way.
        let number = variable.index() as u32;
        let row = (number >> table.bits).wrapping_mul(0x9e37_79b9) >> (32 - table.bits);
        let mut place = (number ^ row) as usize & (region.len() - 1);
        while region[place].variable != variable.into() && region[place].variable.is_some() {
            place = (place + 1) & (region.len() - 1);
        }
        table.start + place
    }

    #[cold]
    fn grow(&mut self, id: TableId) {
        let old = self.tables[id];
        let bits = old.bits + 1;
        let grown = Table { start: self.take_region(bits), bits, ..old };
        self.tables[id] = grown;
        for place in old.start..old.start + (1 << old.bits) {
            let cell = self.cells[place];
            if let Some(variable) = cell.variable.expand() {
                let place = self.place(&grown, variable);
                self.cells[place] = cell;
            }
        }
        self.free[old.bits as usize].push(old.start);
    }

    /// A region of that many bits, all of whose cells are empty: its start.
    fn take_region(&mut self, bits: u8) -> usize {
        let len = 1 << bits;
        if let Some(start) = self.free[bits as usize].pop() {
            self.cells[start..][..len].fill(Cell::EMPTY);
            return start;
        }
        let start = self.cells.len();
        self.cells.resize(start + len, Cell::EMPTY);
        start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables that grow side by side, for variables in rows that lie apart.
    #[test]
    fn what_was_set_is_there() {
        let mut tables = Tables::new(5);
        for round in 0..3 {
            let ids: Vec<TableId> = (0..7).map(|_| tables.make()).collect();
            let variable = |index: usize| Variable::new(index % 100 + index / 100 * 12_345);
            for index in 0..2000 {
                for (number, &id) in ids.iter().enumerate().filter(|&(number, _)| index % (number + 1) == 0) {
                    tables.set(id, variable(index), Value::new(index + number + round));
                }
            }
            for index in 0..2000 {
                for (number, &id) in ids.iter().enumerate() {
                    let value = (index % (number + 1) == 0).then(|| Value::new(index + number + round));
                    assert_eq!(tables.get(id, variable(index)), value);
                }
            }
            tables.clear();
        }
    }

    #[test]
    fn regions_are_used_again() {
        let mut tables = Tables::new(5);
        for _ in 0..100 {
            let id = tables.make();
            (0..700).for_each(|index| tables.set(id, Variable::new(index), Value::new(index)));
        }
        assert!(tables.cells.len() <= 101 * 1024, "{}", tables.cells.len());
    }
}
