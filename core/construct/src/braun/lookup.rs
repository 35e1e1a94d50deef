//! Lookups: what a variable holds at the end of a block (Algorithm 2, and section 3.3's marker algorithm).
//!
//! A lookup walks chains of blocks with one incoming edge, and at a join looks
//! along each edge. Joins under way are frames on a stack; the operands found
//! for them lie on a second stack, each frame's on top of those below it.

use super::Builder;
use super::blocks::NONE;
use super::phis::{PhiId, State};
use crate::error::Stopped;
use crate::host::PhiHost;
use crate::observe::{Event, Observer};
use crate::options::Engine;
use alloc::vec::Vec;
use ssaphire_graph::{Block, Value, Variable};

/// A chain block at every so many steps stores what was found, so that no later lookup walks further than that.
const MEMO_STRIDE: usize = 16;

#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    frames: Vec<Frame>,
    /// Operands found so far, of all frames.
    found: Vec<Value>,
    /// Chain blocks passed and waiting for the value, of all frames.
    path: Vec<Block>,
    /// Number of the chain walk under way.
    walk: u32,
    /// Number of the lookup under way.
    lookup: u32,
}

impl Scratch {
    pub(super) fn clear(&mut self) {
        self.frames.clear();
        self.found.clear();
        self.path.clear();
        // The blocks that carry the numbers are gone too.
        self.walk = 0;
        self.lookup = 0;
    }
}

/// A join whose edges are being looked along.
#[derive(Clone, Copy, Debug)]
struct Frame {
    block: Block,
    /// The phi made on entering, or `PhiId::NONE` (`marker`).
    phi: u32,
    /// The edge being looked along.
    edge: u32,
    /// Where its operands start in `found`.
    first_found: u32,
    /// Where the chain that led here starts in `path`.
    first_path: u32,
}

/// What a chain walk ended at.
enum End {
    Found(Value),
    Join(Block),
}

impl<O: Observer> Builder<O> {
    /// What the block is known to hold for the variable at its end so far, as it was stored.
    #[inline]
    pub(super) fn definition(&self, block: Block, variable: Variable) -> Option<Value> {
        self.definitions.get(block, variable)
    }

    /// Stores what the block holds for the variable at its end so far.
    #[inline]
    pub(super) fn define(&mut self, block: Block, variable: Variable, value: Value) {
        self.definitions.set(block, variable, value);
    }

