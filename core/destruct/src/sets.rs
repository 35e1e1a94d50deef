//! Hash-consed sets of numbers, which share their common parts.
//!
//! A set is a tree; all trees have the same depth. Leaves are bits, and branches have eight children. Each subtree is
//! stored once, so equal sets have equal ids, and an operation on two sets costs only where they differ (Goto 1974,
//! "Monocopy and associative algorithms in an extended Lisp"; Bryant 1986 for the cache of results).
//!
//! # Complexity
//! If two sets have *m* numbers in all, and *d* of these are in only one of them: O(min(*d*, *m*) log *m*) time and
//! memory for each operation, in the worst case; less if parts of both have been united before.

use alloc::vec::Vec;

/// The words of a leaf.
const WORDS: usize = 4;
/// The numbers in a leaf.
const LEAF: usize = 64 * WORDS;
const BITS: usize = 3;
/// The children of a branch.
const CHILDREN: usize = 1 << BITS;
/// The most levels of branches: numbers have 32 bits.
const MAX_LEVELS: usize = 8;
/// Number of cached unions; a power of two.
const CACHE_SIZE: usize = 1 << 13;

/// A set. The default one is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Set(u32);

impl Set {
    pub(crate) const EMPTY: Self = Self(0);
}

/// The numbers of a leaf, a bit for each.
type Leaf = [u64; WORDS];

/// The children of a branch: branches, or leaves on the lowest level.
type Branch = [u32; CHILDREN];

/// Two subtrees, and their union.
#[derive(Clone, Copy, Debug, Default)]
struct CachedUnion {
    level: usize,
    pair: [u32; 2],
    union: u32,
}

/// A union of two branches in progress, up to one of their children.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    pair: [u32; 2],
    children: Branch,
    next: usize,
}

/// The memory of sets.
#[derive(Debug)]
pub(crate) struct Sets {
    /// Levels of branches above the leaves.
    levels: usize,
    /// The first leaf and the first branch are empty; all empty subtrees are these.
    leaves: Vec<Leaf>,
    branches: Vec<Branch>,
    leaf_table: Table,
    branch_table: Table,
    cache: Vec<CachedUnion>,
    /// Number of leaves and branches that have been examined or created.
    pub(crate) steps: u64,
}

impl Sets {
    /// For numbers below `limit`.
    pub(crate) fn new(limit: usize) -> Self {
        let mut levels = 0;
        while levels < MAX_LEVELS && LEAF << (BITS * levels) < limit {
            levels += 1;
        }
        Self {
            levels,
            leaves: [[0; WORDS]].into(),
            branches: [[0; CHILDREN]].into(),
            leaf_table: Table::default(),
            branch_table: Table::default(),
            cache: Vec::new(),
            steps: 0,
        }
    }

    /// The set with changes: pairs of a number and whether the set has it, by ascending number.
    pub(crate) fn change(&mut self, set: Set, changes: impl Iterator<Item = (usize, bool)>) -> Set {
        // The path to the leaf of the last number, from the leaf up; subtrees to its left are finished.
        let mut path = [[0; CHILDREN]; MAX_LEVELS + 1];
        path[self.levels][0] = set.0;
        let mut leaf = [0; WORDS];
        let mut last = None;
        for (number, is_in) in changes {
            let place = number / LEAF;
            if last != Some(place) {
                let top = last.map_or(self.levels, |last| self.finish_subtrees(&mut path, leaf, last, place));
                leaf = self.open_path(&mut path, top, place);
                last = Some(place);
            }
            let word = &mut leaf[number / 64 % WORDS];
            *word = *word & !(1 << (number % 64)) | u64::from(is_in) << (number % 64);
        }
        if let Some(last) = last {
            self.finish_subtrees(&mut path, leaf, last, usize::MAX);
        }
        Set(path[self.levels][0])
    }

