//! Hash tables from variables to values: one for each block that defines many.
//!
//! Variables with numbers near each other have cells near each other: whoever
//! goes through the variables in order goes through memory in order.

use alloc::vec::Vec;
use ssaphire_graph::{Value, Variable};

/// The tables, with open addressing, each in a region of the cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tables {
    tables: Vec<Table>,
    cells: Vec<Cell>,
    free: FreeRegions,
}

/// Number of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableId(pub(crate) u32);

/// A region of `1 << bits` cells, of which `len` are in use.
#[derive(Clone, Copy, Debug)]
struct Table {
    start: u32,
    len: u32,
    bits: u8,
}

#[derive(Clone, Copy, Debug)]
struct Cell {
    variable: u32,
    value: u32,
}

const NONE: u32 = u32::MAX;

impl Cell {
    const EMPTY: Self = Self { variable: NONE, value: NONE };
}

/// Bits of the smallest region.
const SMALLEST: u8 = 5;

/// Regions that tables have grown out of, by bits: the first, whose first cell has the next as its value.
#[derive(Clone, Debug)]
struct FreeRegions([u32; 32]);

impl Default for FreeRegions {
    fn default() -> Self {
        Self([NONE; 32])
    }
}

impl Tables {
    pub(crate) fn clear(&mut self) {
        self.tables.clear();
        self.cells.clear();
        self.free = FreeRegions::default();
    }

    /// A new table, which has nothing.
    pub(crate) fn make(&mut self) -> TableId {
        let start = self.take_region(SMALLEST);
        self.tables.push(Table { start, len: 0, bits: SMALLEST });
        TableId(self.tables.len() as u32 - 1)
    }

    #[inline]
    pub(crate) fn get(&self, id: TableId, variable: Variable) -> Option<Value> {
        let cell = &self.cells[self.place(&self.tables[id.0 as usize], variable.index() as u32)];
        (cell.variable != NONE).then(|| Value::new(cell.value as usize))
    }

    /// Calls `visit` with each variable of the table and its value.
    pub(crate) fn visit(&self, id: TableId, mut visit: impl FnMut(Variable, Value)) {
        let Table { start, bits, .. } = self.tables[id.0 as usize];
        let cells = &self.cells[start as usize..start as usize + (1 << bits)];
        for cell in cells.iter().filter(|cell| cell.variable != NONE) {
            visit(Variable::new(cell.variable as usize), Value::new(cell.value as usize));
        }
    }

    #[inline]
    pub(crate) fn set(&mut self, id: TableId, variable: Variable, value: Value) {
        let table = self.tables[id.0 as usize];
        let cell = Cell { variable: variable.index() as u32, value: value.index() as u32 };
        let place = self.place(&table, cell.variable);
        let before = core::mem::replace(&mut self.cells[place], cell);
        if before.variable == NONE {
            let len = table.len + 1;
            self.tables[id.0 as usize].len = len;
            // Three quarters full.
            if len > 3 << (table.bits - 2) {
                self.grow(id);
            }
        }
    }

    /// The cell that the variable has, or would get. There is always a free one.
    #[inline]
    fn place(&self, table: &Table, variable: u32) -> usize {
        let region = &self.cells[table.start as usize..][..1 << table.bits];
        // No two of 2^bits variables in a row want the same cell; each such row is shuffled in its own way.
        let row = (variable >> table.bits).wrapping_mul(0x9e37_79b9) >> (32 - table.bits);
        let mut place = (variable ^ row) as usize & (region.len() - 1);
        while region[place].variable != variable && region[place].variable != NONE {
            place = (place + 1) & (region.len() - 1);
        }
        table.start as usize + place
    }

    #[cold]
    fn grow(&mut self, id: TableId) {
        let old = self.tables[id.0 as usize];
        let bits = old.bits + 1;
        let grown = Table { start: self.take_region(bits), bits, ..old };
        self.tables[id.0 as usize] = grown;
        for index in 0..1 << old.bits {
            let cell = self.cells[old.start as usize + index];
            if cell.variable != NONE {
                let place = self.place(&grown, cell.variable);
                self.cells[place] = cell;
            }
        }
        let next = core::mem::replace(&mut self.free.0[old.bits as usize], old.start);
        self.cells[old.start as usize].value = next;
    }

    /// A region of that many bits, all of whose cells are empty: its start.
    fn take_region(&mut self, bits: u8) -> u32 {
        let start = self.free.0[bits as usize];
        let len = 1 << bits;
        if start == NONE {
            let start = self.cells.len();
            self.cells.resize(start + len, Cell::EMPTY);
            return start as u32;
        }
        self.free.0[bits as usize] = self.cells[start as usize].value;
        self.cells[start as usize..][..len].fill(Cell::EMPTY);
        start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables that grow side by side, for variables in rows that lie apart.
    #[test]
    fn what_was_set_is_there() {
        let mut tables = Tables::default();
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
        let mut tables = Tables::default();
        for _ in 0..100 {
            let id = tables.make();
            (0..700).for_each(|index| tables.set(id, Variable::new(index), Value::new(index)));
        }
        assert!(tables.cells.len() <= 101 * 1024, "{}", tables.cells.len());
    }
}
