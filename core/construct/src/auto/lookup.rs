//! The reaching definition of a variable at the top of a block: the marker algorithm (section 3.3).
//!
//! The operands of a join are the values at the ends of its sources. If the cell of a source names the top of
//! another node, that node is decided first: joins in progress are frames on a stack, and marked. A lookup that
//! reaches a marked join has detected a cycle, and creates a phi there. Any other join gets a phi when its frame
//! is left, if its operands differ.
//!
//! # Departures
//! The paper looks along edges block by block; a cell names the next join at once.

use super::current_def::Held;
use super::node_id::NodeId;
use super::{Builder, phis};
use crate::error::Stopped;
use crate::host::PhiHost;
use crate::observe::{Event, Observer, Reason};
use crate::protocol::State;
use crate::values::PhiId;
use alloc::vec::Vec;
use ssaphire_graph::{Block, PackedOption, Value, Variable};

/// Joins whose edges are being followed.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    frames: Vec<Frame>,
}

impl Scratch {
    pub(super) fn clear(&mut self) {
        self.frames.clear();
    }
}

/// A join whose edges are being followed.
#[derive(Clone, Copy, Debug)]
struct Frame {
    top: NodeId,
    /// Its edges in `joins`, and the one to follow next.
    first: u32,
    next: u32,
    end: u32,
    /// The phi that has broken a cycle through the block.
    phi: PackedOption<PhiId>,
}

impl<O: Observer> Builder<O> {
    /// The value of the variable, which has a cell, at the end of the block so far. Stores the value in the block.
    #[inline(always)]
    pub(super) fn lookup(
        &mut self,
        host: &mut dyn PhiHost,
        node: NodeId,
        variable: Variable,
    ) -> Result<Value, Stopped> {
        self.stats.lookups += 1;
        self.spend(1)?;
        let value = self.value_at(host, node, variable)?;
        self.defs.define(node, variable, value);
        if self.defs.is_sparse() {
            let num_steps = self.defs.take_steps();
            self.spend(num_steps)?;
        }
        Ok(value)
    }

    /// The value of the variable at the end of the block so far.
    #[inline(always)]
    pub(super) fn value_at(
        &mut self,
        host: &mut dyn PhiHost,
        node: NodeId,
        variable: Variable,
    ) -> Result<Value, Stopped> {
        match self.defs.held(&mut self.tree, node, variable) {
            Held::Value(value) => Ok(self.values.resolve(value)),
            Held::Top(top) => self.decide(host, top, variable),
        }
    }

    /// Decides the value of the variable at the top of the block, which no lookup has needed before.
    #[inline(never)]
    fn decide(&mut self, host: &mut dyn PhiHost, top: NodeId, variable: Variable) -> Result<Value, Stopped> {
        let block = self.tree.block(top);
        let data = self.blocks.get(block);
        if data.state.has(State::CUT_OFF) {
            return self.undefined_at(host, top, variable);
        }
        if !data.state.has(State::DECIDED) {
            return self.make_incomplete_phi(host, top, block, variable);
        }
        let (first, num_in) = (data.own.first_edge as usize, data.num_in as usize);
        // A marked join has a frame, and must be entered: a cycle through it gets its phi there.
        let is_plain = num_in > 1 && data.state.has(State::SEALED) && self.tree.mark(top) == 0;
        if is_plain && !self.is_unwritten_exactly(top, num_in, variable) {
            if let Some(differ) = self.read_off(first, num_in, variable) {
                self.stats.joins_entered += 1;
                self.spend(num_in as u64)?;
                let value = if differ { self.merge(host, top, variable, num_in)? } else { self.phis.room(num_in)[0] };
                self.defs.define_top(top, variable, value);
                if !differ {
                    self.note_needless_edges(top, num_in)?;
                }
                return Ok(value);
            }
        }
        self.decide_with_frames(host, top, variable)
    }

    /// The value of the variable at the top of an unreachable block.
    #[cold]
    fn undefined_at(&mut self, host: &mut dyn PhiHost, top: NodeId, variable: Variable) -> Result<Value, Stopped> {
        let value = self.undefined(host, variable)?;
        self.defs.define_top(top, variable, value);
        Ok(value)
    }

    /// Creates a phi, without operands for now, at the top of a block that may get more edges; or one that breaks a
    /// cycle.
    fn make_incomplete_phi(
        &mut self,
        host: &mut dyn PhiHost,
        top: NodeId,
        block: Block,
        variable: Variable,
    ) -> Result<Value, Stopped> {
        let phi = self.make_phi(host, block, variable, phis::State::Incomplete)?;
        let value = self.phis.table[phi].value;
        self.defs.define_top(top, variable, value);
        Ok(value)
    }