    /// Finishes the subtrees on the path that do not contain the next leaf. Returns the level of the lowest one that
    /// does.
    fn finish_subtrees(&mut self, path: &mut [Branch; MAX_LEVELS + 1], leaf: Leaf, last: usize, next: usize) -> usize {
        let mut below = self.intern_leaf(leaf);
        let [mut last, mut next] = [last, next];
        for (level, children) in path.iter_mut().enumerate().take(self.levels) {
            children[last % CHILDREN] = below;
            (last, next) = (last / CHILDREN, next / CHILDREN);
            if last == next {
                return level;
            }
            below = self.intern_branch(*children);
        }
        path[self.levels][0] = below;
        self.levels
    }

    /// Extends the path down to a leaf. Returns the leaf.
    fn open_path(&self, path: &mut [Branch; MAX_LEVELS + 1], top: usize, place: usize) -> Leaf {
        for level in (0..top).rev() {
            let branch = path[level + 1][child_index(place, level + 1)];
            path[level] = self.branches[branch as usize];
        }
        self.leaves[path[0][child_index(place, 0)] as usize]
    }

    /// The union of two sets. Traverses both trees where they differ.
    pub(crate) fn union(&mut self, one: Set, other: Set) -> Set {
        let pair = [one.0, other.0];
        if let Some(union) = self.known_union(self.levels, pair) {
            return Set(union);
        }
        let mut frames = [Frame::default(); MAX_LEVELS];
        let mut depth = 0;
        frames[0].pair = pair;
        loop {
            let level = self.levels - depth;
            let frame = &mut frames[depth];
            if frame.next < CHILDREN {
                let pair = frame.pair.map(|root| self.branches[root as usize][frame.next]);
                if let Some(union) = self.known_union(level - 1, pair) {
                    frame.children[frame.next] = union;
                    frame.next += 1;
                } else {
                    depth += 1;
                    frames[depth] = Frame { pair, ..Frame::default() };
                }
                continue;
            }
            let &mut Frame { pair, children, .. } = frame;
            let known = pair.into_iter().find(|&root| self.branches[root as usize] == children);
            let union = known.unwrap_or_else(|| self.intern_branch(children));
            if self.cache.is_empty() {
                // No pair of a union has two empty subtrees, so the default entry is never found.
                self.cache.resize(CACHE_SIZE, CachedUnion::default());
            }
            self.cache[cache_index(level, pair)] = CachedUnion { level, pair, union };
            if depth == 0 {
                return Set(union);
            }
            depth -= 1;
            let frame = &mut frames[depth];
            frame.children[frame.next] = union;
            frame.next += 1;
        }
    }

    /// A union that needs no traversal: of equal or empty subtrees, of leaves, or from the cache.
    fn known_union(&mut self, level: usize, pair: [u32; 2]) -> Option<u32> {
        match pair {
            [one, other] if one == other || other == 0 => return Some(one),
            [0, other] => return Some(other),
            _ => {}
        }
        self.steps += 1;
        if level == 0 {
            let [mut leaf, other] = pair.map(|leaf| self.leaves[leaf as usize]);
            leaf.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
            return Some(self.intern_leaf(leaf));
        }
        let known = self.cache.get(cache_index(level, pair))?;
        ((known.level, known.pair) == (level, pair)).then_some(known.union)
    }

    pub(crate) fn contains(&self, set: Set, number: usize) -> bool {
        let mut at = set.0;
        for level in (0..self.levels).rev() {
            if at == 0 {
                return false;
            }
            at = self.branches[at as usize][child_index(number / LEAF, level)];
        }
        self.leaves[at as usize][number / 64 % WORDS] >> (number % 64) & 1 == 1
    }

    /// Lists the numbers of a subset, or those that only `set` has, ascending. Returns whether it listed the latter.
    ///
    /// The list is the shorter of the two, or at most twice as long.
    pub(crate) fn list_changes(&mut self, set: Set, subset: Set, into: &mut Vec<u32>) -> bool {
        let mut limit = 8;
        loop {
            for (is_rest, set, without) in [(true, set, subset), (false, subset, Set::EMPTY)] {
                into.clear();
                if self.list_difference(set, without, limit, into) {
                    return is_rest;
                }
            }
            limit *= 2;
        }
    }

