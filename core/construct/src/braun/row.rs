//! The row of latest definitions: one cell per variable, which answers most reads.
//!
//! A cell holds the latest definition of its variable, in the order of
//! construction. If the block of that definition is the current block, the
//! cell is the answer (Algorithm 1). Engine `auto` also takes it as the answer
//! if that block dominates the current one: what was written since would be
//! in the cell, and what was not written since holds.
//!
//! # Departures
//! Braun et al. 2013 keep one table of (variable, block). Here that table is
//! `definitions`, and the row is a cache in front of it.

use super::blocks::NONE;
use super::definitions::Place;
use alloc::vec::Vec;
use ssaphire_graph::{Value, Variable};

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
}

impl Cell {
    const EMPTY: Self = Self { block: NONE, depth: 0, value: Value::new(0), place: Place::UNKNOWN };
}

#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    cells: Vec<Cell>,
}

impl Row {
    pub(super) fn clear(&mut self) {
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

    /// The cell of the variable. Cells are made sixteen at a time.
    #[inline]
    pub(super) fn cell(&mut self, variable: Variable) -> &mut Cell {
        if variable.index() >= self.cells.len() {
            self.cells.resize((variable.index() | 15) + 1, Cell::EMPTY);
        }
        &mut self.cells[variable.index()]
    }
}
