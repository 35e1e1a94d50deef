//! Aggressive coalescing by value.
//!
//! In the conventional form every phi is isolated by copies ([`Names`]), so
//! that the names it joins can have one location. Classes of names that have a
//! location grow along the copies, the most frequent ones first, as long as no two
//! names interfere: names do if their live ranges intersect and they do not hold copies of one value.
//! Copies within a class vanish.
//!
//! | Boissinot et al. 2009 | here |
//! |---|---|
//! | III-A, copies that isolate each phi | `names` |
//! | III-A, live ranges that intersect with different values | [`Coalescing::merge`] |
//! | III-B, copies that the class makes redundant (sharing) | `equal_above` |
//! | IV-A, liveness on demand | `live` |
//! | IV-B, equal intersecting ancestors (`equal_anc_in`, `equal_anc_out`) | `equal_above`, `found` |
//!
//! # Complexity
//! A test of two classes compares each name of the smaller class with the nearest name of the larger class above it, and with
//! those names of the larger class below it that are defined where it is live; blocks in which it is dead are skipped.
//! Each step is a search in O(log names). A merge moves the smaller class, so that each name moves O(log names) times.
//! Names of one content that are live at once are compared in pairs, and so are a name and the members of a class that are
//! defined in blocks where it is live but after its last use there.
//! The live range of a name is searched for once, when the name is first compared beyond its block. All searches together are
//! limited to O(names + uses + edges); where that is not enough, [live sets](crate::live_sets) of all names are found at once, and the members
//! of a large class that are defined where a name is live, in O(log² names) for each.
//!
//! # Departures
//! The paper walks through both classes for each test, which is quadratic for a
//! phi with many operands. Here the names next to each name of the smaller class are looked up, since
//! an ancestor that is live at a definition is live at all definitions between the two, and a name that is
//! not live at a definition is not live below it.

use crate::Thresholds;
use crate::classes::Classes;
use crate::live::{LiveRanges, OnlySets};
use crate::names::{Name, Names};
use alloc::vec::Vec;
use ssaphire_graph::{DominatorTree, FlatCfg, Id, IdMap, PackedOption};

/// Classes of names, each without interference.
#[derive(Debug)]
pub(crate) struct Coalescing<'f> {
    live: LiveRanges<'f>,
    classes: Classes,
    /// The nearest name of its class whose definition dominates that of a name, that is live there, and holds the same.
    equal_above: IdMap<Name, PackedOption<Name>>,
    /// Names with such a name of the other class, found by the test at hand.
    found: Vec<(Name, Name)>,
    /// By class, the names for which a test of it failed last: they interfere for good, whatever their classes grow to.
    failed: IdMap<Name, Option<Interference>>,
    members: Vec<Name>,
    /// How often two names have been compared.
    num_comparisons: usize,
}

/// Two names that interfere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interference {
    pub(crate) one: Name,
    pub(crate) other: Name,
}

impl<'f> Coalescing<'f> {
    /// The classes that the conventional form asks for: what a phi joins, and a result with what is overwritten for it.
    pub(crate) fn new(
        names: &'f Names,
        cfg: &'f FlatCfg,
        dominators: &'f DominatorTree,
        thresholds: Thresholds,
    ) -> Self {
        let mut classes = Classes::new(names.ends(dominators), thresholds.listed_class);
        for value in (0..names.of_value.len()).map(Id::new) {
            classes.join(names.webs.of(value));
        }
        for &(overwritten, result) in &names.tied {
            classes.join(&[overwritten, result]);
        }
        Self {
            live: LiveRanges::new(names, cfg, dominators, thresholds),
            equal_above: IdMap::filled(names.definitions.len(), PackedOption::NONE),
            classes,
            found: Vec::new(),
            failed: IdMap::filled(names.definitions.len(), None),
            members: Vec::new(),
            num_comparisons: 0,
        }
    }

    pub(crate) fn class(&self, name: Name) -> Name {
        self.classes.class(name)
    }

    /// Whether a name of the same class holds what `name` is to hold when that is defined.
    pub(crate) fn is_there_already(&self, name: Name) -> bool {
        self.equal_above[name].is_some()
    }

