//! Walking up chains of blocks with one incoming edge (Algorithm 2's first case).
//!
//! A sealed block with one incoming edge is linked below the source of that
//! edge: walks pass it by one look at its bits. They stop where the bits cannot tell, and at every
//! sixteenth block, which waits for the value.

use super::Builder;
use super::blocks::NONE;
use super::definitions::{List, bit};
use super::lookup::End;
use crate::error::Stopped;
use crate::fault::{self, Fault};
use crate::host::PhiHost;
use crate::observe::Observer;
use crate::result::IncomingEdge;
use ssaphire_graph::{Block, Value, Variable};

/// Of the blocks that a long walk passes one in so many stores what was found, so that no later walk goes further than that.
pub(super) const MEMO_STRIDE: u64 = 16;

/// What walks need of a block: where they go on from it, and what it defines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// Variables a walk stops at the block for, by their bit: all while it is not linked, else those that it defines.
    pub(super) stops: u64,
    /// Number of the source of its only edge, once linked; `NONE` before.
    pub(super) up: u32,
    /// What variables hold at the end of the block, where something stored it.
    pub(super) definitions: List,
}

impl Link {
    pub(super) const NEW: Self = Self { stops: u64::MAX, up: NONE, definitions: List::EMPTY };
}

impl<O: Observer> Builder<O> {
    /// Lets walks pass the block, which has just been sealed, if one edge leads to it.
    #[inline]
    pub(super) fn link_chain(&mut self, block: Block) {
        if let (&[IncomingEdge { source, .. }], true) = (self.blocks.incoming(block), block != self.entry) {
            let link = self.blocks.link_mut(block.index() as u32);
            (link.up, link.stops) = (source.index() as u32, link.definitions.variables);
        }
    }

    /// Walks up from `from` while there is one way to go.
    #[inline(always)]
    pub(super) fn walk_chain(
        &mut self,
        host: &mut dyn PhiHost,
        from: Block,
        variable: Variable,
    ) -> Result<End, Stopped> {
        let (at, num_steps, value) = self.climb_chain(from, variable, MEMO_STRIDE)?;
        if let Some(value) = value {
            return Ok(End::Found(value, at));
        }
        let data = self.blocks.get(at);
        if data.is_sealed && data.num_in > 1 && at != self.entry {
            return Ok(End::Join(at));
        }
        self.walk_on_chain(host, at, num_steps, variable)
    }

    /// The block at which a walk stops after at most so many steps, the steps, and what the block defines.
    #[inline(always)]
    fn climb_chain(
        &mut self,
        from: Block,
        variable: Variable,
        limit: u64,
    ) -> Result<(Block, u64, Option<Value>), Stopped> {
        let (at, num_steps) = self.blocks.climb(from, bit(variable), limit - 1);
        self.spend(num_steps)?;
        self.stats.lookup_steps += num_steps;
        let value = self.definition(at, variable).map(|value| self.values.resolve(value));
        Ok((at, num_steps, value))
    }

    /// Goes on from a block that does not define the variable, and is not known to be a join, after so many steps.
    #[inline(never)]
    fn walk_on_chain(
        &mut self,
        host: &mut dyn PhiHost,
        stop: Block,
        num_steps: u64,
        variable: Variable,
    ) -> Result<End, Stopped> {
        self.lookup.walk += 1;
        let walk = self.lookup.walk;
        let (mut at, mut steps_to_memo) = (stop, MEMO_STRIDE - num_steps);
        loop {
            let data = self.blocks.get_mut(at);
            if (at == self.entry && !fault::is_on(Fault::EntryIsUnsealed)) || (data.is_sealed && data.num_in == 0) {
                return Ok(End::Found(self.hold_at_root(host, at, variable)?, at));
            }
            if data.num_in > 1 && (data.is_sealed || fault::is_on(Fault::UnsealedJoinsAreJoins)) {
                return Ok(End::Join(at));
            }
            let is_first_stop =
                core::mem::replace(&mut data.seen, walk) != walk || fault::is_on(Fault::ChainsHaveNoStamp);
            let is_sealed = data.is_sealed || (data.num_in == 1 && fault::is_on(Fault::UnsealedChainsAreChains));
            let goes_on = is_sealed || (is_first_stop && self.blocks.hint_leaves_out(at, variable));
            if !goes_on {
                return Ok(End::Found(self.make_incomplete_phi(host, at, variable)?, at));
            }
            if !is_first_stop {
                // A cycle of sealed blocks with one incoming edge each: nothing outside leads here.
                return Ok(End::Found(self.undefined(host, variable)?, at));
            }
            if steps_to_memo == 0 || !is_sealed {
                self.lookup.path.push(at);
                steps_to_memo = MEMO_STRIDE;
            }
            let Some(source) = self.blocks.first_source(at) else { unreachable!("the block has one incoming edge") };
            let (stop, num_steps, value) = self.climb_chain(source, variable, steps_to_memo)?;
            if let Some(value) = value {
                return Ok(End::Found(value, stop));
            }
            (at, steps_to_memo) = (stop, steps_to_memo - num_steps);
        }
    }

    /// What the variable holds in the entry, or in a block that no edge leads to.
    pub(super) fn hold_at_root(
        &mut self,
        host: &mut dyn PhiHost,
        root: Block,
        variable: Variable,
    ) -> Result<Value, Stopped> {
        let initial = self
            .initial
            .get(variable)
            .copied()
            .flatten()
            .filter(|_| root == self.entry && !fault::is_on(Fault::InitialValuesAreUndefined));
        let value = match initial {
            Some(value) => self.values.resolve(value),
            None => self.undefined(host, variable)?,
        };
        self.define(root, variable, value);
        Ok(value)
    }

    /// Stores the value in the blocks that have waited for it since `first`.
    #[inline]
    pub(super) fn store_on_path(&mut self, variable: Variable, first: usize, value: Value) {
        if self.lookup.path.len() > first {
            self.store_in_waiting(variable, first, value);
        }
    }

    fn store_in_waiting(&mut self, variable: Variable, first: usize, value: Value) {
        let first = if fault::is_on(Fault::MemoReachesTooFar) { 0 } else { first };
        for index in first..self.lookup.path.len() {
            let block = self.lookup.path[index];
            if !self.blocks.get(block).is_sealed {
                self.note_hinted(block, variable, value);
            }
            self.define(block, variable, value);
        }
        self.lookup.path.truncate(first);
    }
}
