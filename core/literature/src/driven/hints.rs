//! Hints at loop headers: what a lookup need not wait for, and whether that was right.

use super::phis::State;
use super::{Driven, Strategy};
use alloc::vec::Vec;
use ssaphire_construct::PhiHost;
use ssaphire_construct::parts::PhiId;
use ssaphire_construct::{Event, Observer};
use ssaphire_construct::{FinishError, SealError, Stopped};
use ssaphire_graph::{Block, Value, Variable};

#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    answers: Vec<Answer>,
    /// What the edges of headers hold, by number of the answer.
    found: Vec<(u32, Value)>,
}

/// A lookup passed an unsealed header through its hint.
#[derive(Clone, Copy, Debug)]
struct Answer {
    header: Block,
    variable: Variable,
    value: Value,
}

impl Scratch {
    pub(crate) fn clear(&mut self) {
        self.answers.clear();
        self.found.clear();
    }
}

impl<S: Strategy, O: Observer> Driven<S, O> {
    /// Promises that in the loop of `header` only `variables` are written.
    pub(crate) fn try_hint_loop_writes(&mut self, header: Block, variables: &[Variable]) -> Result<(), SealError> {
        self.running()?;
        self.options.ids.check_block(header)?;
        variables.iter().try_for_each(|&variable| self.options.ids.check_variable(variable))?;
        if self.is_sealed(header) {
            return Err(SealError::Sealed { block: header });
        }
        self.blocks.set_hint(header, variables);
        self.observer.event(Event::Hint { header });
        for &variable in variables {
            self.observer.event(Event::HintedWrite { header, variable });
        }
        Ok(())
    }

    /// Notes that a lookup of `variable` passed the unsealed `header` through its hint and found `value`.
    pub(crate) fn note_hinted(&mut self, header: Block, variable: Variable, value: Value) {
        if self.options.verify_hints {
            self.hints.answers.push(Answer { header, variable, value });
        }
    }

    /// Looks up on every edge of the headers what their hints promised.
    ///
    /// Only now is it known which edges count, and a phi made here is younger
    /// than all that anybody uses: verifying changes no result.
    pub(crate) fn look_behind_hints(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        for index in 0..self.hints.answers.len() {
            let Answer { header, variable, .. } = self.hints.answers[index];
            for place in self.blocks.incoming_range(header) {
                let source = self.blocks.incoming_edge(place).source;
                if self.blocks.is_reachable(source) {
                    let found = self.lookup(host, source, variable)?;
                    self.hints.found.push((index as u32, found));
                }
            }
        }
        Ok(())
    }

    /// Whether each answer given through a hint is what every edge holds.
    ///
    /// Phis of an irreducible loop may hide that they are the same, so redundant ones are seen through.
    pub(crate) fn check_hints(&mut self, is_minimized: bool) -> Result<(), FinishError> {
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
        let is_inner = |&phi: &PhiId| self.phis.get(phi).state == State::Complete && Some(phi) != answer;
        self.finish.suspects.extend(self.phis.ids().filter(is_inner));
        self.collect_suspects();
        self.finish.minimizer.dominated(&self.finish.graph).contains(&(found, Some(value)))
    }
}
