//! What a variable holds at the top of a block: the marker algorithm (section 3.3).
//!
//! The operands of a join are what its sources hold. Where one of them holds
//! what a variable holds at the top of another block, that is decided first:
//! joins under way are frames on a stack, and marked. A lookup that comes back to one has gone in a cycle: there a
//! phi breaks it. Any other join gets a phi when it is left, if its operands differ.
//!
//! # Departures
//! The paper looks along edges block by block; rows tell at once which block is next.

use super::Builder;
use super::current_def::Held;
use super::order::Order;
use super::phis::State;
use crate::error::Stopped;
use crate::host::PhiHost;
use crate::observe::{Event, Observer, Reason};
use crate::protocol;
use crate::values::PhiId;
use alloc::vec::Vec;
use ssaphire_graph::{Block, PackedOption, Value, Variable};

#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    frames: Vec<Frame>,
    /// Operands found so far, of all frames: each frame's on top of those below it.
    found: Vec<Value>,
}

impl Scratch {
    pub(super) fn clear(&mut self) {
        self.frames.clear();
        self.found.clear();
    }
}

/// A block whose edges are being looked along.
#[derive(Clone, Copy, Debug)]
struct Frame {
    top: Order,
    /// The edge to be looked along next, and the end of the block's edges.
    next: u32,
    end: u32,
    /// Where its operands start in `found`.
    first_found: u32,
    /// Values that stood for others when it was entered; while there are no more, what was found is final.
    num_forwarded: u32,
    /// The phi that has broken a cycle through the block.
    phi: PackedOption<PhiId>,
    /// Whether a hint lets the lookup pass the block, which is not sealed.
    is_hinted: bool,
}

impl<O: Observer> Builder<O> {
    /// What the variable, which has a cell, holds at the end of the block so far. The block has the answer from here on.
    pub(super) fn lookup(
        &mut self,
        host: &mut dyn PhiHost,
        order: Order,
        variable: Variable,
    ) -> Result<Value, Stopped> {
        self.stats.lookups += 1;
        self.spend(1)?;
        let value = self.value_at(host, order, variable)?;
        self.defs.define(order, variable, value);
        Ok(value)
    }

    /// What the variable holds at the end of the block so far.
    #[inline(always)]
    pub(super) fn value_at(
        &mut self,
        host: &mut dyn PhiHost,
        order: Order,
        variable: Variable,
    ) -> Result<Value, Stopped> {
        match self.defs.held(&self.tree, order, variable) {
            Held::Value(value) => Ok(self.values.resolve(value)),
            Held::Top(top) => self.decide(host, top, variable),
        }
    }

    /// What the variable holds at the top of the block, which nobody has asked for.
    #[inline(never)]
    fn decide(&mut self, host: &mut dyn PhiHost, top: Order, variable: Variable) -> Result<Value, Stopped> {
        if let Some(value) = self.decide_nearby(host, top, variable)? {
            return Ok(value);
        }
        let num_frames = self.lookup.frames.len();
        if let Some(value) = self.enter(host, top, variable)? {
            return Ok(value);
        }
        loop {
            let Some(value) = self.look_along_edges(host, variable)? else { continue };
            if self.lookup.frames.len() == num_frames {
                return Ok(value);
            }
        }
    }

    /// Decides a join whose sources all hold values: none of its edges leads to another that is to be decided.
    #[inline]
    fn decide_nearby(
        &mut self,
        host: &mut dyn PhiHost,
        top: Order,
        variable: Variable,
    ) -> Result<Option<Value>, Stopped> {
        let block = self.tree.block(top);
        let data = self.blocks.get(block);
        let (first, num_in) = (data.own.first_source as usize, data.num_in as usize);
        if num_in < 2 || !data.state.has(protocol::State::SEALED) || self.tree.mark(top) != 0 {
            return Ok(None);
        }
        let first_operand = self.phis.operands.len();
        let Some(differ) = self.read_off(first, num_in, variable) else { return Ok(None) };
        self.stats.joins_entered += 1;
        let value = if differ {
            let phi = self.make_phi(host, block, variable, State::Complete)?;
            self.finish_phi(phi, first_operand as u32);
            self.note_merge(top);
            self.phis.table[phi].value
        } else {
            let value = self.phis.operands[first_operand];
            self.phis.operands.truncate(first_operand);
            value
        };
        self.spend(num_in as u64)?;
        self.defs.define_top(top, variable, value);
        Ok(Some(value))
    }

