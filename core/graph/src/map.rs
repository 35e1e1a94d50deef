//! Tables and sets keyed by dense ids.

use crate::id::{Id, PackedOption};
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Index, IndexMut};

/// A table with one `T` per id, for ids `0..len`.
#[derive(Clone, PartialEq, Eq)]
pub struct IdMap<K, T> {
    entries: Vec<T>,
    key: PhantomData<K>,
}

impl<K: Id, T> IdMap<K, T> {
    /// A table without entries.
    pub const fn new() -> Self {
        Self { entries: Vec::new(), key: PhantomData }
    }

    /// A table of `len` copies of `value`.
    pub fn filled(len: usize, value: T) -> Self
    where
        T: Clone,
    {
        Self { entries: alloc::vec![value; len], key: PhantomData }
    }

    /// Number of entries; ids `0..len` have one.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Appends an entry and returns its id.
    ///
    /// # Panics
    /// If the kind of id has no more numbers.
    #[track_caller]
    pub fn push(&mut self, value: T) -> K {
        let Some(id) = K::try_new(self.entries.len()) else { no_more_ids(K::LIMIT) };
        self.entries.push(value);
        id
    }

    /// The entry that `key` names, or `None` if it names none: a step along a list that is threaded through the table.
    #[inline]
    pub fn find(&self, key: PackedOption<K>) -> Option<&T> {
        // No table is long enough to have an entry at the index that encodes "no id".
        self.entries.get(key.bits() as usize)
    }

    /// The entry that `key` names, or `None` if it names none.
    #[inline]
    pub fn find_mut(&mut self, key: PackedOption<K>) -> Option<&mut T> {
        self.entries.get_mut(key.bits() as usize)
    }

    /// The entry of `key`, or `None` beyond the end.
    pub fn get(&self, key: K) -> Option<&T> {
        self.entries.get(key.index())
    }

    /// The entry of `key`, or `None` beyond the end.
    pub fn get_mut(&mut self, key: K) -> Option<&mut T> {
        self.entries.get_mut(key.index())
    }

    /// Extends the table until it has an entry for `key`; new entries are `value`.
    pub fn grow_to(&mut self, key: K, value: T)
    where
        T: Clone,
    {
        if key.index() >= self.entries.len() {
            self.entries.resize(key.index() + 1, value);
        }
    }

    /// Makes every entry of ids `0..len` equal to `value` and drops the rest; keeps capacity.
    pub fn reset(&mut self, len: usize, value: T)
    where
        T: Clone,
    {
        self.entries.clear();
        self.entries.resize(len, value);
    }

    /// Drops all entries; keeps capacity.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Moves all entries to a table that has no room to spare; this one is empty then, and keeps its capacity.
    #[must_use]
    pub fn take(&mut self) -> Self {
        let mut entries = Vec::with_capacity(self.entries.len());
        entries.append(&mut self.entries);
        Self { entries, key: PhantomData }
    }

    /// Replaces all entries by these; keeps capacity.
    pub fn replace(&mut self, mut other: Self) {
        self.entries.clear();
        self.entries.append(&mut other.entries);
    }

    /// The ids of the entries, in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator + Clone + use<K, T> {
        (0..self.entries.len()).map(K::new)
    }

    /// The entries, in id order.
    pub fn values(&self) -> core::slice::Iter<'_, T> {
        self.entries.iter()
    }

    /// The entries, in id order.
    pub fn values_mut(&mut self) -> core::slice::IterMut<'_, T> {
        self.entries.iter_mut()
    }

    /// Ids and entries, in id order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &T)> + ExactSizeIterator + Clone {
        self.entries.iter().enumerate().map(|(index, value)| (K::new(index), value))
    }

    /// The entries as a slice, in id order.
    pub fn as_slice(&self) -> &[T] {
        &self.entries
    }
}

#[cold]
#[track_caller]
fn no_more_ids(limit: usize) -> ! {
    panic!("a table of {limit} entries is full: there are no more ids of its kind")
}

