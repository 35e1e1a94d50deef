//! Sets of names that are searched by position and by the end of their subtrees.
//!
//! A set is a binary trie over the bits of its names, without branches that have one child
//! (Morrison's PATRICIA): *k* names have *k* - 1 branches, and no path has more than 31 of them, whatever the
//! names are. A name is in one set at a time, so that the branch that came with it is numbered like it.
//!
//! Subtrees of the dominator tree are ranges of names that nest. The innermost member around a name is the last one before it
//! whose range ends after it: each branch holds the greatest end below, and what ends earlier is passed over as a whole.

mod live;

use crate::names::Name;
use crate::sets::Set;
use alloc::vec::Vec;
use ssaphire_graph::{Id, IdMap};

/// The bits of a name.
const BITS: usize = 31;

/// One name, or the branch that came with it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tree {
    Leaf(Name),
    Branch(Name),
}

#[derive(Clone, Copy, Debug)]
struct Branch {
    /// The highest bit in which the names below differ.
    bit: u32,
    /// One of the names below: all have its higher bits.
    member: Name,
    /// Without the bit, and with it.
    children: [Tree; 2],
    /// The greatest end below.
    end: Name,
    /// What is live at the end of some block below, if that has been found.
    live: Option<Set>,
}

/// Sets of names; a name is in one of them at most.
#[derive(Debug)]
pub(super) struct Trie {
    /// By name.
    ends: IdMap<Name, Name>,
    /// By the name that a branch came with; empty as long as no set has any.
    branches: Vec<Branch>,
}

impl Trie {
    pub(super) fn new(ends: IdMap<Name, Name>) -> Self {
        Self { ends, branches: Vec::new() }
    }

    pub(super) fn subtree_end(&self, name: Name) -> Name {
        self.ends[name]
    }

    /// Adds names that are in no set.
    pub(super) fn insert_all(&mut self, tree: Option<Tree>, names: impl Iterator<Item = Name>) -> Option<Tree> {
        names.fold(tree, |tree, name| Some(tree.map_or(Tree::Leaf(name), |tree| self.insert(tree, name))))
    }

    fn insert(&mut self, root: Tree, name: Name) -> Tree {
        let end = self.ends[name];
        let mut parent: Option<(usize, usize)> = None;
        let mut at = root;
        let other = loop {
            match at {
                Tree::Leaf(leaf) => break leaf,
                Tree::Branch(number) => {
                    let branch = &mut self.branches[number.index()];
                    if !branch.covers(name) {
                        break branch.member;
                    }
                    branch.end = branch.end.max(end);
                    branch.live = None;
                    parent = Some((number.index(), branch.side(name)));
                    at = branch.children[branch.side(name)];
                }
            }
        };
        let difference = bits(name) ^ bits(other);
        let bit = 1 << (u32::BITS - 1 - difference.leading_zeros());
        let is_greater = bits(name) & bit != 0;
        let children = if is_greater { [at, Tree::Leaf(name)] } else { [Tree::Leaf(name), at] };
        let branch = Branch { bit, member: name, children, end: end.max(self.greatest_end(at)), live: None };
        if self.branches.is_empty() {
            self.branches.resize(self.ends.len(), branch);
        }
        self.branches[name.index()] = branch;
        match parent {
            None => Tree::Branch(name),
            Some((number, side)) => {
                self.branches[number].children[side] = Tree::Branch(name);
                root
            }
        }
    }

    fn greatest_end(&self, tree: Tree) -> Name {
        match tree {
            Tree::Leaf(name) => self.ends[name],
            Tree::Branch(number) => self.branches[number.index()].end,
        }
    }

    /// The last name before `name` whose end comes after it.
    pub(super) fn innermost(&self, root: Tree, name: Name) -> Option<Name> {
        // What comes before the path to `name`, nearest last.
        let mut before = [root; BITS + 1];
        let mut num_before = 0;
        let mut at = root;
        loop {
            let next = match at {
                Tree::Branch(number) => {
                    let branch = &self.branches[number.index()];
                    if branch.end <= name {
                        None
                    } else if branch.covers(name) {
                        let side = branch.side(name);
                        if side == 1 {
                            before[num_before] = branch.children[0];
                            num_before += 1;
                        }
                        Some(branch.children[side])
                    } else {
                        let is_before = branch.member < name;
                        before[num_before] = at;
                        num_before += usize::from(is_before);
                        None
                    }
                }
                Tree::Leaf(leaf) => {
                    before[num_before] = at;
                    num_before += usize::from(leaf < name);
                    None
                }
            };
            match next {
                Some(next) => at = next,
                None => break,
            }
        }
        let found = before[..num_before].iter().rev().find(|&&tree| self.greatest_end(tree) > name);
        let mut at = *found?;
        loop {
            match at {
                Tree::Leaf(leaf) => return Some(leaf),
                Tree::Branch(number) => {
                    let [first, last] = self.branches[number.index()].children;
                    at = if self.greatest_end(last) > name { last } else { first };
                }
            }
        }
    }

    /// The first name that is `name` or comes after it.
    pub(super) fn first_from(&self, root: Tree, name: Name) -> Option<Name> {
        let mut after = None;
        let mut at = root;
        loop {
            match at {
                Tree::Leaf(leaf) if leaf >= name => return Some(leaf),
                Tree::Branch(number) if self.branches[number.index()].covers(name) => {
                    let branch = &self.branches[number.index()];
                    let side = branch.side(name);
                    if side == 0 {
                        after = Some(branch.children[1]);
                    }
                    at = branch.children[side];
                }
                Tree::Branch(number) if self.branches[number.index()].member > name => return Some(self.first(at)),
                _ => return after.map(|after| self.first(after)),
            }
        }
    }

    fn first(&self, mut tree: Tree) -> Name {
        loop {
            match tree {
                Tree::Leaf(name) => return name,
                Tree::Branch(number) => tree = self.branches[number.index()].children[0],
            }
        }
    }
}

impl Branch {
    /// Whether `name` has the higher bits of the names below.
    fn covers(&self, name: Name) -> bool {
        (bits(name) ^ bits(self.member)) < self.bit << 1
    }

    fn side(&self, name: Name) -> usize {
        usize::from(bits(name) & self.bit != 0)
    }
}

fn bits(name: Name) -> u32 {
    name.index() as u32
}
