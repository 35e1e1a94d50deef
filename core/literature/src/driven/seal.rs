//! Sealing: all incoming edges of a block are known (Algorithm 4).

use super::phis::State;
use super::{Driven, Strategy};
use alloc::vec::Vec;
use ssaphire_construct::PhiHost;
use ssaphire_construct::parts::{InCall, PhiId, SealQueue};
use ssaphire_construct::{Call, CallError, CallErrorKind, Stopped};
use ssaphire_construct::{Event, Observer};
use ssaphire_graph::{Block, PackedOption, Value};

#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// Blocks that are to be sealed.
    pub(crate) queue: SealQueue,
    operands: Vec<Value>,
}

impl Scratch {
    pub(crate) fn clear(&mut self) {
        self.queue.clear();
        // Operands are left behind when the work budget is used up.
        self.operands.clear();
    }
}

impl<S: Strategy, O: Observer> Driven<S, O> {
    /// Seals `block`: no edge into it will be added. Its incomplete phis get their operands.
    pub(crate) fn try_seal_block(&mut self, host: &mut dyn PhiHost, block: Block) -> Result<(), CallError> {
        self.seal_one(host, block).in_call(Call::Seal { block })
    }

    fn seal_one(&mut self, host: &mut dyn PhiHost, block: Block) -> Result<(), CallErrorKind> {
        self.running()?;
        self.blocks.check_seal(block, &self.options.ids)?;
        self.blocks.mention(block);
        self.seal_ready(host)?;
        Ok(S::seal_together(self, host, &[block])?)
    }

    /// Seals every mentioned block that is not sealed, in id order.
    pub(crate) fn try_seal_all_blocks(&mut self, host: &mut dyn PhiHost) -> Result<(), CallError> {
        self.seal_all(host).in_call(Call::SealAllBlocks)
    }

    fn seal_all(&mut self, host: &mut dyn PhiHost) -> Result<(), CallErrorKind> {
        self.running()?;
        self.blocks.check_seal_all()?;
        self.seal_ready(host)?;
        let is_open = |&block: &Block| !self.blocks.get(block).is_sealed();
        let group = self.seal.queue.group(self.blocks.mentioned().filter(is_open));
        Ok(self.seal_group(host, group)?)
    }

    /// Seals `blocks`, in that order: no edge into any of them will be added.
    pub(crate) fn try_seal_blocks(&mut self, host: &mut dyn PhiHost, blocks: &[Block]) -> Result<(), CallError> {
        self.seal_several(host, blocks).in_call(Call::SealBlocks)
    }

    fn seal_several(&mut self, host: &mut dyn PhiHost, blocks: &[Block]) -> Result<(), CallErrorKind> {
        self.running()?;
        blocks.iter().try_for_each(|&block| self.blocks.check_seal(block, &self.options.ids))?;
        self.seal_ready(host)?;
        for &block in blocks {
            self.blocks.mention(block);
        }
        let group = self.seal.queue.group(blocks.iter().copied());
        Ok(self.seal_group(host, group)?)
    }

    /// Queues the block if its last expected edge is there.
    pub(crate) fn note_if_ready(&mut self, block: Block) {
        if self.blocks.has_all_expected(block) && !self.blocks.get(block).is_sealed() {
            self.seal.queue.push(block);
            // The next access is to seal it.
            self.current = PackedOption::NONE;
        }
    }

    /// Seals the blocks whose last expected edge is there.
    #[inline]
    pub(crate) fn seal_ready(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        if self.seal.queue.is_idle() {
            return Ok(());
        }
        self.seal_ready_blocks(host)
    }

    #[inline(never)]
    fn seal_ready_blocks(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        self.ask_strictness(host);
        let group = self.seal.queue.take_ready();
        self.seal_group(host, group)
    }

    /// Seals the blocks of the group that are not sealed.
    fn seal_group(&mut self, host: &mut dyn PhiHost, group: Vec<Block>) -> Result<(), Stopped> {
        let result = S::seal_together(self, host, &group);
        self.seal.queue.reuse(group);
        result
    }

    /// Seals the block, if it is not sealed, and completes its incomplete phis one after the other.
    pub(crate) fn seal(&mut self, host: &mut dyn PhiHost, block: Block) -> Result<(), Stopped> {
        if self.blocks.get(block).is_sealed() {
            return Ok(());
        }
        self.seal_open(host, block)
    }

    /// Seals a block that is not sealed.
    #[inline]
    fn seal_open(&mut self, host: &mut dyn PhiHost, block: Block) -> Result<(), Stopped> {
        // Sealed first: a lookup that comes back here must not leave another incomplete phi.
        self.blocks.seal(block);
        self.incoming.list(&self.blocks, block);
        self.observer.event(Event::Sealed { block });
        S::sealed(self, block);
        match self.blocks.get(block).own.first_incomplete.expand() {
            Some(first) if !S::DECIDES_AT_END => self.complete_all(host, block, first),
            _ => Ok(()),
        }
    }

    /// Gives the incomplete phis of the block, which has been sealed, their operands.
    fn complete_all(&mut self, host: &mut dyn PhiHost, block: Block, first: PhiId) -> Result<(), Stopped> {
        let mut next = Some(first);
        while let Some(phi) = next {
            next = self.phis.get(phi).next_incomplete.expand();
            self.complete_incomplete(host, block, phi)?;
        }
        Ok(())
    }

    fn complete_incomplete(&mut self, host: &mut dyn PhiHost, block: Block, phi: PhiId) -> Result<(), Stopped> {
        self.phis.get_mut(phi).state = State::InProgress;
        let variable = self.phis.get(phi).variable;
        let start = self.seal.operands.len();
        for place in self.incoming.range(block) {
            let source = self.incoming.at(place).source;
            let operand = self.lookup(host, source, variable)?;
            self.seal.operands.push(operand);
        }
        let operands = core::mem::take(&mut self.seal.operands);
        self.give_operands(phi, &operands[start..])?;
        self.seal.operands = operands;
        self.seal.operands.truncate(start);
        self.remove_if_trivial(host, phi)?;
        Ok(())
    }
}
