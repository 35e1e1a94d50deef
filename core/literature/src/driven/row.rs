//! The row of latest definitions: one cell per variable, a cache for reads of variables that the block defines.
//!
//! A cell holds the latest definition of its variable, in the order of
//! construction. If the block of that definition is the current block, the
//! cell is the answer (Algorithm 1).
//!
//! # Departures
//! Braun et al. 2013 keep one table of (variable, block). Here that table is
//! `definitions`, and the row is a cache of it.

use super::definitions::Place;
use alloc::vec::Vec;
use ssaphire_graph::{Block, IdError, IdLimits, PackedOption, Value, Variable};

/// The latest definition of a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    /// The block that holds it; none before the first definition.
    pub(crate) block: PackedOption<Block>,
    pub(crate) value: Value,
    /// Where the definition is stored, if the block has it and no search is needed.
    place: PackedOption<Place>,
}

impl Cell {
    const EMPTY: Self = Self { block: PackedOption::NONE, value: Value::new(0), place: PackedOption::NONE };
}

impl Cell {
    /// Stores a value that a lookup found for the block.
    #[inline]
    pub(crate) fn hold(&mut self, block: Block, value: Value) {
        (self.block, self.value, self.place) = (block.into(), value, PackedOption::NONE);
    }

    /// Holds a value that was written in the block.
    #[inline]
    pub(crate) fn write(&mut self, block: Block, value: Value, place: PackedOption<Place>) {
        (self.block, self.value, self.place) = (block.into(), value, place);
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

    /// The cell of the variable, if it has the block's own definition, and where that is stored.
    #[inline]
    pub(crate) fn own_definition(&mut self, variable: Variable, block: Block) -> Option<(&mut Cell, Place)> {
        let cell = self.cells.get_mut(variable.index()).filter(|cell| cell.block == block.into())?;
        let place = cell.place.expand()?;
        Some((cell, place))
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
