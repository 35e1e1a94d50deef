//! What each value stands for: a union-find whose representative is the value meant.

use crate::error::ReplaceError;
use alloc::vec::Vec;
use ssaphire_graph::internal_id;
use ssaphire_graph::{IdLimits, IdSet, Value};

internal_id!(
    /// Number of a phi, in order of creation.
    pub PhiId, "phi"
);

/// What values stand for, and which of them are phis.
///
/// Values beyond the end of the table stand for themselves and are no phis:
/// most values of a host never are anything else.
#[derive(Clone, Debug, Default)]
pub struct Values {
    meanings: Vec<Meaning>,
    /// Values that stand for another, in the order it happened.
    pub forwarded: Vec<Value>,
    /// Values the host gave for undefined variables.
    pub undefined: IdSet<Value>,
}

/// What a value is: a phi, another value, or only itself.
///
/// The top bit of a value is ours: with it set this is the number of a phi.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Meaning(u32);

impl Meaning {
    const ITSELF: Self = Self(u32::MAX);
    const PHI: u32 = 1 << 31;

    /// The value it stands for, if that is another.
    #[inline]
    pub(crate) fn other(self) -> Option<Value> {
        Value::try_new(self.0 as usize)
    }

    #[inline]
    fn phi(self) -> Option<PhiId> {
        if self.0 & Self::PHI != 0 && self != Self::ITSELF { Some(PhiId(self.0 & !Self::PHI)) } else { None }
    }
}

impl Values {
    /// Forgets all values; keeps memory.
    pub fn clear(&mut self) {
        self.meanings.clear();
        self.forwarded.clear();
        self.undefined.clear();
    }

    #[inline]
    fn set(&mut self, value: Value, meaning: Meaning) {
        if value.index() >= self.meanings.len() {
            self.grow(value);
        }
        self.meanings[value.index()] = meaning;
    }

    /// Makes room for the value and some more, and for half as many again as there was for.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, value: Value) {
        let before = self.meanings.len();
        let len = (before + before / 2).max(value.index() + 32);
        self.meanings.reserve_exact(len - before);
        self.meanings.resize(len, Meaning::ITSELF);
    }

    #[inline]
    fn meaning(&self, value: Value) -> Meaning {
        self.meanings.get(value.index()).copied().unwrap_or(Meaning::ITSELF)
    }

    /// From now on the value is the phi.
    #[inline]
    pub fn set_phi(&mut self, value: Value, phi: PhiId) {
        self.set(value, Meaning(Meaning::PHI | phi.0));
    }

    /// The phi that `value` itself is, as long as it stands for no other.
    #[inline]
    pub fn phi(&self, value: Value) -> Option<PhiId> {
        self.meaning(value).phi()
    }

    /// Whether the value stands for itself and is no phi.
    #[inline]
    pub fn is_itself(&self, value: Value) -> bool {
        self.meaning(value) == Meaning::ITSELF
    }

    /// Whether the value has never been a phi or undefined, and stands for itself.
    #[inline]
    pub fn is_plain(&self, value: Value) -> bool {
        self.meaning(value) == Meaning::ITSELF && !self.undefined.contains(value)
    }

    /// What the values stand for of which the host says that they are the same, unless that is one value.
    ///
    /// # Errors
    /// If the first stands for a phi or an undefined value, or an id is not below its limit.
    pub fn check_replacement(
        &mut self,
        old: Value,
        new: Value,
        ids: &IdLimits,
    ) -> Result<Option<(Value, Value)>, ReplaceError> {
        ids.check_value(old)?;
        ids.check_value(new)?;
        let (from, to) = (self.resolve(old), self.resolve(new));
        if from == to {
            return Ok(None);
        }
        if self.phi(from).is_some() {
            return Err(ReplaceError::Phi { value: from });
        }
        if self.undefined.contains(from) {
            return Err(ReplaceError::Undefined { value: from });
        }
        Ok(Some((from, to)))
    }

    /// What `value` stands for. Halves the path on the way.
    #[inline]
    pub fn resolve(&mut self, value: Value) -> Value {
        match self.meaning(value).other() {
            None => value,
            Some(next) => self.follow(value, next),
        }
    }

    #[cold]
    #[inline(never)]
    fn follow(&mut self, value: Value, next: Value) -> Value {
        let (mut at, mut next) = (value, next);
        while let Some(over) = self.meaning(next).other() {
            self.meanings[at.index()] = Meaning(over.index() as u32);
            at = over;
            match self.meaning(over).other() {
                None => return over,
                Some(after) => next = after,
            }
        }
        next
    }

    /// From now on `from` stands for `to`. Both stand for themselves, and differ.
    pub fn set_forward(&mut self, from: Value, to: Value) {
        debug_assert!(from != to && self.resolve(from) == from && self.resolve(to) == to, "forwarding makes no cycle");
        self.set(from, Meaning(to.index() as u32));
        self.forwarded.push(from);
    }

    /// Makes each value point at what it stands for, and lists those that moved in id order.
    pub fn resolve_all(&mut self) {
        self.forwarded.sort_unstable();
        for index in 0..self.forwarded.len() {
            let value = self.forwarded[index];
            let root = self.resolve(value);
            self.meanings[value.index()] = Meaning(root.index() as u32);
        }
    }

    /// What each value stands for, once settled.
    pub(crate) fn meanings(&self) -> &[Meaning] {
        &self.meanings
    }
}
