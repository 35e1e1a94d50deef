//! From the obligations that fail back to every read that needs one of them.
//!
//! Runs only where something is wrong.

use super::way::Way;
use super::{Judgement, Outcome};
use crate::program::ProgramEvent;
use crate::violation::Violation;
use alloc::vec::Vec;
use ssaphire_graph::{Block, Value, Variable};

/// Why a variable and the value claimed for it differ.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reason {
    Wrong {
        given: Value,
        holds: Value,
    },
    Stale,
    /// The value is not defined on some path.
    Missing,
    Uninitialized,
}

/// An obligation that does not hold, and the block where that was seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failure {
    pub(super) obligation: u32,
    pub(super) at: Block,
    pub(super) reason: Reason,
}

/// Memory for the way back.
#[derive(Debug, Default)]
pub(super) struct Blame {
    /// (obligation needed, obligation that needs it), sorted.
    needs: Vec<(u32, u32)>,
    /// Per obligation, the failure it comes to.
    cause: Vec<Option<u32>>,
    pending: Vec<u32>,
}

impl Reason {
    pub(super) fn violation(
        self,
        block: Block,
        event: usize,
        variable: Variable,
        value: Value,
        at: Block,
    ) -> Violation {
        match self {
            Self::Wrong { given, holds } => Violation::WrongValue { block, event, variable, value, at, given, holds },
            Self::Stale => Violation::StaleValue { block, event, variable, value, at },
            Self::Missing => Violation::MissingValue { block, event, variable, value, at },
            Self::Uninitialized => Violation::Uninitialized { block, event, variable, value },
        }
    }
}

impl Judgement<'_> {
    /// Adds a violation for every read that needs an obligation that fails: the nearest one.
    pub(super) fn blame(&mut self, violations: &mut Vec<Violation>) {
        self.collect_needs();
        self.find_causes();
        for read in &self.memory.reads {
            let Some(cause) = self.memory.blame.cause[read.obligation as usize] else { continue };
            let Failure { at, reason, .. } = self.memory.failures[cause as usize];
            let event = read.event as usize;
            if let ProgramEvent::Use { variable, value } = self.program.event_list(read.block)[event] {
                violations.push(reason.violation(read.block, event, variable, value, at));
            }
        }
    }

    fn collect_needs(&mut self) {
        let mut needs = core::mem::take(&mut self.memory.blame.needs);
        needs.clear();
        for (index, &obligation) in self.memory.obligations.list().iter().enumerate() {
            let mut add = |outcome| {
                if let Outcome::Needs(needed) = outcome {
                    needs.extend(self.memory.obligations.index(needed).map(|needed| (needed, index as u32)));
                }
            };
            match self.way(obligation) {
                Way::Up(outcome) => add(outcome),
                Way::Back => {
                    let sources = self.frame.sources(obligation.block).enumerate();
                    for (edge, source) in sources.filter(|&(_, source)| self.frame.is_reachable(source)) {
                        add(self.raised(self.step_back(obligation, edge, source)));
                    }
                }
            }
        }
        needs.sort_unstable();
        self.memory.blame.needs = needs;
    }

    /// Spreads each failure to what depends on it, breadth first: the nearest failure wins, and among equals the first.
    fn find_causes(&mut self) {
        let Blame { needs, cause, pending } = &mut self.memory.blame;
        cause.clear();
        cause.resize(self.memory.obligations.list().len(), None);
        pending.clear();
        for (index, failure) in self.memory.failures.iter().enumerate() {
            let place = &mut cause[failure.obligation as usize];
            if place.is_none() {
                *place = Some(index as u32);
                pending.push(failure.obligation);
            }
        }
        let mut next = 0;
        while let Some(&failed) = pending.get(next) {
            next += 1;
            let start = needs.partition_point(|&(needed, _)| needed < failed);
            for &(_, user) in needs[start..].iter().take_while(|&&(needed, _)| needed == failed) {
                if cause[user as usize].is_none() {
                    cause[user as usize] = cause[failed as usize];
                    pending.push(user);
                }
            }
        }
    }
}
