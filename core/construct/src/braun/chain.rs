//! Walking up chains of blocks with one incoming edge (Algorithm 2's first case).

use super::Builder;
use super::lookup::End;
use crate::error::Stopped;
use crate::fault::{self, Fault};
use crate::host::PhiHost;
use crate::observe::Observer;
use crate::options::Engine;
use ssaphire_graph::{Block, Value, Variable};

/// A chain block at every so many steps stores what was found, so that no later lookup walks further than that.
const MEMO_STRIDE: usize = 16;

impl<O: Observer> Builder<O> {
    /// Walks up from `at` while there is one way to go.
    pub(super) fn walk_chain(&mut self, host: &mut dyn PhiHost, at: Block, variable: Variable) -> Result<End, Stopped> {
        self.lookup.walk += 1;
        let walk = self.lookup.walk;
        let mut at = at;
        loop {
            self.spend(1)?;
            self.stats.lookup_steps += 1;
            if let Some(value) = self.definition(at, variable) {
                return Ok(End::Found(self.values.resolve(value), at));
            }
            let data = self.blocks.get_mut(at);
            if (at == self.entry && !fault::is_on(Fault::EntryIsUnsealed)) || (data.is_sealed && data.num_in == 0) {
                return Ok(End::Found(self.hold_at_root(host, at, variable), at));
            }
            if data.num_in > 1 && (data.is_sealed || fault::is_on(Fault::UnsealedJoinsAreJoins)) {
                return Ok(End::Join(at));
            }
            let is_first_visit =
                core::mem::replace(&mut data.seen, walk) != walk || fault::is_on(Fault::ChainsHaveNoStamp);
            let is_sealed = data.is_sealed || (data.num_in == 1 && fault::is_on(Fault::UnsealedChainsAreChains));
            let goes_on = is_sealed || (is_first_visit && self.blocks.hint_leaves_out(at, variable));
            if !goes_on {
                return Ok(End::Found(self.make_incomplete_phi(host, at, variable), at));
            }
            if !is_first_visit {
                // A cycle of sealed blocks with one incoming edge each: nothing outside leads here.
                return Ok(End::Found(self.undefined(host, variable), at));
            }
            self.lookup.path.push(at);
            let Some(source) = self.blocks.first_source(at) else { unreachable!("the block has one incoming edge") };
            at = source;
        }
    }

    /// What the variable holds in the entry, or in a block that no edge leads to.
    pub(super) fn hold_at_root(&mut self, host: &mut dyn PhiHost, root: Block, variable: Variable) -> Value {
        let initial = self
            .initial
            .get(variable)
            .copied()
            .flatten()
            .filter(|_| root == self.entry && !fault::is_on(Fault::InitialValuesAreUndefined));
        let value = match initial {
            Some(value) => self.values.resolve(value),
            None => self.undefined(host, variable),
        };
        self.define(root, variable, value);
        value
    }

    /// Stores the value in blocks passed since `first`: those that an answered hint makes final, and one in 16.
    #[inline]
    pub(super) fn store_on_path(&mut self, variable: Variable, first: usize, value: Value) {
        if self.lookup.path.len() > first {
            self.store_on_chain(variable, first, value);
        }
    }

    fn store_on_chain(&mut self, variable: Variable, first: usize, value: Value) {
        let first = if fault::is_on(Fault::MemoReachesTooFar) { 0 } else { first };
        let is_chain = self.options.engine != Engine::Auto;
        for index in first..self.lookup.path.len() {
            let block = self.lookup.path[index];
            let is_sealed = self.blocks.get(block).is_sealed;
            if !is_sealed {
                self.note_hinted(block, variable, value);
            }
            if !is_sealed || (is_chain && (index - first) % MEMO_STRIDE == MEMO_STRIDE - 1) {
                self.define(block, variable, value);
            }
        }
        self.lookup.path.truncate(first);
    }
}