    /// Puts what the sources of a join hold behind all operands, if each holds a value: whether they differ.
    #[inline]
    fn read_off(&mut self, first: usize, num_in: usize, variable: Variable) -> Option<bool> {
        let Self { tree, defs, phis, values, .. } = self;
        let start = phis.operands.len();
        let mut differ = false;
        for &source in tree.sources(first..first + num_in) {
            match defs.held_nearby(source, variable).filter(|&value| !values.stands_for_another(value)) {
                Some(value) => phis.operands.push(value),
                None => {
                    phis.operands.truncate(start);
                    return None;
                }
            }
            differ |= phis.operands[phis.operands.len() - 1] != phis.operands[start];
        }
        Some(differ)
    }

    /// Looks along the edges of the last frame: the value of its block, unless another is to be decided first.
    fn look_along_edges(&mut self, host: &mut dyn PhiHost, variable: Variable) -> Result<Option<Value>, Stopped> {
        let Some(&Frame { mut next, end, .. }) = self.lookup.frames.last() else {
            unreachable!("a block is being decided")
        };
        let frame = self.lookup.frames.len() - 1;
        while next < end {
            self.stats.lookup_steps += 1;
            let source = self.tree.source(next as usize);
            let value = match self.defs.held(&self.tree, source, variable) {
                Held::Value(value) => self.values.resolve(value),
                Held::Top(top) => match self.enter(host, top, variable)? {
                    Some(value) => value,
                    None => {
                        self.lookup.frames[frame].next = next;
                        return Ok(None);
                    }
                },
            };
            self.lookup.found.push(value);
            next += 1;
        }
        let Some(frame) = self.lookup.frames.pop() else { unreachable!("the frame was there") };
        self.leave(host, frame, variable).map(Some)
    }

    /// Begins to decide what the variable holds at the top of the block, unless it can be told at once.
    fn enter(&mut self, host: &mut dyn PhiHost, top: Order, variable: Variable) -> Result<Option<Value>, Stopped> {
        let block = self.tree.block(top);
        let data = self.blocks.get(block);
        let is_sealed = data.state.has(protocol::State::SEALED);
        if block == self.blocks.entry() || (is_sealed && data.num_in == 0) {
            let value = self.value_at_root(host, block, variable)?;
            self.defs.define_top(top, variable, value);
            return Ok(Some(value));
        }
        let mark = self.tree.mark(top);
        let is_hinted = !is_sealed && self.blocks.hint_leaves_out(block, variable);
        if mark != 0 || (!is_sealed && !is_hinted) {
            let phi = self.make_phi(host, block, variable, State::Incomplete)?;
            let value = self.phis.table[phi].value;
            self.defs.define_top(top, variable, value);
            if let Some(frame) = (mark as usize).checked_sub(1) {
                // The lookup has gone in a cycle through the block.
                self.lookup.frames[frame].phi = phi.into();
            }
            return Ok(Some(value));
        }
        let (first, num_in) = match self.blocks.first_source(block).filter(|_| is_hinted) {
            Some(source) => {
                let Some(source) = self.order_of(source) else { unreachable!("a source is filled") };
                self.tree.push_source(source);
                (self.tree.num_sources() as u32 - 1, 1)
            }
            None => (data.own.first_source, data.num_in),
        };
        self.stats.joins_entered += 1;
        self.spend(u64::from(num_in))?;
        self.observer.event(Event::MarkSet { block, variable });
        let frame = Frame {
            top,
            next: first,
            end: first + num_in,
            first_found: self.lookup.found.len() as u32,
            num_forwarded: self.values.forwarded.len() as u32,
            phi: PackedOption::NONE,
            is_hinted,
        };
        self.lookup.frames.push(frame);
        *self.tree.mark_mut(top) = self.lookup.frames.len() as u32;
        Ok(None)
    }

    /// All edges of the block have been looked along: what the variable holds at its top.
    fn leave(&mut self, host: &mut dyn PhiHost, frame: Frame, variable: Variable) -> Result<Value, Stopped> {
        let Frame { top, first_found, phi, .. } = frame;
        let (first_found, block) = (first_found as usize, self.tree.block(top));
        *self.tree.mark_mut(top) = 0;
        self.observer.event(Event::MarkCleared { block, variable });
        if frame.num_forwarded as usize != self.values.forwarded.len() {
            for value in &mut self.lookup.found[first_found..] {
                *value = self.values.resolve(*value);
            }
        }
        if frame.is_hinted {
            let found = self.lookup.found[first_found];
            self.lookup.found.truncate(first_found);
            let Some(phi) = phi.expand() else {
                self.note_hinted(block, variable, found);
                self.defs.define_top(top, variable, found);
                return Ok(found);
            };
            return Ok(self.phis.table[phi].value);
        }
        let value = self.merge(host, top, variable, first_found, phi.expand())?;
        match phi.expand() {
            Some(phi) => self.defs.replace(top, variable, self.phis.table[phi].value, value),
            None => self.defs.define_top(top, variable, value),
        }
        Ok(value)
    }