    /// Appends the numbers that only the first set has, ascending, up to the limit. Returns whether these are all.
    fn list_difference(&mut self, set: Set, without: Set, limit: usize, into: &mut Vec<u32>) -> bool {
        // The remaining pairs of subtrees, the first one last: their level, their number on that level, and their
        // roots.
        let mut work = Vec::from([(self.levels, 0, [set.0, without.0])]);
        while let Some((level, place, pair)) = work.pop() {
            if pair[0] == pair[1] || pair[0] == 0 {
                continue;
            }
            self.steps += 1;
            if level > 0 {
                let [one, other] = pair.map(|root| self.branches[root as usize]);
                let children = one.into_iter().zip(other).enumerate().rev();
                work.extend(children.map(|(child, (one, other))| (level - 1, place * CHILDREN + child, [one, other])));
                continue;
            }
            let [one, other] = pair.map(|leaf| self.leaves[leaf as usize]);
            for (word, (one, other)) in one.into_iter().zip(other).enumerate() {
                let mut bits = one & !other;
                while bits != 0 {
                    if into.len() == limit {
                        return false;
                    }
                    into.push((place * LEAF + word * 64) as u32 + bits.trailing_zeros());
                    bits &= bits - 1;
                }
            }
        }
        true
    }

    /// The leaf with these bits.
    fn intern_leaf(&mut self, bits: Leaf) -> u32 {
        if bits == [0; WORDS] {
            return 0;
        }
        self.steps += 1;
        self.leaf_table.find(&mut self.leaves, bits, |bits| bits.iter().fold(0, |hash, &word| mix(hash, word)))
    }

    /// The branch with these children. It may be shared by several levels, which determine the numbers in it.
    fn intern_branch(&mut self, children: Branch) -> u32 {
        if children == [0; CHILDREN] {
            return 0;
        }
        self.steps += 1;
        let hash = |children: &Branch| {
            children.chunks_exact(2).fold(0, |hash, pair| mix(hash, u64::from(pair[0]) << 32 | u64::from(pair[1])))
        };
        self.branch_table.find(&mut self.branches, children, hash)
    }
}

/// The child, in a branch whose children are on that level, whose subtree has the leaf.
fn child_index(leaf: usize, level: usize) -> usize {
    (leaf >> (BITS * level)) & (CHILDREN - 1)
}

/// The cache entry for the union of two subtrees.
fn cache_index(level: usize, pair: [u32; 2]) -> usize {
    let hash = mix(level as u64, u64::from(pair[0]) << 32 | u64::from(pair[1]));
    (hash >> 32) as usize % CACHE_SIZE
}

/// Mixes both halves of a product, so that each bit of the word changes low and high bits.
fn mix(hash: u64, word: u64) -> u64 {
    let product =
        u128::from(hash ^ word ^ 0x9e37_79b9_7f4a_7c15) * u128::from(hash.rotate_left(29) ^ 0xd6e8_feb8_6659_fd93);
    product as u64 ^ (product >> 64) as u64
}

/// Finds equal members of a list.
#[derive(Debug, Default)]
struct Table {
    /// Numbers of members, at the place of their hash or after it; 0 for none. At most half of the places are in use.
    places: Vec<u32>,
    len: usize,
}

impl Table {
    /// The number of the member of `list` that is equal to `wanted`, which is added if there is none. Number 0 is not
    /// found.
    fn find<T: Copy + Eq>(&mut self, list: &mut Vec<T>, wanted: T, hash: impl Fn(&T) -> u64) -> u32 {
        if self.places.len() <= 2 * self.len {
            let len = (4 * self.len).next_power_of_two().max(64);
            self.places.clear();
            self.places.resize(len, 0);
            for (number, member) in list.iter().enumerate().skip(1) {
                let mut at = (hash(member) >> 32) as usize & (len - 1);
                while self.places[at] != 0 {
                    at = (at + 1) & (len - 1);
                }
                self.places[at] = number as u32;
            }
        }
        let mask = self.places.len() - 1;
        let mut at = (hash(&wanted) >> 32) as usize & mask;
        loop {
            match self.places[at] {
                0 => break,
                number if list[number as usize] == wanted => return number,
                _ => at = (at + 1) & mask,
            }
        }
        let number = list.len() as u32;
        list.push(wanted);
        self.places[at] = number;
        self.len += 1;
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::{BTreeMap, BTreeSet};

    fn below(state: &mut u64, limit: usize) -> usize {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) as usize % limit
    }

