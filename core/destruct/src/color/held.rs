//! A persistent bit set: the locations that are held.
//!
//! Blocks are colored in preorder of the dominator tree, and each child starts from the bits at the end of its
//! dominator. So the bits are a tree with path copying: a change copies the nodes that are shared with earlier
//! versions, and updates the others in place. Versions are restored in stack order, which drops all newer nodes.
//!
//! # Complexity
//! O(log bits) for each change and each query.

use alloc::vec::Vec;

/// The bits of a place in a branch.
const BITS: u32 = 4;
const CHILDREN: usize = 1 << BITS;
/// The most levels of branches: ids have less than 32 bits, and 6 of them are the bits of a word.
const MAX_LEVELS: usize = 7;

#[derive(Clone, Copy, Debug, Default)]
struct Branch {
    children: [u32; CHILDREN],
    /// The children of which all bits are set.
    full: u16,
}

/// A version of [`Held`] that can be restored, until an earlier one is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Version {
    root: u32,
    num_words: usize,
    num_branches: usize,
}

/// A set of bits.
#[derive(Debug)]
pub(super) struct Held {
    levels: usize,
    /// The first word and the first branch have no bits; all empty subtrees are these.
    words: Vec<u64>,
    branches: Vec<Branch>,
    root: u32,
    /// The first word and the first branch that no earlier version shares.
    own_words: usize,
    own_branches: usize,
}

impl Held {
    /// No bit of `len` is set.
    pub(super) fn new(len: usize) -> Self {
        let mut levels = 0;
        while levels < MAX_LEVELS && 64 << (BITS as usize * levels) < len {
            levels += 1;
        }
        let (words, branches) = ([0].into(), [Branch::default()].into());
        Self { levels, words, branches, root: 0, own_words: 1, own_branches: 1 }
    }

    /// The current version, for [`restore`](Self::restore).
    pub(super) fn version(&mut self) -> Version {
        (self.own_words, self.own_branches) = (self.words.len(), self.branches.len());
        Version { root: self.root, num_words: self.own_words, num_branches: self.own_branches }
    }

    pub(super) fn restore(&mut self, version: Version) {
        self.root = version.root;
        self.words.truncate(version.num_words);
        self.branches.truncate(version.num_branches);
        (self.own_words, self.own_branches) = (version.num_words, version.num_branches);
    }

    pub(super) fn clear(&mut self) {
        self.root = 0;
    }

    pub(super) fn is_set(&self, bit: usize) -> bool {
        let mut at = self.root as usize;
        for level in (0..self.levels).rev() {
            at = self.branches[at].children[child_index(bit, level)] as usize;
        }
        self.words[at] >> (bit % 64) & 1 == 1
    }

    pub(super) fn set(&mut self, bit: usize, is_set: bool) {
        let mut path = [0; MAX_LEVELS];
        let mut at = self.root;
        for level in (0..self.levels).rev() {
            let unshared = copy_on_write(&mut self.branches, self.own_branches, at);
            path[level] = unshared;
            at = self.branches[unshared as usize].children[child_index(bit, level)];
        }
        let mut child = copy_on_write(&mut self.words, self.own_words, at);
        let word = &mut self.words[child as usize];
        *word = *word & !(1 << (bit % 64)) | u64::from(is_set) << (bit % 64);
        let mut is_full = *word == u64::MAX;
        for (level, &parent) in path.iter().enumerate().take(self.levels) {
            let branch = &mut self.branches[parent as usize];
            let slot = child_index(bit, level);
            branch.children[slot] = child;
            branch.full = branch.full & !(1 << slot) | u16::from(is_full) << slot;
            (child, is_full) = (parent, branch.full == u16::MAX);
        }
        self.root = child;
    }

    /// The first bit from this one on that is not set; it may lie beyond the end.
    pub(super) fn first_free(&self, from: usize) -> usize {
        let mut bit = from;
        'descend: loop {
            if bit >= 64 << (BITS as usize * self.levels) {
                return bit;
            }
            let mut at = self.root as usize;
            for level in (0..self.levels).rev() {
                if at == 0 {
                    return bit;
                }
                let Branch { children, full } = &self.branches[at];
                let first = child_index(bit, level);
                let free = !full & u16::MAX << first;
                let size = 64 << (BITS as usize * level);
                if free == 0 {
                    // Nothing below: the search continues after this branch.
                    bit = (bit / (size * CHILDREN) + 1) * size * CHILDREN;
                    continue 'descend;
                }
                let next = free.trailing_zeros() as usize;
                if next > first {
                    bit = (bit / (size * CHILDREN) * CHILDREN + next) * size;
                }
                at = children[next] as usize;
            }
            let free = !self.words[at] & u64::MAX << (bit % 64);
            if free != 0 {
                return bit / 64 * 64 + free.trailing_zeros() as usize;
            }
            bit = (bit / 64 + 1) * 64;
        }
    }
}

/// The child, in a branch of that level, whose subtree has the bit.
fn child_index(bit: usize, level: usize) -> usize {
    bit >> (6 + BITS as usize * level) & (CHILDREN - 1)
}

/// The node itself, or a copy of it if earlier versions share it.
fn copy_on_write<T: Copy>(nodes: &mut Vec<T>, first: usize, node: u32) -> u32 {
    if node as usize >= first {
        return node;
    }
    nodes.push(nodes[node as usize]);
    nodes.len() as u32 - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn bits_and_versions_are_those_of_a_plain_row() {
        let mut state = 1_u64;
        let mut below = |limit: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % limit
        };
        for len in [1, 63, 64, 65, 1_024, 1_025, 5_000] {
            let mut held = Held::new(len);
            let mut row = vec![false; len];
            let mut versions = Vec::new();
            for _ in 0..400 {
                match below(8) {
                    0 => versions.push((held.version(), row.clone())),
                    1 if !versions.is_empty() => {
                        versions.truncate(1 + below(versions.len()));
                        if let Some((version, then)) = versions.last() {
                            held.restore(*version);
                            row.clone_from(then);
                        }
                    }
                    2 if below(4) == 0 => {
                        held.clear();
                        row.fill(false);
                    }
                    _ => {
                        // Runs, so that words and branches fill up.
                        let (first, is_set) = (below(len), below(4) > 0);
                        let end = (first + below(len) + 1).min(len);
                        (first..end).for_each(|bit| held.set(bit, is_set));
                        row[first..end].fill(is_set);
                    }
                }
                let from = below(len);
                let wanted = (from..len).find(|&bit| !row[bit]);
                assert_eq!(Some(held.first_free(from)).filter(|&bit| bit < len), wanted, "{len} {from}");
                assert_eq!(held.is_set(from), row[from]);
            }
        }
    }
}
