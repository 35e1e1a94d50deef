//! Aggressive coalescing by value.
//!
//! In conventional SSA form every phi is isolated by copies ([`Names`]), so that the names it joins can share a
//! location. Coalescing merges classes of names along copies, the most frequent ones first, unless two names interfere:
//! their live ranges intersect, and they are not copies of one value. Copies within a class disappear.
//!
//! | Boissinot et al. 2009 | here |
//! |---|---|
//! | III-A, copies that isolate each phi | `names` |
//! | III-A, live ranges that intersect with different values | [`Coalescing::merge`] |
//! | III-B, copies that the class makes redundant (sharing) | `equal_above` |
//! | IV-A, liveness on demand | `live` |
//! | IV-B, equal intersecting ancestors (`equal_anc_in`, `equal_anc_out`) | `equal_above`, `equal_pairs` |
//!
//! # Complexity
//! A test of two classes compares each name of the smaller class with the nearest name of the larger class above it,
//! and with those names of the larger class below it that are defined where it is live; blocks in which it is dead are
//! skipped. Each step is a search in O(log names). A merge moves the smaller class, so that each name moves O(log
//! names) times. Names of one content that are live at once are compared in pairs, and so are a name and the members of
//! a class that are defined in blocks where it is live but after its last use there. The live range of a name is
//! computed once, when the name is first compared beyond its block. All these searches together are limited to
//! O(names + uses + edges); beyond that, [live sets](crate::live_sets) of all names are computed at once, and finding a
//! member of a large class that is defined where a name is live takes O(log² names).
//!
//! # Departures
//! The paper traverses both classes for each test, which is quadratic for a phi with many operands. Here, each name of
//! the smaller class is compared with its neighbors in the larger one: an ancestor that is live at a definition is live
//! at all definitions between the two, and a name that is not live at a definition is not live below it.

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
    /// By name, the nearest name of its class whose definition dominates its own, that is live there, and has the same
    /// content.
    equal_above: IdMap<Name, PackedOption<Name>>,
    /// Pairs of a name and such a name of the other class, found by the current test.
    equal_pairs: Vec<(Name, Name)>,
    /// By class, the names for which a test of it failed last. They interfere forever, however their classes grow.
    known_interference: IdMap<Name, Option<Interference>>,
    members: Vec<Name>,
    /// Number of comparisons of two names.
    num_comparisons: usize,
}

/// Two names that interfere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interference {
    pub(crate) one: Name,
    pub(crate) other: Name,
}

impl<'f> Coalescing<'f> {
    /// The classes that conventional form requires: the names that a phi joins, and a tied result with the operand that
    /// it overwrites.
    pub(crate) fn new(
        names: &'f Names,
        cfg: &'f FlatCfg,
        dominators: &'f DominatorTree,
        thresholds: Thresholds,
    ) -> Self {
        let mut classes = Classes::new(names.subtree_ends(dominators), thresholds.listed_class);
        for value in (0..names.of_value.len()).map(Id::new) {
            classes.make_class(names.webs.of(value));
        }
        for &(overwritten, result) in &names.tied {
            classes.make_class(&[overwritten, result]);
        }
        Self {
            live: LiveRanges::new(names, cfg, dominators, thresholds),
            equal_above: IdMap::filled(names.definitions.len(), PackedOption::NONE),
            classes,
            equal_pairs: Vec::new(),
            known_interference: IdMap::filled(names.definitions.len(), None),
            members: Vec::new(),
            num_comparisons: 0,
        }
    }

    pub(crate) fn class(&self, name: Name) -> Name {
        self.classes.class(name)
    }

    /// Whether a name of the same class already has the content of `name` where that is defined, so that the copy to it
    /// is redundant.
    pub(crate) fn is_copy_redundant(&self, name: Name) -> bool {
        self.equal_above[name].is_some()
    }

