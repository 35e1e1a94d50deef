//! Lookups: what a variable holds at the end of a block (Algorithm 2, and section 3.3's marker algorithm).
//!
//! A lookup walks up while there is one way to go (`chain`), and at a join looks along each edge. Joins under way are
//! frames on a stack; the operands found for them lie on a second stack, each
//! frame's on top of those below it.

use super::Builder;
use super::definitions::bit;
use super::phis::State;
use crate::error::Stopped;
use crate::fault::{self, Fault};
use crate::host::PhiHost;
use crate::observe::{Event, Observer};
use crate::options::Engine;
use crate::values::PhiId;
use alloc::vec::Vec;
use ssaphire_graph::{Block, Value, Variable};

#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    frames: Vec<Frame>,
    /// Operands found so far, of all frames.
    found: Vec<Value>,
    /// Blocks passed that are to store the value, of all frames: hinted headers, and one chain block in sixteen.
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
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// A value, and the block that defines it.
    Found(Value, Block),
    /// The top of a join.
    Join(Block),
}

impl<O: Observer> Builder<O> {
    /// What the block is known to hold for the variable at its end so far, as it was stored.
    #[inline]
    pub(super) fn definition(&self, block: Block, variable: Variable) -> Option<Value> {
        self.blocks.find_link(block).and_then(|link| self.definitions.get(&link.definitions, variable))
    }

    /// Stores what the block holds for the variable at its end so far.
    #[inline]
    pub(super) fn define(&mut self, block: Block, variable: Variable, value: Value) {
        let link = self.blocks.link_mut(block.index() as u32);
        link.stops |= bit(variable);
        self.definitions.push(&mut link.definitions, variable, value);
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
        self.stats.lookups += 1;
        if self.options.engine.decides_at_end() {
            return self.leave_open(host, block, variable);
        }
        match self.options.engine {
            Engine::Scc => self.look_up_components(host, block, variable),
            Engine::Region => self.look_up_region(host, block, variable),
            _ => {
                let end = self.walk_chain(host, block, variable)?;
                let (value, _) = self.look_up_beyond(host, end, variable)?;
                self.define(block, variable, value);
                Ok(value)
            }
        }
    }

    /// What `variable` holds where a walk ended, and the block that defines it.
    fn look_up_beyond(
        &mut self,
        host: &mut dyn PhiHost,
        end: End,
        variable: Variable,
    ) -> Result<(Value, Block), Stopped> {
        match end {
            End::Found(value, at) => {
                self.store_on_path(variable, 0, value);
                Ok((value, at))
            }
            End::Join(join) => {
                let value = self.look_along_edges(host, join, variable)?;
                self.store_on_path(variable, 0, value);
                Ok((self.values.resolve(value), join))
            }
        }
    }

