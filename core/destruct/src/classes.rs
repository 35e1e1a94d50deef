//! Classes of names, each in ascending order.
//!
//! Most classes are small, and are linked lists in a table. A phi with many
//! operands makes a large class, which is a [trie], so that each query takes
//! O(log names).

mod trie;

use crate::live::LiveRanges;
use crate::names::Name;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use ssaphire_graph::{Id, IdMap, PackedOption};
use trie::{Tree, Trie};

/// A partition of the names. A class is named by one of its members.
#[derive(Debug)]
pub(crate) struct Classes {
    class: IdMap<Name, Name>,
    /// The next name of a small class.
    next: IdMap<Name, PackedOption<Name>>,
    /// The first name of each class, if it is small.
    first: IdMap<Name, Name>,
    len: IdMap<Name, u32>,
    large: BTreeMap<Name, Tree>,
    trie: Trie,
    /// The maximum length of a class that is a list.
    small: u32,
}

impl Classes {
    /// Each name in a class of its own. `ends` has the first name after the subtree of each name's block.
    pub(crate) fn new(ends: IdMap<Name, Name>, small: u32) -> Self {
        let mut alone = IdMap::new();
        for index in 0..ends.len() {
            alone.push(Name::new(index));
        }
        Self {
            class: alone.clone(),
            next: IdMap::filled(ends.len(), PackedOption::NONE),
            first: alone,
            len: IdMap::filled(ends.len(), 1),
            large: BTreeMap::new(),
            trie: Trie::new(ends),
            small: small.max(1),
        }
    }

    pub(crate) fn class(&self, name: Name) -> Name {
        self.class[name]
    }

    pub(crate) fn len(&self, class: Name) -> u32 {
        self.len[class]
    }

    /// The first name after the subtree of the block in which `name` is defined.
    pub(crate) fn subtree_end(&self, name: Name) -> Name {
        self.trie.subtree_end(name)
    }

    /// The last name of a class before `name` whose subtree ends after `name`: the innermost one that contains it.
    pub(crate) fn nearest_above(&self, class: Name, name: Name) -> Option<Name> {
        match self.large.get(&class) {
            Some(&tree) => self.trie.innermost(tree, name),
            None => {
                let before = self.list_members(class).take_while(|&member| member < name);
                before.filter(|&member| self.subtree_end(member) > name).last()
            }
        }
    }

    /// The first name of a class that is `name` or comes after it.
    pub(crate) fn first_from(&self, class: Name, name: Name) -> Option<Name> {
        match self.large.get(&class) {
            Some(&tree) => self.trie.first_from(tree, name),
            None => self.list_members(class).find(|&member| member >= name),
        }
    }

    /// The first name of a class that is `from` or comes after it, and at the end of whose block `wanted` is live.
    ///
    /// Needs: live sets.
    pub(crate) fn first_live(
        &mut self,
        class: Name,
        from: Name,
        wanted: Name,
        live: &mut LiveRanges<'_>,
    ) -> Option<Name> {
        match self.large.get(&class) {
            Some(&tree) => self.trie.first_live(tree, from, wanted, live),
            None => {
                let mut members = self.list_members(class).skip_while(|&member| member < from);
                members.find(|&member| live.is_in(live.at_end_of(member), wanted))
            }
        }
    }

    /// The member of a class after one of its members.
    pub(crate) fn next_after(&self, class: Name, name: Name) -> Option<Name> {
        match self.large.get(&class) {
            Some(&tree) => self.trie.first_from(tree, Name::new(name.index() + 1)),
            None => self.next[name].expand(),
        }
    }

    /// Makes a class of names that are in no other class; they are in ascending order.
    pub(crate) fn make_class(&mut self, names: &[Name]) {
        let Some(&class) = names.first() else { return };
        names.iter().for_each(|&name| self.class[name] = class);
        self.len[class] = names.len() as u32;
        if self.len[class] > self.small {
            let tree = self.trie.insert_all(None, names.iter().copied());
            self.large.extend(tree.map(|tree| (class, tree)));
        } else {
            self.link_list(class, names.iter().copied());
        }
    }

