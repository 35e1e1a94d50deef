//! Reads and writes of variables, and values the host replaces (Algorithm 1).

use super::definitions::bit;
use super::{Driven, Strategy};
use ssaphire_construct::PhiHost;
use ssaphire_construct::parts::{BlockState, InCall};
use ssaphire_construct::{Call, CallError, CallErrorKind};
use ssaphire_construct::{Event, Observer, Reason};
use ssaphire_graph::{Block, IdError, PackedOption, Value, Variable};

impl<S: Strategy, O: Observer> Driven<S, O> {
    /// Defines `variable` as `value` on entry: a parameter, or a constant the language begins with.
    pub(crate) fn try_set_initial(&mut self, variable: Variable, value: Value) -> Result<(), CallError> {
        self.set_initial(variable, value).in_call(Call::SetInitial { variable })
    }

    fn set_initial(&mut self, variable: Variable, value: Value) -> Result<(), CallErrorKind> {
        self.running()?;
        self.options.ids.check_variable(variable)?;
        self.options.ids.check_value(value)?;
        let is_held = self.definition(self.blocks.entry(), variable).is_some();
        self.on_entry.set_initial(variable, value, is_held)?;
        self.in_use.note_global(value);
        self.observer.event(Event::Initial { variable, value });
        Ok(())
    }

    /// Records a write of `value` to `variable` at this point of `block` (Algorithm 1).
    #[inline(always)]
    pub(crate) fn try_write_variable(
        &mut self,
        block: Block,
        variable: Variable,
        value: Value,
    ) -> Result<(), CallError> {
        let call = Call::Write { block, variable };
        if self.current != block.into() {
            self.open(block, variable, value).in_call(call)?;
        }
        self.write_here(block, variable, value).in_call(call)
    }

    /// Makes the block the current one, for a write.
    #[inline(never)]
    fn open(&mut self, block: Block, variable: Variable, value: Value) -> Result<(), CallErrorKind> {
        self.running()?;
        // All ids are looked at first: a call that is refused mentions no block.
        self.options.ids.check_block(block)?;
        self.check_ids(variable, value)?;
        let data = self.blocks.mention(block);
        if data.state.has(BlockState::FILLED) {
            return Err(CallErrorKind::Filled);
        }
        data.state.set(BlockState::ACCESSED);
        self.switch_to(block);
        Ok(())
    }

    /// Makes the block, which is not filled, the one whose accesses are recorded.
    fn switch_to(&mut self, block: Block) {
        self.current = block.into();
    }

    /// Writes the variable in the current block.
    #[inline(always)]
    fn write_here(&mut self, block: Block, variable: Variable, value: Value) -> Result<(), IdError> {
        if !self.in_use.is_ignored() || value.index() >= self.options.ids.values as usize {
            self.check_write(variable, value)?;
        }
        match self.row.own_definition(variable, block) {
            Some((cell, place)) => {
                cell.value = value;
                self.definitions.change(place, value);
            }
            None => self.write_first(block, variable, value)?,
        }
        self.stats.writes += 1;
        self.observer.event(Event::Write { block, variable, value });
        Ok(())
    }

    /// Takes note of a write of a value that may not be new, or that has to be remembered.
    #[inline(never)]
    fn check_write(&mut self, variable: Variable, value: Value) -> Result<(), IdError> {
        self.check_ids(variable, value)?;
        self.in_use.note(value);
        Ok(())
    }

    #[inline]
    fn check_ids(&self, variable: Variable, value: Value) -> Result<(), IdError> {
        self.options.ids.check_variable(variable)?;
        self.options.ids.check_value(value)
    }

    /// Writes a variable in the current block whose own definition the row has not.
    #[inline(never)]
    fn write_first(&mut self, block: Block, variable: Variable, value: Value) -> Result<(), IdError> {
        let cell = self.row.cell_within(&self.options.ids, variable)?;
        let link = self.links.get_mut(block);
        link.stops |= bit(variable);
        let place = self.definitions.push(&mut link.definitions, variable, value);
        cell.write(block, value, place);
        Ok(())
    }

    /// Writes `variable` on the edge that leaves the filled block `from` by `slot`: at the head of its target.
    pub(crate) fn try_write_on_edge(
        &mut self,
        from: Block,
        slot: u32,
        variable: Variable,
        value: Value,
    ) -> Result<(), CallError> {
        let call = Call::WriteOnEdge { from, slot, variable };
        self.running().in_call(call)?;
        let target = self.blocks.check_edge_write(from, slot).in_call(call)?;
        self.try_write_variable(target, variable, value)?;
        self.blocks.get_mut(target).state.unset(BlockState::ACCESSED);
        // The next access is to be noted.
        self.current = PackedOption::NONE;
        Ok(())
    }