    /// What the operands from `first_found` on make at the top of the block; of `phi`, if there is one already.
    fn merge(
        &mut self,
        host: &mut dyn PhiHost,
        top: Order,
        variable: Variable,
        first_found: usize,
        phi: Option<PhiId>,
    ) -> Result<Value, Stopped> {
        let own = phi.map(|phi| self.phis.table[phi].value);
        let mut others = self.lookup.found[first_found..].iter().copied().filter(|&value| Some(value) != own);
        let same = others.next();
        if others.all(|value| Some(value) == same) {
            self.lookup.found.truncate(first_found);
            let (value, reason) = match same {
                Some(value) => (value, Reason::Trivial),
                None => (self.undefined(host, variable)?, Reason::Unreachable),
            };
            if let Some(phi) = phi {
                self.stats.trivial_phis += 1;
                // Its users may have become trivial.
                self.copies.insert(variable);
                self.remove_phi(host, phi, value, reason);
            }
            return Ok(value);
        }
        let phi = match phi {
            Some(phi) => phi,
            None => self.make_phi(host, self.tree.block(top), variable, State::Incomplete)?,
        };
        let first_operand = self.phis.operands.len() as u32;
        self.phis.operands.extend_from_slice(&self.lookup.found[first_found..]);
        self.lookup.found.truncate(first_found);
        self.finish_phi(phi, first_operand);
        self.note_merge(top);
        Ok(self.phis.table[phi].value)
    }

    /// The phi has its operands, which are the last ones.
    #[inline]
    fn finish_phi(&mut self, phi: PhiId, first_operand: u32) {
        let data = &mut self.phis.table[phi];
        (data.first_operand, data.state) = (first_operand, State::Complete);
        self.stats.operands_added += self.phis.operands.len() as u64 - u64::from(first_operand);
        if O::HEARS {
            let phi = data.value;
            for (index, &value) in (0..).zip(&self.phis.operands[first_operand as usize..]) {
                self.observer.event(Event::OperandAdded { phi, index, value });
            }
        }
    }

    /// A phi at the top of a block that is not linked may be one that a linked block would not need.
    #[inline]
    fn note_merge(&mut self, top: Order) {
        self.is_exact &= self.tree.dominator(top).is_some();
    }

    /// From here on the phi stands for the value.
    pub(super) fn remove_phi(&mut self, host: &mut dyn PhiHost, phi: PhiId, value: Value, reason: Reason) {
        let data = &mut self.phis.table[phi];
        data.state = State::Dead;
        let from = data.value;
        self.forward(host, from, value, reason);
    }

    /// What the variable holds in the entry, or in a block that no edge leads to.
    fn value_at_root(&mut self, host: &mut dyn PhiHost, root: Block, variable: Variable) -> Result<Value, Stopped> {
        let initial = self.initial.get(variable).copied().unwrap_or_default();
        match initial.expand().filter(|_| root == self.blocks.entry()) {
            Some(value) => Ok(self.values.resolve(value)),
            None => self.undefined(host, variable),
        }
    }

    /// Gives an incomplete phi of a block that has been sealed its operands, or what it stands for.
    pub(super) fn complete(&mut self, host: &mut dyn PhiHost, top: Order, phi: PhiId) -> Result<(), Stopped> {
        let (variable, own) = (self.phis.table[phi].variable, self.phis.table[phi].value);
        let data = self.blocks.get(self.tree.block(top));
        let (first, num_in, between) = (data.own.first_source as usize, data.num_in as usize, data.own.between);
        if let Some(up) = self.tree.dominator(top).filter(|_| !between.may_have(variable)) {
            let value = self.value_at(host, up, variable)?;
            if value != own {
                self.stats.trivial_phis += 1;
                self.remove_phi(host, phi, value, Reason::Unwritten);
                self.defs.replace(top, variable, own, value);
                return Ok(());
            }
        }
        self.spend(num_in as u64)?;
        let first_operand = self.phis.operands.len();
        if let Some(true) = self.read_off(first, num_in, variable) {
            let differs = |&&value: &&Value| value != own;
            let mut others = self.phis.operands[first_operand..].iter().filter(differs);
            let same = others.next();
            if others.any(|value| Some(value) != same) {
                self.finish_phi(phi, first_operand as u32);
                self.note_merge(top);
                return Ok(());
            }
        }
        self.phis.operands.truncate(first_operand);
        let first_found = self.lookup.found.len();
        for place in first..first + num_in {
            let value = self.value_at(host, self.tree.source(place), variable)?;
            self.lookup.found.push(value);
        }
        for value in &mut self.lookup.found[first_found..] {
            *value = self.values.resolve(*value);
        }
        let value = self.merge(host, top, variable, first_found, Some(phi))?;
        self.defs.replace(top, variable, own, value);
        Ok(())
    }
}
