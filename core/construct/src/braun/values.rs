//! What each value stands for: a union-find whose representative is the value meant.

use super::phis::PhiId;
use alloc::vec::Vec;
use ssaphire_graph::{IdSet, Value};

/// What values stand for, and which of them are phis.
///
/// Values beyond the end of the tables stand for themselves and are no phis:
/// most values of a host never are anything else.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    /// What the value stands for; itself if its own number.
    forward: Vec<Value>,
    /// Number of the phi the value is, or `PhiId::NONE`.
    phi: Vec<u32>,
    /// Values that stand for another, in the order it happened.
    pub(super) forwarded: Vec<Value>,
    /// Values the host gave for undefined variables.
    pub(super) undefined: IdSet<Value>,
}

impl Values {
    pub(super) fn clear(&mut self) {
        self.forward.clear();
        self.phi.clear();
        self.forwarded.clear();
        self.undefined.clear();
    }

    /// Makes room for `value`.
    #[inline]
    fn mention(&mut self, value: Value) {
        let len = self.forward.len();
        if value.index() >= len {
            self.forward.extend((len..=value.index()).map(Value::new));
            self.phi.resize(self.forward.len(), PhiId::NONE);
        }
    }

    pub(super) fn set_phi(&mut self, value: Value, phi: PhiId) {
        self.mention(value);
        self.phi[value.index()] = phi.number();
    }

    /// The phi that `value` itself is.
    #[inline]
    pub(super) fn phi(&self, value: Value) -> Option<PhiId> {
        self.phi.get(value.index()).and_then(|&number| PhiId::from_number(number))
    }

    /// What `value` stands for. Halves the path on the way.
    #[inline]
    pub(super) fn resolve(&mut self, value: Value) -> Value {
        match self.forward.get(value.index()) {
            Some(&next) if next != value => self.follow(next),
            _ => value,
        }
    }

    fn follow(&mut self, value: Value) -> Value {
        let mut at = value;
        loop {
            // What a value stands for need not be in the table.
            let next = self.forward.get(at.index()).copied().unwrap_or(at);
            if next == at {
                return at;
            }
            let over = self.forward.get(next.index()).copied().unwrap_or(next);
            self.forward[at.index()] = over;
            at = over;
        }
    }

    /// From now on `from` stands for `to`. Both stand for themselves, and differ.
    pub(super) fn set_forward(&mut self, from: Value, to: Value) {
        debug_assert!(from != to && self.resolve(from) == from && self.resolve(to) == to, "forwarding makes no cycle");
        self.mention(from);
        self.forward[from.index()] = to;
        self.forwarded.push(from);
    }

    /// Makes each value point at what it stands for, and lists those that moved in id order.
    pub(super) fn settle(&mut self) {
        self.forwarded.sort_unstable();
        for index in 0..self.forwarded.len() {
            let value = self.forwarded[index];
            let root = self.resolve(value);
            self.forward[value.index()] = root;
        }
    }

    /// What each value stands for, once settled.
    pub(super) fn roots(&self) -> &[Value] {
        &self.forward
    }
}
