//! The check of locations and moves, for a function that has left SSA form.
//!
//! Each value has one location, and moves are at insertion points. The checker goes through each block with the
//! symbolic content of each location: at its top, after the moves there, each live value must be in its location. The
//! checker shows this for each edge separately, so it is true at the top of every block on every path.
//!
//! A copy has the content of its source: a phi of a block with one incoming edge has the content of its operand, and so
//! does the result of an instruction that copies.
//!
//! First, the function without phis is judged as a program over variables (`direct`), without live sets. If that is
//! accepted, the function is correct; otherwise this checker decides, and reports the violations.
//!
//! # Complexity
//! That of [`validate`](crate::validate()) for *n* + *e* blocks, events, moves and operands, if it accepts the
//! function; otherwise O((*n* + events + moves + operands + sizes of live sets) log locations) in addition.
//!
//! # Departures
//! This is not from a paper. The checker of regalloc2 computes the contents at block tops as a fix-point; here they are
//! known beforehand, because a value stays in its location.

mod direct;
mod state;
#[cfg(test)]
mod tests;
mod violation;

pub use violation::LocationViolation;

use crate::definitions::Site;
use crate::frame::Frame;
use crate::rules::rules;
use alloc::vec::Vec;
use ssaphire_graph::{
    Block, Edge, IdLists, IdMap, IdSet, IncomingEdge, InsertionPoint, InsertionPoints, Liveness, Value, ValueEvent,
    Variable,
};
use state::State;

/// The source of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moved {
    /// The content of the location with this number.
    Location(u32),
    /// The value itself, which has no location.
    Value(Value),
}

/// An instruction that overwrites an operand: the operand must be in the location of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overwriting {
    /// The first event of the instruction: its index among those of the block.
    pub first_event: usize,
    /// The operand. It is copied to the location of the result, unless it is there already, before anything else is
    /// read.
    pub operand: Value,
    /// The result.
    pub result: Value,
}

/// A function in SSA form, with the locations and moves that replace its phis.
pub trait Located: InsertionPoints {
    /// The location of `value`; `None` for a value that its uses name directly, such as a constant.
    fn location(&self, value: Value) -> Option<u32>;

    /// The moves at `point`, one after the other: target and source.
    fn moves(&self, point: InsertionPoint) -> impl Iterator<Item = (u32, Moved)>;

    /// The value that the instruction that defines `value` copies, if it does nothing else.
    fn copied(&self, value: Value) -> Option<Value> {
        let _ = value;
        None
    }

    /// The instructions of `block` that overwrite an operand, in order.
    fn overwriting(&self, block: Block) -> impl Iterator<Item = Overwriting> {
        let _ = block;
        core::iter::empty()
    }

    /// The variable whose storage `value` must be in, if any.
    fn storage(&self, value: Value) -> Option<Variable> {
        let _ = value;
        None
    }
}

/// Checks the locations and moves of `form`; returns every violation, sorted.
///
/// The list is empty if every use finds its value in its location on every path. Unreachable blocks are not checked.
pub fn locations(form: &impl Located) -> Vec<LocationViolation> {
    let broken = rules(form);
    if !broken.is_empty() {
        return broken.into_iter().map(LocationViolation::Form).collect();
    }
    let mut frame = Frame::default();
    frame.rebuild(form, &mut Vec::new());
    let checker = Checker::new(form, &frame);
    if checker.violations.is_empty() && checker.is_accepted_directly() {
        return Vec::new();
    }
    checker.check_by_live_sets()
}

/// The values that reachable code uses.
fn used(form: &impl Located, frame: &Frame) -> IdSet<Value> {
    let mut used = IdSet::new();
    for &block in frame.tree.preorder() {
        for event in form.events(block) {
            if let ValueEvent::Use(value) = event {
                used.insert(value);
            }
        }
        for phi in form.phis(block) {
            form.operands(block, phi).for_each(|operand| {
                used.insert(operand);
            });
        }
    }
    used
}

fn arguments(form: &impl Located, frame: &Frame) -> IdLists<Edge, (Value, Value)> {
    let mut pairs = Vec::new();
    for &block in frame.tree.preorder() {
        for phi in form.phis(block) {
            let operands = form.operands(block, phi).zip(frame.cfg.incoming(block));
            pairs.extend(operands.map(|(operand, &edge)| (edge, (phi, operand))));
        }
    }
    let mut arguments = IdLists::new();
    arguments.rebuild(frame.cfg.num_edges(), pairs.iter().copied());
    arguments
}

