//! Lists by dense id, sorted by counting.

use crate::id::Id;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;

/// A list of members for each id, all lists in one array. Rebuilding reuses memory.
///
/// # Examples
/// ```
/// use ssaphire::graph::IdLists;
/// use ssaphire::{Block, Variable};
///
/// let [entry, exit] = [0, 1].map(Block::new);
/// let written = [(exit, 2), (entry, 1), (exit, 0)].map(|(block, variable)| (block, Variable::new(variable)));
/// let mut by_block = IdLists::new();
/// by_block.rebuild(2, written.into_iter());
/// assert_eq!(by_block.of(exit), [2, 0].map(Variable::new));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct IdLists<K, T> {
    /// The list of an id starts here, and ends where the next one starts; and one end.
    start: Vec<usize>,
    members: Vec<T>,
    key: PhantomData<K>,
}

impl<K: Id, T: Copy> IdLists<K, T> {
    /// No lists.
    pub const fn new() -> Self {
        Self { start: Vec::new(), members: Vec::new(), key: PhantomData }
    }

    /// Drops all lists; keeps capacity.
    pub fn clear(&mut self) {
        self.start.clear();
        self.members.clear();
    }

    /// Rebuilds the lists of ids `0..len`: each gets the second components of the `pairs` with its id, in their order.
    ///
    /// # Panics
    /// If an id is not below `len`.
    ///
    /// # Complexity
    /// O(`len` + pairs): a counting sort, which goes through the pairs twice.
    pub fn rebuild(&mut self, len: usize, pairs: impl Iterator<Item = (K, T)> + Clone) {
        self.start.clear();
        // Each start is kept one place further on, and moves into place as its list fills.
        self.start.resize(len + 2, 0);
        // From within: an iterator of iterators goes faster.
        pairs.clone().for_each(|(key, _)| self.start[key.index() + 2] += 1);
        for place in 2..len + 2 {
            self.start[place] += self.start[place - 1];
        }
        let num_members = self.start[len + 1];
        self.members.clear();
        if let Some((_, any)) = pairs.clone().next() {
            // Each is replaced.
            self.members.resize(num_members, any);
        }
        pairs.for_each(|(key, member)| {
            let place = &mut self.start[key.index() + 1];
            self.members[*place] = member;
            *place += 1;
        });
        self.start.truncate(len + 1);
    }

    /// The list of `key`; empty beyond the last id.
    #[inline]
    pub fn of(&self, key: K) -> &[T] {
        &self.members[self.range(key)]
    }

    /// Where the list of `key` is among the [`members`](Self::members) of all lists.
    #[inline]
    pub fn range(&self, key: K) -> Range<usize> {
        match self.start.get(key.index()..key.index() + 2) {
            Some(bounds) => bounds[0]..bounds[1],
            None => 0..0,
        }
    }

    /// The members of all lists, in id order, and nothing else.
    pub fn into_members(self) -> Vec<T> {
        self.members
    }

    /// The members of all lists, in id order.
    #[inline]
    pub fn members(&self) -> &[T] {
        &self.members
    }
}

impl<K: Id, T: Copy> Default for IdLists<K, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Id, T: Copy + fmt::Debug> fmt::Debug for IdLists<K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = (0..self.start.len().saturating_sub(1)).map(K::new);
        f.debug_map().entries(keys.map(|key| (key, self.of(key)))).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Block;
    use alloc::format;

    #[track_caller]
    fn check(len: usize, pairs: &[(usize, u32)], expected: &str) {
        let mut lists = IdLists::default();
        // In the memory of longer lists.
        lists.rebuild(9, (0..20).map(|member| (Block::new(member as usize % 9), member)));
        lists.rebuild(len, pairs.iter().map(|&(key, member)| (Block::new(key), member)));
        assert_eq!(format!("{lists:?}"), expected);
        assert_eq!(lists.members().len(), pairs.len());
        assert!(lists.of(Block::new(len)).is_empty() && lists.range(Block::new(len + 7)).is_empty());
    }

    #[test]
    fn members_of_a_list_keep_their_order() {
        check(
            4,
            &[(3, 1), (0, 2), (3, 0), (0, 2), (1, 5)],
            "{block0: [2, 2], block1: [5], block2: [], block3: [1, 0]}",
        );
    }

    #[test]
    fn lists_may_be_empty_and_there_may_be_none() {
        check(1, &[], "{block0: []}");
        check(0, &[], "{}");
        assert!(IdLists::<Block, u32>::new().of(Block::new(0)).is_empty());
    }
}