    /// The value of `variable` at this point of `block` (Algorithms 1 and 2).
    pub(crate) fn try_read_variable(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<Value, CallError> {
        self.read(host, block, variable, None)
    }

    /// A read with a number of the caller's, under which it is reported if it may see an undefined variable.
    pub(crate) fn try_read_at_site(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
        site: u32,
    ) -> Result<Value, CallError> {
        self.read(host, block, variable, Some(site))
    }

    #[inline(always)]
    fn read(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
        site: Option<u32>,
    ) -> Result<Value, CallError> {
        let value = match self.value_in_row(block, variable) {
            Some(value) => self.values.resolve(value),
            None => self.read_beyond(host, block, variable).in_call(Call::Read { block, variable })?,
        };
        self.stats.reads += 1;
        if let Some(site) = site {
            self.note_site(site, block, variable, value);
        }
        self.observer.event(Event::Read { block, variable, value, site });
        Ok(value)
    }

    #[inline]
    fn note_site(&mut self, site: u32, block: Block, variable: Variable, value: Value) {
        if self.options.report_undefined_reads {
            self.sited_reads.note(site, block, variable, value);
        }
    }

    /// What the row holds for the variable, if it is an answer for the block: the block is then the current one.
    #[inline(always)]
    fn value_in_row(&self, block: Block, variable: Variable) -> Option<Value> {
        let cell = self.row.get(variable).filter(|_| self.current == block.into())?;
        (cell.block == self.current).then_some(cell.value)
    }

    /// The value of the variable in a block that is not the current one, or whose row has no answer.
    #[inline(never)]
    fn read_beyond(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<Value, CallErrorKind> {
        if self.current != block.into() {
            self.running()?;
            self.options.ids.check_block(block)?;
            self.options.ids.check_variable(variable)?;
            if self.blocks.is_filled(block) {
                return Err(CallErrorKind::Filled);
            }
            self.seal_ready(host)?;
            let data = self.blocks.mention(block);
            data.state.set(BlockState::ACCESSED);
            self.switch_to(block);
            if let Some(value) = self.value_in_row(block, variable) {
                return Ok(self.values.resolve(value));
            }
        } else if !self.seal.queue.is_idle() {
            // The write that made the block the current one had no host to seal it.
            self.options.ids.check_variable(variable)?;
            self.seal_ready(host)?;
            if let Some(value) = self.value_in_row(block, variable) {
                return Ok(self.values.resolve(value));
            }
        }
        self.options.ids.check_variable(variable)?;
        let value = self.lookup(host, block, variable)?;
        self.row.cell(variable).hold(block, value);
        self.note_returned(value);
        Ok(value)
    }

    /// The value of `variable` at the end of `block`, which is filled.
    pub(crate) fn try_read_at_end(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
        site: Option<u32>,
    ) -> Result<Value, CallError> {
        self.read_filled(host, block, variable, site).in_call(Call::ReadAtEnd { block, variable })
    }

    fn read_filled(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
        site: Option<u32>,
    ) -> Result<Value, CallErrorKind> {
        self.running()?;
        self.options.ids.check_block(block)?;
        self.options.ids.check_variable(variable)?;
        if !self.blocks.is_filled(block) {
            return Err(CallErrorKind::NotFilled);
        }
        self.seal_ready(host)?;
        self.blocks.get_mut(block).state.set(BlockState::ACCESSED);
        let value = self.lookup(host, block, variable)?;
        self.note_returned(value);
        self.stats.reads += 1;
        if let Some(site) = site {
            self.note_site(site, block, variable, value);
        }
        self.observer.event(Event::Read { block, variable, value, site });
        Ok(value)
    }

    /// The next variable that has not been declared.
    pub(crate) fn try_declare_variable(&mut self) -> Result<Variable, CallError> {
        self.running().in_call(Call::DeclareVariable)?;
        let variable = Variable::new(self.num_declared as usize);
        self.options.ids.check_variable(variable).in_call(Call::DeclareVariable)?;
        self.num_declared += 1;
        Ok(variable)
    }

    /// Notes that a read returns the value.
    #[inline]
    fn note_returned(&mut self, value: Value) {
        if let Some(phi) = self.values.phi(value) {
            self.phis.get_mut(phi).is_returned = true;
        }
    }

    /// The host says that `old`, which it wrote, is the same as `new`: it deleted, merged or folded `old`.
    pub(crate) fn try_replace(&mut self, host: &mut dyn PhiHost, old: Value, new: Value) -> Result<(), CallError> {
        self.replace(host, old, new).in_call(Call::Replace { old, new })
    }

    fn replace(&mut self, host: &mut dyn PhiHost, old: Value, new: Value) -> Result<(), CallErrorKind> {
        self.running()?;
        let Some((from, to)) = self.values.check_replacement(old, new, &self.options.ids)? else { return Ok(()) };
        self.in_use.note(from);
        self.in_use.note(to);
        self.stats.replaced += 1;
        self.forward(host, from, to, Reason::Replaced);
        S::replaced(self, from, to);
        Ok(())
    }

    /// The value that `value` currently resolves to.
    pub(crate) fn resolve(&mut self, value: Value) -> Value {
        self.values.resolve(value)
    }
}