    /// Adds to the class `into` the names of another one, which are `members`, in order.
    pub(crate) fn merge(&mut self, into: Name, other: Name, members: &[Name]) {
        members.iter().for_each(|&name| self.class[name] = into);
        let len = self.len[into] + self.len[other];
        if len > self.small {
            self.large.remove(&other);
            let tree = self.large.remove(&into).or_else(|| {
                let small: Vec<Name> = self.list_members(into).collect();
                self.trie.insert_all(None, small.into_iter())
            });
            let tree = self.trie.insert_all(tree, members.iter().copied());
            self.large.extend(tree.map(|tree| (into, tree)));
        } else {
            let mut all: Vec<Name> = self.list_members(into).chain(members.iter().copied()).collect();
            all.sort_unstable();
            self.link_list(into, all.into_iter());
        }
        self.len[into] = len;
    }

    fn link_list(&mut self, class: Name, names: impl Iterator<Item = Name>) {
        let mut last: Option<Name> = None;
        for name in names {
            match last {
                Some(last) => self.next[last] = name.into(),
                None => self.first[class] = name,
            }
            self.next[name] = PackedOption::NONE;
            last = Some(name);
        }
    }

    fn list_members(&self, class: Name) -> impl Iterator<Item = Name> + '_ {
        core::iter::successors(Some(self.first[class]), |&name| self.next[name].expand())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ends of nested subtrees: that of each name contains `size` of the names after it, or as many as that around
    /// it.
    fn nested(num_names: usize, size: impl Fn(usize) -> usize) -> IdMap<Name, Name> {
        let mut around = Vec::from([num_names]);
        let end = |name: usize| {
            while around.last().is_some_and(|&end| end <= name) {
                around.pop();
            }
            let end = around.last().copied().unwrap_or(num_names).min(name + 1 + size(name));
            around.push(end);
            Name::new(end)
        };
        (0..num_names).map(end).collect()
    }

    fn members(classes: &Classes, class: Name) -> Vec<Name> {
        let first = classes.first_from(class, Name::new(0));
        core::iter::successors(first, |&name| classes.next_after(class, name)).collect()
    }

    #[test]
    fn classes_are_in_order_whatever_their_size() {
        let num_names = 300_usize;
        for (small, size) in [(32, 0), (1, 0), (1, 5), (7, 60), (32, 60), (1, 300)] {
            // Subtrees that are a path in part, and leaves beside it.
            let ends = nested(num_names, |name| if name % 3 == 0 { size } else { name * 31 % (1 + size) });
            let mut classes = Classes::new(ends.clone(), small);
            let mut parts: Vec<usize> = (0..num_names).collect();
            for round in 0..2_000_usize {
                let [one, other] = [round * 7_919 % num_names, round * 104_729 % 299].map(Name::new);
                let [into, from] = [one, other].map(|name| classes.class(name));
                if into != from && round % 3 != 0 && classes.len(into) + classes.len(from) < 150 {
                    let (into, from) = if classes.len(into) < classes.len(from) { (from, into) } else { (into, from) };
                    let members = members(&classes, from);
                    classes.merge(into, from, &members);
                    let [kept, gone] = [one, other].map(|name| parts[name.index()]);
                    parts.iter_mut().filter(|part| **part == gone).for_each(|part| *part = kept);
                }
                let wanted: Vec<Name> =
                    (0..num_names).filter(|&name| parts[name] == parts[one.index()]).map(Name::new).collect();
                let class = classes.class(one);
                assert_eq!(members(&classes, class), wanted);
                assert_eq!(classes.len(class) as usize, wanted.len());
                let above = wanted.iter().rev().copied().find(|&name| name < other && other < ends[name]);
                assert_eq!(classes.nearest_above(class, other), above, "{small} {size}");
                assert_eq!(classes.first_from(class, other), wanted.iter().copied().find(|&name| name >= other));
            }
        }
    }
}
