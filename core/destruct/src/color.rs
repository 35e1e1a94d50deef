//! Locations by coloring.
//!
//! Values that are live at the same time get different locations. Definitions are colored in dominance order. The
//! interference graph of a function in SSA form is chordal, and dominance order is the reverse of a perfect elimination
//! order, so a function needs no more locations of a class than it has values of that class live at one point.
//!
//! | Cytron et al. 1991, section 7.2 | here |
//! |---|---|
//! | interference from liveness | `live_values`, walked block by block |
//! | graph coloring by variable | [`Palette::Variables`] |
//! | coalescing of copies | [`Coloring::assign_location`] |
//!
//! # Complexity
//! O(*n* + *e* + uses) to find live ranges, or that of [live sets](crate::live_sets) if ranges are long; and
//! O((events + operands + *c*) log values), where *c* is the sum, over all blocks, of the number of values that are
//! live-in, or of those that are live-out of the immediate dominator and not live-in, whichever is smaller: at most the
//! size of all live sets.
//!
//! # Departures
//! Cytron et al. refer to coloring in general (Chaitin et al. 1981); that one pass in dominance order is enough
//! was found later (Hack et al. 2006). A phi prefers the location of an operand, and an operand that of a phi.

mod held;
mod live_values;
mod pools;

use crate::assembly::Assembly;
use crate::error::DestructError;
use crate::result::Location;
use crate::seams::{Seam, Seams};
use crate::{DestructForm, Thresholds, Tied};
use alloc::vec::Vec;
use live_values::{Definitions, Live};
use pools::{Pools, Snapshot};
use ssaphire_graph::{Block, DominatorTree, IdMap, PackedOption, Value, ValueEvent};

/// The values that may share a location if they are not live at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Palette {
    /// None: only checks that values of one storage are not live at the same time.
    Values,
    /// Those of one variable.
    Variables,
    /// Those of one register class.
    Classes,
}

/// A walk in dominance order that tracks the locations of live values.
struct Coloring<'f, F> {
    function: &'f F,
    seams: &'f Seams,
    assembly: &'f mut Assembly,
    live: Live,
    pools: Pools,
    /// The location in which a value would save a copy.
    hints: IdMap<Value, PackedOption<Location>>,
    events: Vec<ValueEvent>,
    /// The last use of each value: the block, and the event.
    last_use: IdMap<Value, Option<(Block, u32)>>,
    block: Block,
    /// Values that are defined simultaneously.
    defined_together: Vec<Value>,
    /// Values that are live in only one of two blocks.
    changes: Vec<u32>,
    num_changes: usize,
}

/// Gives each value a location, so that values that are live at the same time have different ones.
pub(crate) fn color(
    function: &impl DestructForm,
    seams: &Seams,
    palette: Palette,
    thresholds: Thresholds,
    assembly: &mut Assembly,
) -> Result<(), DestructError> {
    let dominators = DominatorTree::new(&seams.cfg);
    Coloring::new(function, seams, palette, thresholds, assembly, &dominators)?.color_blocks(&dominators)
}

impl<'f, F: DestructForm> Coloring<'f, F> {
    fn new(
        function: &'f F,
        seams: &'f Seams,
        palette: Palette,
        thresholds: Thresholds,
        assembly: &'f mut Assembly,
        dominators: &DominatorTree,
    ) -> Result<Self, DestructError> {
        let definitions = Definitions::new(function, seams, dominators)?;
        let num_values = function.num_values();
        Ok(Self {
            function,
            seams,
            assembly,
            live: definitions.live(seams, dominators, thresholds),
            pools: Pools::new(palette, function, definitions.values()),
            hints: IdMap::filled(num_values, PackedOption::NONE),
            events: Vec::new(),
            last_use: IdMap::filled(num_values, None),
            block: seams.cfg.entry(),
            defined_together: Vec::new(),
            changes: Vec::new(),
            num_changes: 0,
        })
    }

    /// Colors all blocks, each after its immediate dominator, at whose end all its live-in values are live.
    fn color_blocks(&mut self, dominators: &DominatorTree) -> Result<(), DestructError> {
        // The blocks that dominate the current one, each with the locations held at its end.
        let mut above: Vec<(Block, Snapshot)> = Vec::new();
        for &block in dominators.preorder() {
            let idom = dominators.idom(block);
            while above.last().is_some_and(|&(last, _)| Some(last) != idom) {
                above.pop();
            }
            self.block = block;
            if let Some(&(idom, snapshot)) = above.last() {
                self.pools.restore(snapshot);
                self.hold_live_in(idom)?;
            }
            self.color_block()?;
            above.push((block, self.pools.snapshot()));
        }
        Ok(())
    }

    /// Holds the locations of the live-in values of the block. Starts from those held at the end of the immediate
    /// dominator and frees the others, or starts from none, whichever takes fewer changes.
    fn hold_live_in(&mut self, idom: Block) -> Result<(), DestructError> {
        let are_dead = self.live.list_changes(idom, self.block, &mut self.changes);
        self.num_changes += self.changes.len();
        if !are_dead {
            self.pools.clear();
        }
        for index in 0..self.changes.len() {
            let value = Value::new(self.changes[index] as usize);
            self.pools.set_held(self.location(value)?, !are_dead);
        }
        Ok(())
    }

