//! The set of obligations found so far, in order.

use super::Content;
use alloc::vec::Vec;
use ssaphire_graph::{Block, Value};

/// At the beginning of the body of `block`, after its phis, `content` and `claimed` are the same.
///
/// Without a claimed value, `content` is an undefined value there: only
/// [`Mode::Refine`](super::Mode::Refine) has such obligations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Obligation {
    pub(super) block: Block,
    pub(super) content: Content,
    pub(super) claimed: Option<Value>,
}

/// A set of obligations that keeps the order of insertion, so that it is its own work list.
///
/// Open addressing with a fixed hash; no result depends on the order of slots. A
/// slot has the epoch in which it was filled, and an index; clearing starts a new epoch.
#[derive(Debug, Default)]
pub(super) struct Obligations {
    list: Vec<Obligation>,
    slots: Vec<(u32, u32)>,
    epoch: u32,
    /// Number of slots in use less one. Small functions use few of the slots there are.
    mask: usize,
}

impl Obligations {
    /// Forgets all, and has `slots` at first: with twice as many as there will be obligations, it never grows, which
    /// would look for each one anew.
    pub(super) fn clear(&mut self, slots: usize) {
        self.list.clear();
        self.use_slots(slots.next_power_of_two());
    }

    pub(super) fn list(&self) -> &[Obligation] {
        &self.list
    }

    pub(super) fn get(&self, index: usize) -> Option<Obligation> {
        self.list.get(index).copied()
    }

    /// Adds `obligation` unless it is there: its index.
    pub(super) fn insert(&mut self, obligation: Obligation) -> u32 {
        let slot = match self.find(obligation) {
            Ok(index) => return index,
            Err(slot) => slot,
        };
        let index = self.list.len() as u32;
        self.list.push(obligation);
        // Half of the slots stay free, so a search always ends at one.
        if self.list.len() * 2 > self.mask + 1 {
            self.grow();
        } else {
            self.slots[slot] = (self.epoch, index);
        }
        index
    }

    /// The index of an obligation that is there.
    pub(super) fn index(&self, obligation: Obligation) -> Option<u32> {
        self.find(obligation).ok()
    }

    /// The index of `obligation`, or else the slot where it belongs.
    fn find(&self, obligation: Obligation) -> Result<u32, usize> {
        let mut slot = hash(obligation) as usize & self.mask;
        loop {
            let (epoch, index) = self.slots[slot];
            // Nothing is removed within an epoch, so no slot in between has become free.
            if epoch != self.epoch {
                return Err(slot);
            }
            if self.list[index as usize] == obligation {
                return Ok(index);
            }
            slot = (slot + 1) & self.mask;
        }
    }

    fn grow(&mut self) {
        self.use_slots((self.mask + 1) * 2);
        for index in 0..self.list.len() {
            if let Err(slot) = self.find(self.list[index]) {
                self.slots[slot] = (self.epoch, index as u32);
            }
        }
    }

    /// Makes the first `count` slots, a power of two, those in use, all of them free.
    fn use_slots(&mut self, count: usize) {
        // Epochs must not repeat: old slots would count as filled.
        if self.epoch == u32::MAX {
            self.slots.clear();
            self.epoch = 0;
        }
        if self.slots.len() < count {
            self.slots.resize(count, (0, 0));
        }
        self.epoch += 1;
        self.mask = count - 1;
    }
}

/// Keys of blocks in a row differ by little, all at once: each word is multiplied into all bits before it meets the
/// next.
///
/// Variables in a row, whose claimed values often are in a row as well, are asked for one after another: eight of them
/// share a line of slots. No more than 64 keys belong to one line by that, whoever wrote the certificate.
fn hash(obligation: Obligation) -> u64 {
    let (kind, content) = match obligation.content {
        Content::Entering(variable) => (0, variable.index() as u64),
        Content::Result(value) => (1, value.index() as u64),
    };
    let claimed = obligation.claimed.map_or(0, |value| value.index() as u64 + 8);
    let place = obligation.block.index() as u64 | (content / LINE) << 32;
    let folded = fold(place ^ 0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93);
    let line = fold(folded ^ ((claimed / LINE) << 1 | kind), 0xa076_1d64_78bd_642f);
    line / LINE * LINE + content % LINE
}

/// Slots that lie together.
const LINE: u64 = 8;

/// Both halves of the product, folded into one.
fn fold(one: u64, other: u64) -> u64 {
    let product = u128::from(one) * u128::from(other);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use ssaphire_graph::Variable;

    fn obligation(number: usize) -> Obligation {
        let content = match number % 2 {
            0 => Content::Entering(Variable::new(number / 7)),
            _ => Content::Result(Value::new(number / 7)),
        };
        Obligation { block: Block::new(number % 7), content, claimed: number.checked_sub(500).map(Value::new) }
    }

    #[test]
    fn each_obligation_is_kept_once_and_clearing_forgets_them() {
        let mut set = Obligations::default();
        for _ in 0..3 {
            set.clear(0);
            for round in 0..2 {
                for number in 0..1000 {
                    assert_eq!(set.index(obligation(number)).is_some(), round == 1);
                    assert_eq!(set.insert(obligation(number)), number as u32);
                }
            }
            assert_eq!(set.list().len(), 1000);
        }
    }
}
