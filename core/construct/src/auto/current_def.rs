//! `currentDef`: the value of each variable at the end of each block, so far (Algorithm 1).
//!
//! Each node has a *row*: a cell for each variable, copied from the row of its
//! dominator. A cell holds a value; or the name of a node, this one or one that
//! dominates it, and then the variable has the value that it has at the *top* of
//! that node, which no lookup has needed yet. So a read is a load and a test, and
//! a write is a store. A block that writes nothing shares the node of its
//! dominator, if nothing is written in between.
//!
//! Rows take memory in proportion to blocks times variables. If they would
//! take more than the [`Thresholds`] `row_bytes_per_event` and `row_bytes` allow, `history` takes over; also if many
//! variables share a bit, so that too many edges are followed needlessly (`needless_per_event`).
//!
//! # Departures
//! Braun et al. 2013 keep, for each variable, a table of its values by block, and follow edges from block to block to
//! find a value.

use super::bloom::{NUM_BITS, VariableMask};
use super::dominators::Tree;
use super::history::{History, Walk};
use super::node_id::NodeId;
use crate::options::Options;
use crate::thresholds::Thresholds;
use alloc::vec::Vec;
use ssaphire_graph::{Id, Value, Variable};

/// The value of a variable at the end of a block, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// This value, or the one it has been forwarded to.
    Value(Value),
    /// The value that the variable has at the top of this node, which has not been decided.
    Top(NodeId),
}

/// A [`Held`] in four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell(u32);

impl Cell {
    /// If the top bit is set, which it is in no value, the other bits are a node.
    const TOP: u32 = 1 << 31;

    #[inline]
    fn value(value: Value) -> Self {
        Self(value.index() as u32)
    }

    #[inline]
    pub(super) fn set(&mut self, value: Value) {
        *self = Self::value(value);
    }

    #[inline]
    fn top(node: NodeId) -> Self {
        Self(Self::TOP | node.index() as u32)
    }

    #[inline]
    fn is_top(self) -> bool {
        self.0 & Self::TOP != 0
    }

    #[inline]
    fn get(self) -> Held {
        match Value::try_new(self.0 as usize) {
            Some(value) => Held::Value(value),
            None => Held::Top(NodeId::new((self.0 & !Self::TOP) as usize)),
        }
    }
}

/// The number of cells copied at a time.
const LANES: usize = 8;
type Chunk = [Cell; LANES];

#[derive(Clone, Debug)]
pub(super) struct CurrentDef {
    /// The rows, one after the other; after those in use, cells of earlier functions.
    cells: Vec<Chunk>,
    /// Chunks in a row; none where `history` has taken over.
    stride: usize,
    /// Number of variables for which a row has cells.
    width: usize,
    /// Variables are numbered below this.
    limit: usize,
    /// Bytes that rows may take for each access and edge so far, and in addition to that.
    max_bytes: (u64, u64),
    /// Steps of lookups in `history` that have not been counted yet.
    num_steps: u64,
    history: History,
}

impl CurrentDef {
    /// No blocks, and later on only variables that the options allow.
    pub(super) fn new(options: &Options) -> Self {
        let limit = options.ids.variables as usize;
        let width = LANES.min(limit);
        let Thresholds { row_bytes_per_event, row_bytes, passed_dominators, .. } = options.thresholds;
        let max_bytes = (row_bytes_per_event, row_bytes);
        let history = History::new(passed_dominators as usize);
        Self { cells: Vec::new(), stride: 1, width, limit, max_bytes, num_steps: 0, history }
    }

    pub(super) fn clear(&mut self) {
        if self.is_sparse() {
            self.history.clear();
            self.num_steps = 0;
        }
        // Cells of earlier functions may stay: adding or widening a row overwrites them.
        (self.stride, self.width) = (1, LANES.min(self.limit));
    }

    /// Steps of lookups in `history` since the last call.
    #[inline]
    pub(super) fn take_steps(&mut self) -> u64 {
        core::mem::take(&mut self.num_steps)
    }

    /// Whether rows have become too large.
    #[inline]
    pub(super) fn is_sparse(&self) -> bool {
        self.stride == 0
    }

    /// Whether there are rows, with cells for variables that share a bit.
    #[inline]
    pub(super) fn has_wide_rows(&self) -> bool {
        self.width > NUM_BITS
    }

