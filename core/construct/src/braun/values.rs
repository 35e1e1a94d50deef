//! What each value stands for: a union-find whose representative is the value meant.

use super::phis::PhiId;
use alloc::vec::Vec;
use ssaphire_graph::{IdSet, Value};

/// All values mentioned, with what they stand for.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    /// What the value stands for; itself if its own number.
    forward: Vec<u32>,
    /// Number of the phi the value is, or `PhiId::NONE`.
    phi: Vec<u32>,
    /// Values that stand for another, in the order it happened.
    pub(super) forwarded: Vec<Value>,
    /// Values a read handed out.
    pub(super) handed_out: IdSet<Value>,
    /// Values the host gave for undefined variables.
    pub(super) undefined: IdSet<Value>,
}

impl Values {
    pub(super) fn clear(&mut self) {
        self.forward.clear();
        self.phi.clear();
        self.forwarded.clear();
        self.handed_out.clear();
        self.undefined.clear();
    }

    /// Makes room for `value`.
    #[inline]
    pub(super) fn mention(&mut self, value: Value) {
        if value.index() >= self.forward.len() {
            let len = self.forward.len();
            self.forward.extend(len as u32..=value.index() as u32);
            self.phi.resize(self.forward.len(), PhiId::NONE);
        }
    }

    pub(super) fn set_phi(&mut self, value: Value, phi: PhiId) {
        self.phi[value.index()] = phi.number();
    }

    /// The phi that `value` itself is.
    #[inline]
    pub(super) fn phi(&self, value: Value) -> Option<PhiId> {
        PhiId::from_number(self.phi[value.index()])
    }

    /// What `value` stands for. Halves the path on the way.
    #[inline]
    pub(super) fn resolve(&mut self, value: Value) -> Value {
        let mut at = value.index();
        loop {
            let next = self.forward[at] as usize;
            if next == at {
                return Value::new(at);
            }
            let over = self.forward[next];
            self.forward[at] = over;
            at = over as usize;
        }
    }

    /// From now on `from` stands for `to`. Both stand for themselves, and differ.
    pub(super) fn set_forward(&mut self, from: Value, to: Value) {
        debug_assert!(from != to && self.resolve(from) == from && self.resolve(to) == to, "forwarding makes no cycle");
        self.forward[from.index()] = to.index() as u32;
        self.forwarded.push(from);
    }

    /// Makes each value point at what it stands for, and lists those that moved in id order.
    pub(super) fn settle(&mut self) {
        self.forwarded.sort_unstable();
        for index in 0..self.forwarded.len() {
            let value = self.forwarded[index];
            let root = self.resolve(value);
            self.forward[value.index()] = root.index() as u32;
        }
    }

    /// What each value stands for, once settled.
    pub(super) fn roots(&self) -> &[u32] {
        &self.forward
    }
}