struct Checker<'f, F> {
    form: &'f F,
    frame: &'f Frame,
    live: Liveness<Value>,
    /// The content of each value: itself, or the value of which it is a copy.
    contents: IdMap<Value, Value>,
    used: IdSet<Value>,
    /// By edge: the phis of its target, with their operands.
    arguments: IdLists<Edge, (Value, Value)>,
    state: State,
    events: Vec<ValueEvent>,
    violations: Vec<LocationViolation>,
}

impl<'f, F: Located> Checker<'f, F> {
    /// A checker that has checked the storage and found the contents.
    fn new(form: &'f F, frame: &'f Frame) -> Self {
        let mut checker = Self {
            form,
            frame,
            live: Liveness::default(),
            contents: IdMap::new(),
            used: used(form, frame),
            arguments: IdLists::new(),
            state: State::default(),
            events: Vec::new(),
            violations: Vec::new(),
        };
        checker.check_storage();
        checker.find_contents();
        checker
    }

    /// Checks each block with its live sets; returns all violations, sorted.
    fn check_by_live_sets(mut self) -> Vec<LocationViolation> {
        let (form, frame) = (self.form, self.frame);
        let has_location = |value: Value| form.location(value).is_some();
        self.live.rebuild_of_values_that(form, &frame.cfg, frame.tree.order(), has_location);
        self.arguments = arguments(form, frame);
        self.check_entry();
        for &block in frame.tree.preorder() {
            self.check_block(block);
        }
        self.violations.sort_unstable();
        self.violations.dedup();
        self.violations
    }

    fn check_storage(&mut self) {
        let mut first: Vec<(Variable, Value)> = (0..self.form.num_values())
            .map(Value::new)
            .filter_map(|value| Some((self.form.storage(value)?, value)))
            .filter(|&(_, value)| self.form.location(value).is_some())
            .collect();
        first.sort_unstable();
        for of_variable in first.chunk_by(|(one, _), (other, _)| one == other) {
            let (variable, value) = of_variable[0];
            for &(_, other) in of_variable {
                if self.form.location(value) != self.form.location(other) {
                    self.violations.push(LocationViolation::Storage { variable, value, other });
                }
            }
        }
    }

    /// Finds the content of each value. In preorder of the dominator tree, the content of a value is known before its
    /// copies.
    fn find_contents(&mut self) {
        let form = self.form;
        for value in (0..form.num_values()).map(Value::new) {
            self.contents.push(value);
        }
        for &block in self.frame.tree.preorder() {
            if let (&[_], false) = (self.frame.cfg.incoming(block), block == self.frame.cfg.entry()) {
                for phi in form.phis(block) {
                    if let Some(operand) = form.operands(block, phi).next() {
                        self.contents[phi] = self.contents[operand];
                    }
                }
            }
            for event in form.events(block) {
                if let ValueEvent::Def(value) = event {
                    self.contents[value] = form.copied(value).map_or(value, |copied| self.contents[copied]);
                }
            }
        }
    }

    /// Checks that each global has a location of its own, if it has one, when control enters.
    fn check_entry(&mut self) {
        let entry = self.frame.cfg.entry();
        self.state.clear();
        for value in self.form.globals() {
            if let Some(location) = self.form.location(value) {
                let before = self.state.set(location, self.contents[value]);
                if let Some(first) = before.filter(|&before| before != value) {
                    self.violations.push(LocationViolation::Shared { block: entry, first, second: value, location });
                }
            }
        }
        self.arrive(entry, None);
    }

    fn check_block(&mut self, block: Block) {
        let form = self.form;
        self.state.clear();
        self.events.clear();
        self.events.extend(form.events(block));
        let num_results = form.num_results_at_top(block).min(self.events.len());
        let here = form.phis(block).chain(results_at_top(form, block)).filter(|&value| self.used.contains(value));
        for value in self.live.live_in(block).iter().copied().chain(here) {
            if let Some(location) = form.location(value) {
                self.state.set(location, self.contents[value]);
            }
        }
        let body = self.events.len().saturating_sub(form.num_terminator_uses(block)).max(num_results);
        self.walk(block, num_results, body);
        self.apply(InsertionPoint::End(block));
        self.walk(block, body, self.events.len());
        let outgoing: Vec<Edge> = self.frame.cfg.outgoing(block).collect();
        for edge in outgoing {
            self.state.begin_trial();
            let source = self.frame.cfg.source(edge);
            let named = IncomingEdge { source, slot: self.frame.cfg.slot(edge) };
            self.apply(InsertionPoint::Edge(named));
            self.arrive(self.frame.cfg.target(edge), Some(edge));
            self.state.end_trial();
        }
    }