    /// Cells from one row to the next.
    #[inline]
    fn pitch(&self) -> usize {
        self.stride * LANES
    }

    /// Variables are numbered below this.
    pub(super) fn max_variables(&self) -> usize {
        if self.is_sparse() { self.limit } else { self.width }
    }

    /// Whether rows have a cell for the variable.
    #[inline]
    pub(super) fn has_cell(&self, variable: Variable) -> bool {
        variable.index() < self.width
    }

    /// The position of a node's row in the cells, for [`get`](Self::get) and [`set`](Self::set).
    #[inline]
    pub(super) fn row_start(&self, node: NodeId) -> usize {
        node.index() * self.pitch()
    }

    /// The value in a cell of a row; `None` if the cell names a top, or does not exist.
    #[inline(always)]
    pub(super) fn get(&self, row_start: usize, variable: Variable) -> Option<Value> {
        if variable.index() >= self.width {
            return None;
        }
        // One test for both kinds of cell: with the top bit, it is no value.
        Value::try_new(self.cells.as_flattened().get(row_start + variable.index())?.0 as usize)
    }

    /// The variable's cell in a row, if it has one.
    #[inline(always)]
    pub(super) fn cell_mut(&mut self, row_start: usize, variable: Variable) -> Option<&mut Cell> {
        if variable.index() >= self.width {
            return None;
        }
        self.cells.as_flattened_mut().get_mut(row_start + variable.index())
    }

    /// Stores the value in a cell of a row. Returns whether the cell exists.
    #[inline]
    fn set(&mut self, row_start: usize, variable: Variable, value: Value) -> bool {
        self.cell_mut(row_start, variable).map(|cell| cell.set(value)).is_some()
    }

