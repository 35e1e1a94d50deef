//! Reads and writes of variables (Algorithm 1): their block becomes the current one, and gets a node if it needs one.

use super::bloom::VariableMask;
use super::node_id::NodeId;
use super::{Builder, Current};
use crate::error::{Call, CallError, CallErrorKind, InCall};
use crate::host::PhiHost;
use crate::observe::{Event, Observer, Reason};
use crate::protocol::State;
use ssaphire_graph::{Block, Id, IdError, IdSet, PackedOption, Value, Variable};

impl<O: Observer> Builder<O> {
    pub(super) fn set_initial_value(&mut self, variable: Variable, value: Value) -> Result<(), CallErrorKind> {
        self.running()?;
        self.options.ids.check_variable(variable)?;
        self.options.ids.check_value(value)?;
        let is_held = match self.node_of(self.blocks.entry()) {
            Some(entry) => self.defs.holds_value(entry, variable),
            None => false,
        };
        self.on_entry.set_initial(variable, value, is_held)?;
        // A value that was written before may reach phis of the variable from that write, and from the entry, too.
        // Before the first write, the entry is the only place where it is.
        if !self.copies.take_fresh(value) && self.stats.writes > 0 {
            self.copies.note_again(variable);
        }
        self.in_use.note_global(value);
        self.observer.event(Event::Initial { variable, value });
        Ok(())
    }

    /// From here to the end of `block`, or to its next write, `variable` holds `value` (Algorithm 1).
    ///
    /// The fast path makes no call, so it saves no register.
    #[inline(always)]
    pub(super) fn write(&mut self, block: Block, variable: Variable, value: Value) -> Result<(), CallError> {
        if self.current.written_block == block.into() {
            if let Some(cell) = self.defs.cell_mut(self.current.row_start, variable) {
                if self.copies.is_plain_write(value) {
                    cell.set(value);
                    self.note_write(block, variable, value);
                    return Ok(());
                }
            }
        }
        self.write_beyond(block, variable, value)
    }

    #[inline(always)]
    fn note_write(&mut self, block: Block, variable: Variable, value: Value) {
        self.current.written.insert(variable);
        self.stats.writes += 1;
        self.observer.event(Event::Write { block, variable, value });
    }

    /// A write in a block that is not the current one, of a value that is not new, or to a variable without a cell.
    #[inline(never)]
    fn write_beyond(&mut self, block: Block, variable: Variable, value: Value) -> Result<(), CallError> {
        if self.current.written_block != block.into() {
            self.open(block, variable, value)?;
        }
        if !self.copies.is_plain_write(value) {
            self.check_write(block, variable, value)?;
        }
        match self.defs.cell_mut(self.current.row_start, variable) {
            Some(cell) => cell.set(value),
            None => self.write_without_cell(block, variable, value)?,
        }
        self.note_write(block, variable, value);
        Ok(())
    }

    /// Makes the block the current one, with a node of its own: for a write.
    #[inline(never)]
    fn open(&mut self, block: Block, variable: Variable, value: Value) -> Result<(), CallError> {
        let call = Call::Write { block, variable };
        self.running().in_call(call)?;
        // All ids are checked first: a call that is refused mentions no block.
        self.options.ids.check_block(block).in_call(call)?;
        self.check_ids(variable, value).in_call(call)?;
        let data = self.blocks.mention(block);
        if data.state.has(State::FILLED) {
            return Err(CallError::new(call, CallErrorKind::Filled));
        }
        data.state.set(State::ACCESSED);
        let node = data.own.node;
        self.switch_to_write(block, node);
        Ok(())
    }

    /// Notes a write of a value that may not be new, or that has to be recorded as in use.
    #[inline(never)]
    fn check_write(&mut self, block: Block, variable: Variable, value: Value) -> Result<(), CallError> {
        self.check_ids(variable, value).in_call(Call::Write { block, variable })?;
        self.in_use.note(value);
        // A value that the entry writes before any other block has a node reaches the phis of each variable from one
        // place, the end of the entry, however many variables hold it.
        if !self.copies.take_fresh(value) && !self.has_only_entry_node() {
            self.copies.note_again(variable);
        }
        Ok(())
    }

