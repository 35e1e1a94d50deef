//! Classes of names, each in order.
//!
//! Most classes are small: their names are a list that is threaded through a
//! table. A phi with many operands makes a large class, whose names are a tree, so
//! that what stands next to a name is found at once.

use crate::names::Name;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use ssaphire_graph::{Id, IdMap, PackedOption};

/// The most names of a class that is a list.
const SMALL: u32 = 32;

/// A partition of the names. A class is named by one of its members.
#[derive(Debug)]
pub(crate) struct Classes {
    class: IdMap<Name, Name>,
    /// The next name of a small class.
    next: IdMap<Name, PackedOption<Name>>,
    /// The first name of each class, if it is small.
    first: IdMap<Name, Name>,
    len: IdMap<Name, u32>,
    large: BTreeMap<Name, BTreeSet<Name>>,
}

impl Classes {
    /// Each name by itself.
    pub(crate) fn new(num_names: usize) -> Self {
        let mut alone = IdMap::new();
        for index in 0..num_names {
            alone.push(Name::new(index));
        }
        Self {
            class: alone.clone(),
            next: IdMap::filled(num_names, PackedOption::NONE),
            first: alone,
            len: IdMap::filled(num_names, 1),
            large: BTreeMap::new(),
        }
    }

    pub(crate) fn class(&self, name: Name) -> Name {
        self.class[name]
    }

    pub(crate) fn len(&self, class: Name) -> u32 {
        self.len[class]
    }

    /// Replaces the contents of `members` by the names of a class, in order.
    pub(crate) fn list(&self, class: Name, members: &mut Vec<Name>) {
        members.clear();
        match self.large.get(&class) {
            Some(large) => members.extend(large),
            None => members.extend(self.small(class)),
        }
    }

    /// The last name of a class before `name`.
    pub(crate) fn before(&self, class: Name, name: Name) -> Option<Name> {
        match self.large.get(&class) {
            Some(large) => large.range(..name).next_back().copied(),
            None => self.small(class).take_while(|&member| member < name).last(),
        }
    }

    /// The first name of a class that is `name` or comes after it.
    pub(crate) fn from(&self, class: Name, name: Name) -> Option<Name> {
        match self.large.get(&class) {
            Some(large) => large.range(name..).next().copied(),
            None => self.small(class).find(|&member| member >= name),
        }
    }

    /// Makes one class of names that are alone, in ascending order.
    pub(crate) fn join(&mut self, names: &[Name]) {
        let Some(&class) = names.first() else { return };
        names.iter().for_each(|&name| self.class[name] = class);
        self.len[class] = names.len() as u32;
        if self.len[class] > SMALL {
            self.large.insert(class, names.iter().copied().collect());
        } else {
            self.link(class, names.iter().copied());
        }
    }

    /// Adds to the class `into` the names of another one, which are `members`.
    pub(crate) fn merge(&mut self, into: Name, other: Name, members: &[Name]) {
        members.iter().for_each(|&name| self.class[name] = into);
        let len = self.len[into] + self.len[other];
        if len > SMALL {
            let mut large = self.large.remove(&into).unwrap_or_else(|| self.small(into).collect());
            large.extend(members);
            self.large.insert(into, large);
            self.large.remove(&other);
        } else {
            let mut all: Vec<Name> = self.small(into).chain(members.iter().copied()).collect();
            all.sort_unstable();
            self.link(into, all.into_iter());
        }
        self.len[into] = len;
    }

    fn link(&mut self, class: Name, names: impl Iterator<Item = Name>) {
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

    fn small(&self, class: Name) -> impl Iterator<Item = Name> + '_ {
        core::iter::successors(Some(self.first[class]), |&name| self.next[name].expand())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_in_order_whatever_their_size() {
        let num_names = 300_usize;
        let mut classes = Classes::new(num_names);
        let mut parts: Vec<usize> = (0..num_names).collect();
        let mut members = Vec::new();
        for round in 0..2_000_usize {
            let [one, other] = [round * 7_919 % num_names, round * 104_729 % 299].map(Name::new);
            let [into, from] = [one, other].map(|name| classes.class(name));
            if into != from && round % 3 != 0 && classes.len(into) + classes.len(from) < 150 {
                let (into, from) = if classes.len(into) < classes.len(from) { (from, into) } else { (into, from) };
                classes.list(from, &mut members);
                classes.merge(into, from, &members);
                let [kept, gone] = [one, other].map(|name| parts[name.index()]);
                parts.iter_mut().filter(|part| **part == gone).for_each(|part| *part = kept);
            }
            let wanted: Vec<Name> =
                (0..num_names).filter(|&name| parts[name] == parts[one.index()]).map(Name::new).collect();
            let class = classes.class(one);
            classes.list(class, &mut members);
            assert_eq!(members, wanted);
            assert_eq!(classes.len(class) as usize, wanted.len());
            assert_eq!(classes.before(class, other), wanted.iter().rev().copied().find(|&name| name < other));
            assert_eq!(classes.from(class, other), wanted.iter().copied().find(|&name| name >= other));
        }
    }
}