    /// What `variable` holds at the end of `block` so far, as far as is known now.
    pub(super) fn lookup(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<Value, Stopped> {
        if let Some(value) = self.definitions.get(block, variable) {
            return Ok(self.values.resolve(value));
        }
        self.stats.lookups += 1;
        match self.options.engine {
            Engine::Scc => self.look_up_components(host, block, variable),
            Engine::Region => self.look_up_region(host, block, variable),
            _ => self.look_up_paths(host, block, variable),
        }
    }

    /// The lookup of the engines that make or remember something at each join they enter.
    fn look_up_paths(&mut self, host: &mut dyn PhiHost, block: Block, variable: Variable) -> Result<Value, Stopped> {
        self.begin_lookup();
        let mut at = block;
        let value = loop {
            let first_path = self.lookup.path.len();
            let value = match self.walk(host, at, variable)? {
                End::Found(value) => value,
                End::Join(join) => match self.enter(host, join, variable, first_path) {
                    Some(value) => value,
                    None => {
                        at = self.blocks.edge(self.blocks.get(join).first_in).source;
                        continue;
                    }
                },
            };
            self.store_on_path(variable, first_path, value);
            match self.climb(host, variable, value)? {
                Ok(source) => at = source,
                Err(value) => break value,
            }
        };
        let value = self.values.resolve(value);
        self.definitions.set(block, variable, value);
        Ok(value)
    }

    fn begin_lookup(&mut self) {
        debug_assert!(self.lookup.frames.is_empty() && self.lookup.path.is_empty(), "lookups do not nest");
        self.lookup.lookup += 1;
    }

    /// Hands `value` to the joins under way: the next block to look at, or the lookup's value.
    fn climb(
        &mut self,
        host: &mut dyn PhiHost,
        variable: Variable,
        mut value: Value,
    ) -> Result<Result<Block, Value>, Stopped> {
        while let Some(frame) = self.lookup.frames.last_mut() {
            self.lookup.found.push(value);
            frame.edge = self.blocks.edge(frame.edge).next_in;
            if frame.edge != NONE {
                return Ok(Ok(self.blocks.edge(frame.edge).source));
            }
            let frame = *frame;
            self.lookup.frames.pop();
            value = self.leave(host, variable, frame)?;
            self.store_on_path(variable, frame.first_path as usize, value);
        }
        Ok(Err(value))
    }

    /// Walks up from `at` while there is one way to go.
    fn walk(&mut self, host: &mut dyn PhiHost, at: Block, variable: Variable) -> Result<End, Stopped> {
        self.lookup.walk += 1;
        let walk = self.lookup.walk;
        let mut at = at;
        loop {
            self.spend(1)?;
            self.stats.lookup_steps += 1;
            if let Some(value) = self.definitions.get(at, variable) {
                return Ok(End::Found(self.values.resolve(value)));
            }
            let data = self.blocks.get_mut(at);
            if at == self.entry || (data.is_sealed && data.num_in == 0) {
                let initial = self.initial.get(variable).copied().flatten().filter(|_| at == self.entry);
                let value = match initial {
                    Some(value) => self.values.resolve(value),
                    None => self.undefined(host, variable),
                };
                self.definitions.set(at, variable, value);
                return Ok(End::Found(value));
            }
            if data.num_in > 1 && data.is_sealed {
                return Ok(End::Join(at));
            }
            let is_first_visit = core::mem::replace(&mut data.seen, walk) != walk;
            let (is_sealed, edge) = (data.is_sealed, data.first_added);
            let goes_on = is_sealed || (is_first_visit && self.blocks.hint_leaves_out(at, variable));
            if !goes_on {
                return Ok(End::Found(self.make_incomplete_phi(host, at, variable)));
            }
            if !is_first_visit {
                // A cycle of sealed blocks with one incoming edge each: nothing outside leads here.
                return Ok(End::Found(self.undefined(host, variable)));
            }
            self.lookup.path.push(at);
            at = self.blocks.edge(edge).source;
        }
    }

    pub(super) fn make_incomplete_phi(&mut self, host: &mut dyn PhiHost, block: Block, variable: Variable) -> Value {
        let phi = self.make_phi(host, block, variable, State::Incomplete);
        self.stats.incomplete_phis += 1;
        let value = self.phis.get(phi).value;
        self.definitions.set(block, variable, value);
        let data = self.blocks.get_mut(block);
        data.num_incomplete += 1;
        let before = core::mem::replace(&mut data.last_incomplete, phi.number());
        match PhiId::from_number(before) {
            None => data.first_incomplete = phi.number(),
            Some(before) => self.phis.get_mut(before).next_incomplete = phi.number(),
        }
        value
    }

    /// Enters a join: its value if the lookup has come back to a join under way, else it is now under way.
    fn enter(&mut self, host: &mut dyn PhiHost, join: Block, variable: Variable, first_path: usize) -> Option<Value> {
        self.stats.joins_entered += 1;
        let mut phi = PhiId::NONE;
        if self.options.engine == Engine::Marker {
            let lookup = self.lookup.lookup;
            let mark = core::mem::replace(&mut self.blocks.get_mut(join).mark, lookup);
            if mark == lookup {
                // The lookup goes in a cycle through the join: this is where a phi breaks it.
                return Some(self.make_join_phi(host, join, variable).1);
            }
            self.observer.event(Event::MarkSet { block: join, variable });
        } else {
            phi = self.make_join_phi(host, join, variable).0.number();
        }
        let frame = Frame {
            block: join,
            phi,
            edge: self.blocks.get(join).first_in,
            first_found: self.lookup.found.len() as u32,
            first_path: first_path as u32,
        };
        self.lookup.frames.push(frame);
        None
    }

    fn make_join_phi(&mut self, host: &mut dyn PhiHost, join: Block, variable: Variable) -> (PhiId, Value) {
        let phi = self.make_phi(host, join, variable, State::InProgress);
        let value = self.phis.get(phi).value;
        self.definitions.set(join, variable, value);
        (phi, value)
    }

    /// Leaves a join all of whose edges have been looked along: its value.
    fn leave(&mut self, host: &mut dyn PhiHost, variable: Variable, frame: Frame) -> Result<Value, Stopped> {
        let start = frame.first_found as usize;
        self.spend((self.lookup.found.len() - start) as u64)?;
        let found = core::mem::take(&mut self.lookup.found);
        let value = match PhiId::from_number(frame.phi) {
            Some(phi) => {
                self.give_operands(phi, &found[start..]);
                self.remove_if_trivial(host, phi)
            }
            None => self.leave_marked(host, variable, frame.block, &found[start..]),
        };
        self.lookup.found = found;
        self.lookup.found.truncate(start);
        let value = value?;
        self.definitions.set(frame.block, variable, value);
        Ok(value)
    }

    fn leave_marked(
        &mut self,
        host: &mut dyn PhiHost,
        variable: Variable,
        join: Block,
        found: &[Value],
    ) -> Result<Value, Stopped> {
        self.blocks.get_mut(join).mark = 0;
        self.observer.event(Event::MarkCleared { block: join, variable });
        // A phi made here meanwhile is where the lookup came round.
        if let Some(value) = self.definitions.get(join, variable) {
            if let Some(phi) = self.values.phi(value) {
                self.give_operands(phi, found);
                return self.remove_if_trivial(host, phi);
            }
        }
        // Values found earlier may have been merged since.
        let first = self.values.resolve(found[0]);
        if found.iter().all(|&value| self.values.resolve(value) == first) {
            return Ok(first);
        }
        let phi = self.make_phi(host, join, variable, State::InProgress);
        self.give_operands(phi, found);
        Ok(self.phis.get(phi).value)
    }

    /// Gives a phi its operands, and the operands that are phis their user.
    pub(super) fn give_operands(&mut self, phi: PhiId, operands: &[Value]) {
        let values = &mut self.values;
        self.phis.complete(phi, operands.iter().map(|&operand| values.resolve(operand)));
        self.stats.operands_added += operands.len() as u64;
        let value = self.phis.get(phi).value;
        for (index, place) in self.phis.operand_range(phi).enumerate() {
            let operand = self.phis.operands[place];
            self.observer.event(Event::OperandAdded { phi: value, index: index as u32, value: operand });
            if self.keeps_users() && operand != value {
                if let Some(used) = self.values.phi(operand) {
                    self.phis.add_user(used, phi);
                }
            }
        }
    }

    /// Stores the value in the chain blocks passed since `first`: those that an answered hint makes final, and one in 16.
    fn store_on_path(&mut self, variable: Variable, first: usize, value: Value) {
        for index in first..self.lookup.path.len() {
            let block = self.lookup.path[index];
            let is_sealed = self.blocks.get(block).is_sealed;
            if !is_sealed {
                self.note_hinted(block, variable, value);
            }
            if !is_sealed || (index - first) % MEMO_STRIDE == MEMO_STRIDE - 1 {
                self.definitions.set(block, variable, value);
            }
        }
        self.lookup.path.truncate(first);
    }
}