    /// Checks that control which reaches `block` by `edge` finds, after the moves at the top, each live value in its
    /// location.
    fn arrive(&mut self, block: Block, edge: Option<Edge>) {
        let form = self.form;
        for value in results_at_top(form, block) {
            if let Some(location) = form.location(value) {
                self.state.set(location, self.contents[value]);
            }
        }
        self.apply(InsertionPoint::Top(block));
        for index in 0..self.live.live_in(block).len() {
            let value = self.live.live_in(block)[index];
            self.check_arrival(block, edge, value, value);
        }
        for value in results_at_top(form, block) {
            if self.used.contains(value) {
                self.check_arrival(block, edge, value, value);
            }
        }
        let Some(of_edge) = edge else { return };
        for index in 0..self.arguments.of(of_edge).len() {
            let (phi, operand) = self.arguments.of(of_edge)[index];
            if self.used.contains(phi) {
                self.check_arrival(block, edge, phi, operand);
            }
        }
    }

    fn check_arrival(&mut self, block: Block, edge: Option<Edge>, value: Value, wanted: Value) {
        let Some(location) = self.form.location(value) else {
            return self.violations.push(LocationViolation::NoLocation { block, value });
        };
        let holds = self.state.get(location);
        if holds != Some(self.contents[wanted]) {
            let from = edge.map(|edge| self.frame.cfg.source(edge));
            self.violations.push(LocationViolation::Arrival { block, from, value, location, holds });
        }
    }

    fn apply(&mut self, point: InsertionPoint) {
        for (to, from) in self.form.moves(point) {
            match from {
                Moved::Location(from) => self.state.copy(to, from),
                Moved::Value(value) if self.form.location(value).is_none() => {
                    self.state.set(to, self.contents[value]);
                }
                Moved::Value(value) => self.violations.push(LocationViolation::NotConstant { point, value }),
            }
        }
    }

    fn walk(&mut self, block: Block, from: usize, to: usize) {
        let form = self.form;
        let mut overwriting = form.overwriting(block).skip_while(|next| next.first_event < from).peekable();
        let mut run: Vec<Value> = Vec::new();
        for index in from..to {
            if let Some(next) = overwriting.next_if(|next| next.first_event == index) {
                self.end_run(block, &mut run);
                self.overwrite(block, index, next);
            }
            match self.events[index] {
                ValueEvent::Use(value) => {
                    self.end_run(block, &mut run);
                    self.check_use(block, index, value);
                }
                ValueEvent::Def(value) => {
                    match form.location(value) {
                        Some(location) => drop(self.state.set(location, self.contents[value])),
                        None => self.violations.push(LocationViolation::NoLocation { block, value }),
                    }
                    run.push(value);
                }
            }
        }
        self.end_run(block, &mut run);
    }

    fn overwrite(&mut self, block: Block, index: usize, next: Overwriting) {
        let [operand, result] = [next.operand, next.result].map(|value| self.form.location(value));
        if let Some(result) = result.filter(|_| operand != result) {
            self.check_use(block, index, next.operand);
            match operand {
                Some(operand) => self.state.copy(result, operand),
                None => drop(self.state.set(result, self.contents[next.operand])),
            }
        }
    }

    fn check_use(&mut self, block: Block, event: usize, value: Value) {
        let Some(location) = self.form.location(value) else {
            if !matches!(self.frame.definitions.site(value), Site::Global) {
                self.violations.push(LocationViolation::NoLocation { block, value });
            }
            return;
        };
        let holds = self.state.get(location);
        if holds != Some(self.contents[value]) {
            self.violations.push(LocationViolation::Use { block, event, value, location, holds });
        }
    }

    /// Checks that no value of a run, which is defined at once, overwrites another one of it.
    fn end_run(&mut self, block: Block, run: &mut Vec<Value>) {
        for second in run.drain(..) {
            let Some(location) = self.form.location(second) else { continue };
            if let Some(first) = self.state.get(location).filter(|&holds| holds != self.contents[second]) {
                self.violations.push(LocationViolation::Shared { block, first, second, location });
            }
        }
    }
}

/// The results of the predecessor's terminator that are defined at the top of `block`.
fn results_at_top(form: &impl Located, block: Block) -> impl Iterator<Item = Value> {
    form.events(block).take(form.num_results_at_top(block)).filter_map(|event| match event {
        ValueEvent::Def(value) => Some(value),
        ValueEvent::Use(_) => None,
    })
}
