//! Stacks of dense ids, threaded through two tables.

use crate::id::{Id, PackedOption};
use crate::map::IdMap;

/// A stack of ids for each id; a member is on one stack at most. Rebuilding reuses memory.
///
/// # Complexity
/// `push` and `pop` are O(1).
///
/// # Examples
/// ```
/// use ssaphire::graph::IdStacks;
/// use ssaphire::{Block, Edge};
///
/// let [header, first, second] = [0, 0, 1];
/// let header = Block::new(header);
/// let mut waiting = IdStacks::new();
/// waiting.begin(1, 2);
/// waiting.push(header, Edge::new(first));
/// waiting.push(header, Edge::new(second));
/// assert_eq!(waiting.pop(header), Some(Edge::new(second)));
/// ```
#[derive(Clone, Debug)]
pub struct IdStacks<K: Id, M: Id> {
    top: IdMap<K, PackedOption<M>>,
    /// By member: the one below it.
    below: IdMap<M, PackedOption<M>>,
}

impl<K: Id, M: Id> IdStacks<K, M> {
    /// No stacks.
    pub const fn new() -> Self {
        Self { top: IdMap::new(), below: IdMap::new() }
    }

    /// Begins with empty stacks for the ids `0..num_stacks`, and no member `0..num_members` on any.
    ///
    /// # Complexity
    /// O(`num_stacks` + `num_members`).
    pub fn begin(&mut self, num_stacks: usize, num_members: usize) {
        self.top.reset(num_stacks, PackedOption::NONE);
        self.below.reset(num_members, PackedOption::NONE);
    }

    /// Makes room for more stacks and members; the stacks keep their members.
    pub fn make_room(&mut self, num_stacks: usize, num_members: usize) {
        if let Some(last) = num_stacks.checked_sub(1) {
            self.top.grow_to(K::new(last), PackedOption::NONE);
        }
        if let Some(last) = num_members.checked_sub(1) {
            self.below.grow_to(M::new(last), PackedOption::NONE);
        }
    }

    /// Puts `member` on the stack of `key`.
    #[inline]
    pub fn push(&mut self, key: K, member: M) {
        self.below[member] = self.top[key].replace(member);
    }

    /// Takes the member from the top of the stack of `key`.
    #[inline]
    pub fn pop(&mut self, key: K) -> Option<M> {
        let top = self.top[key].expand()?;
        self.top[key] = self.below[top];
        Some(top)
    }
}

impl<K: Id, M: Id> Default for IdStacks<K, M> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Block, Edge};

    #[test]
    fn each_stack_gives_back_what_was_put_on_it_last() {
        let mut stacks = IdStacks::default();
        for _ in 0..2 {
            stacks.begin(3, 8);
            for edge in 0..7 {
                stacks.push(Block::new(edge % 2), Edge::new(edge));
            }
            for edge in (0..7).rev() {
                assert_eq!(stacks.pop(Block::new(edge % 2)), Some(Edge::new(edge)));
            }
            assert_eq!([0, 1, 2].map(|key| stacks.pop(Block::new(key))), [None; 3]);
            stacks.make_room(4, 9);
            assert_eq!(stacks.pop(Block::new(3)), None);
            // Left on the stack for the next round.
            stacks.push(Block::new(2), Edge::new(7));
        }
    }
}