    /// What the variable holds at the top of the join, whose edges are looked along, and those of joins met on the way.
    fn look_along_edges(&mut self, host: &mut dyn PhiHost, join: Block, variable: Variable) -> Result<Value, Stopped> {
        self.lookup.lookup = if fault::is_on(Fault::MarksAreNeverCleared) { 1 } else { self.lookup.lookup + 1 };
        self.enter(host, join, variable, 0)?;
        loop {
            if let Some((join, first_path)) = self.find_operands(host, variable)? {
                if let Some(value) = self.enter(host, join, variable, first_path)? {
                    self.store_on_path(variable, first_path, value);
                    self.lookup.found.push(value);
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
        let Some(&Frame { next, end, first_path: outer, .. }) = self.lookup.frames.last() else { return Ok(None) };
        let (mut next, end) = (next as usize, end as usize);
        let first_path = self.lookup.path.len();
        while next < end {
            let source = self.blocks.incoming_edge(next).source;
            next += 1;
            if next < end && fault::is_on(Fault::RepeatedEdgesCountOnce) {
                next += usize::from(self.blocks.incoming_edge(next).source == source);
            }
            match self.walk_chain(host, source, variable)? {
                End::Found(value, _) => {
                    let is_early = fault::is_on(Fault::ValuesAreStoredUnderAMark);
                    self.store_on_path(variable, if is_early { outer as usize } else { first_path }, value);
                    self.lookup.found.push(value);
                }
                End::Join(join) => {
                    if let Some(frame) = self.lookup.frames.last_mut() {
                        frame.next = next as u32;
                    }
                    return Ok(Some((join, first_path)));
                }
            }
        }
        Ok(None)
    }

    /// What a block that has no definition holds until the end, when engines decide that look at the whole.
    fn leave_open(&mut self, host: &mut dyn PhiHost, block: Block, variable: Variable) -> Result<Value, Stopped> {
        let data = self.blocks.get(block);
        if block == self.entry || (data.is_sealed && data.num_in == 0) {
            return self.hold_at_root(host, block, variable);
        }
        self.make_incomplete_phi(host, block, variable)
    }

    pub(super) fn make_incomplete_phi(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<Value, Stopped> {
        let phi = self.make_phi(host, block, variable, State::Incomplete)?;
        self.stats.incomplete_phis += 1;
        let value = self.phis.get(phi).value;
        if !fault::is_on(Fault::NoIncompletePhiInSight) {
            self.define(block, variable, value);
        }
        let data = self.blocks.get_mut(block);
        let before = core::mem::replace(&mut data.last_incomplete, phi.number());
        match PhiId::from_number(before) {
            None => data.first_incomplete = phi.number(),
            Some(before) => self.phis.get_mut(before).next_incomplete = phi.number(),
        }
        Ok(value)
    }

    /// Enters a join: its value if the lookup has come back to a join under way, else it is now under way.
    fn enter(
        &mut self,
        host: &mut dyn PhiHost,
        join: Block,
        variable: Variable,
        first_path: usize,
    ) -> Result<Option<Value>, Stopped> {
        self.stats.joins_entered += 1;
        let mut phi = PhiId::NONE;
        if self.uses_marks() {
            let lookup = self.lookup.lookup;
            let mark = core::mem::replace(&mut self.blocks.get_mut(join).mark, lookup);
            if mark == lookup {
                if fault::is_on(Fault::MarkedJoinsAreSkipped) && !self.lookup.found.is_empty() {
                    return Ok(self.lookup.found.last().copied());
                }
                // The lookup goes in a cycle through the join: this is where a phi breaks it.
                return Ok(Some(self.make_join_phi(host, join, variable)?.1));
            }
            self.observer.event(Event::MarkSet { block: join, variable });
        } else {
            phi = self.make_join_phi(host, join, variable)?.0.number();
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
        Ok(None)
    }

    /// Whether joins are marked when they are entered, and phis made when they are left.
    fn uses_marks(&self) -> bool {
        self.options.engine == Engine::Marker && !fault::is_on(Fault::PhisAreMadeAtOnce)
    }

    fn make_join_phi(
        &mut self,
        host: &mut dyn PhiHost,
        join: Block,
        variable: Variable,
    ) -> Result<(PhiId, Value), Stopped> {
        let phi = self.make_phi(host, join, variable, State::InProgress)?;
        let value = self.phis.get(phi).value;
        self.define(join, variable, value);
        Ok((phi, value))
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
        if !fault::is_on(Fault::JoinsForgetTheirValues) {
            self.define(frame.block, variable, value);
        }
        Ok(value)
    }

    fn leave_marked(
        &mut self,
        host: &mut dyn PhiHost,
        variable: Variable,
        join: Block,
        found: &[Value],
    ) -> Result<Value, Stopped> {
        if !fault::is_on(Fault::MarksAreNeverCleared) {
            self.blocks.get_mut(join).mark = 0;
        }
        self.observer.event(Event::MarkCleared { block: join, variable });
        // A phi made here meanwhile is where the lookup came round.
        if let Some(value) = self.definition(join, variable) {
            if let Some(phi) = self.values.phi(value).filter(|_| !fault::is_on(Fault::ThePhiOfTheCycleIsForgotten)) {
                self.give_operands(phi, found);
                if fault::is_on(Fault::ThePhiOfTheCycleIsKept) {
                    return Ok(value);
                }
                return self.remove_if_trivial(host, phi);
            }
        }
        if found.iter().all(|&value| value == found[0]) || fault::is_on(Fault::TheFirstEdgeDecides) {
            return Ok(found[0]);
        }
        let phi = self.make_phi(host, join, variable, State::InProgress)?;
        self.give_operands(phi, found);
        Ok(self.phis.get(phi).value)
    }

    /// Gives a phi its operands, and the operands that are phis their user. Those found earlier may have been merged since.
    pub(super) fn give_operands(&mut self, phi: PhiId, operands: &[Value]) {
        self.phis.complete(phi, operands);
        self.stats.operands_added += operands.len() as u64;
        let value = self.phis.get(phi).value;
        if self.keeps_users() {
            for place in self.phis.operand_range(phi) {
                let operand = self.values.resolve(self.phis.operands[place]);
                self.phis.operands[place] = operand;
                if let Some(used) = self.values.phi(operand).filter(|_| operand != value) {
                    self.phis.add_user(used, phi);
                }
            }
        }
        if O::HEARS {
            for (index, place) in self.phis.operand_range(phi).enumerate() {
                let operand = self.values.resolve(self.phis.operands[place]);
                self.observer.event(Event::OperandAdded { phi: value, index: index as u32, value: operand });
            }
        }
    }
}