    /// Makes room for the next row, with cells for the variable and all below it; `num_events` is the number of
    /// accesses and edges so far.
    ///
    /// Returns `false` if rows would be too large, so that the caller has to give them up.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub(super) fn make_room(&mut self, tree: &mut Tree, variable: Option<Variable>, num_events: u64) -> bool {
        if self.is_sparse() {
            return true;
        }
        let num_rows = tree.len();
        let mut stride = self.stride;
        if let Some(variable) = variable.filter(|variable| variable.index() >= self.width) {
            stride = variable.index() / LANES + 1;
            if num_rows > 1 {
                // Rows are laid out anew: not for each variable.
                stride = stride.max(2 * self.stride);
            }
        }
        // In 64 bits: on a target of 32, the product may be more than a `usize` holds.
        let len = (num_rows as u64 + 1).saturating_mul(stride as u64);
        let (bytes_per_event, more_bytes) = self.max_bytes;
        let max_bytes = bytes_per_event.saturating_mul(num_events).saturating_add(more_bytes);
        if len.saturating_mul(size_of::<Chunk>() as u64) > max_bytes.min(isize::MAX as u64) {
            return false;
        }
        let len = len as usize;
        if len > self.cells.len() {
            let len = len + len / 4 + 64;
            self.cells.reserve_exact(len - self.cells.len());
            self.cells.resize(len, [Cell(0); LANES]);
        }
        if stride > self.stride {
            self.widen(tree, stride);
        }
        true
    }

    /// Gives rows cells for more variables, which no access has named.
    fn widen(&mut self, tree: &Tree, stride: usize) {
        let before = core::mem::replace(&mut self.stride, stride);
        self.width = (stride * LANES).min(self.limit);
        // In reverse, as each row moves up and must not overwrite the next one.
        for node in (0..tree.len()).rev() {
            self.cells.copy_within(node * before..(node + 1) * before, node * stride);
        }
        for node in 0..tree.len() {
            let (above, own) = self.cells.split_at_mut(node * stride);
            let new = &mut own[before..stride];
            // No access has named these variables yet, so nothing writes them between a node and its dominator,
            // whatever their bits are. The row of the dominator comes first, and already has its new cells.
            match tree.dominator(NodeId::new(node)) {
                None => new.fill([Cell::top(NodeId::new(node)); LANES]),
                Some(up) => new.copy_from_slice(&above[up.index() * stride..][before..stride]),
            }
        }
    }

    /// Moves the values in rows to `history`, and gives the rows up.
    ///
    /// Omits the value of a variable in a node that lookups pass ([`Tree::is_passed_by`]), if the dominator holds the
    /// same value: a lookup finds the definition of the dominator. If the block itself has written this value, the
    /// write changed nothing. Where a lookup stops at the top of the node, the variable may have another value there;
    /// so `history` gets a definition even if the value equals the dominator's. The variable was open when the node was
    /// created, or has been written since, so an access or a lookup has stored the value: at most one definition for
    /// each of those.
    ///
    /// A value for which `is_found` holds was not written in the block that holds it: it does not count as a write.
    pub(super) fn take_history(&mut self, tree: &mut Tree, is_found: impl Fn(Variable, Value) -> bool) {
        // From here on, each lookup uses jumps.
        tree.need_jumps();
        let cells = self.cells.as_flattened();
        for node in (0..tree.len()).map(NodeId::new) {
            let own = &cells[node.index() * self.pitch()..][..self.width];
            let above = tree.dominator(node).map(|up| &cells[up.index() * self.pitch()..][..self.width]);
            for (variable, &cell) in own.iter().enumerate() {
                let Held::Value(value) = cell.get() else { continue };
                let id = Variable::new(variable);
                let is_same = above.is_some_and(|above| above[variable] == cell);
                if is_same && tree.is_passed_by(node, id) {
                    continue;
                }
                if is_found(id, value) {
                    self.history.set(id, node, value);
                } else {
                    self.history.write(id, node, value);
                }
            }
        }
        (self.stride, self.width) = (0, 0);
    }

    /// Adds the row of a root. Returns `false` if there is no room.
    #[inline]
    pub(super) fn add_root_row(&mut self, node: NodeId) -> bool {
        let (start, stride) = (node.index() * self.stride, self.stride);
        let Some(own) = self.cells.get_mut(start..start + stride) else { return false };
        own.fill([Cell::top(node); LANES]);
        true
    }

    /// Adds the row of a node below its dominator. Returns `false` if there is no room.
    ///
    /// `between` has the variables that may be written between the dominator and the top of the node.
    #[inline]
    pub(super) fn add_row_below(&mut self, node: NodeId, up: NodeId, between: VariableMask) -> bool {
        let (start, stride) = (node.index() * self.stride, self.stride);
        let Some((above, rest)) = self.cells.split_at_mut_checked(start) else { return false };
        let Some(own) = rest.get_mut(..stride) else { return false };
        own.copy_from_slice(&above[up.index() * stride..][..stride]);
        let own = own.as_flattened_mut();
        between.each_bit(|bit| open_all(own, bit, node));
        true
    }

    /// Passes on the values at the end of `up`, which has been found to dominate a root, for the variables that are not
    /// written in between.
    pub(super) fn pass_on(&mut self, node: NodeId, up: NodeId, between: VariableMask) {
        let (own, above) = (self.row_start(node), self.row_start(up));
        let (before, rest) = self.cells.as_flattened_mut().split_at_mut(own);
        let (own, above) = (&mut rest[..self.width], &before[above..][..self.width]);
        for (variable, (own, &above)) in own.iter_mut().zip(above).enumerate() {
            // A cell with a value stays: it was written, or found, or is an incomplete phi that gets its operands
            // later. Rows that were copied from this one name its top, and find the new cell through it.
            if *own == Cell::top(node) && !between.may_have(Variable::new(variable)) {
                *own = above;
            }
        }
    }

    /// The value of the variable at the end of the block, or the top that decides it.
    #[inline(always)]
    pub(super) fn held(&mut self, tree: &mut Tree, node: NodeId, variable: Variable) -> Held {
        match self.column(variable) {
            Some(mut column) => column.held(node),
            None => self.history.held(tree, node, variable, &mut self.num_steps),
        }
    }

    /// Starts to look up the variable, which has no cells, in one node after the other.
    pub(super) fn walk(&mut self, variable: Variable) -> Walk<'_> {
        self.history.walk(variable, &mut self.num_steps)
    }

    /// The cells of the variable, if there are rows with such a cell.
    #[inline]
    pub(super) fn column(&mut self, variable: Variable) -> Option<Column<'_>> {
        let (pitch, variable) = (self.pitch(), variable.index());
        if variable < self.width {
            Some(Column { cells: self.cells.as_flattened_mut(), pitch, variable })
        } else {
            None
        }
    }

    /// Notes that the block writes the value.
    #[inline]
    pub(super) fn write(&mut self, node: NodeId, variable: Variable, value: Value) {
        if !self.set(self.row_start(node), variable, value) {
            self.history.write(variable, node, value);
        }
    }

    /// The newest node that writes the variable; `None` as long as there are rows.
    pub(super) fn latest_write(&self, variable: Variable) -> Option<NodeId> {
        self.history.latest_write(variable)
    }

    /// Whether it is known that nothing writes the variable between a node and its dominator; never while there are
    /// rows.
    pub(super) fn is_unwritten_below(&self, tree: &Tree, up: NodeId, node: NodeId, variable: Variable) -> bool {
        self.is_sparse() && self.history.is_unwritten_below(tree, up, node, variable)
    }

    /// The variables that the node has written, once rows are given up; may contain duplicates, and variables whose
    /// value a lookup has found there.
    pub(super) fn written_in(&self, node: NodeId) -> impl Iterator<Item = Variable> {
        self.history.written_in(node)
    }

    /// Stores the value at the end of the block, where it has been found.
    #[inline]
    pub(super) fn define(&mut self, node: NodeId, variable: Variable, value: Value) {
        if !self.set(self.row_start(node), variable, value) {
            self.history.set(variable, node, value);
        }
    }

    /// Stores the value of the variable at the top of the block; it is also the value at the end, unless another is
    /// known there.
    #[inline]
    pub(super) fn define_top(&mut self, node: NodeId, variable: Variable, value: Value) {
        if variable.index() >= self.width {
            return self.history.set_if_new(variable, node, value);
        }
        let row_start = self.row_start(node);
        let cell = &mut self.cells.as_flattened_mut()[row_start + variable.index()];
        // A value here was written below the top, or found before: either stays.
        if cell.is_top() {
            *cell = Cell::value(value);
        }
    }

    /// Stores `to` in the block if it holds `from`.
    #[inline]
    pub(super) fn replace(&mut self, node: NodeId, variable: Variable, from: Value, to: Value) {
        if self.held_at(node, variable) == Some(from) {
            self.define(node, variable, to);
        }
    }

    /// Whether a value is stored for the block itself.
    pub(super) fn holds_value(&self, node: NodeId, variable: Variable) -> bool {
        self.held_at(node, variable).is_some()
    }

    /// The value that is stored for the block itself.
    #[inline]
    pub(super) fn held_at(&self, node: NodeId, variable: Variable) -> Option<Value> {
        match self.get(self.row_start(node), variable) {
            None if self.is_sparse() => self.history.get(variable, node),
            value => value,
        }
    }
}

