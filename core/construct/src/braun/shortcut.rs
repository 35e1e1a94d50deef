//! Walking up dominator intervals (`auto`).

use super::Builder;
use super::blocks::NONE;
use super::definitions::bit;
use super::lookup::End;
use crate::error::Stopped;
use crate::host::PhiHost;
use crate::observe::Observer;
use ssaphire_graph::{Block, Value, Variable};

/// A long walk stores what it found in every so many blocks, so that no later one walks further than that.
const MEMO_STRIDE: u64 = 16;

impl<O: Observer> Builder<O> {
    /// Walks up from `at`, past the joins in whose interval the variable is not written.
    pub(super) fn walk_intervals(
        &mut self,
        host: &mut dyn PhiHost,
        from: Block,
        variable: Variable,
    ) -> Result<End, Stopped> {
        self.lookup.walk += 1;
        let bit = bit(variable);
        let mut at = from;
        let mut num_steps = 0;
        let end = loop {
            num_steps += 1;
            let data = self.blocks.get(at);
            if let Some(value) = self.definitions.get(&data.definitions, at, variable) {
                break End::Found(self.values.resolve(value));
            }
            let up = data.interval.up;
            if up != NONE && data.interval.between & bit == 0 {
                at = Block::new(up as usize);
            } else if let Some(end) = self.stop_at(host, at, variable) {
                break end;
            } else {
                let Some(source) = self.blocks.first_source(at) else { unreachable!("a hint lets pass along an edge") };
                at = source;
            }
        };
        self.stats.lookup_steps += num_steps;
        self.spend(num_steps)?;
        if let End::Found(value) = end {
            if num_steps > MEMO_STRIDE {
                self.store_on_way(from, num_steps, variable, value);
            }
        }
        Ok(end)
    }

    /// Stores the value in one block of sixteen on the way up from `from`, as far as intervals led.
    fn store_on_way(&mut self, from: Block, num_steps: u64, variable: Variable, value: Value) {
        let mut at = from.index() as u32;
        for step in 1..num_steps {
            at = self.blocks.interval(at).up;
            if at == NONE {
                return;
            }
            if step % MEMO_STRIDE == 0 {
                self.define(Block::new(at as usize), variable, value);
            }
        }
    }

    /// What the walk ends with at a block it cannot pass by an interval; nothing if a hint lets it pass.
    fn stop_at(&mut self, host: &mut dyn PhiHost, at: Block, variable: Variable) -> Option<End> {
        let walk = self.lookup.walk;
        let data = self.blocks.get_mut(at);
        if data.is_sealed && data.num_in > 0 {
            return Some(End::Join(at));
        }
        if data.is_sealed || at == self.entry {
            return Some(End::Found(self.hold_at_root(host, at, variable)));
        }
        let is_first_visit = core::mem::replace(&mut data.seen, walk) != walk;
        if is_first_visit && self.blocks.hint_leaves_out(at, variable) {
            self.lookup.path.push(at);
            return None;
        }
        Some(End::Found(self.make_incomplete_phi(host, at, variable)))
    }
}