    fn check(sets: &mut Sets, set: Set, wanted: &BTreeSet<usize>, limit: usize) {
        let mut listed = Vec::new();
        assert!(sets.list_difference(set, Set::EMPTY, usize::MAX, &mut listed));
        assert!(listed.iter().map(|&number| number as usize).eq(wanted.iter().copied()));
        for number in (0..limit).step_by(1 + limit / 50).chain(wanted.iter().copied()) {
            assert_eq!(sets.contains(set, number), wanted.contains(&number));
        }
    }

    #[test]
    fn sets_are_what_their_definition_says_and_equal_ones_are_one() {
        let mut state = 7;
        for limit in [0, 1, 255, 256, 257, 3_000, 200_000] {
            let mut sets = Sets::new(limit);
            let mut known: Vec<(Set, BTreeSet<usize>)> = Vec::from([(Set::EMPTY, BTreeSet::new())]);
            for _ in 0..300 {
                let [one, other] = [(); 2].map(|()| known[below(&mut state, known.len())].clone());
                let (set, wanted) = match below(&mut state, 3) {
                    0 if limit > 0 => {
                        let first = below(&mut state, limit);
                        let wanted: BTreeSet<usize> =
                            (0..20).map(|_| (first + below(&mut state, 1_000)) % limit).collect();
                        (sets.change(Set::EMPTY, wanted.iter().map(|&number| (number, true))), wanted)
                    }
                    1 => (sets.union(one.0, other.0), &one.1 | &other.1),
                    _ => {
                        // Every other number goes, and the one after it comes.
                        let changes = other.1.iter().flat_map(|&number| [(number, false), (number + 1, true)]);
                        let changes: BTreeMap<usize, bool> = changes.filter(|&(number, _)| number < limit).collect();
                        let mut wanted = one.1.clone();
                        for (&number, &is_in) in &changes {
                            if is_in {
                                wanted.insert(number)
                            } else {
                                wanted.remove(&number)
                            };
                        }
                        (sets.change(one.0, changes.into_iter()), wanted)
                    }
                };
                check(&mut sets, set, &wanted, limit);
                for (other, members) in &known {
                    assert_eq!(*other == set, *members == wanted);
                }
                let (mut listed, both) = (Vec::new(), sets.union(set, one.0));
                let is_rest = sets.list_changes(both, one.0, &mut listed);
                let rest = &wanted - &one.1;
                assert!(listed.len() <= rest.len().min(one.1.len()).max(4) * 2);
                let listed = listed.into_iter().map(|number| number as usize);
                assert!(listed.eq(if is_rest { rest } else { one.1 }));
                known.push((set, wanted));
            }
        }
    }

    /// A row of sets, each with one number more than the one before: each pair is put together where it differs.
    #[test]
    fn what_sets_have_in_common_is_not_looked_at() {
        let steps = |n: usize| {
            let mut sets = Sets::new(n);
            let mut row = Vec::from([Set::EMPTY]);
            for number in 0..n {
                let next = sets.change(row[number], [(number, true)].into_iter());
                row.push(next);
            }
            let before = sets.steps;
            for pair in row.windows(2) {
                assert_eq!(sets.union(pair[0], pair[1]), pair[1]);
                let mut listed = Vec::new();
                assert!(sets.list_changes(pair[1], pair[0], &mut listed));
                assert_eq!(listed.len(), 1);
            }
            sets.steps - before
        };
        let [small, large] = [1_000, 100_000].map(steps);
        assert!(large < 300 * small, "{small} steps, then {large}");
    }
}
