//! Lookups: what a variable holds at the end of a block (Algorithm 2, and section 3.3's marker algorithm).
//!
//! A lookup walks up while there is one way to go (`chain`, or `shortcut` for
//! engine `auto`), and at a join looks along each edge. Joins under way are
//! frames on a stack; the operands found for them lie on a second stack, each
//! frame's on top of those below it.

use super::Builder;
use super::phis::{PhiId, State};
use crate::error::Stopped;
use crate::host::PhiHost;
use crate::observe::{Event, Observer};
use crate::options::Engine;
use alloc::vec::Vec;
use ssaphire_graph::{Block, Value, Variable};

#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    frames: Vec<Frame>,
    /// Operands found so far, of all frames.
    found: Vec<Value>,
    /// Blocks passed and waiting for the value, of all frames.
    pub(super) path: Vec<Block>,
    /// Number of the walk under way.
    pub(super) walk: u32,
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
    /// The edge to be looked along next, and the end of its block's edges.
    next: u32,
    end: u32,
    /// Where its operands start in `found`.
    first_found: u32,
    /// Values that stood for another when it was entered; while there are no more, what was found is final.
    num_forwarded: u32,
    /// Where the chain that led here starts in `path`.
    first_path: u32,
}

/// What a walk ended at.
pub(super) enum End {
    Found(Value),
    Join(Block),
}

impl<O: Observer> Builder<O> {
    /// What the block is known to hold for the variable at its end so far, as it was stored.
    #[inline]
    pub(super) fn definition(&self, block: Block, variable: Variable) -> Option<Value> {
        self.blocks.find(block).and_then(|data| self.definitions.get(&data.definitions, block, variable))
    }

    /// Stores what the block holds for the variable at its end so far.
    #[inline]
    pub(super) fn define(&mut self, block: Block, variable: Variable, value: Value) {
        self.definitions.push(&mut self.blocks.get_mut(block).definitions, block, variable, value);
    }

