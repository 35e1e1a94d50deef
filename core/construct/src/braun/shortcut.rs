//! Walking up dominator intervals (`auto`).

use super::Builder;
use super::blocks::NONE;
use super::definitions::bit;
use super::lookup::End;
use crate::error::Stopped;
use crate::host::PhiHost;
use crate::observe::Observer;
use ssaphire_graph::{Block, Variable};

/// A walk of more steps than this stores what it found where it began.
const LONG_WALK: u64 = 16;

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
            if num_steps > LONG_WALK && self.current != from.index() as u32 {
                self.define(from, variable, value);
            }
        }
        Ok(end)
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
