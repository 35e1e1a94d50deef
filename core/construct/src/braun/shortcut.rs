//! Walking up dominator intervals (`auto`).
//!
//! # Complexity
//! A walk takes at most 16 steps, and then O(log *n*) to leap as far as the
//! first and last write of the variable allow. What remains is linear: a
//! variable written in many places, asked for in a block between them, costs a
//! step for each block up to the write above; and a join in between whose
//! interval writes another variable with the same bit is entered for nothing.

use super::Builder;
use super::blocks::NONE;
use super::chain::MEMO_STRIDE;
use super::definitions::bit;
use super::intervals::Interval;
use super::lookup::End;
use super::row::Cell;
use crate::error::Stopped;
use crate::fault::{self, Fault};
use crate::host::PhiHost;
use crate::observe::Observer;
use ssaphire_graph::{Block, Value, Variable};

/// After more steps than that a walk looks for a way to leap.
const LEAP: u64 = 16;

/// A climb from a block to one where it stopped, or that many steps away.
#[derive(Clone, Copy, Debug)]
pub(super) struct Climbed {
    from: Block,
    pub(super) at: Block,
    num_steps: u64,
}

impl<O: Observer> Builder<O> {
    /// Climbs from `from`, past the joins in whose interval the variable is not written.
    #[inline(always)]
    pub(super) fn climb(&self, from: Block, variable: Variable) -> Climbed {
        let (at, num_steps) = self.blocks.climb(from, bit(variable), LEAP);
        Climbed { from, at, num_steps }
    }

    /// What the variable holds in the block to which a short climb led, if the block defines it.
    #[inline(always)]
    pub(super) fn definition_above(&mut self, climbed: &Climbed, variable: Variable) -> Option<Value> {
        let &Climbed { at, num_steps, .. } = climbed;
        let value = self.definitions.get(&self.blocks.interval(at.index() as u32).definitions, variable)?;
        if self.stats.work + num_steps > self.options.work_limit.unwrap_or(u64::MAX) {
            return None;
        }
        self.stats.lookup_steps += num_steps;
        self.stats.work += num_steps;
        Some(self.values.resolve(value))
    }

    /// Whether the variable holds at the end of `block` what it holds at the end of `above`: the same block, or its dominator.
    #[inline(always)]
    pub(super) fn holds_the_same(&self, block: Block, above: Block, variable: Variable) -> bool {
        let interval = self.blocks.interval(block.index() as u32);
        block == above
            || (interval.up == above.index() as u32
                && (interval.stops & bit(variable) == 0 || fault::is_on(Fault::EdgesFromBelowAreEqual)))
    }

    /// Goes on where a climb has come to and cannot go on by intervals alone.
    pub(super) fn walk_on(
        &mut self,
        host: &mut dyn PhiHost,
        climbed: Climbed,
        variable: Variable,
    ) -> Result<End, Stopped> {
        let Climbed { from, mut at, mut num_steps } = climbed;
        self.spend(num_steps)?;
        self.lookup.walk += 1;
        let end = loop {
            let next = match self.pass(at, variable) {
                Some(above) => above,
                None => match self.stop_at(host, at, variable)? {
                    Some(end) => break end,
                    None => self.source_of_hinted(at),
                },
            };
            let (stop, more_steps) = self.blocks.climb(next, bit(variable), LEAP);
            (at, num_steps) = (stop, num_steps + more_steps);
            self.spend(more_steps)?;
            if let Some(value) = self.definition(at, variable) {
                break End::Found(self.values.resolve(value), at);
            }
        };
        self.stats.lookup_steps += num_steps;
        if let End::Found(value, _) = end {
            if num_steps > MEMO_STRIDE {
                self.store_on_way(from, num_steps, variable, value);
            }
        }
        Ok(end)
    }

    /// A block above `at`, from whose end to the top of `at` the variable is not written, if intervals tell of one.
    ///
    /// What lies between a block and its dominator was begun after the dominator, and, as long as no loop begins
    /// there, before the block. So it has no write of a variable that was written last before the dominator was
    /// begun, or first after the block was. This tells apart variables that share a bit, and passes many blocks at once.
    fn pass(&mut self, at: Block, variable: Variable) -> Option<Block> {
        let number = at.index() as u32;
        let Interval { up, depth, begun, .. } = *self.blocks.interval(number);
        if up == NONE {
            return None;
        }
        let Cell { last_write, first_write, .. } = *self.row.cell(variable);
        let data = self.blocks.get(at);
        let is_later = first_write > begun
            || (fault::is_on(Fault::FirstWriteIsOffByOne) && first_write.saturating_add(1) == begun);
        if is_later && (data.parent == NONE || fault::is_on(Fault::HeadersAreNoLoops)) {
            return Some(self.head(at));
        }
        let slack = u32::from(fault::is_on(Fault::LastWriteIsOffByOne)) * 2;
        if self.blocks.interval(up).begun + slack >= last_write {
            let above = self.path.highest_since(&self.blocks, up, depth - 1, last_write);
            return Some(Block::new(above as usize));
        }
        (data.between & bit(variable) == 0 || fault::is_on(Fault::EveryIntervalIsPassed))
            .then(|| Block::new(up as usize))
    }

    fn source_of_hinted(&self, header: Block) -> Block {
        let Some(source) = self.blocks.first_source(header) else { unreachable!("a hint lets pass along an edge") };
        source
    }

    /// The nearest block at or above `at` that was begun unsealed, or has nothing above it. Found once for each block.
    fn head(&mut self, at: Block) -> Block {
        let mut head = at.index() as u32;
        loop {
            let data = self.blocks.get(Block::new(head as usize));
            let up = self.blocks.interval(head).up;
            if data.head != NONE {
                head = data.head;
                break;
            }
            if (data.parent != NONE && !fault::is_on(Fault::HeadsPassLoops)) || up == NONE {
                break;
            }
            head = up;
        }
        let (mut below, mut num_steps) = (at.index() as u32, 0);
        while below != head {
            let data = self.blocks.get_mut(Block::new(below as usize));
            if data.head != NONE {
                break;
            }
            data.head = head;
            below = self.blocks.interval(below).up;
            num_steps += 1;
        }
        self.stats.lookup_steps += num_steps;
        self.stats.work += num_steps;
        Block::new(head as usize)
    }

    /// Stores the value in one block of sixteen on the way up from `from`, as far as intervals led.
    fn store_on_way(&mut self, from: Block, num_steps: u64, variable: Variable, value: Value) {
        let mut at = from.index() as u32;
        let beyond = if fault::is_on(Fault::MemoReachesBeyond) { MEMO_STRIDE } else { 0 };
        for step in 1..num_steps + beyond {
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
    fn stop_at(&mut self, host: &mut dyn PhiHost, at: Block, variable: Variable) -> Result<Option<End>, Stopped> {
        let walk = self.lookup.walk;
        let data = self.blocks.get_mut(at);
        if data.is_sealed && data.num_in > 0 {
            return Ok(Some(End::Join(at)));
        }
        if data.is_sealed || (at == self.entry && !fault::is_on(Fault::EntryIsUnsealed)) {
            return Ok(Some(End::Found(self.hold_at_root(host, at, variable)?, at)));
        }
        let is_first_visit = core::mem::replace(&mut data.seen, walk) != walk;
        if is_first_visit && self.blocks.hint_leaves_out(at, variable) {
            self.lookup.path.push(at);
            return Ok(None);
        }
        Ok(Some(End::Found(self.make_incomplete_phi(host, at, variable)?, at)))
    }
}
