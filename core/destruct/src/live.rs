//! Live ranges of names, found when they are asked for.
//!
//! Where two definitions dominate one another, the live ranges intersect if the upper name is
//! live after the definition of the lower one (Budimlić et al. 2002, lemma 1). Most
//! names take part in no copy, and are never asked about: so the blocks at whose end a name is live
//! are searched for name by name, backward from its uses.
//!
//! Where names that are asked about live long, that takes the square of the function's size. So the search is limited:
//! by as many steps as suit a function of that size. From then on, questions are answered by [live
//! sets](crate::live_sets) of all names.

use crate::Thresholds;
use crate::live_sets::{LiveSets, Local};
use crate::names::{Name, Names};
use crate::sets::Set;
use alloc::vec::Vec;
use core::ops::Range;
use ssaphire_graph::{Block, DominatorTree, FlatCfg, Id, IdLists, IdMap, LoopForest, PackedOption};

/// The blocks of a name are not listed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OnlySets;

/// Where names are live.
#[derive(Debug)]
pub(crate) struct LiveRanges<'f> {
    pub(crate) names: &'f Names,
    pub(crate) dominators: &'f DominatorTree,
    cfg: &'f FlatCfg,
    /// Which of `blocks` are those of a name; none as long as nobody has asked.
    found: IdMap<Name, Option<(usize, usize)>>,
    /// Blocks at whose end a name is live, by preorder of the dominator tree, ascending.
    blocks: Vec<u32>,
    /// The name that was found live last, at the top and at the end of a block.
    at_top: IdMap<Block, PackedOption<Name>>,
    at_end: IdMap<Block, PackedOption<Name>>,
    work: Vec<Block>,
    /// How many edges may still be followed.
    num_left: usize,
    /// The live sets of all names, once the budget of edges to follow is exhausted.
    pub(crate) sets: Option<LiveSets>,
}

impl<'f> LiveRanges<'f> {
    pub(crate) fn new(
        names: &'f Names,
        cfg: &'f FlatCfg,
        dominators: &'f DominatorTree,
        thresholds: Thresholds,
    ) -> Self {
        let none = || IdMap::filled(cfg.num_blocks(), PackedOption::NONE);
        let size = names.definitions.len() + names.uses.members().len() + cfg.num_edges();
        Self {
            names,
            dominators,
            cfg,
            found: IdMap::filled(names.definitions.len(), None),
            blocks: Vec::new(),
            at_top: none(),
            at_end: none(),
            work: Vec::new(),
            num_left: size.saturating_mul(thresholds.live_range_edges as usize),
            sets: None,
        }
    }

    /// Whether both names have content at one point. Needs: the definition of `above` dominates that of `below`, or
    /// both happen at once.
    pub(crate) fn intersect(&mut self, above: Name, below: Name) -> bool {
        let [upper, lower] = [above, below].map(|name| self.names.definitions[name]);
        if (upper.block, upper.position) == (lower.block, lower.position) {
            // All that is written at once has to go somewhere.
            return true;
        }
        let uses = self.names.uses.of(above);
        let num_up_to_block = uses.partition_point(|&(block, _)| block <= lower.block);
        let last = uses[..num_up_to_block].last();
        last.is_some_and(|&(block, position)| block == lower.block && position > lower.position)
            || self.is_live_out(above, lower.block)
    }

    fn is_live_out(&mut self, name: Name, block: u32) -> bool {
        match self.live_out(name) {
            Some(range) => self.blocks[range].binary_search(&block).is_ok(),
            None => self.is_in(self.at_end(block), name),
        }
    }

    /// The first block after this one, by preorder, that uses `name`.
    pub(crate) fn next_use(&self, name: Name, block: u32) -> Option<u32> {
        let uses = self.names.uses.of(name);
        uses.get(uses.partition_point(|&(other, _)| other <= block)).map(|&(block, _)| block)
    }

