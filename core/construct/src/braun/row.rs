//! The row of latest definitions: one cell per variable, which answers most reads.
//!
//! A cell holds the latest definition of its variable, in the order of
//! construction. If the block of that definition is the current block, the
//! cell is the answer (Algorithm 1). Engine `auto` also takes it as the answer
//! if that block dominates the current one: what was written since would be
//! in the cell, and what was not written since holds. A value that was looked
//! up counts as a definition of the block where it was found, if no block begun
//! after that one has written the variable: then all blocks that it dominates
//! hold the value, as far as they are linked (see `path`).
//!
//! # Departures
//! Braun et al. 2013 keep one table of (variable, block). Here that table is
//! `definitions`, and the row is a cache in front of it.

use super::blocks::NONE;
use super::definitions::Place;
use crate::fault::{self, Fault};
use alloc::vec::Vec;
use ssaphire_graph::{IdError, IdLimits, Value, Variable};

/// The latest definition of a variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// The number of the block; of no block before the first definition.
    pub(super) block: u32,
    /// How far down the dominator path the block is (`auto`).
    pub(super) depth: u32,
    pub(super) value: Value,
    /// Where the definition is stored, if it is the block's own.
    pub(super) place: Place,
    /// One more than the place in the order of construction of the last block that writes the variable; 0 before (`auto`).
    pub(super) last_write: u32,
    /// The place of the first block that writes it, the entry left out; `NONE` before (`auto`).
    pub(super) first_write: u32,
}

impl Cell {
    const EMPTY: Self =
        Self { block: NONE, depth: 0, value: Value::new(0), place: Place::UNKNOWN, last_write: 0, first_write: NONE };
}

impl Cell {
    /// Holds a value that was looked up, and not written, for the block.
    #[inline]
    pub(super) fn hold(&mut self, block: u32, depth: u32, value: Value) {
        (self.block, self.depth, self.value, self.place) = (block, depth, value, Place::UNKNOWN);
    }

    /// Holds a value that was written in the block, which was begun at that place.
    #[inline]
    pub(super) fn write(&mut self, block: u32, depth: u32, begun: u32, value: Value, place: Place) {
        (self.block, self.depth, self.value, self.place) = (block, depth, value, place);
        let last_write = if fault::is_on(Fault::LastWriteGoesBack) { 0 } else { self.last_write };
        self.last_write = last_write.max(begun.wrapping_add(1));
        if begun > 0 {
            let first_write = if fault::is_on(Fault::FirstWriteGoesOn) { NONE } else { self.first_write };
            self.first_write = first_write.min(begun);
        }
    }

    /// Holds nothing for any block but the one whose own definition it has.
    pub(super) fn forget(&mut self) {
        self.block = NONE;
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    cells: Vec<Cell>,
    /// There is no room for variables from this number on.
    limit: usize,
}

impl Row {
    /// A row without variables, and later on only with such as are numbered below `limit`.
    pub(super) fn below(limit: u32) -> Self {
        Self { cells: Vec::new(), limit: limit as usize }
    }

    pub(super) fn clear(&mut self) {
        if fault::is_on(Fault::RowSurvivesClear) {
            return;
        }
        self.cells.clear();
    }

    /// Number of variables there is room for.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    #[inline]
    pub(super) fn get(&self, variable: Variable) -> Option<&Cell> {
        self.cells.get(variable.index())
    }

    /// The cell of the variable, if it has the block's own definition.
    #[inline]
    pub(super) fn own_definition(&mut self, variable: Variable, block: u32) -> Option<&mut Cell> {
        self.cells.get_mut(variable.index()).filter(|cell| {
            (cell.block == block || fault::is_on(Fault::WritesChangeAnyBlock)) && cell.place != Place::UNKNOWN
        })
    }

    /// The cell of the variable, which is below its limit. Cells are made sixteen at a time.
    #[inline]
    pub(super) fn cell(&mut self, variable: Variable) -> &mut Cell {
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
    pub(super) fn cell_within(&mut self, limits: &IdLimits, variable: Variable) -> Result<&mut Cell, IdError> {
        if variable.index() >= self.cells.len() {
            limits.check_variable(variable)?;
        }
        Ok(self.cell(variable))
    }
}