    /// Creates a phi at the top of a join, with the operands that have been read off.
    #[inline(always)]
    fn merge(
        &mut self,
        host: &mut dyn PhiHost,
        top: NodeId,
        variable: Variable,
        num_in: usize,
    ) -> Result<Value, Stopped> {
        // Neither the host nor `make_phi` touches the operands that have been read off: they lie beyond the end of
        // those that count, until `finish_phi` moves that end.
        let phi = self.make_phi(host, self.tree.block(top), variable, phis::State::Complete)?;
        self.finish_phi(top, phi, num_in)?;
        Ok(self.phis.table[phi].value)
    }

    /// The value of the variable at the top of the block, where another block may have to be decided first.
    #[inline(never)]
    fn decide_with_frames(
        &mut self,
        host: &mut dyn PhiHost,
        top: NodeId,
        variable: Variable,
    ) -> Result<Value, Stopped> {
        let num_frames = self.lookup.frames.len();
        if let Some(value) = self.enter(host, top, variable)? {
            return Ok(value);
        }
        // A loop and not a recursion, as chains of joins may be long. A frame that is left has stored its value at
        // the top of its block, where the frame before it reads it.
        loop {
            let Some(value) = self.look_along_edges(host, variable)? else { continue };
            if self.lookup.frames.len() == num_frames {
                return Ok(value);
            }
        }
    }

    /// Reads off the operands of a join, if each source holds a value. Returns whether they differ.
    #[inline(never)]
    fn read_off(&mut self, first: usize, num_in: usize, variable: Variable) -> Option<bool> {
        let Self { joins, defs, phis, values, tree, .. } = self;
        let operands = phis.room(num_in);
        let places = operands.iter_mut().zip(joins.sources(first, num_in));
        if let Some(mut column) = defs.column(variable) {
            for (operand, &source) in places {
                let Held::Value(value) = column.held(source) else { return None };
                *operand = values.resolve(value);
            }
        } else {
            let mut walk = defs.walk(variable);
            for (operand, &source) in places {
                let Held::Value(value) = walk.held(tree, source) else { return None };
                *operand = values.resolve(value);
            }
        }
        Some(operands.split_first().is_some_and(|(first, others)| others.iter().any(|other| other != first)))
    }

    /// The first of the places `next..end` in `joins` whose source names the top of an undecided block, and that
    /// block.
    fn first_undecided(&mut self, next: u32, end: u32, variable: Variable) -> Option<(u32, NodeId)> {
        let Self { joins, defs, tree, .. } = self;
        let sources = joins.sources(next as usize, (end - next) as usize);
        let mut places = (next..end).zip(sources);
        let top = |held| if let Held::Top(top) = held { Some(top) } else { None };
        match defs.column(variable) {
            Some(mut column) => places.find_map(|(place, &source)| Some((place, top(column.held(source))?))),
            None => {
                let mut walk = defs.walk(variable);
                places.find_map(|(place, &source)| Some((place, top(walk.held(tree, source))?)))
            }
        }
    }

    /// Looks along the edges of the last frame. Returns the value of its block, unless another block has to be decided
    /// first.
    fn look_along_edges(&mut self, host: &mut dyn PhiHost, variable: Variable) -> Result<Option<Value>, Stopped> {
        let Some(&Frame { first, mut next, end, .. }) = self.lookup.frames.last() else {
            unreachable!("a block is being decided")
        };
        let frame = self.lookup.frames.len() - 1;
        while let Some((place, top)) = self.first_undecided(next, end, variable) {
            self.stats.lookup_steps += u64::from(place - next) + 1;
            next = place + 1;
            if self.enter(host, top, variable)?.is_none() {
                self.lookup.frames[frame].next = next;
                return Ok(None);
            }
        }
        self.stats.lookup_steps += u64::from(end - next);
        let Some(differ) = self.read_off(first as usize, (end - first) as usize, variable) else {
            // Without rows, a definition stored for one source may be the last one older than another source, and not
            // dominate it: the lookup from there ends at a top again. Each round decides a top that was not decided,
            // so this terminates.
            self.lookup.frames[frame].next = first;
            return Ok(None);
        };
        let Some(frame) = self.lookup.frames.pop() else { unreachable!("the frame was there") };
        self.leave(host, frame, differ, variable).map(Some)
    }