    #[inline]
    fn check_ids(&self, variable: Variable, value: Value) -> Result<(), IdError> {
        self.options.ids.check_variable(variable)?;
        self.options.ids.check_value(value)
    }

    /// Writes a variable that the row has no cell for.
    #[inline(never)]
    fn write_without_cell(&mut self, block: Block, variable: Variable, value: Value) -> Result<(), CallError> {
        self.make_cell(variable).in_call(Call::Write { block, variable })?;
        self.defs.write(self.current.node, variable, value);
        self.note_deferred_write(variable);
        Ok(())
    }

    /// Makes sure that rows, if there are any, have a cell for the variable.
    pub(super) fn make_cell(&mut self, variable: Variable) -> Result<(), IdError> {
        self.options.ids.check_variable(variable)?;
        if !self.defs.has_cell(variable) && !self.defs.is_sparse() {
            self.make_room(Some(variable));
            self.current.row_start = self.defs.row_start(self.current.node);
        }
        Ok(())
    }

    pub(super) fn write_along_edge(
        &mut self,
        from: Block,
        slot: u32,
        variable: Variable,
        value: Value,
    ) -> Result<(), CallError> {
        let call = Call::WriteOnEdge { from, slot, variable };
        self.running().in_call(call)?;
        let target = self.blocks.check_edge_write(from, slot).in_call(call)?;
        self.write(target, variable, value)?;
        self.blocks.get_mut(target).state.unset(State::ACCESSED);
        // The next access is to be noted.
        self.leave_current();
        Ok(())
    }

    /// The value of `variable` at this point of `block` (Algorithms 1 and 2).
    #[inline(always)]
    pub(super) fn read(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
        site: Option<u32>,
    ) -> Result<Value, CallError> {
        // The current block needs no checks: calls that would need one leave it. A variable without a cell is checked
        // in `read_row`.
        let found = match self.current.block == block.into() || self.try_switch_to_read(block, variable) {
            true => self.defs.get(self.current.row_start, variable),
            false => None,
        };
        let value = match found {
            Some(value) if self.values.is_itself(value) => value,
            Some(value) => self.note_returned(value),
            None => self.read_beyond(host, block, variable)?,
        };
        self.note_read(block, variable, value, site);
        Ok(value)
    }

    #[inline(always)]
    fn note_read(&mut self, block: Block, variable: Variable, value: Value, site: Option<u32>) {
        self.stats.reads += 1;
        if let Some(site) = site {
            self.note_site(site, block, variable, value);
        }
        self.observer.event(Event::Read { block, variable, value, site });
    }

    #[inline]
    fn note_site(&mut self, site: u32, block: Block, variable: Variable, value: Value) {
        if self.options.report_undefined_reads {
            self.sited_reads.note(site, block, variable, value);
        }
    }

    /// Makes the block the current one, for a read, unless the call needs further checks. Returns whether it is now.
    #[inline(never)]
    fn try_switch_to_read(&mut self, block: Block, variable: Variable) -> bool {
        if !self.seal.queue.is_idle() || self.options.ids.check_variable(variable).is_err() {
            return false;
        }
        let Some(data) = self.blocks.find_mut(block) else { return false };
        if data.state.has(State::FILLED) {
            return false;
        }
        data.state.set(State::ACCESSED);
        let node = data.own.node;
        self.switch_to::<false>(block, node);
        true
    }

    /// Reads a variable for which the current row has no value, or in a block that is not the current one.
    #[inline(never)]
    fn read_beyond(&mut self, host: &mut dyn PhiHost, block: Block, variable: Variable) -> Result<Value, CallError> {
        let call = Call::Read { block, variable };
        let node = match self.current.block == block.into() {
            true => self.current.node,
            false => self.switch_with_checks(host, block, variable).in_call(call)?,
        };
        self.read_row(host, node, variable).in_call(call)
    }

    /// The value that the row has for the variable, or the block at whose top it is decided.
    #[inline(always)]
    fn read_row(&mut self, host: &mut dyn PhiHost, node: NodeId, variable: Variable) -> Result<Value, CallErrorKind> {
        if !self.defs.has_cell(variable) {
            self.make_cell(variable)?;
        }
        // A write that made the block the current one had no host.
        self.seal_ready(host)?;
        let value = self.lookup(host, node, variable)?;
        Ok(self.note_returned(value))
    }

