//! Walking up chains of blocks with one incoming edge (Algorithm 2's first case).
//!
//! A sealed block with one incoming edge is linked below the source of that
//! edge: walks pass it by one look at its bits. They stop where the bits cannot tell, and at every
//! sixteenth block, which waits for the value.

use super::{End, Joins};
use crate::driven::Driven;
use crate::driven::definitions::bit;
use ssaphire_construct::IncomingEdge;
use ssaphire_construct::Observer;
use ssaphire_construct::PhiHost;
use ssaphire_construct::Stopped;
use ssaphire_graph::{Block, Value, Variable};

impl<S: Joins, O: Observer> Driven<S, O> {
    /// Lets walks pass the block, which has just been sealed, if one edge leads to it.
    #[inline]
    pub(crate) fn link_chain(&mut self, block: Block) {
        if let (&[IncomingEdge { source, .. }], true) = (self.incoming.of(block), block != self.blocks.entry()) {
            let link = self.links.get_mut(block);
            (link.up, link.stops) = (source, link.definitions.variables);
        }
    }

    /// Of this many blocks that a long walk passes, one stores the result, so that no later walk goes further than that.
    #[inline]
    pub(super) fn memo_stride(&self) -> u64 {
        u64::from(self.options.thresholds.memo_stride.max(1))
    }

    /// Walks up from `from` while there is one way to go.
    #[inline(always)]
    pub(super) fn walk_chain(
        &mut self,
        host: &mut dyn PhiHost,
        from: Block,
        variable: Variable,
    ) -> Result<End, Stopped> {
        let (at, num_steps, value) = self.climb_chain(from, variable, self.memo_stride())?;
        if let Some(value) = value {
            return Ok(End::Found(value));
        }
        let data = self.blocks.get(at);
        if data.is_sealed() && data.num_in > 1 && at != self.blocks.entry() {
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
        let (at, num_steps) = self.links.climb(from, bit(variable), limit - 1);
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
        self.walk().chain += 1;
        let chain = self.walk().chain;
        let (mut at, mut steps_to_memo) = (stop, self.memo_stride() - num_steps);
        let entry = self.blocks.entry();
        loop {
            let data = self.blocks.get_mut(at);
            if at == entry || (data.is_sealed() && data.num_in == 0) {
                return Ok(End::Found(self.define_at_root(host, at, variable)?));
            }
            if data.num_in > 1 && data.is_sealed() {
                return Ok(End::Join(at));
            }
            if !data.is_sealed() {
                return Ok(End::Found(self.make_incomplete_phi(host, at, variable)?));
            }
            if core::mem::replace(&mut data.own.seen, chain) == chain {
                // A cycle of sealed blocks with one incoming edge each: nothing outside leads here.
                return Ok(End::Found(self.undefined(host, variable)?));
            }
            if steps_to_memo == 0 {
                self.walk().path.push(at);
                steps_to_memo = self.memo_stride();
            }
            let Some(edge) = self.blocks.only_edge(at) else { unreachable!("the block has one incoming edge") };
            let source = edge.source;
            let (stop, num_steps, value) = self.climb_chain(source, variable, steps_to_memo)?;
            if let Some(value) = value {
                return Ok(End::Found(value));
            }
            (at, steps_to_memo) = (stop, steps_to_memo - num_steps);
        }
    }

    /// Stores the value in the blocks that have waited for it since `first`.
    #[inline]
    pub(super) fn store_on_path(&mut self, variable: Variable, first: usize, value: Value) {
        if self.walk().path.len() > first {
            self.store_in_waiting(variable, first, value);
        }
    }

    fn store_in_waiting(&mut self, variable: Variable, first: usize, value: Value) {
        for index in first..self.walk().path.len() {
            let block = self.walk().path[index];
            self.define(block, variable, value);
        }
        self.walk().path.truncate(first);
    }
}