impl<K: Id, T> Default for IdMap<K, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Id, T> Index<K> for IdMap<K, T> {
    type Output = T;

    #[inline]
    #[track_caller]
    fn index(&self, key: K) -> &T {
        &self.entries[key.index()]
    }
}

impl<K: Id, T> IndexMut<K> for IdMap<K, T> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, key: K) -> &mut T {
        &mut self.entries[key.index()]
    }
}

impl<K: Id, T> FromIterator<T> for IdMap<K, T> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Self {
        Self { entries: Vec::from_iter(entries), key: PhantomData }
    }
}

impl<K: Id, T> Extend<T> for IdMap<K, T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, entries: I) {
        self.entries.extend(entries);
    }
}

impl<K: Id, T: fmt::Debug> fmt::Debug for IdMap<K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// A set of ids, one bit each.
#[derive(Clone, PartialEq, Eq)]
pub struct IdSet<K> {
    words: Vec<u64>,
    key: PhantomData<K>,
}

impl<K: Id> IdSet<K> {
    /// The empty set.
    pub const fn new() -> Self {
        Self { words: Vec::new(), key: PhantomData }
    }

    /// Whether `key` is in the set.
    #[inline]
    pub fn contains(&self, key: K) -> bool {
        let index = key.index();
        self.words.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// Adds `key`; returns whether it was absent.
    #[inline]
    pub fn insert(&mut self, key: K) -> bool {
        let index = key.index();
        if index / 64 >= self.words.len() {
            self.words.resize(index / 64 + 1, 0);
        }
        let word = &mut self.words[index / 64];
        let bit = 1 << (index % 64);
        let absent = *word & bit == 0;
        *word |= bit;
        absent
    }

    /// Removes `key`; returns whether it was present.
    pub fn remove(&mut self, key: K) -> bool {
        let index = key.index();
        let Some(word) = self.words.get_mut(index / 64) else { return false };
        let bit = 1 << (index % 64);
        let present = *word & bit != 0;
        *word &= !bit;
        present
    }

    /// Makes the set empty; keeps capacity.
    pub fn clear(&mut self) {
        self.words.clear();
    }

    /// Whether no id is in the set. Reads every word.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Number of ids in the set. Reads every word.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The ids in the set, in order.
    pub fn iter(&self) -> impl Iterator<Item = K> + '_ {
        self.words.iter().enumerate().flat_map(|(place, &word)| {
            let nonzero = |word: u64| (word != 0).then_some(word);
            let rest = core::iter::successors(nonzero(word), move |rest| nonzero(rest & (rest - 1)));
            rest.map(move |rest| K::new(place * 64 + rest.trailing_zeros() as usize))
        })
    }
}

impl<K: Id> Default for IdSet<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Id> FromIterator<K> for IdSet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        let mut set = Self::new();
        for key in keys {
            set.insert(key);
        }
        set
    }
}

impl<K: Id> fmt::Debug for IdSet<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Block;
    use alloc::vec::Vec;

    #[test]
    fn a_set_lists_its_members_in_order() {
        let set: IdSet<Block> = [200, 3, 64, 63, 3].map(Block::new).into_iter().collect();
        assert_eq!(set.iter().map(Block::index).collect::<Vec<_>>(), [3, 63, 64, 200]);
        assert_eq!(set.len(), 4);
        assert!(!set.contains(Block::new(1000)));
    }

    #[test]
    fn what_no_id_names_is_not_there() {
        let mut names = IdMap::<Block, _>::new();
        let first: PackedOption<Block> = names.push("entry").into();
        assert_eq!((names.find(first), names.find(PackedOption::NONE)), (Some(&"entry"), None));
        names.clear();
        assert_eq!(names.find_mut(first), None);
    }

    #[test]
    fn removing_says_whether_it_was_there() {
        let mut set: IdSet<Block> = [1, 70].map(Block::new).into_iter().collect();
        assert!(set.remove(Block::new(70)) && !set.remove(Block::new(70)) && !set.remove(Block::new(9999)));
        assert!(set.remove(Block::new(1)) && set.is_empty());
    }
}