    /// Begins to decide the value of the variable at the top of the block. Returns the value if it is known at once.
    fn enter(&mut self, host: &mut dyn PhiHost, top: NodeId, variable: Variable) -> Result<Option<Value>, Stopped> {
        let block = self.tree.block(top);
        let data = self.blocks.get(block);
        let is_sealed = data.state.has(State::SEALED);
        if data.state.has(State::CUT_OFF) {
            return self.undefined_at(host, top, variable).map(Some);
        }
        if block == self.blocks.entry() || (is_sealed && data.num_in == 0) {
            let value = self.value_at_root(host, block, variable)?;
            self.defs.define_top(top, variable, value);
            return Ok(Some(value));
        }
        let mark = self.tree.mark(top);
        // The phi is stored at the top at once. Any other lookup that reaches the block finds it there, so a frame gets
        // at most one phi.
        if mark != 0 || data.is_open() {
            let value = self.make_incomplete_phi(host, top, block, variable)?;
            if let Some(frame) = (mark as usize).checked_sub(1) {
                // The lookup has followed a cycle back to the block.
                self.lookup.frames[frame].phi = self.values.phi(value).into();
            }
            return Ok(Some(value));
        }
        let (first, num_in) = self.edges_to_look_along(top, variable);
        self.stats.joins_entered += 1;
        self.spend(u64::from(num_in))?;
        self.observer.event(Event::MarkSet { block, variable });
        let frame = Frame { top, first, next: first, end: first + num_in, phi: PackedOption::NONE };
        self.lookup.frames.push(frame);
        *self.tree.mark_mut(top) = self.lookup.frames.len() as u32;
        Ok(None)
    }

    /// The first of the edges to look along in `joins`, and their number: the edges of the join, or one from its
    /// dominator if nothing writes the variable in between.
    fn edges_to_look_along(&mut self, top: NodeId, variable: Variable) -> (u32, u32) {
        let data = self.blocks.get(self.tree.block(top));
        let (first, num_in) = (data.own.first_edge, data.num_in);
        match self.tree.dominator(top) {
            Some(up) if self.is_unwritten_exactly(top, num_in as usize, variable) => {
                // Only the source of this edge is read, and it is the dominator. A single operand never makes a phi,
                // so no phi has fewer operands than its block has edges.
                let first = self.joins.take(1);
                self.joins.sources[first] = up;
                (first as u32, 1)
            }
            _ => (first, num_in),
        }
    }

    /// Ends the frame, whose operands have been read off and differ or not. Returns the value at the top of its block.
    fn leave(
        &mut self,
        host: &mut dyn PhiHost,
        frame: Frame,
        differ: bool,
        variable: Variable,
    ) -> Result<Value, Stopped> {
        let Frame { top, first, end, phi, .. } = frame;
        let block = self.tree.block(top);
        *self.tree.mark_mut(top) = 0;
        self.observer.event(Event::MarkCleared { block, variable });
        let num_in = (end - first) as usize;
        let value = match phi.expand() {
            Some(phi) => return self.merge_into(host, top, phi, num_in),
            None if differ => self.merge(host, top, variable, num_in)?,
            None => self.phis.room(num_in)[0],
        };
        self.defs.define_top(top, variable, value);
        if !differ {
            self.note_needless_edges(top, num_in)?;
        }
        Ok(value)
    }

    /// Gives the phi the operands that have been read off, or forwards it to the only one. Returns the value at the
    /// top.
    fn merge_into(&mut self, host: &mut dyn PhiHost, top: NodeId, phi: PhiId, num_in: usize) -> Result<Value, Stopped> {
        let (variable, own) = (self.phis.table[phi].variable, self.phis.table[phi].value);
        // Operands were resolved when they were read off, and nothing has been forwarded since, so equal values are
        // the same value.
        let mut others = self.phis.room(num_in).iter().copied().filter(|&value| value != own);
        let same = others.next();
        if others.any(|value| Some(value) != same) {
            if self.tree.block(top) != self.phis.table[phi].block {
                return self.merge_deferred(host, top, phi, num_in);
            }
            self.finish_phi(top, phi, num_in)?;
            return Ok(own);
        }
        let (value, reason) = match same {
            Some(value) => (value, Reason::Trivial),
            None => (self.undefined(host, variable)?, Reason::Unreachable),
        };
        self.stats.trivial_phis += 1;
        // Its users may have become trivial.
        self.copies.insert(variable);
        self.remove_phi(host, phi, value, reason);
        self.defs.replace(top, variable, own, value);
        self.note_needless_edges(top, num_in)?;
        Ok(value)
    }

    /// Forwards the phi, which was deferred to this block, to a phi at its top that gets the operands.
    #[inline(never)]
    fn merge_deferred(
        &mut self,
        host: &mut dyn PhiHost,
        top: NodeId,
        phi: PhiId,
        num_in: usize,
    ) -> Result<Value, Stopped> {
        let (variable, own) = (self.phis.table[phi].variable, self.phis.table[phi].value);
        let value = self.merge(host, top, variable, num_in)?;
        self.stats.trivial_phis += 1;
        self.remove_phi(host, phi, value, Reason::Unwritten);
        self.defs.replace(top, variable, own, value);
        Ok(value)
    }

