//! Dense ids for a host's own keys.

use crate::Id;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt;
use core::ops::Index;

/// Dense ids for keys of a host's own: pointers, slotmap keys, names.
///
/// An IR whose blocks and values are not numbered densely keeps one table for each kind.
/// Lookups work in both directions.
/// Ids are given in the order in which keys are first named, so that the same input has the same ids.
///
/// # Examples
/// ```
/// use ssaphire::{Numbering, Variable};
///
/// let mut variables: Numbering<&str, Variable> = Numbering::new();
/// let [x, y] = ["x", "y"].map(|name| variables.id(name));
/// assert_eq!(variables.id("x"), x);
/// assert_eq!((variables[y], variables.get(&"z"), variables.len()), ("y", None, 2));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Numbering<K, I: Id> {
    ids: BTreeMap<K, I>,
    keys: Vec<K>,
}

impl<K, I: Id> Default for Numbering<K, I> {
    fn default() -> Self {
        Self { ids: BTreeMap::new(), keys: Vec::new() }
    }
}

impl<K: fmt::Debug, I: Id> fmt::Debug for Numbering<K, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K, I: Id> Numbering<K, I> {
    /// No keys.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of keys.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The key with that id, if there is one.
    ///
    /// # Complexity
    /// O(1).
    pub fn key(&self, id: I) -> Option<&K> {
        self.keys.get(id.index())
    }

    /// The ids and their keys, in the order of ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (I, &K)> + DoubleEndedIterator {
        self.keys.iter().enumerate().map(|(index, key)| (I::new(index), key))
    }

    /// Forgets all keys, and keeps the memory of the table of ids.
    pub fn clear(&mut self) {
        self.ids.clear();
        self.keys.clear();
    }
}

impl<K: Ord + Clone, I: Id> Numbering<K, I> {
    /// The id of the key: that which it has, or else the next one.
    ///
    /// # Panics
    /// If there are as many keys as there are ids.
    ///
    /// # Complexity
    /// O(log *n*) for *n* keys.
    #[track_caller]
    pub fn id(&mut self, key: K) -> I {
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        let id = I::new(self.keys.len());
        self.keys.push(key.clone());
        self.ids.insert(key, id);
        id
    }

    /// The id of the key, if it has one.
    ///
    /// # Complexity
    /// O(log *n*) for *n* keys.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<I>
    where
        K: Borrow<Q>,
    {
        self.ids.get(key).copied()
    }
}

/// The key with that id.
///
/// # Panics
/// If there is no such key.
impl<K, I: Id> Index<I> for Numbering<K, I> {
    type Output = K;

    fn index(&self, id: I) -> &K {
        &self.keys[id.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::Numbering;
    use crate::Block;
    use alloc::format;
    use alloc::string::String;

    #[test]
    fn ids_are_dense_and_in_order_of_first_mention() {
        let mut blocks: Numbering<String, Block> = Numbering::new();
        let ids = ["loop", "end", "loop", "begin"].map(|label| blocks.id(label.into()).index());
        assert_eq!(ids, [0, 1, 0, 2]);
        assert_eq!(format!("{blocks:?}"), "{block0: \"loop\", block1: \"end\", block2: \"begin\"}");
        assert_eq!(blocks.get("end"), Some(Block::new(1)));
        assert_eq!(blocks.key(Block::new(3)), None);
        blocks.clear();
        assert!(blocks.is_empty());
        assert_eq!(blocks.id("end".into()), Block::new(0));
    }
}