    /// Merges the classes of the two names, unless they interfere.
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
            if let Some(known) =
                self.known_interference[class].filter(|known| self.is_between_classes(*known, one_class, other_class))
            {
                return Err(known);
            }
        }
        let is_smaller = self.classes.len(one_class) < self.classes.len(other_class);
        let (large, small) = if is_smaller { (other_class, one_class) } else { (one_class, other_class) };
        let mut members = core::mem::take(&mut self.members);
        members.clear();
        self.equal_pairs.clear();
        let tested = self.check_members(large, small, &mut members);
        if tested.is_ok() {
            self.classes.merge(large, small, &members);
            for &(name, equal) in &self.equal_pairs {
                let nearest = self.equal_above[name].expand().map_or(equal, |known| known.max(equal));
                self.equal_above[name] = nearest.into();
            }
        }
        if let Err(interference) = tested {
            self.known_interference[large] = Some(interference);
            self.known_interference[small] = Some(interference);
        }
        self.members = members;
        tested
    }

    /// Tests the names of `small`, in order, and lists them. A test that fails often does so at one of the first names.
    fn check_members(&mut self, large: Name, small: Name, members: &mut Vec<Name>) -> Result<(), Interference> {
        let mut next = self.classes.first_from(small, Name::new(0));
        while let Some(name) = next {
            self.check_dominating(large, name)?;
            self.check_dominated(large, name)?;
            members.push(name);
            next = self.classes.next_after(small, name);
        }
        Ok(())
    }

    /// Whether the names that interfere are in these classes.
    fn is_between_classes(&self, known: Interference, one: Name, other: Name) -> bool {
        let classes = (self.class(known.one), self.class(known.other));
        classes == (one, other) || classes == (other, one)
    }

    /// Finds a name of `class` that interferes with `name` at the definition of `name`.
    fn check_dominating(&mut self, class: Name, name: Name) -> Result<(), Interference> {
        let mut nearest = self.classes.nearest_above(class, name);
        while let Some(above) = nearest {
            self.num_comparisons += 1;
            if self.live.intersect(above, name) {
                return self.check_contents(name, above);
            }
            // Any other name of the class that is live at `name` is also live at `above`, and has the same content.
            nearest = self.equal_above[above].expand();
        }
        Ok(())
    }

    /// Finds a name of `class` that interferes with `name` at its own definition.
    fn check_dominated(&mut self, class: Name, name: Name) -> Result<(), Interference> {
        let block = self.live.names.definitions[name].block;
        let end = self.classes.subtree_end(name);
        let mut next = self.classes.first_from(class, name);
        while let Some(below) = next.filter(|&below| below < end) {
            self.num_comparisons += 1;
            let below_block = self.live.names.definitions[below].block;
            if self.live.intersect(name, below) {
                self.check_contents(below, name)?;
                next = self.classes.next_after(class, below);
            } else if below_block == block {
                break;
            } else {
                next = self.next_candidate_below(class, name, below_block);
            }
        }
        Ok(())
    }

    /// The next name of `class` that may interfere with `name` where it is defined: in a block after this one, by
    /// preorder, that uses `name` or at whose end that is live.
    fn next_candidate_below(&mut self, class: Name, name: Name, block: u32) -> Option<Name> {
        let used = self.live.next_use(name, block);
        match self.live.next_live_out(name, block) {
            Ok(live) => {
                let block = used.into_iter().chain(live).min()?;
                self.classes.first_from(class, self.live.first_of_block(block))
            }
            Err(OnlySets) => {
                let used = used.and_then(|block| self.classes.first_from(class, self.live.first_of_block(block)));
                let live = self.classes.first_live(class, self.live.first_of_block(block + 1), name, &mut self.live);
                used.into_iter().chain(live).min()
            }
        }
    }

    fn check_contents(&mut self, below: Name, above: Name) -> Result<(), Interference> {
        let [lower, upper] = [below, above].map(|name| self.live.names.definitions[name].content);
        if lower != upper {
            return Err(Interference { one: above, other: below });
        }
        self.equal_pairs.push((below, above));
        Ok(())
    }
}

#[cfg(test)]
mod tests;
