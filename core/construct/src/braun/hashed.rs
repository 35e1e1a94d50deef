//! A hash table from (block, variable) to a value.

use crate::fault::{self, Fault};
use ssaphire_graph::{Block, Value, Variable};

/// Open addressing.
///
/// Cleared by changing the epoch, and then small again, so that a function
/// pays for its own accesses and not for the largest function before it.
#[derive(Clone, Debug)]
pub(super) struct Hashed {
    cells: alloc::vec::Vec<Cell>,
    /// Cells in use are `cells[..=mask]`.
    mask: usize,
    len: usize,
    epoch: u32,
    moving: alloc::vec::Vec<Cell>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    key: u64,
    value: u32,
    epoch: u32,
}

const SMALLEST: usize = 64;

impl Default for Hashed {
    fn default() -> Self {
        let cells = alloc::vec![Cell::default(); SMALLEST];
        Self { cells, mask: SMALLEST - 1, len: 0, epoch: 1, moving: alloc::vec::Vec::new() }
    }
}

impl Hashed {
    pub(super) fn clear(&mut self) {
        self.mask = SMALLEST - 1;
        self.len = 0;
        if !fault::is_on(Fault::ClearedTablesRemember) {
            self.next_epoch();
        }
    }

    #[inline]
    pub(super) fn get(&self, block: Block, variable: Variable) -> Option<Value> {
        let cell = &self.cells[self.place(key(block, variable))];
        (cell.epoch == self.epoch).then(|| Value::new(cell.value as usize))
    }

    #[inline]
    pub(super) fn set(&mut self, block: Block, variable: Variable, value: Value) {
        let key = key(block, variable);
        let place = self.place(key);
        let is_new = self.cells[place].epoch != self.epoch;
        self.cells[place] = Cell { key, value: value.index() as u32, epoch: self.epoch };
        if is_new {
            self.len += 1;
            if self.len * 2 > self.mask {
                self.grow();
            }
        }
    }

    /// Where the key is, or where it would go. There is always a free cell.
    #[inline]
    fn place(&self, key: u64) -> usize {
        let mut place = hash(key) as usize & self.mask;
        while self.cells[place].epoch == self.epoch && self.cells[place].key != key {
            place = (place + 1) & self.mask;
        }
        place
    }

    #[cold]
    fn grow(&mut self) {
        let mut moving = core::mem::take(&mut self.moving);
        let epoch = self.epoch;
        moving.extend(self.cells[..=self.mask].iter().filter(|cell| cell.epoch == epoch));
        self.mask = self.mask * 2 + 1;
        if self.cells.len() <= self.mask {
            self.cells.resize(self.mask + 1, Cell::default());
        }
        self.next_epoch();
        if fault::is_on(Fault::CellsAreLostInGrowing) {
            moving.pop();
        }
        for cell in moving.drain(..) {
            let place = self.place(cell.key);
            self.cells[place] = Cell { epoch: self.epoch, ..cell };
        }
        self.moving = moving;
    }

    fn next_epoch(&mut self) {
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.cells.fill(Cell::default());
            self.epoch = 1;
        }
    }
}

#[inline]
fn key(block: Block, variable: Variable) -> u64 {
    (block.index() as u64) << 32 | variable.index() as u64
}

/// Fibonacci hashing, with the high half folded down: block and variable both reach the low bits.
#[inline]
fn hash(key: u64) -> u64 {
    let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_survive_growing_and_not_clearing() {
        let mut table = Hashed::default();
        for round in 0..3 {
            for index in 0..5000 {
                table.set(Block::new(index), Variable::new(index % 7), Value::new(index + round));
            }
            for index in 0..5000 {
                let held = table.get(Block::new(index), Variable::new(index % 7));
                assert_eq!(held, Some(Value::new(index + round)));
                assert_eq!(table.get(Block::new(index), Variable::new(7)), None);
            }
            table.clear();
            assert_eq!(table.get(Block::new(1), Variable::new(1)), None);
        }
    }
}
