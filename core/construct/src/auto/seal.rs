//! Sealing: all incoming edges of a block are known (Algorithm 4).

use super::Builder;
use crate::error::{Call, CallError, CallErrorKind, InCall, Stopped};
use crate::host::PhiHost;
use crate::observe::{Event, Observer};
use crate::protocol::{SealQueue, State};
use crate::values::PhiId;
use alloc::vec::Vec;
use ssaphire_graph::{Block, PackedOption};

#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// Blocks that are to be sealed.
    pub(super) queue: SealQueue,
    /// Incomplete phis of blocks that are sealed together.
    incomplete: Vec<PhiId>,
}

impl Scratch {
    pub(super) fn clear(&mut self) {
        self.queue.clear();
        self.incomplete.clear();
    }
}

impl<O: Observer> Builder<O> {
    /// Seals `block`: no edge into it will be added. Its incomplete phis get their operands.
    #[inline(always)]
    pub(super) fn seal_one(&mut self, host: &mut dyn PhiHost, block: Block) -> Result<(), CallError> {
        if self.seal.queue.is_idle() {
            if let Some(data) = self.blocks.seal_if(block, |own| own.node.is_none()) {
                self.observer.event(Event::Sealed { block });
                // A block without a node has no phis. A block with one predecessor shares its node until its first
                // write.
                let num_in = data.num_in;
                if num_in == 1 {
                    data.own.node = data.own.above;
                    return Ok(());
                }
                return self.link_new(host, block, num_in);
            }
        }
        self.seal_with_care(host, block)
    }

    #[inline(never)]
    fn seal_with_care(&mut self, host: &mut dyn PhiHost, block: Block) -> Result<(), CallError> {
        let call = Call::Seal { block };
        self.running().in_call(call)?;
        self.blocks.check_seal(block, &self.options.ids).in_call(call)?;
        self.blocks.mention(block);
        self.seal_ready(host).in_call(call)?;
        self.seal_now(block).in_call(call)?;
        self.complete_phis(host, block).in_call(call)?;
        self.complete_released(host).in_call(call)
    }

    pub(super) fn seal_all(&mut self, host: &mut dyn PhiHost) -> Result<(), CallErrorKind> {
        self.running()?;
        self.blocks.check_seal_all()?;
        self.seal_ready(host)?;
        let group = self.seal.queue.group(self.blocks.mentioned());
        Ok(self.seal_group(host, group)?)
    }

    pub(super) fn seal_several(&mut self, host: &mut dyn PhiHost, blocks: &[Block]) -> Result<(), CallErrorKind> {
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
    pub(super) fn note_if_ready(&mut self, block: Block) {
        if self.blocks.has_all_expected(block) && !self.blocks.get(block).state.has(State::SEALED) {
            self.seal.queue.push(block);
            // The next access is to seal it.
            self.leave_current();
        }
    }

    /// Seals the blocks whose last expected edge is there.
    ///
    /// `terminate` has no host to ask for phis, so this is done by the next call that has one, before anything else.
    #[inline]
    pub(super) fn seal_ready(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
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

    /// Seals the blocks of the group that are not sealed: all of them, before the phis of any get operands.
    fn seal_group(&mut self, host: &mut dyn PhiHost, mut group: Vec<Block>) -> Result<(), Stopped> {
        group.retain(|&block| !self.blocks.get(block).state.has(State::SEALED));
        let mut result = group.iter().try_for_each(|&block| {
            let is_sealed = self.blocks.get(block).state.has(State::SEALED);
            if is_sealed { Ok(()) } else { self.seal_now(block) }
        });
        for &block in &group {
            result = result.and_then(|()| self.complete_phis(host, block));
        }
        self.seal.queue.reuse(group);
        result?;
        self.complete_released(host)
    }

    /// Seals a block, and links it.
    fn seal_now(&mut self, block: Block) -> Result<(), Stopped> {
        self.blocks.seal(block);
        self.observer.event(Event::Sealed { block });
        let num_steps = self.tree.num_steps;
        self.link(block);
        self.spend(self.tree.num_steps - num_steps)
    }

    /// Gives the incomplete phis of blocks that wait no longer their operands.
    pub(super) fn complete_released(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        for index in 0..self.waiting.num_released() {
            self.complete_phis(host, self.waiting.released(index))?;
        }
        self.waiting.forget_released();
        Ok(())
    }

    /// Gives the incomplete phis of a block that has been sealed their operands, in the order they were made; unless it
    /// waits.
    fn complete_phis(&mut self, host: &mut dyn PhiHost, block: Block) -> Result<(), Stopped> {
        let data = self.blocks.get(block);
        if data.is_open() {
            return Ok(());
        }
        let own = data.own;
        let Some(top) = own.node.expand() else { return Ok(()) };
        let first = self.seal.incomplete.len();
        let Self { seal, phis, .. } = self;
        let is_incomplete = |&phi: &PhiId| phis.table[phi].state == super::phis::State::Incomplete;
        seal.incomplete.extend(phis.list(own.last_phi).filter(is_incomplete));
        for index in (first..self.seal.incomplete.len()).rev() {
            self.complete(host, top, self.seal.incomplete[index])?;
        }
        self.seal.incomplete.truncate(first);
        self.complete_deferred(host, block)
    }

    /// The incomplete phis of a block that is not sealed.
    pub(super) fn num_incomplete(&self, last_phi: PackedOption<PhiId>) -> usize {
        self.phis.list(last_phi).count()
    }
}
