//! Hints at loop headers: what a lookup need not wait for, and whether that was right.

use super::Builder;
use super::bloom::VariableMask;
use super::order::Order;
use super::phis::State;
use crate::error::{FinishError, SealError, Stopped};
use crate::host::PhiHost;
use crate::observe::{Event, Observer};
use alloc::vec::Vec;
use ssaphire_graph::{Block, Value, Variable};

#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    answers: Vec<Answer>,
    /// What the edges of headers hold, by number of the answer.
    found: Vec<(u32, Value)>,
    /// Edges to be looked along: number of the answer, variable, source.
    edges: Vec<(u32, Variable, Block)>,
}

/// A lookup passed an unsealed header through its hint.
#[derive(Clone, Copy, Debug)]
struct Answer {
    header: Block,
    variable: Variable,
    value: Value,
}

impl Scratch {
    pub(super) fn clear(&mut self) {
        self.answers.clear();
        self.found.clear();
    }
}

impl<O: Observer> Builder<O> {
    /// Promises that in the loop of `header` only `variables` are written.
    pub(super) fn hint(&mut self, header: Block, variables: &[Variable]) -> Result<(), SealError> {
        self.running()?;
        self.options.ids.check_block(header)?;
        variables.iter().try_for_each(|&variable| self.options.ids.check_variable(variable))?;
        if self.blocks.is_closed(header) {
            return Err(SealError::Sealed { block: header });
        }
        self.blocks.set_hint(header, variables);
        self.observer.event(Event::Hint { header });
        for &variable in variables {
            self.observer.event(Event::HintedWrite { header, variable });
        }
        Ok(())
    }

    /// Begins a header with a hint, unsealed: below its only edge's source if the hint is taken on trust.
    ///
    /// What is to be verified is noted, lookup by lookup.
    #[cold]
    pub(super) fn begin_hinted(&mut self, header: Block, order: Order) {
        let is_trusted = !self.options.verify_hints && self.blocks.get(header).num_in == 1;
        let edge = self.blocks.only_edge(header).filter(|_| is_trusted);
        let Some(source) = edge.and_then(|edge| self.order_of(edge.source)) else {
            return self.begin_root(header, order);
        };
        // What the hint names is open from here on, so that rows have to have a cell for it.
        if let Some(&last) = self.blocks.hint(header).last().filter(|&&last| !self.defs.has_cell(last)) {
            self.make_room(Some(last));
        }
        if !self.defs.begin_below(order, source, VariableMask::EMPTY) {
            self.make_row();
            self.defs.begin_below(order, source, VariableMask::EMPTY);
        }
        let Self { blocks, tree, defs, copies, .. } = self;
        copies.is_at_entry = false;
        let mut hinted = VariableMask::EMPTY;
        blocks.hint(header).iter().for_each(|&variable| hinted.insert(variable));
        tree.begin_root(header);
        tree.link_hinted(order, source, hinted);
        blocks.get_mut(header).own.between = hinted;
        for &variable in blocks.hint(header) {
            defs.open(order, variable);
            // The loop need not write it, and then phis that are needed if it does may be redundant.
            copies.insert(variable);
        }
    }

    /// Notes that a lookup of `variable` passed the unsealed `header` through its hint and found `value`.
    pub(super) fn note_hinted(&mut self, header: Block, variable: Variable, value: Value) {
        if self.options.verify_hints {
            self.hints.answers.push(Answer { header, variable, value });
        }
    }

    /// Looks up on every edge of the headers what their hints promised.
    ///
    /// Only now is it known which edges count, and a phi made here is younger
    /// than all that anybody uses: verifying changes no result.
    pub(super) fn look_behind_hints(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        let Self { blocks, hints: Scratch { answers, edges, .. }, .. } = self;
        edges.clear();
        for (number, answer) in (0..).zip(&*answers) {
            let first = edges.len();
            blocks.visit_incoming_backwards(answer.header, |edge| {
                if blocks.is_reachable(edge.source) {
                    edges.push((number, answer.variable, edge.source));
                }
            });
            edges[first..].reverse();
        }
        for index in 0..self.hints.edges.len() {
            let (number, variable, source) = self.hints.edges[index];
            let Some(order) = self.order_of(source) else { unreachable!("a source is filled") };
            let found = self.lookup(host, order, variable)?;
            self.hints.found.push((number, found));
        }
        Ok(())
    }

    /// Whether each answer given through a hint is what every edge holds.
    ///
    /// Phis of an irreducible loop may hide that they are the same, so redundant ones are seen through.
    pub(super) fn check_hints(&mut self, is_minimized: bool) -> Result<(), FinishError> {
        for index in 0..self.hints.found.len() {
            let (answer, found) = self.hints.found[index];
            let Answer { header, variable, value } = self.hints.answers[answer as usize];
            let (found, value) = (self.values.resolve(found), self.values.resolve(value));
            if found != value && (is_minimized || !self.only_merges(found, value)) {
                self.stop(Stopped::HintBroken);
                return Err(FinishError::HintBroken { block: header, variable });
            }
        }
        Ok(())
    }

    /// Whether `found` is one of a redundant set of phis that stands for `value`.
    ///
    /// If `value` is such a phi itself it is taken for what it is: what it
    /// stands for may hold on ways that do not pass it, and there the answer
    /// was wrong.
    fn only_merges(&mut self, found: Value, value: Value) -> bool {
        let answer = self.values.phi(value);
        self.finish.suspects.clear();
        let complete = self.phis.table.iter().filter(|(_, data)| data.state == State::Complete);
        self.finish.suspects.extend(complete.map(|(phi, _)| phi).filter(|&phi| Some(phi) != answer));
        self.collect_suspects();
        self.finish.minimizer.dominated(&self.finish.graph).contains(&(found, Some(value)))
    }
}