/// The cells of one variable.
#[derive(Debug)]
pub(super) struct Column<'a> {
    cells: &'a mut [Cell],
    pitch: usize,
    variable: usize,
}

impl Column<'_> {
    /// The value of the variable at the end of the block, or the top that decides it. Paths to tops are shortened on
    /// the way.
    #[inline(always)]
    pub(super) fn held(&mut self, node: NodeId) -> Held {
        match self.cells[node.index() * self.pitch + self.variable].get() {
            Held::Top(top) => self.held_at_top(node, top),
            value => value,
        }
    }

    /// The same for a block whose cell names the top of another.
    #[inline(always)]
    fn held_at_top(&mut self, node: NodeId, top: NodeId) -> Held {
        let (mut at, mut top) = (node, top);
        loop {
            // A node whose top is named elsewhere has not written the variable, or the written value would have been
            // copied: its own cell has the answer for its top. Each top lies above the one before, so this ends, at
            // the latest at one that names itself.
            let over = self.cells[top.index() * self.pitch + self.variable];
            match over.get() {
                Held::Top(next) if next != top => {
                    self.cells[at.index() * self.pitch + self.variable] = over;
                    (at, top) = (top, next);
                }
                held => return held,
            }
        }
    }
}

/// Opens the variables of the bit: their cells in the row name the top of its block.
#[inline]
fn open_all(row: &mut [Cell], bit: usize, node: NodeId) {
    let mut variable = bit;
    while let Some(cell) = row.get_mut(variable) {
        *cell = Cell::top(node);
        variable += NUM_BITS;
    }
}
