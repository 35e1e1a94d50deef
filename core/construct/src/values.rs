//! The value that each value resolves to: a union-find whose representative is that value.

use crate::error::CallErrorKind;
use alloc::vec::Vec;
use ssaphire_graph::internal_id;
use ssaphire_graph::{IdLimits, IdSet, Value};

internal_id!(
    /// Number of a phi, in order of creation.
    pub PhiId, "phi"
);

/// The values that values resolve to, and the values that are phis.
///
/// Values beyond the end of the table resolve to themselves and are no phis: most values of a host never are anything
/// else.
#[derive(Clone, Debug, Default)]
pub struct Values {
    meanings: Vec<Meaning>,
    /// The forwarded values, in the order in which they were forwarded.
    pub forwarded: Vec<Value>,
    /// The values that the host returned for undefined variables.
    pub undefined: IdSet<Value>,
}

/// The meaning of a value: a phi, another value, or only itself.
///
/// No value uses the top bit: with it set, this is the number of a phi.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Meaning(u32);

impl Meaning {
    const ITSELF: Self = Self(u32::MAX);
    const PHI: u32 = 1 << 31;

    /// The value that it is forwarded to, if any.
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

    /// Makes room for the value and some more, at least for half as many again as before.
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

    /// Makes the value the phi.
    #[inline]
    pub fn set_phi(&mut self, value: Value, phi: PhiId) {
        self.set(value, Meaning(Meaning::PHI | phi.0));
    }

    /// The phi that `value` itself is, unless it is forwarded.
    #[inline]
    pub fn phi(&self, value: Value) -> Option<PhiId> {
        self.meaning(value).phi()
    }

    /// Whether the value is neither forwarded nor a phi.
    #[inline]
    pub fn is_itself(&self, value: Value) -> bool {
        self.meaning(value) == Meaning::ITSELF
    }

    /// Whether the value has never been a phi or undefined, and is not forwarded.
    #[inline]
    pub fn is_plain(&self, value: Value) -> bool {
        self.meaning(value) == Meaning::ITSELF && !self.undefined.contains(value)
    }

    /// The values that `old` and `new` resolve to, or `None` if they are the same.
    ///
    /// # Errors
    /// If `old` resolves to a phi or an undefined value, or an id is not below its limit.
    pub fn check_replacement(
        &mut self,
        old: Value,
        new: Value,
        ids: &IdLimits,
    ) -> Result<Option<(Value, Value)>, CallErrorKind> {
        ids.check_value(old)?;
        ids.check_value(new)?;
        let (from, to) = (self.resolve(old), self.resolve(new));
        if from == to {
            return Ok(None);
        }
        if self.phi(from).is_some() {
            return Err(CallErrorKind::ReplacedPhi { phi: from });
        }
        if self.undefined.contains(from) {
            return Err(CallErrorKind::ReplacedUndefined { value: from });
        }
        Ok(Some((from, to)))
    }

    /// The value that `value` resolves to. Halves the path on the way.
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

    /// Forwards `from` to `to`. The two differ, and neither is forwarded yet.
    pub fn set_forward(&mut self, from: Value, to: Value) {
        debug_assert!(from != to && self.resolve(from) == from && self.resolve(to) == to, "forwarding makes no cycle");
        self.set(from, Meaning(to.index() as u32));
        self.forwarded.push(from);
    }

    /// Makes each forwarded value point at the value it resolves to, and sorts `forwarded` in id order.
    pub fn resolve_all(&mut self) {
        self.forwarded.sort_unstable();
        for index in 0..self.forwarded.len() {
            let value = self.forwarded[index];
            let root = self.resolve(value);
            self.meanings[value.index()] = Meaning(root.index() as u32);
        }
    }

    /// The meaning of each value, once settled.
    pub(crate) fn meanings(&self) -> &[Meaning] {
        &self.meanings
    }
}
