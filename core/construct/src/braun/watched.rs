//! Watched operands: which phis to check again when values merge, without lists of users.
//!
//! A phi is not trivial as long as its two witnesses (see `trivial`) stand for
//! different values, neither of them the phi. So nothing that happens to its
//! other operands matters, and it is listed under the values of its witnesses
//! alone. When a phi is found to stand for another value, both have a list,
//! and the longer one need not be looked at: a phi whose witnesses have become
//! one value was in both. A phi that has become one of its own witnesses is the
//! value that the removed one stands for; it is checked by name.
//!
//! Entries of witnesses that have moved on stay behind. They cost a check that
//! finds the phi well.
//!
//! | Braun et al. 2013 | here |
//! |---|---|
//! | Alg. 3, users of a removed phi | `join` |
//! | section 4.1, two cached operands | the witnesses; watching them is our own |
//!
//! # Complexity
//! O(*m* log *m*) list entries looked at for *m* operands: an entry is looked
//! at when the list it is in joins one at least as long. Lists of users take
//! O(*m*·*p*): each removal looks at all users, which the value taking over inherits.
//!
//! # Departures
//! The paper keeps for every phi the phis that use it; here a value keeps some
//! of them. What a list is kept for is the value meant, not the larger list.

use super::Builder;
use super::phis::State;
use crate::fault::{self, Fault};
use crate::observe::Observer;
use crate::values::PhiId;
use alloc::vec::Vec;
use ssaphire_graph::{IdMap, Value};

const NONE: u32 = u32::MAX;

/// By value, the phis that watch it.
#[derive(Clone, Debug, Default)]
pub(super) struct Watches {
    lists: IdMap<Value, List>,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct List {
    first: u32,
    last: u32,
    len: u32,
}

impl List {
    const EMPTY: Self = Self { first: NONE, last: NONE, len: 0 };
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    phi: PhiId,
    next: u32,
}

impl Watches {
    pub(super) fn clear(&mut self) {
        self.lists.clear();
        self.entries.clear();
    }

    /// Lists `phi` under `value`, which stands for itself.
    fn watch(&mut self, value: Value, phi: PhiId) {
        let entry = self.entries.len() as u32;
        self.entries.push(Entry { phi, next: NONE });
        self.append(value, List { first: entry, last: entry, len: 1 });
    }

    /// Joins the list of `from` to that of `to`: the shorter one, still linked as far as it goes.
    pub(super) fn join(&mut self, from: Value, to: Value) -> Shorter {
        let moved = self.lists.get_mut(from).map_or(List::EMPTY, |list| core::mem::replace(list, List::EMPTY));
        let kept = self.lists.get(to).copied().unwrap_or(List::EMPTY);
        if moved.len > 0 && !fault::is_on(Fault::WatchesAreNotJoined) {
            self.append(to, moved);
        }
        let shorter = if (moved.len <= kept.len) != fault::is_on(Fault::TheLongerListIsVisited) { moved } else { kept };
        Shorter { next: shorter.first, left: shorter.len }
    }

    fn append(&mut self, value: Value, list: List) {
        self.lists.grow_to(value, List::EMPTY);
        let to = &mut self.lists[value];
        let before = core::mem::replace(&mut to.last, list.last);
        to.len += list.len;
        match self.entries.get_mut(before as usize) {
            Some(before) => before.next = list.first,
            None => to.first = list.first,
        }
    }
}

/// The part of a joint list that was the shorter list.
pub(super) struct Shorter {
    next: u32,
    left: u32,
}

impl Shorter {
    fn next(&mut self, watches: &Watches) -> Option<PhiId> {
        self.left = self.left.checked_sub(1)?;
        let entry = watches.entries.get(self.next as usize)?;
        self.next = entry.next;
        Some(entry.phi)
    }
}

impl<O: Observer> Builder<O> {
    /// Watches the witnesses of a phi that were not witnesses `before` it was examined, as (0, 0) never are.
    pub(super) fn watch_witnesses(&mut self, phi: PhiId, before: (u32, u32)) {
        let (first, second) = self.phis.get(phi).witness;
        let start = self.phis.operand_range(phi).start;
        for witness in [first, if fault::is_on(Fault::OneWitnessIsWatched) { first } else { second }] {
            if before == (0, 0)
                || (witness != before.0 && witness != before.1 && !fault::is_on(Fault::NewWitnessesAreNotWatched))
            {
                let value = self.values.resolve(self.phis.operands[start + witness as usize]);
                self.watched.watch(value, phi);
            }
        }
    }

    /// The value `from` stands for `to` from now on: number of phis to be examined for it, which join `waiting`.
    pub(super) fn join_watched(&mut self, from: Value, to: Value, waiting: &mut Vec<PhiId>) -> u64 {
        let mut shorter = self.watched.join(from, to);
        let num_visited = u64::from(shorter.left);
        while let Some(phi) = shorter.next(&self.watched) {
            if self.phis.get(phi).state != State::Dead {
                waiting.push(phi);
            }
        }
        waiting.extend(self.values.phi(to).filter(|_| !fault::is_on(Fault::TheTargetDoesNotWait)));
        num_visited
    }
}
