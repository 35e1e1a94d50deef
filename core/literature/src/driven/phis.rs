//! The phis of a construction, their operands, and their users.

use alloc::vec::Vec;
use core::ops::Range;
use ssaphire_construct::parts::PhiId;
use ssaphire_graph::{Block, IdMap, PackedOption, Value, Variable, internal_id};

/// How far a phi is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Its block is not sealed: it has no operands.
    Incomplete,
    /// Its operands are being looked up. Never examined: it would look trivial.
    InProgress,
    /// It has its operands.
    Complete,
    /// It is replaced by another value.
    Dead,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Phi {
    pub(crate) value: Value,
    pub(crate) block: Block,
    pub(crate) variable: Variable,
    pub(crate) state: State,
    /// Whether a read has returned it.
    pub(crate) is_returned: bool,
    pub(crate) first_operand: u32,
    num_operands: u32,
    /// Positions of two operands that differ from each other and the phi, see `trivial`.
    pub(crate) witness: (u32, u32),
    /// The next incomplete phi of the same block, in order of creation.
    pub(crate) next_incomplete: PackedOption<PhiId>,
}

internal_id!(
    /// Number of an entry in a list of users.
    UserId, "user"
);

/// The users of a phi: first and last entry of the list.
#[derive(Clone, Copy, Debug, Default)]
struct Users {
    first: PackedOption<UserId>,
    last: PackedOption<UserId>,
}

/// One entry of a list of users.
#[derive(Clone, Copy, Debug)]
struct User {
    phi: PhiId,
    next: PackedOption<UserId>,
}

/// The phis, in order of creation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Phis {
    phis: IdMap<PhiId, Phi>,
    pub(crate) operands: Vec<Value>,
    /// By phi, as far as phis have had users.
    lists: IdMap<PhiId, Users>,
    users: IdMap<UserId, User>,
}

impl Phis {
    pub(crate) fn clear(&mut self) {
        self.phis.clear();
        self.operands.clear();
        self.lists.clear();
        self.users.clear();
    }

    pub(crate) fn push(&mut self, value: Value, block: Block, variable: Variable, state: State) -> PhiId {
        self.phis.push(Phi {
            value,
            block,
            variable,
            state,
            is_returned: false,
            first_operand: 0,
            num_operands: 0,
            witness: (0, 0),
            next_incomplete: PackedOption::NONE,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.phis.len()
    }

    pub(crate) fn ids(&self) -> impl DoubleEndedIterator<Item = PhiId> + use<> {
        self.phis.keys()
    }

    pub(crate) fn get(&self, phi: PhiId) -> &Phi {
        &self.phis[phi]
    }

    pub(crate) fn get_mut(&mut self, phi: PhiId) -> &mut Phi {
        &mut self.phis[phi]
    }

    /// Gives the phi its operands, and it is complete from here on; unless there are too many: whether it did.
    pub(crate) fn complete(&mut self, phi: PhiId, operands: &[Value]) -> bool {
        let Ok(first) = u32::try_from(self.operands.len()) else { return false };
        self.operands.extend_from_slice(operands);
        let num_operands = operands.len() as u32;
        let data = &mut self.phis[phi];
        data.first_operand = first;
        data.num_operands = num_operands;
        data.state = State::Complete;
        true
    }

    /// Where the operands of a complete phi are in `operands`.
    pub(crate) fn operand_range(&self, phi: PhiId) -> Range<usize> {
        let phi = self.get(phi);
        let start = phi.first_operand as usize;
        start..start + phi.num_operands as usize
    }

    /// Notes that `user` has `phi` among its operands.
    pub(crate) fn add_user(&mut self, phi: PhiId, user: PhiId) {
        let entry = self.users.push(User { phi: user, next: PackedOption::NONE }).into();
        self.append(phi, Users { first: entry, last: entry });
    }

    /// Calls `visit` with each user of `phi` that is not dead, in order, and forgets the others: number of users looked
    /// at.
    ///
    /// A list that is passed on from phi to phi would otherwise be walked again and again for nothing.
    pub(crate) fn visit_users(&mut self, phi: PhiId, mut visit: impl FnMut(PhiId)) -> u64 {
        let mut num_visited = 0;
        let mut last = PackedOption::NONE;
        let Some(&Users { first, .. }) = self.lists.get(phi) else { return 0 };
        let mut entry = first;
        while let Some(&User { phi: user, next }) = self.users.find(entry) {
            num_visited += 1;
            if self.get(user).state != State::Dead {
                visit(user);
                self.link(phi, last, entry);
                last = entry;
            }
            entry = next;
        }
        self.link(phi, last, PackedOption::NONE);
        self.lists[phi].last = last;
        num_visited
    }

    /// Lets `entry` follow `before` in the list of `phi`, or begin it.
    fn link(&mut self, phi: PhiId, before: PackedOption<UserId>, entry: PackedOption<UserId>) {
        match self.users.find_mut(before) {
            Some(before) => before.next = entry,
            None => self.lists[phi].first = entry,
        }
    }

    /// Appends the users of `from` to those of `to`, in O(1).
    pub(crate) fn move_users(&mut self, from: PhiId, to: PhiId) {
        let Some(list) = self.lists.get_mut(from) else { return };
        let users = core::mem::take(list);
        if users.first.is_some() {
            self.append(to, users);
        }
    }

    fn append(&mut self, phi: PhiId, Users { first, last }: Users) {
        self.lists.grow_to(phi, Users::default());
        let list = &mut self.lists[phi];
        let before = core::mem::replace(&mut list.last, last);
        match self.users.find_mut(before) {
            Some(before) => before.next = first,
            None => list.first = first,
        }
    }
}