    fn color_block(&mut self) -> Result<(), DestructError> {
        let block = self.block;
        self.find_last_uses();
        if block == self.seams.cfg.entry() {
            for value in self.function.globals() {
                if !self.function.is_constant(value) {
                    self.define(value)?;
                }
            }
        }
        let first_edge = self.seams.cfg.incoming(block).first().copied();
        let at_top = first_edge.filter(|&edge| self.seams.seam(edge) == Seam::Top);
        let num_results = self.function.num_results_at_top(block).min(self.events.len());
        match at_top {
            None => self.define_phis()?,
            Some(edge) => {
                // The operands are read after the results at the top.
                let operands = self.seams.arguments(edge).iter().map(|argument| argument.operand);
                let operands = operands.filter(|&operand| !self.function.is_constant(operand));
                for operand in operands.clone() {
                    self.pools.hold(self.location(operand)?, operand);
                }
                self.color_events(0, num_results)?;
                for operand in operands.filter(|&operand| !self.live.is_at_top(block, operand)) {
                    self.pools.release(self.location(operand)?, operand);
                }
                self.define_phis()?;
            }
        }
        let first = if at_top.is_some() { num_results } else { 0 };
        self.color_events(first, self.events.len())
    }

    /// Notes the last use of each value in the block.
    fn find_last_uses(&mut self) {
        let (function, block) = (self.function, self.block);
        self.events.clear();
        self.events.extend(function.events(block));
        for (index, event) in self.events.iter().enumerate() {
            if let ValueEvent::Use(value) = *event {
                self.last_use[value] = Some((block, index as u32));
            }
        }
    }

    fn define_phis(&mut self) -> Result<(), DestructError> {
        let function = self.function;
        function.phis(self.block).try_for_each(|phi| self.define_phi(phi))?;
        self.free_unused_definitions()
    }

    fn color_events(&mut self, from: usize, to: usize) -> Result<(), DestructError> {
        let (function, block) = (self.function, self.block);
        let mut tied = function.tied(block).skip_while(|tied| tied.first_event < from).peekable();
        let mut open: Option<Tied> = None;
        // Values whose last use is in an instruction with a tied operand.
        let mut dying = Vec::new();
        for index in from..to {
            open = tied.next_if(|tied| tied.first_event == index).or(open);
            match self.events[index] {
                ValueEvent::Use(value) => {
                    self.free_unused_definitions()?;
                    let is_last = self.last_use[value] == Some((block, index as u32)) && !self.is_live_out(value);
                    if is_last && !function.is_constant(value) {
                        match open {
                            Some(_) => dying.push(value),
                            None => self.pools.release(self.location(value)?, value),
                        }
                    }
                }
                ValueEvent::Def(value) => {
                    if let Some(tied) = open.take_if(|tied| tied.result == value) {
                        self.reuse_tied_operand(tied, index, &dying)?;
                    }
                    self.define(value)?;
                    if open.is_none() {
                        for dead in dying.drain(..) {
                            self.pools.release(self.location(dead)?, dead);
                        }
                    }
                }
            }
        }
        self.free_unused_definitions()
    }

    /// Frees the location of an operand that is dead after the instruction, for its result.
    fn reuse_tied_operand(&mut self, tied: Tied, definition: usize, dying: &[Value]) -> Result<(), DestructError> {
        let uses = self.events[tied.first_event..definition].iter();
        let is_used_once = uses.filter(|&&event| event == ValueEvent::Use(tied.operand)).count() == 1;
        if is_used_once && dying.contains(&tied.operand) {
            let location = self.location(tied.operand)?;
            self.pools.release(location, tied.operand);
            self.hints[tied.result] = location.into();
        }
        Ok(())
    }

    /// Frees the locations of values that were defined simultaneously and are not used.
    fn free_unused_definitions(&mut self) -> Result<(), DestructError> {
        while let Some(value) = self.defined_together.pop() {
            let is_used = self.last_use[value].is_some_and(|(block, _)| block == self.block);
            if !is_used && !self.is_live_out(value) {
                self.pools.release(self.location(value)?, value);
            }
        }
        Ok(())
    }

    fn is_live_out(&self, value: Value) -> bool {
        self.live.is_at_end(self.block, value)
    }

    fn location(&self, value: Value) -> Result<Location, DestructError> {
        let location = self.assembly.destruction.location(value);
        location.ok_or(DestructError::NotDefined { value, block: self.block })
    }

    /// Gives a value that is defined here a location.
    fn define(&mut self, value: Value) -> Result<(), DestructError> {
        let copied = self.function.copied(value);
        self.assign_location(value, copied.into_iter()).map(drop)
    }

    /// Gives a phi a location, and makes that the hint of its operands that have none yet.
    fn define_phi(&mut self, phi: Value) -> Result<(), DestructError> {
        let function = self.function;
        let location = self.assign_location(phi, function.operands(self.block, phi))?;
        for operand in function.operands(self.block, phi) {
            if let Some(hint) = self.hints.get_mut(operand).filter(|hint| hint.is_none()) {
                *hint = location.into();
            }
        }
        Ok(())
    }

    /// Gives a value a location: a free one that saves a copy, if there is one.
    fn assign_location(
        &mut self,
        value: Value,
        related: impl Iterator<Item = Value>,
    ) -> Result<Location, DestructError> {
        let related = related.filter_map(|value| self.assembly.destruction.location(value));
        let mut candidates = self.hints[value].expand().into_iter().chain(related);
        let preferred = candidates.find(|&location| self.pools.is_free(location));
        let location = self.pools.allocate(value, preferred, self.function, self.assembly)?;
        self.assembly.place(value, location);
        self.defined_together.push(value);
        Ok(location)
    }
}

#[cfg(test)]
mod tests;