    /// Makes the block the current one, for a read. Returns its node.
    #[cold]
    #[inline(never)]
    fn switch_with_checks(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<NodeId, CallErrorKind> {
        self.running()?;
        self.options.ids.check_block(block)?;
        self.options.ids.check_variable(variable)?;
        if self.blocks.is_filled(block) {
            return Err(CallErrorKind::Filled);
        }
        self.seal_ready(host)?;
        let data = self.blocks.mention(block);
        data.state.set(State::ACCESSED);
        let node = data.own.node;
        self.switch_to::<false>(block, node);
        Ok(self.current.node)
    }

    /// The value of `variable` at the end of `block`, which is filled.
    ///
    /// The block does not become the current one: `terminate_block` fills that without a check.
    pub(super) fn read_filled(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
        site: Option<u32>,
    ) -> Result<Value, CallErrorKind> {
        self.running()?;
        self.options.ids.check_block(block)?;
        self.options.ids.check_variable(variable)?;
        let Some(node) = self.node_of(block).filter(|_| self.blocks.is_filled(block)) else {
            return Err(CallErrorKind::NotFilled);
        };
        self.seal_ready(host)?;
        self.blocks.get_mut(block).state.set(State::ACCESSED);
        self.watch_rows();
        let value = self.read_row(host, node, variable)?;
        self.note_read(block, variable, value, site);
        Ok(value)
    }

    /// The next variable that has not been declared.
    pub(super) fn next_variable(&mut self) -> Result<Variable, CallErrorKind> {
        self.running()?;
        let variable = Variable::new(self.num_declared as usize);
        self.options.ids.check_variable(variable)?;
        self.num_declared += 1;
        Ok(variable)
    }

    /// Makes the block current, which the table of blocks has and which is not filled; with `WRITES`, its node is its
    /// own if it has one.
    #[inline(always)]
    pub(super) fn switch_to<const WRITES: bool>(&mut self, block: Block, node: PackedOption<NodeId>) {
        self.leave_current();
        let (node, written_block) = match node.expand() {
            Some(node) if WRITES => (node, block.into()),
            Some(node) => (node, PackedOption::NONE),
            None => (self.add_node(block), block.into()),
        };
        let row_start = self.defs.row_start(node);
        self.current = Current { block: block.into(), written_block, node, row_start, written: VariableMask::EMPTY };
        if self.options.thresholds.row_events.is_some() {
            self.watch_rows();
        }
    }

    /// Gives up rows once there are as many events as `row_events`. Until then no block stays the current one, so that
    /// each access comes here.
    #[cold]
    #[inline(never)]
    fn watch_rows(&mut self) {
        match self.options.thresholds.row_events {
            Some(events) if !self.defs.is_sparse() => {
                (self.current.block, self.current.written_block) = (PackedOption::NONE, PackedOption::NONE);
                if self.stats.num_events() >= events {
                    self.give_up_rows();
                }
            }
            _ => {}
        }
    }

    /// Makes the block current for a write; the table of blocks has it, and it is not filled.
    #[inline]
    fn switch_to_write(&mut self, block: Block, node: PackedOption<NodeId>) {
        let own = node.expand().filter(|&node| self.tree.block(node) == block);
        self.switch_to::<true>(block, own.into());
    }

    /// Whether only the entry has a node: its writes so far come before those of all other blocks.
    fn has_only_entry_node(&self) -> bool {
        self.tree.len() == 1 && self.tree.block(NodeId::FIRST) == self.blocks.entry()
    }

    /// Makes no block the current one.
    #[inline]
    pub(super) fn leave_current(&mut self) {
        if !self.current.written.is_empty() {
            self.tree.add_written(self.current.node, self.current.written);
            self.current.written = VariableMask::EMPTY;
        }
        (self.current.block, self.current.written_block) = (PackedOption::NONE, PackedOption::NONE);
    }

    /// Creates the node of a block. Its row is a copy of its dominator's row, if the dominator is known.
    #[inline(never)]
    fn add_node(&mut self, block: Block) -> NodeId {
        let node = NodeId::new(self.tree.len());
        let data = self.blocks.mention(block);
        debug_assert!(!data.state.has(State::FILLED), "{block} gets its node before it is filled");
        data.own.node = node.into();
        let (state, between) = (data.state, data.own.between);
        // Before the block is sealed, `above` is only the source of its first edge, which need not dominate it.
        match data.own.above.expand().filter(|_| state.has(State::SEALED)) {
            Some(up) => {
                // The row comes before the node, because `make_room` counts rows by nodes. The second attempt
                // succeeds: now there is room, or there are no rows.
                if !self.defs.add_row_below(node, up, between) {
                    self.make_row();
                    self.defs.add_row_below(node, up, between);
                }
                self.tree.add_below(block, up, between);
            }
            None => self.add_root(block, node),
        }
        node
    }

    /// Creates the node of a block whose dominator is not known: a root.
    pub(super) fn add_root(&mut self, block: Block, node: NodeId) {
        if !self.defs.add_root_row(node) {
            self.make_row();
            self.defs.add_root_row(node);
        }
        self.tree.add_root(block);
        if self.blocks.note_doubt(block) {
            self.blocks.find_cut_off(&mut self.finish.blocks);
        }
    }

    /// Makes room for another row.
    #[cold]
    #[inline(never)]
    pub(super) fn make_row(&mut self) {
        self.make_room(None);
    }

    /// Makes room for the next row, with cells for the variable, or gives up rows.
    pub(super) fn make_room(&mut self, variable: Option<Variable>) {
        if !self.defs.make_room(&mut self.tree, variable, self.stats.num_events()) {
            self.give_up_rows();
        }
    }

    /// Gives up rows if masks, which have 64 bits, are too coarse; never while a lookup is in progress.
    #[inline(always)]
    pub(super) fn watch_masks(&mut self) {
        if self.defs.has_wide_rows() {
            self.give_up_blurred_rows();
        }
    }

    #[inline(never)]
    fn give_up_blurred_rows(&mut self) {
        let per_event = u64::from(self.options.thresholds.needless_per_event);
        if self.num_needless + self.stats.phis_made > self.stats.num_events().saturating_mul(per_event) {
            self.give_up_rows();
        }
    }

    /// Replaces rows with `history`; never while a lookup is in progress.
    #[cold]
    #[inline(never)]
    fn give_up_rows(&mut self) {
        let Self { defs, tree, phis, copies, .. } = self;
        let mut are_phis = IdSet::new();
        for (_, phi) in phis.table.iter() {
            are_phis.insert(phi.value);
        }
        // If a variable is only assigned new values, a phi in its cell is the result of a lookup, even if it has been
        // removed since.
        defs.take_history(tree, |variable, value| !copies.is_rewritten(variable) && are_phis.contains(value));
        // Without rows this is 0, and `get` and `set` find no cell.
        self.current.row_start = self.defs.row_start(self.current.node);
    }

    /// Returns what a read of `value` returns: the value itself, or the one that it has been forwarded to. If that is a
    /// phi, notes that it was returned.
    #[inline(never)]
    fn note_returned(&mut self, value: Value) -> Value {
        match self.values.phi(value) {
            Some(phi) => {
                self.phis.table[phi].is_returned = true;
                value
            }
            None => self.note_returned_other(value),
        }
    }

    /// The same for a value that is no phi, but may have been forwarded to one.
    #[cold]
    #[inline(never)]
    fn note_returned_other(&mut self, value: Value) -> Value {
        let value = self.values.resolve(value);
        if self.values.phi(value).is_some() { self.note_returned(value) } else { value }
    }

    pub(super) fn replace_value(
        &mut self,
        host: &mut dyn PhiHost,
        old: Value,
        new: Value,
    ) -> Result<(), CallErrorKind> {
        self.running()?;
        let Some((from, to)) = self.values.check_replacement(old, new, &self.options.ids)? else { return Ok(()) };
        self.in_use.note(from);
        self.in_use.note(to);
        self.stats.replaced += 1;
        // Operands that differed may be the same now, in any phi.
        self.is_exact = false;
        self.forward(host, from, to, Reason::Replaced);
        Ok(())
    }
}
