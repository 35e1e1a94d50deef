//! Removing trivial phis (Algorithm 3).
//!
//! A phi is trivial if its operands are itself and at most one other value.
//! Whether it is costs O(1) amortised: each phi remembers two *witnesses*,
//! operands that differ from each other and from the phi (section 4.1's cache).
//! Values only ever merge, so witnesses only ever move forward.

use super::Builder;
use super::phis::State;
use crate::error::Stopped;
use crate::fault::{self, Fault};
use crate::host::PhiHost;
use crate::observe::{Observer, Reason};
use crate::options::Engine;
use crate::values::PhiId;
use alloc::vec::Vec;
use ssaphire_graph::Value;

#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    work: Vec<PhiId>,
}

impl Scratch {
    pub(super) fn clear(&mut self) {
        self.work.clear();
    }
}

/// What the operands of a phi are.
enum Operands {
    /// At least two values besides the phi.
    Several,
    /// One value, and perhaps the phi.
    One(Value),
    /// The phi alone: no value flows in.
    Itself,
}

impl<O: Observer> Builder<O> {
    /// Removes the phi if it is trivial, and then those that have become so: what the phi stands for.
    pub(super) fn remove_if_trivial(&mut self, host: &mut dyn PhiHost, phi: PhiId) -> Result<Value, Stopped> {
        self.trivial.work.push(phi);
        self.examine_waiting(host)?;
        let value = self.phis.get(phi).value;
        Ok(self.values.resolve(value))
    }

    /// Removes those of the waiting phis that are trivial, and then those that have become so.
    pub(super) fn examine_waiting(&mut self, host: &mut dyn PhiHost) -> Result<(), Stopped> {
        while let Some(candidate) = self.trivial.work.pop() {
            // A dead phi may wait here twice; one in progress has only some of its operands and would look trivial.
            let state = self.phis.get(candidate).state;
            let is_waiting = match state {
                State::Complete => true,
                State::Dead => fault::is_on(Fault::DeadPhisAreExamined),
                State::Incomplete | State::InProgress => fault::is_on(Fault::UnfinishedPhisAreExamined),
            };
            if !is_waiting {
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

    /// The phi stands for `same` from now on; those it may have made trivial are examined next.
    fn remove(&mut self, host: &mut dyn PhiHost, phi: PhiId, same: Value, reason: Reason) -> Result<(), Stopped> {
        self.stats.trivial_phis += 1;
        self.phis.get_mut(phi).state = State::Dead;
        self.forward(host, self.phis.get(phi).value, same, reason);
        self.wake_users(phi, same)
    }

    /// Lets the phis wait that may have become trivial since `phi` stands for `same`.
    pub(super) fn wake_users(&mut self, phi: PhiId, same: Value) -> Result<(), Stopped> {
        let same_phi = self.values.phi(same);
        let value = self.phis.get(phi).value;
        let mut work = core::mem::take(&mut self.trivial.work);
        let num_visited = match self.options.engine {
            engine if engine.decides_at_end() => 0,
            engine if engine == Engine::BraunOperand || fault::is_on(Fault::OnlyTheOperandIsExamined) => {
                work.extend(same_phi);
                0
            }
            Engine::BraunWatched => self.join_watched(value, same, &mut work),
            _ => {
                let num_before = work.len();
                let num_visited = self.phis.visit_users(phi, |user| work.push(user));
                if fault::is_on(Fault::UsersAreNotRechecked) {
                    work.truncate(num_before);
                }
                if let Some(same) = same_phi.filter(|_| !fault::is_on(Fault::UsersAreLost)) {
                    self.phis.move_users(phi, same);
                }
                num_visited
            }
        };
        self.trivial.work = work;
        self.stats.users_visited += num_visited;
        self.spend(num_visited)
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
            if !fault::is_on(Fault::WitnessesAreStale) {
                *operand = builder.values.resolve(*operand);
            }
            *operand
        };
        while first < len && at(self, first) == value && !fault::is_on(Fault::FirstWitnessIsKept) {
            // What lies up to the second witness resolves to the phi as well.
            first = (first + 1).max(second);
        }
        second = second.max(first + 1);
        let mut result = Operands::Itself;
        if first < len {
            let one = at(self, first);
            let own = if fault::is_on(Fault::ThePhiItselfCounts) { one } else { value };
            while second < len && (at(self, second) == one || at(self, second) == own) {
                second += 1;
            }
            if fault::is_on(Fault::UndefinedIsNotAValue) && second + 1 == len {
                let other = at(self, second);
                second += u32::from(self.values.undefined.contains(other));
            }
            result = if second < len && !fault::is_on(Fault::SeveralValuesAreOne) {
                Operands::Several
            } else {
                Operands::One(one)
            };
        }
        let before_it = core::mem::replace(&mut self.phis.get_mut(phi).witness, (first, second));
        if self.options.engine == Engine::BraunWatched && matches!(result, Operands::Several) {
            self.watch_witnesses(phi, before_it);
        }
        let scanned = u64::from((first + second).saturating_sub(before)) + 2;
        self.stats.triviality_checks += 1;
        self.stats.operands_scanned += scanned;
        self.spend(scanned)?;
        Ok(result)
    }
}