    /// The first block after this one, by preorder, at whose end `name` is live; or an error if that is in sets only.
    pub(crate) fn next_live_out(&mut self, name: Name, block: u32) -> Result<Option<u32>, OnlySets> {
        let range = self.live_out(name).ok_or(OnlySets)?;
        let live = &self.blocks[range];
        Ok(live.get(live.partition_point(|&other| other <= block)).copied())
    }

    /// The blocks at whose end `name` is live, if they are found.
    fn live_out(&mut self, name: Name) -> Option<Range<usize>> {
        let found = match self.found[name] {
            None if self.sets.is_none() => self.explore(name),
            found => found,
        };
        found.map(|(start, end)| start..end)
    }

    fn explore(&mut self, name: Name) -> Option<(usize, usize)> {
        let start = self.blocks.len();
        let defined = self.names.definitions[name].block;
        for &(block, _) in self.names.uses.of(name) {
            if block != defined {
                self.reach_top(name, self.dominators.preorder()[block as usize]);
            }
        }
        while let Some(block) = self.work.pop() {
            let edges = self.cfg.incoming(block);
            let Some(num_left) = self.num_left.checked_sub(edges.len()) else {
                self.work.clear();
                self.blocks.truncate(start);
                self.sets = Some(self.live_sets());
                return None;
            };
            self.num_left = num_left;
            for &edge in edges {
                let source = self.cfg.source(edge);
                let Some(index) = self.dominators.preorder_index(source) else { continue };
                if self.at_end[source].replace(name) != name.into() {
                    self.blocks.push(index as u32);
                    if index as u32 != defined {
                        self.reach_top(name, source);
                    }
                }
            }
        }
        self.blocks[start..].sort_unstable();
        let found = (start, self.blocks.len());
        self.found[name] = Some(found);
        Some(found)
    }

    fn reach_top(&mut self, name: Name, block: Block) {
        if self.at_top[block].replace(name) != name.into() {
            self.work.push(block);
        }
    }

    /// The live-out set of each block, for all names at once.
    fn live_sets(&self) -> LiveSets {
        let names = self.names;
        let is_elsewhere = |name: Name, block: u32| names.definitions[name].block != block;
        let all = || (0..names.definitions.len()).map(Name::new);
        let preorder = |block: Block| self.dominators.preorder_index(block).unwrap_or(0);
        let used = all().flat_map(|name| {
            let elsewhere = names.uses.of(name).iter().filter(move |&&(block, _)| is_elsewhere(name, block));
            elsewhere.map(move |&(block, _)| (self.dominators.preorder()[block as usize], name.index() as u32))
        });
        let mut used_in = IdLists::new();
        used_in.rebuild(self.cfg.num_blocks(), used);
        let leaves = |name: Name| names.uses.of(name).iter().any(|&(block, _)| is_elsewhere(name, block));
        let describe = |block: Block, local: &mut Local| {
            local.used.extend_from_slice(used_in.of(block));
            let [first, end] = [0, 1].map(|next| names.first_of_block[preorder(block) + next]);
            local.defined.extend((first..end).filter(|&name| leaves(Name::new(name as usize))));
        };
        let loops = LoopForest::new(self.cfg, self.dominators);
        LiveSets::new(names.definitions.len(), self.cfg, self.dominators, &loops, describe)
    }

    fn at_end(&self, block: u32) -> Set {
        let block = self.dominators.preorder()[block as usize];
        self.sets.as_ref().map_or(Set::EMPTY, |sets| sets.at_end(block))
    }

    /// The live-out set of the block that defines `name`. Needs: live sets.
    pub(crate) fn at_end_of(&self, name: Name) -> Set {
        self.at_end(self.names.definitions[name].block)
    }

    pub(crate) fn is_in(&self, set: Set, name: Name) -> bool {
        self.sets.as_ref().is_some_and(|live| live.sets().contains(set, name.index()))
    }

    pub(crate) fn union(&mut self, one: Set, other: Set) -> Set {
        self.sets.as_mut().map_or(Set::EMPTY, |live| live.sets_mut().union(one, other))
    }

    pub(crate) fn first_of_block(&self, block: u32) -> Name {
        Name::new(self.names.first_of_block[block as usize] as usize)
    }
}
