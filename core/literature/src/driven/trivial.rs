//! Removing trivial phis (Algorithm 3).
//!
//! A phi is trivial if its operands are itself and at most one other value.
//! Whether it is costs O(1) amortised: each phi remembers two *witnesses*,
//! operands that differ from each other and from the phi (section 4.1's cache).
//! Values only ever merge, so witnesses only ever move forward.

use super::phis::State;
use super::{Driven, Strategy};
use alloc::vec::Vec;
use ssaphire_construct::PhiHost;
use ssaphire_construct::Stopped;
use ssaphire_construct::parts::PhiId;
use ssaphire_construct::{Observer, Reason};
use ssaphire_graph::Value;

#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    work: Vec<PhiId>,
}

impl Scratch {
    pub(crate) fn clear(&mut self) {
        self.work.clear();
    }
}

/// A classification of the operands of a phi.
enum Operands {
    /// At least two values besides the phi.
    Several,
    /// One value, and perhaps the phi.
    One(Value),
    /// The phi alone: no value flows in.
    Itself,
}

impl<S: Strategy, O: Observer> Driven<S, O> {
    /// Removes the phi if it is trivial, and then those that have become so; returns the value it resolves to.
    pub(crate) fn remove_if_trivial(&mut self, host: &mut dyn PhiHost, phi: PhiId) -> Result<Value, Stopped> {
        self.trivial.work.push(phi);
        self.examine_waiting(host)?;
        let value = self.phis.get(phi).value;
        Ok(self.values.resolve(value))
    }

    /// Removes those of the waiting phis that are trivial, and then those that have become so.
    pub(crate) fn examine_waiting(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        while let Some(candidate) = self.trivial.work.pop() {
            // A dead phi may wait here twice; one in progress has only some of its operands and would look trivial.
            if self.phis.get(candidate).state != State::Complete {
                continue;
            }
            let (same, reason) = match self.examine(candidate)? {
                Operands::Several => continue,
                Operands::One(same) => (same, Reason::Trivial),
                Operands::Itself => (self.undefined(host, self.phis.get(candidate).variable)?, Reason::Unreachable),
            };
            self.remove(host, candidate, same, reason)?;
        }
        Ok(())
    }

    /// Replaces the phi by `same`; the phis that may have become trivial are examined next.
    fn remove(&mut self, host: &mut dyn PhiHost, phi: PhiId, same: Value, reason: Reason) -> Result<(), Stopped> {
        self.stats.trivial_phis += 1;
        self.phis.get_mut(phi).state = State::Dead;
        self.forward(host, self.phis.get(phi).value, same, reason);
        self.queue_users_of(phi, same)
    }

    /// Queues the phis that may have become trivial since `phi` was replaced by `same`.
    pub(crate) fn queue_users_of(&mut self, phi: PhiId, same: Value) -> Result<(), Stopped> {
        let mut work = core::mem::take(&mut self.trivial.work);
        let num_visited = S::queue_users(self, phi, same, &mut work);
        self.trivial.work = work;
        self.stats.users_visited += num_visited;
        self.spend(num_visited)
    }

    /// Queues the users of `phi`, which was replaced by `same`, and moves them to `same`; returns how many there are.
    pub(crate) fn queue_listed_users(&mut self, phi: PhiId, same: Value, waiting: &mut Vec<PhiId>) -> u64 {
        let num_visited = self.phis.visit_users(phi, |user| waiting.push(user));
        if let Some(same) = self.values.phi(same) {
            self.phis.move_users(phi, same);
        }
        num_visited
    }

    /// Moves the witnesses of a complete phi to where they are right again.
    ///
    /// Kept: operands before the first witness resolve to the phi; those
    /// between the two resolve to the phi or to the first witness.
    fn examine(&mut self, phi: PhiId) -> Result<Operands, Stopped> {
        let value = self.phis.get(phi).value;
        let range = self.phis.operand_range(phi);
        let (mut first, mut second) = self.phis.get(phi).witness;
        let len = range.len() as u32;
        let before = first + second;
        let at = |builder: &mut Self, witness: u32| {
            let operand = &mut builder.phis.operands[range.start + witness as usize];
            *operand = builder.values.resolve(*operand);
            *operand
        };
        while first < len && at(self, first) == value {
            // What lies up to the second witness resolves to the phi as well.
            first = (first + 1).max(second);
        }
        second = second.max(first + 1);
        let mut result = Operands::Itself;
        if first < len {
            let one = at(self, first);
            while second < len && (at(self, second) == one || at(self, second) == value) {
                second += 1;
            }
            result = if second < len { Operands::Several } else { Operands::One(one) };
        }
        let before_it = core::mem::replace(&mut self.phis.get_mut(phi).witness, (first, second));
        if matches!(result, Operands::Several) {
            S::examined(self, phi, before_it);
        }
        let scanned = u64::from((first + second).saturating_sub(before)) + 2;
        self.stats.triviality_checks += 1;
        self.stats.operands_scanned += scanned;
        self.spend(scanned)?;
        Ok(result)
    }
}
