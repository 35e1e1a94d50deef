//! Finds every read that depends on an obligation that failed.
//!
//! Runs only if an obligation failed.

use super::{Claims, Judgement, Outcome, Read};
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

/// An obligation that does not hold, and the block where it fails.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failure {
    pub(super) obligation: u32,
    pub(super) at: Block,
    pub(super) reason: Reason,
}

/// The memory of the search.
#[derive(Debug, Default)]
pub(super) struct Blame {
    /// (obligation, obligation it needs), sorted.
    needs: Vec<(u32, u32)>,
    /// (obligation needed, obligation that needs it), sorted.
    needed_by: Vec<(u32, u32)>,
    /// Per obligation, whether a read needs it.
    is_asked: Vec<bool>,
    /// Per obligation, the failure that makes it fail.
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
    /// Adds a violation for every read that needs a failed obligation, with the nearest failure.
    ///
    /// A failure that no read needs is a violation too: where something fails, the list is never empty.
    pub(super) fn blame(&mut self, violations: &mut Vec<Violation>) {
        let mut blame = core::mem::take(&mut self.memory.blame);
        let mut frontier = core::mem::take(&mut self.memory.frontier);
        let Claims { obligations, reads, failures, .. } = &*self.memory;
        blame.needs.clear();
        // The same step gives the same outcomes as when obligations were discharged, so each one needed is in the
        // list. If one were missing, no read would ask for its failure, which is named below.
        for (index, &obligation) in obligations.list().iter().enumerate() {
            self.successors(&mut frontier, obligation, |outcome| {
                if let Outcome::Needs(needed) = outcome {
                    blame.needs.extend(obligations.index(needed).map(|needed| (index as u32, needed)));
                }
            });
        }
        blame.trace(obligations.list().len(), reads, failures);
        for read in reads {
            let Some(cause) = blame.cause[read.obligation as usize] else { continue };
            let Failure { at, reason, .. } = failures[cause as usize];
            let event = read.event as usize;
            violations.push(match self.program.event_list(read.block)[event] {
                ProgramEvent::Use { variable, value } => reason.violation(read.block, event, variable, value, at),
                _ => Violation::UnnamedFailure { block: read.block, at },
            });
        }
        violations.extend(blame.unasked(failures).map(|failure| {
            let block = obligations.list()[failure.obligation as usize].block;
            Violation::UnnamedFailure { block, at: failure.at }
        }));
        self.memory.blame = blame;
        self.memory.frontier = frontier;
    }
}

impl Blame {
    /// Finds the cause of each failed obligation, and which obligations reads need. Needs: `needs`, sorted by
    /// obligation.
    fn trace(&mut self, num_obligations: usize, reads: &[Read], failures: &[Failure]) {
        self.needed_by.clear();
        self.needed_by.extend(self.needs.iter().map(|&(obligation, needed)| (needed, obligation)));
        self.needed_by.sort_unstable();
        self.find_asked(num_obligations, reads);
        self.find_causes(num_obligations, failures);
    }

    /// The failures of obligations that no read needs.
    fn unasked<'a>(&'a self, failures: &'a [Failure]) -> impl Iterator<Item = &'a Failure> {
        failures.iter().filter(|failure| !self.is_asked[failure.obligation as usize])
    }

    /// Marks the obligations that reads need, directly or through others.
    fn find_asked(&mut self, num_obligations: usize, reads: &[Read]) {
        let Self { needs, is_asked, pending, .. } = self;
        is_asked.clear();
        is_asked.resize(num_obligations, false);
        pending.clear();
        pending.extend(reads.iter().map(|read| read.obligation));
        while let Some(asked) = pending.pop() {
            if !core::mem::replace(&mut is_asked[asked as usize], true) {
                pending.extend(others(needs, asked));
            }
        }
    }

    /// Spreads each failure to the obligations that depend on it, breadth first: the nearest failure wins, among
    /// equals the first.
    fn find_causes(&mut self, num_obligations: usize, failures: &[Failure]) {
        let Self { needed_by, cause, pending, .. } = self;
        cause.clear();
        cause.resize(num_obligations, None);
        pending.clear();
        for (index, failure) in failures.iter().enumerate() {
            let place = &mut cause[failure.obligation as usize];
            if place.is_none() {
                *place = Some(index as u32);
                pending.push(failure.obligation);
            }
        }
        let mut next = 0;
        // Each obligation is pushed once, when it gets its cause, so this ends also where obligations depend on one
        // another.
        while let Some(&failed) = pending.get(next) {
            next += 1;
            for user in others(needed_by, failed) {
                if cause[user as usize].is_none() {
                    cause[user as usize] = cause[failed as usize];
                    pending.push(user);
                }
            }
        }
    }
}

/// The second numbers of the sorted pairs that begin with `first`.
fn others(pairs: &[(u32, u32)], first: u32) -> impl Iterator<Item = u32> + '_ {
    // Both lists are sorted: `needs` was filled in the order of obligations.
    let start = pairs.partition_point(|pair| pair.0 < first);
    pairs[start..].iter().take_while(move |pair| pair.0 == first).map(|pair| pair.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn read(obligation: u32) -> Read {
        Read { block: Block::new(0), event: 0, obligation }
    }

    fn failure(obligation: u32) -> Failure {
        Failure { obligation, at: Block::new(0), reason: Reason::Stale }
    }

    #[test]
    fn a_failure_is_that_of_a_read_or_named_by_itself() {
        let mut blame = Blame { needs: vec![(0, 2), (1, 2), (3, 3)], ..Blame::default() };
        let failures = [failure(2), failure(3)];
        blame.trace(4, &[read(0)], &failures);
        assert_eq!(blame.cause, [Some(0), Some(0), Some(0), Some(1)]);
        assert_eq!(blame.is_asked, [true, false, true, false]);
        assert_eq!(blame.unasked(&failures).map(|failure| failure.obligation).collect::<Vec<_>>(), [3]);
    }

    #[test]
    fn a_successor_that_was_lost_on_the_way_leaves_a_failure_without_read() {
        // 0 needs 1, which fails, and the pair is not there.
        let (mut blame, failures) = (Blame::default(), [failure(1)]);
        blame.trace(2, &[read(0)], &failures);
        assert_eq!(blame.cause[0], None);
        assert_eq!(blame.unasked(&failures).count(), 1);
    }
}