    /// What `variable` holds at the end of `block` so far, as far as is known now.
    pub(super) fn lookup(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<Value, Stopped> {
        if let Some(value) = self.definition(block, variable) {
            return Ok(self.values.resolve(value));
        }
        let value = self.look_up_from(host, block, variable)?;
        if self.options.engine != Engine::Auto {
            self.define(block, variable, value);
        }
        Ok(value)
    }

    /// What `variable` holds at the end of `block`, which does not define it.
    pub(super) fn look_up_from(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<Value, Stopped> {
        debug_assert!(self.lookup.frames.is_empty() && self.lookup.path.is_empty(), "lookups do not nest");
        self.stats.lookups += 1;
        self.lookup.lookup += 1;
        let value = match self.walk(host, block, variable)? {
            End::Found(value) => value,
            End::Join(join) => self.look_along_edges(host, join, variable)?,
        };
        self.store_on_path(variable, 0, value);
        Ok(self.values.resolve(value))
    }

    /// Walks up from `at` while there is one way to go.
    #[inline]
    fn walk(&mut self, host: &mut dyn PhiHost, at: Block, variable: Variable) -> Result<End, Stopped> {
        match self.options.engine {
            Engine::Auto => self.walk_intervals(host, at, variable),
            _ => self.walk_chain(host, at, variable),
        }
    }

    /// What the variable holds at the top of the join, whose edges are looked along, and those of joins met on the way.
    fn look_along_edges(&mut self, host: &mut dyn PhiHost, join: Block, variable: Variable) -> Result<Value, Stopped> {
        self.enter(host, join, variable, 0);
        loop {
            if let Some((join, first_path)) = self.find_operands(host, variable)? {
                match self.enter(host, join, variable, first_path) {
                    Some(value) => {
                        self.store_on_path(variable, first_path, value);
                        self.lookup.found.push(value);
                    }
                    None => continue,
                }
                continue;
            }
            let Some(frame) = self.lookup.frames.pop() else { unreachable!("the first join is under way") };
            let value = self.leave(host, variable, frame)?;
            if self.lookup.frames.is_empty() {
                return Ok(value);
            }
            self.store_on_path(variable, frame.first_path as usize, value);
            self.lookup.found.push(value);
        }
    }

    /// Looks along the edges of the join entered last, until another join is in the way: that join, with the path to it.
    fn find_operands(&mut self, host: &mut dyn PhiHost, variable: Variable) -> Result<Option<(Block, usize)>, Stopped> {
        let Some(&Frame { mut next, end, .. }) = self.lookup.frames.last() else { return Ok(None) };
        while next < end {
            let source = self.blocks.incoming_edge(next as usize).source;
            next += 1;
            if let Some(value) = self.definition(source, variable) {
                // Most often a join's operand is defined where its edge begins.
                let value = self.values.resolve(value);
                self.lookup.found.push(value);
                self.stats.lookup_steps += 1;
                continue;
            }
            let first_path = self.lookup.path.len();
            match self.walk(host, source, variable)? {
                End::Found(value) => {
                    self.store_on_path(variable, first_path, value);
                    self.lookup.found.push(value);
                }
                End::Join(join) => {
                    if let Some(frame) = self.lookup.frames.last_mut() {
                        frame.next = next;
                    }
                    return Ok(Some((join, first_path)));
                }
            }
        }
        Ok(None)
    }

    pub(super) fn make_incomplete_phi(&mut self, host: &mut dyn PhiHost, block: Block, variable: Variable) -> Value {
        let phi = self.make_phi(host, block, variable, State::Incomplete);
        self.stats.incomplete_phis += 1;
        let value = self.phis.get(phi).value;
        self.define(block, variable, value);
        let data = self.blocks.get_mut(block);
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
        if self.uses_marks() {
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
        let edges = self.blocks.incoming_range(join);
        let frame = Frame {
            block: join,
            phi,
            next: edges.start as u32,
            end: edges.end as u32,
            first_found: self.lookup.found.len() as u32,
            num_forwarded: self.values.forwarded.len() as u32,
            first_path: first_path as u32,
        };
        self.lookup.frames.push(frame);
        None
    }

    /// Whether joins are marked when they are entered, and phis made when they are left.
    fn uses_marks(&self) -> bool {
        matches!(self.options.engine, Engine::Marker | Engine::Auto)
    }

    fn make_join_phi(&mut self, host: &mut dyn PhiHost, join: Block, variable: Variable) -> (PhiId, Value) {
        let phi = self.make_phi(host, join, variable, State::InProgress);
        let value = self.phis.get(phi).value;
        self.define(join, variable, value);
        (phi, value)
    }

    /// Leaves a join all of whose edges have been looked along: its value.
    fn leave(&mut self, host: &mut dyn PhiHost, variable: Variable, frame: Frame) -> Result<Value, Stopped> {
        let start = frame.first_found as usize;
        self.spend((self.lookup.found.len() - start) as u64)?;
        let mut found = core::mem::take(&mut self.lookup.found);
        if frame.num_forwarded as usize != self.values.forwarded.len() {
            // Values found earlier may have been merged since.
            found[start..].iter_mut().for_each(|value| *value = self.values.resolve(*value));
        }
        let value = match PhiId::from_number(frame.phi) {
            Some(phi) => {
                self.give_operands(phi, &found[start..]);
                self.remove_if_trivial(host, phi)
            }
            None => self.leave_marked(host, variable, frame.block, &found[start..]),
        };
        found.truncate(start);
        self.lookup.found = found;
        let value = value?;
        self.define(frame.block, variable, value);
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
        if let Some(value) = self.definition(join, variable) {
            if let Some(phi) = self.values.phi(value) {
                self.give_operands(phi, found);
                return self.remove_if_trivial(host, phi);
            }
        }
        if found.iter().all(|&value| value == found[0]) {
            return Ok(found[0]);
        }
        let phi = self.make_phi(host, join, variable, State::InProgress);
        self.give_operands(phi, found);
        Ok(self.phis.get(phi).value)
    }

    /// Gives a phi its operands, which stand for themselves, and the operands that are phis their user.
    pub(super) fn give_operands(&mut self, phi: PhiId, operands: &[Value]) {
        self.phis.complete(phi, operands);
        self.stats.operands_added += operands.len() as u64;
        let value = self.phis.get(phi).value;
        if self.keeps_users() {
            for place in self.phis.operand_range(phi) {
                let operand = self.phis.operands[place];
                if let Some(used) = self.values.phi(operand).filter(|_| operand != value) {
                    self.phis.add_user(used, phi);
                }
            }
        }
        if O::HEARS {
            for (index, place) in self.phis.operand_range(phi).enumerate() {
                let event = Event::OperandAdded { phi: value, index: index as u32, value: self.phis.operands[place] };
                self.observer.event(event);
            }
        }
    }
}
