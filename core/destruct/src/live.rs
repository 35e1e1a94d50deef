//! Live ranges of names, found when they are asked for.
//!
//! Where two definitions dominate one another, the live ranges intersect if the upper name is
//! live behind the definition of the lower one (Budimlić et al. 2002, lemma 1). Most
//! names take part in no copy, and are never asked about: so the blocks at whose end a name is live
//! are searched for name by name, backward from its uses.

use crate::names::{Name, Names};
use alloc::vec::Vec;
use core::ops::Range;
use ssaphire_graph::{Block, DominatorTree, FlatCfg, Id, IdMap, PackedOption};

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
}

impl<'f> LiveRanges<'f> {
    pub(crate) fn new(names: &'f Names, cfg: &'f FlatCfg, dominators: &'f DominatorTree) -> Self {
        let none = || IdMap::filled(cfg.num_blocks(), PackedOption::NONE);
        let found = IdMap::filled(names.definitions.len(), None);
        Self { names, dominators, cfg, found, blocks: Vec::new(), at_top: none(), at_end: none(), work: Vec::new() }
    }

    /// Whether both names have content at one point. Needs: the definition of `above` dominates that of `below`, or both
    /// happen at once.
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
        let range = self.live_out(name);
        self.blocks[range].binary_search(&block).is_ok()
    }

    /// The first block after this one, by preorder, that uses `name` or at whose end it is live.
    pub(crate) fn next_block(&mut self, name: Name, block: u32) -> Option<u32> {
        let range = self.live_out(name);
        let live = &self.blocks[range];
        let live = live.get(live.partition_point(|&other| other <= block)).copied();
        let uses = self.names.uses.of(name);
        let used = uses.get(uses.partition_point(|&(other, _)| other <= block)).map(|&(block, _)| block);
        live.into_iter().chain(used).min()
    }

    /// The blocks at whose end `name` is live.
    fn live_out(&mut self, name: Name) -> Range<usize> {
        let (start, end) = match self.found[name] {
            Some(found) => found,
            None => self.explore(name),
        };
        start..end
    }

    fn explore(&mut self, name: Name) -> (usize, usize) {
        let start = self.blocks.len();
        let defined = self.names.definitions[name].block;
        for &(block, _) in self.names.uses.of(name) {
            if block != defined {
                self.reach_top(name, self.dominators.preorder()[block as usize]);
            }
        }
        while let Some(block) = self.work.pop() {
            for &edge in self.cfg.incoming(block) {
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
        found
    }

    fn reach_top(&mut self, name: Name, block: Block) {
        if self.at_top[block].replace(name) != name.into() {
            self.work.push(block);
        }
    }

    pub(crate) fn first_of_block(&self, block: u32) -> Name {
        Name::new(self.names.first_of_block[block as usize] as usize)
    }
}
