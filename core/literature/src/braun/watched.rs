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

use super::{Braun, Removal};
use crate::driven::Driven;
use crate::driven::phis::State;
use alloc::vec::Vec;
use ssaphire_construct::Observer;
use ssaphire_construct::parts::PhiId;
use ssaphire_graph::{IdMap, PackedOption, Value, internal_id};

internal_id!(
    /// Number of an entry in a list of phis that watch.
    WatchId, "watch"
);

/// By value, the phis that watch it: those of whose two witnesses it is one.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    lists: IdMap<Value, List>,
    entries: IdMap<WatchId, Entry>,
}

#[derive(Clone, Copy, Debug)]
struct List {
    first: PackedOption<WatchId>,
    last: PackedOption<WatchId>,
    len: u32,
}

impl List {
    const EMPTY: Self = Self { first: PackedOption::NONE, last: PackedOption::NONE, len: 0 };
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    phi: PhiId,
    next: PackedOption<WatchId>,
}

impl Watched {
    /// Lists `phi` under `value`, which stands for itself.
    fn watch(&mut self, value: Value, phi: PhiId) {
        let entry = self.entries.push(Entry { phi, next: PackedOption::NONE }).into();
        self.append(value, List { first: entry, last: entry, len: 1 });
    }

    /// Joins the list of `from` to that of `to`: the shorter one, still linked as far as it goes.
    fn join(&mut self, from: Value, to: Value) -> Shorter {
        let moved = self.lists.get_mut(from).map_or(List::EMPTY, |list| core::mem::replace(list, List::EMPTY));
        let kept = self.lists.get(to).copied().unwrap_or(List::EMPTY);
        if moved.len > 0 {
            self.append(to, moved);
        }
        let shorter = if moved.len <= kept.len { moved } else { kept };
        Shorter { next: shorter.first, left: shorter.len }
    }

    fn append(&mut self, value: Value, list: List) {
        self.lists.grow_to(value, List::EMPTY);
        let to = &mut self.lists[value];
        let before = core::mem::replace(&mut to.last, list.last);
        to.len += list.len;
        match self.entries.find_mut(before) {
            Some(before) => before.next = list.first,
            None => to.first = list.first,
        }
    }
}

/// The part of a joint list that was the shorter list.
struct Shorter {
    next: PackedOption<WatchId>,
    left: u32,
}

impl Shorter {
    fn next(&mut self, watches: &Watched) -> Option<PhiId> {
        self.left = self.left.checked_sub(1)?;
        let entry = watches.entries.find(self.next)?;
        self.next = entry.next;
        Some(entry.phi)
    }
}

impl Removal for Watched {
    const KEEPS_USERS: bool = false;

    fn clear(&mut self) {
        self.lists.clear();
        self.entries.clear();
    }

    /// Joins the lists: the phis to be examined are those of the shorter one, and `same`, if it is a phi.
    fn queue_users<O: Observer>(
        builder: &mut Driven<Braun<Self>, O>,
        phi: PhiId,
        same: Value,
        waiting: &mut Vec<PhiId>,
    ) -> u64 {
        let value = builder.phis.get(phi).value;
        let watched = &mut builder.strategy.removal;
        let mut shorter = watched.join(value, same);
        let num_visited = u64::from(shorter.left);
        while let Some(phi) = shorter.next(watched) {
            if builder.phis.get(phi).state != State::Dead {
                waiting.push(phi);
            }
        }
        waiting.extend(builder.values.phi(same));
        num_visited
    }

    /// Watches the witnesses that were none before; (0, 0) never are.
    fn examined<O: Observer>(builder: &mut Driven<Braun<Self>, O>, phi: PhiId, before: (u32, u32)) {
        let (first, second) = builder.phis.get(phi).witness;
        let start = builder.phis.operand_range(phi).start;
        for witness in [first, second] {
            if before == (0, 0) || (witness != before.0 && witness != before.1) {
                let value = builder.values.resolve(builder.phis.operands[start + witness as usize]);
                builder.strategy.removal.watch(value, phi);
            }
        }
    }

    fn replaced<O: Observer>(builder: &mut Driven<Braun<Self>, O>, from: Value, to: Value) {
        // Nobody need wait: `finish` examines every phi.
        builder.strategy.removal.join(from, to);
    }
}