    /// Makes the operands that have been read off those of the phi.
    #[inline]
    fn finish_phi(&mut self, top: NodeId, phi: PhiId, num_in: usize) -> Result<(), Stopped> {
        let first = self.phis.num_operands;
        let Ok(first_operand) = u32::try_from(first) else { return Err(self.stop(Stopped::TooManyOperands)) };
        let data = &mut self.phis.table[phi];
        (data.first_operand, data.state) = (first_operand, phis::State::Complete);
        let phi = data.value;
        self.phis.num_operands += num_in;
        self.stats.operands_added += num_in as u64;
        self.note_merge(top);
        if O::HEARS {
            for (index, &value) in (0..).zip(&self.phis.operands[first..][..num_in]) {
                self.observer.event(Event::OperandAdded { phi, index, value });
            }
        }
        Ok(())
    }

    /// A phi at the top of a block that is not linked may be one that a linked block would not need.
    #[inline]
    fn note_merge(&mut self, top: NodeId) {
        self.is_exact &= self.tree.dominator(top).is_some();
    }

    /// Forwards the phi to the value.
    pub(super) fn remove_phi(&mut self, host: &mut dyn PhiHost, phi: PhiId, value: Value, reason: Reason) {
        let data = &mut self.phis.table[phi];
        // The phi stays in the list of its block, whose readers check its state, and in rows, whose values are resolved
        // when they are read.
        data.state = phis::State::Dead;
        let from = data.value;
        self.forward(host, from, value, reason);
    }

    /// The value of the variable at the top of the entry, or of a block without incoming edges.
    fn value_at_root(&mut self, host: &mut dyn PhiHost, root: Block, variable: Variable) -> Result<Value, Stopped> {
        match self.on_entry.initial(variable).filter(|_| root == self.blocks.entry()) {
            Some(value) => Ok(self.values.resolve(value)),
            None => self.undefined(host, variable),
        }
    }

    /// Forwards a phi at the top of a block to the value of its variable at the end of a dominator, or defers it if
    /// that value depends on an open block. Returns `false`, without a change, if the value is the phi itself.
    #[inline(always)]
    pub(super) fn stand_for(
        &mut self,
        host: &mut dyn PhiHost,
        top: NodeId,
        phi: PhiId,
        above: NodeId,
    ) -> Result<bool, Stopped> {
        let phis::Phi { variable, value: own, .. } = self.phis.table[phi];
        let value = match self.defs.held(&mut self.tree, above, variable) {
            Held::Value(value) => self.values.resolve(value),
            Held::Top(above) if self.is_open(above) => {
                self.spend(1)?;
                self.defer(phi, above);
                return Ok(true);
            }
            Held::Top(above) => self.decide(host, above, variable)?,
        };
        // A deferred phi may have been stored at the top of a join above: then the dominator holds the phi itself,
        // and that is no answer.
        if value == own {
            return Ok(false);
        }
        self.stats.trivial_phis += 1;
        self.remove_phi(host, phi, value, Reason::Unwritten);
        self.defs.replace(top, variable, own, value);
        Ok(true)
    }

    /// Gives an incomplete phi of a sealed block its operands, or forwards it.
    #[inline(always)]
    pub(super) fn complete(&mut self, host: &mut dyn PhiHost, top: NodeId, phi: PhiId) -> Result<(), Stopped> {
        // No lookup is in progress between two phis, so rows may be given up here.
        self.watch_masks();
        let variable = self.phis.table[phi].variable;
        let data = self.blocks.get(self.tree.block(top));
        let (first, num_in, between) = (data.own.first_edge as usize, data.num_in as usize, data.own.between);
        // Without a write in between, the dominator has the answer, even if sources hold phis that are forwarded to
        // the same value: following the edges might create another phi, which would be redundant.
        let is_unwritten = !between.may_have(variable) || self.is_unwritten_exactly(top, num_in, variable);
        if let Some(up) = self.tree.dominator(top).filter(|_| is_unwritten) {
            if self.stand_for(host, top, phi, up)? {
                return Ok(());
            }
        }
        self.spend(num_in as u64)?;
        // As in `look_along_edges`, once need not be enough.
        while self.read_off(first, num_in, variable).is_none() {
            for place in first..first + num_in {
                if let Held::Top(top) = self.defs.held(&mut self.tree, self.joins.sources[place], variable) {
                    self.decide(host, top, variable)?;
                }
            }
        }
        self.merge_into(host, top, phi, num_in)?;
        Ok(())
    }
}
