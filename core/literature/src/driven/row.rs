//! The row of latest definitions: one cell per variable, which answers a block's reads of what it knows.
//!
//! A cell holds the latest definition of its variable, in the order of
//! construction. If the block of that definition is the current block, the
//! cell is the answer (Algorithm 1).
//!
//! # Departures
//! Braun et al. 2013 keep one table of (variable, block). Here that table is
//! `definitions`, and the row is a cache in front of it.

use super::blocks::NONE;
use super::definitions::Place;
use alloc::vec::Vec;
use ssaphire_graph::{IdError, IdLimits, Value, Variable};

/// The latest definition of a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    /// The number of the block; of no block before the first definition.
    pub(crate) block: u32,
    pub(crate) value: Value,
    /// Where the definition is stored, if it is the block's own.
    pub(crate) place: Place,
}

impl Cell {
    const EMPTY: Self = Self { block: NONE, value: Value::new(0), place: Place::UNKNOWN };
}

impl Cell {
    /// Holds a value that was looked up, and not written, for the block.
    #[inline]
    pub(crate) fn hold(&mut self, block: u32, value: Value) {
        (self.block, self.value, self.place) = (block, value, Place::UNKNOWN);
    }

    /// Holds a value that was written in the block.
    #[inline]
    pub(crate) fn write(&mut self, block: u32, value: Value, place: Place) {
        (self.block, self.value, self.place) = (block, value, place);
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    cells: Vec<Cell>,
    /// There is no room for variables from this number on.
    limit: usize,
}

impl Row {
    /// A row without variables, and later on only with such as are numbered below `limit`.
    pub(crate) fn below(limit: u32) -> Self {
        Self { cells: Vec::new(), limit: limit as usize }
    }

    pub(crate) fn clear(&mut self) {
        self.cells.clear();
    }

    #[inline]
    pub(crate) fn get(&self, variable: Variable) -> Option<&Cell> {
        self.cells.get(variable.index())
    }

    /// The cell of the variable, if it has the block's own definition.
    #[inline]
    pub(crate) fn own_definition(&mut self, variable: Variable, block: u32) -> Option<&mut Cell> {
        let cell = self.cells.get_mut(variable.index());
        cell.filter(|cell| cell.block == block && cell.place != Place::UNKNOWN)
    }

    /// The cell of the variable, which is below its limit. Cells are made sixteen at a time.
    #[inline]
    pub(crate) fn cell(&mut self, variable: Variable) -> &mut Cell {
        if variable.index() >= self.cells.len() {
            self.grow(variable);
        }
        &mut self.cells[variable.index()]
    }

    #[inline(never)]
    fn grow(&mut self, variable: Variable) {
        let len = ((variable.index() | 15) + 1).min(self.limit).max(variable.index() + 1);
        self.cells.resize(len, Cell::EMPTY);
    }

    /// The cell of the variable.
    #[inline]
    pub(crate) fn cell_within(&mut self, limits: &IdLimits, variable: Variable) -> Result<&mut Cell, IdError> {
        if variable.index() >= self.cells.len() {
            limits.check_variable(variable)?;
        }
        Ok(self.cell(variable))
    }
}