    /// Makes one class of those of the two names, unless they interfere.
    pub(crate) fn merge(&mut self, one: Name, other: Name) -> Result<(), Interference> {
        let [one_class, other_class] = [one, other].map(|name| self.class(name));
        if one_class == other_class {
            return Ok(());
        }
        let definitions = &self.live.names.definitions;
        if definitions[one].class != definitions[other].class {
            return Err(Interference { one, other });
        }
        for class in [one_class, other_class] {
            if let Some(known) = self.failed[class].filter(|known| self.is_between(*known, one_class, other_class)) {
                return Err(known);
            }
        }
        let is_smaller = self.classes.len(one_class) < self.classes.len(other_class);
        let (large, small) = if is_smaller { (other_class, one_class) } else { (one_class, other_class) };
        let mut members = core::mem::take(&mut self.members);
        members.clear();
        self.found.clear();
        let tested = self.test_members(large, small, &mut members);
        if tested.is_ok() {
            self.classes.merge(large, small, &members);
            for &(name, equal) in &self.found {
                let nearest = self.equal_above[name].expand().map_or(equal, |known| known.max(equal));
                self.equal_above[name] = nearest.into();
            }
        }
        if let Err(interference) = tested {
            self.failed[large] = Some(interference);
            self.failed[small] = Some(interference);
        }
        self.members = members;
        tested
    }

    /// Tests the names of `small`, in order, and lists them: an attempt that fails often does so at one of the first.
    fn test_members(&mut self, large: Name, small: Name, members: &mut Vec<Name>) -> Result<(), Interference> {
        let mut next = self.classes.from(small, Name::new(0));
        while let Some(name) = next {
            self.test_above(large, name)?;
            self.test_below(large, name)?;
            members.push(name);
            next = self.classes.after(small, name);
        }
        Ok(())
    }

    /// Whether the names that interfere are in these classes.
    fn is_between(&self, known: Interference, one: Name, other: Name) -> bool {
        let classes = (self.class(known.one), self.class(known.other));
        classes == (one, other) || classes == (other, one)
    }

    /// Looks for a name of `class` that interferes with `name` where that is defined.
    fn test_above(&mut self, class: Name, name: Name) -> Result<(), Interference> {
        let mut nearest = self.classes.nearest_above(class, name);
        while let Some(above) = nearest {
            self.num_comparisons += 1;
            if self.live.intersect(above, name) {
                return self.test_contents(name, above);
            }
            // What else of its class is live at `name` is live at `above`, too, and holds the same.
            nearest = self.equal_above[above].expand();
        }
        Ok(())
    }

    /// Looks for names of `class` that interfere with `name` where they are defined.
    fn test_below(&mut self, class: Name, name: Name) -> Result<(), Interference> {
        let block = self.live.names.definitions[name].block;
        let end = self.classes.end(name);
        let mut next = self.classes.from(class, name);
        while let Some(below) = next.filter(|&below| below < end) {
            self.num_comparisons += 1;
            let below_block = self.live.names.definitions[below].block;
            if self.live.intersect(name, below) {
                self.test_contents(below, name)?;
                next = self.classes.after(class, below);
            } else if below_block == block {
                break;
            } else {
                next = self.next_below(class, name, below_block);
            }
        }
        Ok(())
    }

    /// The next name of `class` that may interfere with `name` where it is defined: in a block after this one, by preorder, that uses
    /// `name` or at whose end that is live.
    fn next_below(&mut self, class: Name, name: Name, block: u32) -> Option<Name> {
        let used = self.live.next_use(name, block);
        match self.live.next_live_out(name, block) {
            Ok(live) => {
                let block = used.into_iter().chain(live).min()?;
                self.classes.from(class, self.live.first_of_block(block))
            }
            Err(OnlySets) => {
                let used = used.and_then(|block| self.classes.from(class, self.live.first_of_block(block)));
                let live = self.classes.first_live(class, self.live.first_of_block(block + 1), name, &mut self.live);
                used.into_iter().chain(live).min()
            }
        }
    }

    fn test_contents(&mut self, below: Name, above: Name) -> Result<(), Interference> {
        let [lower, upper] = [below, above].map(|name| self.live.names.definitions[name].content);
        if lower != upper {
            return Err(Interference { one: above, other: below });
        }
        self.found.push((below, above));
        Ok(())
    }
}

#[cfg(test)]
mod tests;
