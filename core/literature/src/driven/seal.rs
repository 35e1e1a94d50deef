//! Sealing: all incoming edges of a block are known (Algorithm 4).

use super::phis::State;
use super::{Driven, Strategy};
use alloc::vec::Vec;
use ssaphire_construct::PhiHost;
use ssaphire_construct::parts::PhiId;
use ssaphire_construct::{Event, Observer};
use ssaphire_construct::{SealError, Stopped};
use ssaphire_graph::{Block, PackedOption, Value};

#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// Blocks whose last announced edge has been added, in that order.
    ready: Vec<Block>,
    next_ready: usize,
    /// Whether none of them waits to be sealed, and the host of the function is known.
    has_settled: bool,
    operands: Vec<Value>,
    /// Blocks to be sealed together.
    group: Vec<Block>,
}

impl Scratch {
    pub(crate) fn clear(&mut self) {
        self.ready.clear();
        self.next_ready = 0;
        self.has_settled = false;
        // Operands are left behind when the work budget is used up.
        self.operands.clear();
    }

    /// Whether a call with a host has nothing to see to first: no block waits to be sealed by itself, and it is not the
    /// first such call.
    #[inline]
    pub(crate) fn has_settled(&self) -> bool {
        self.has_settled
    }
}

impl<S: Strategy, O: Observer> Driven<S, O> {
    /// Seals `block`: no edge into it will be added. Its incomplete phis get their operands.
    pub(crate) fn try_seal_block(&mut self, host: &mut dyn PhiHost, block: Block) -> Result<(), SealError> {
        self.running()?;
        self.options.ids.check_block(block)?;
        let data = self.blocks.mention(block);
        if data.is_sealed || data.is_expecting {
            return self.refuse_seal(block);
        }
        self.settle(host)?;
        Ok(S::seal_together(self, host, &[block])?)
    }

    #[cold]
    fn refuse_seal(&self, block: Block) -> Result<(), SealError> {
        self.check_expected(block)?;
        Err(SealError::Sealed { block })
    }

    /// Whether the block has all the edges it expects, if it expects any.
    fn check_expected(&self, block: Block) -> Result<(), SealError> {
        match self.blocks.expected(block) {
            Some(expected) if !self.blocks.is_closed(block) => {
                Err(SealError::TooFewEdges { block, expected, given: self.blocks.get(block).num_in })
            }
            _ => Ok(()),
        }
    }

    /// Seals every mentioned block that is not sealed, in id order.
    pub(crate) fn try_seal_all_blocks(&mut self, host: &mut dyn PhiHost) -> Result<(), SealError> {
        self.running()?;
        for block in self.blocks.ids().filter(|&block| block != self.entry) {
            self.check_expected(block)?;
        }
        self.settle(host)?;
        let Self { seal, blocks, .. } = self;
        let is_open = |block: Block| blocks.get(block).is_mentioned && !blocks.get(block).is_sealed;
        seal.group.extend(blocks.ids().filter(|&block| is_open(block)));
        Ok(self.seal_group(host)?)
    }

    /// Seals `blocks`, in that order: no edge into any of them will be added.
    pub(crate) fn try_seal_blocks(&mut self, host: &mut dyn PhiHost, blocks: &[Block]) -> Result<(), SealError> {
        self.running()?;
        for &block in blocks {
            self.options.ids.check_block(block)?;
            if self.is_sealed(block) {
                return Err(SealError::Sealed { block });
            }
            self.check_expected(block)?;
        }
        self.settle(host)?;
        for &block in blocks {
            self.blocks.mention(block);
        }
        self.seal.group.extend_from_slice(blocks);
        Ok(self.seal_group(host)?)
    }

    /// Announces that `block` will have `edges` incoming edges: it is sealed by itself when the last one is there, so
    /// where there are none, at once.
    pub(crate) fn try_expect_edges(&mut self, block: Block, edges: u32) -> Result<(), SealError> {
        self.running()?;
        self.options.ids.check_block(block)?;
        if self.blocks.is_announced {
            let announced = self.blocks.expected(block).unwrap_or(0);
            let is_so = announced == edges;
            return if is_so { Ok(()) } else { Err(SealError::Announced { block, edges: announced }) };
        }
        let given = self.blocks.find(block).map_or(0, |data| data.num_in);
        if self.is_sealed(block) {
            return Err(SealError::Sealed { block });
        }
        if given > edges {
            return Err(SealError::TooManyEdges { block, expected: edges, given });
        }
        self.blocks.set_expected(block, edges);
        self.observer.event(Event::Expected { block, edges });
        self.note_if_ready(block);
        Ok(())
    }

    /// Queues the block if its last announced edge is there.
    pub(crate) fn note_if_ready(&mut self, block: Block) {
        if self.blocks.has_all_expected(block) && !self.blocks.get(block).is_sealed {
            self.seal.ready.push(block);
            self.seal.has_settled = false;
            // The next access is to seal it.
            self.current = PackedOption::NONE;
        }
    }

    /// Seals the blocks whose last announced edge is there.
    ///
    /// `terminate` has no host to ask for phis, so this is done by the next call that has one, before anything else.
    #[inline]
    pub(crate) fn settle(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        if self.seal.has_settled() {
            return Ok(());
        }
        self.settle_waiting(host)
    }

    #[inline(never)]
    fn settle_waiting(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        self.meet(host);
        self.seal.has_settled = true;
        let ready = core::mem::replace(&mut self.seal.next_ready, self.seal.ready.len());
        self.seal.group.extend_from_slice(&self.seal.ready[ready..]);
        self.seal_group(host)
    }

    /// Seals the blocks of the group that are not sealed.
    fn seal_group(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        let group = core::mem::take(&mut self.seal.group);
        let result = S::seal_together(self, host, &group);
        self.seal.group = group;
        self.seal.group.clear();
        result
    }

    /// Seals the block, if it is not sealed, and completes its incomplete phis one after the other.
    pub(crate) fn seal(&mut self, host: &mut dyn PhiHost, block: Block) -> Result<(), Stopped> {
        if self.blocks.get(block).is_sealed {
            return Ok(());
        }
        self.seal_open(host, block)
    }

    /// Seals a block that is not sealed.
    #[inline]
    fn seal_open(&mut self, host: &mut dyn PhiHost, block: Block) -> Result<(), Stopped> {
        // Sealed first: a lookup that comes back here must not leave another incomplete phi.
        self.blocks.seal(block);
        self.observer.event(Event::Sealed { block });
        S::sealed(self, block);
        match self.blocks.get(block).first_incomplete.expand() {
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
        for place in self.blocks.incoming_range(block) {
            let source = self.blocks.incoming_edge(place).source;
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
