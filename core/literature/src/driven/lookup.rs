//! The primitives of all lookups: stored definitions, incomplete phis, operands.

use super::definitions::bit;
use super::phis::State;
use super::{Driven, Strategy};
use ssaphire_construct::parts::PhiId;
use ssaphire_construct::{Event, Observer, PhiHost, Stopped};
use ssaphire_graph::{Block, Value, Variable};

impl<S: Strategy, O: Observer> Driven<S, O> {
    /// The stored value of the variable at the end of the block so far.
    #[inline]
    pub(crate) fn definition(&self, block: Block, variable: Variable) -> Option<Value> {
        self.links.find(block).and_then(|link| self.definitions.get(&link.definitions, variable))
    }

    /// Stores the value of the variable at the end of the block so far.
    #[inline]
    pub(crate) fn define(&mut self, block: Block, variable: Variable, value: Value) {
        let link = self.links.get_mut(block);
        link.stops |= bit(variable);
        self.definitions.push(&mut link.definitions, variable, value);
    }

    /// The value of `variable` at the end of `block` so far; it may be forwarded later.
    pub(crate) fn lookup(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<Value, Stopped> {
        if let Some(value) = self.definition(block, variable) {
            return Ok(self.values.resolve(value));
        }
        self.stats.lookups += 1;
        S::look_up(self, host, block, variable)
    }

    /// The value of the variable in the entry, or in a block without incoming edges.
    pub(crate) fn define_at_root(
        &mut self,
        host: &mut dyn PhiHost,
        root: Block,
        variable: Variable,
    ) -> Result<Value, Stopped> {
        let initial = self.on_entry.initial(variable).filter(|_| root == self.blocks.entry());
        let value = match initial {
            Some(value) => self.values.resolve(value),
            None => self.undefined(host, variable)?,
        };
        self.define(root, variable, value);
        Ok(value)
    }

    /// Makes a phi that gets its operands when its block is sealed, or at the end.
    pub(crate) fn make_incomplete_phi(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<Value, Stopped> {
        let phi = self.make_phi(host, block, variable, State::Incomplete)?;
        self.stats.incomplete_phis += 1;
        let value = self.phis.get(phi).value;
        self.define(block, variable, value);
        let data = self.blocks.get_mut(block);
        match data.own.last_incomplete.replace(phi).expand() {
            None => data.own.first_incomplete = phi.into(),
            Some(before) => self.phis.get_mut(before).next_incomplete = phi.into(),
        }
        Ok(value)
    }

    /// Makes a phi at a join, which holds it from now on.
    pub(crate) fn make_join_phi(
        &mut self,
        host: &mut dyn PhiHost,
        join: Block,
        variable: Variable,
    ) -> Result<PhiId, Stopped> {
        let phi = self.make_phi(host, join, variable, State::InProgress)?;
        self.define(join, variable, self.phis.get(phi).value);
        Ok(phi)
    }

    /// Gives a phi its operands, and the operands that are phis their user. Those found earlier may have been merged
    /// since.
    pub(crate) fn give_operands(&mut self, phi: PhiId, operands: &[Value]) -> Result<(), Stopped> {
        if !self.phis.complete(phi, operands) {
            return Err(self.stop(Stopped::TooManyOperands));
        }
        self.stats.operands_added += operands.len() as u64;
        let value = self.phis.get(phi).value;
        if S::KEEPS_USERS {
            for place in self.phis.operand_range(phi) {
                let operand = self.values.resolve(self.phis.operands[place]);
                self.phis.operands[place] = operand;
                if let Some(used) = self.values.phi(operand).filter(|_| operand != value) {
                    self.phis.add_user(used, phi);
                }
            }
        }
        if O::HEARS {
            for (index, place) in self.phis.operand_range(phi).enumerate() {
                let operand = self.values.resolve(self.phis.operands[place]);
                self.observer.event(Event::OperandAdded { phi: value, index: index as u32, value: operand });
            }
        }
        Ok(())
    }
}
