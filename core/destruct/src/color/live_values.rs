//! Where values are defined and used, and between which blocks they are live.
//!
//! Most values live in few blocks, and each is followed backward from its uses, as in
//! [`Liveness`](ssaphire_graph::Liveness). As many edges are followed as suit a function of that size; where values live longer,
//! [live sets](crate::live_sets) of all are found at once.

use crate::DestructForm;
use crate::Thresholds;
use crate::error::DestructError;
use crate::live_sets::{LiveSets, Local};
use crate::seams::Seams;
use alloc::vec::Vec;
use ssaphire_graph::{Block, DominatorTree, IdLists, IdMap, LoopForest, PackedOption, Value, ValueEvent};

/// The blocks that define and use values which need a location.
#[derive(Debug)]
pub(super) struct Definitions {
    blocks: IdMap<Value, PackedOption<Block>>,
    /// Uses of what other blocks define.
    uses: Vec<(Value, Block)>,
    /// Uses at the end of blocks, by phis.
    at_end: Vec<(Value, Block)>,
}

impl Definitions {
    /// # Errors
    /// If a use is not dominated by a definition.
    pub(super) fn new(
        function: &impl DestructForm,
        seams: &Seams,
        dominators: &DominatorTree,
    ) -> Result<Self, DestructError> {
        let blocks = IdMap::filled(function.num_values(), PackedOption::NONE);
        let mut definitions = Self { blocks, uses: Vec::new(), at_end: Vec::new() };
        // What dominates a use has been walked through before.
        for &block in dominators.preorder() {
            if block == function.entry() {
                function.globals().for_each(|value| definitions.define(function, value, block));
            }
            function.phis(block).for_each(|phi| definitions.define(function, phi, block));
            for event in function.events(block) {
                match event {
                    ValueEvent::Def(value) => definitions.define(function, value, block),
                    ValueEvent::Use(value) if function.is_constant(value) => {}
                    ValueEvent::Use(value) => {
                        if definitions.of_use(value, block, dominators)? != block {
                            definitions.uses.push((value, block));
                        }
                    }
                }
            }
            for edge in seams.cfg.outgoing(block) {
                let operands = seams.arguments(edge).iter().map(|argument| argument.operand);
                for operand in operands.filter(|&operand| !function.is_constant(operand)) {
                    definitions.of_use(operand, block, dominators)?;
                    definitions.at_end.push((operand, block));
                }
            }
        }
        Ok(definitions)
    }

    fn define(&mut self, function: &impl DestructForm, value: Value, block: Block) {
        if !function.is_constant(value) {
            self.blocks[value] = block.into();
        }
    }

    /// The block that defines `value`, which is used in `block`.
    fn of_use(&self, value: Value, block: Block, dominators: &DominatorTree) -> Result<Block, DestructError> {
        let defined = self.blocks[value].expand().filter(|&defined| dominators.dominates(defined, block));
        defined.ok_or(DestructError::NotDefined { value, block })
    }

    /// The values that are defined somewhere.
    pub(super) fn values(&self) -> impl Iterator<Item = Value> {
        self.blocks.iter().filter(|(_, block)| block.is_some()).map(|(value, _)| value)
    }

    /// The live-in and live-out sets of each block.
    pub(super) fn live(&self, seams: &Seams, dominators: &DominatorTree, thresholds: Thresholds) -> Live {
        let size = self.blocks.len() + self.uses.len() + self.at_end.len() + seams.cfg.num_edges();
        let none = || IdMap::filled(seams.cfg.num_blocks(), PackedOption::NONE);
        let search = Search {
            definitions: self,
            seams,
            dominators,
            tops: Vec::new(),
            ends: Vec::new(),
            at_top: none(),
            at_end: none(),
            work: Vec::new(),
            num_left: size.saturating_mul(thresholds.live_range_edges as usize),
        };
        search.explore_all().unwrap_or_else(|| Live::Sets(self.live_sets(seams, dominators)))
    }

    fn live_sets(&self, seams: &Seams, dominators: &DominatorTree) -> LiveSets {
        let num_blocks = seams.cfg.num_blocks();
        let by_block = |pairs: &[(Value, Block)]| {
            let mut lists = IdLists::new();
            lists.rebuild(num_blocks, pairs.iter().map(|&(value, block)| (block, number(value))));
            lists
        };
        let [used, at_end] = [&self.uses, &self.at_end].map(|pairs| by_block(pairs));
        let mut leaves = IdMap::filled(self.blocks.len(), false);
        self.uses.iter().chain(&self.at_end).for_each(|&(value, _)| leaves[value] = true);
        let leaving = self.blocks.iter().filter(|&(value, _)| leaves[value]);
        let mut defined = IdLists::new();
        defined.rebuild(
            num_blocks,
            leaving.filter_map(|(value, block)| block.expand().map(|block| (block, number(value)))),
        );
        let describe = |block: Block, local: &mut Local| {
            local.used.extend_from_slice(used.of(block));
            local.defined.extend_from_slice(defined.of(block));
            local.at_end.extend_from_slice(at_end.of(block));
        };
        let loops = LoopForest::new(&seams.cfg, dominators);
        LiveSets::new(self.blocks.len(), &seams.cfg, dominators, &loops, describe)
    }
}

/// The live-in set of each block, without its phis, and its live-out set, with the phi operands of its outgoing edges.
#[derive(Debug)]
pub(super) enum Live {
    /// By block, ascending.
    Lists {
        at_top: IdLists<Block, u32>,
        at_end: IdLists<Block, u32>,
    },
    Sets(LiveSets),
}

impl Live {
    pub(super) fn is_at_top(&self, block: Block, value: Value) -> bool {
        match self {
            Self::Lists { at_top, .. } => at_top.of(block).binary_search(&number(value)).is_ok(),
            Self::Sets(sets) => sets.is_at_top(block, value.index()),
        }
    }

    pub(super) fn is_at_end(&self, block: Block, value: Value) -> bool {
        match self {
            Self::Lists { at_end, .. } => at_end.of(block).binary_search(&number(value)).is_ok(),
            Self::Sets(sets) => sets.is_at_end(block, value.index()),
        }
    }

    /// Lists what is live at the end of the immediate dominator of a block and not at its top, or what is live there; whether it is
    /// the former. The one that is shorter, or at most twice as long.
    pub(super) fn list_changes(&mut self, idom: Block, block: Block, into: &mut Vec<u32>) -> bool {
        match self {
            Self::Sets(live) => {
                let [above, here] = [live.at_end(idom), live.at_top(block)];
                live.sets_mut().list_changes(above, here, into)
            }
            Self::Lists { at_top, at_end } => {
                let [above, here] = [at_end.of(idom), at_top.of(block)];
                into.clear();
                // One that dominates many blocks is not gone through for each.
                let are_dead = above.len() <= 2 * here.len();
                if are_dead {
                    let mut left = here.iter().peekable();
                    into.extend(above.iter().filter(|&value| left.next_if_eq(&value).is_none()));
                } else {
                    into.extend_from_slice(here);
                }
                are_dead
            }
        }
    }
}

/// A search for the blocks in which values are live, value by value.
struct Search<'f> {
    definitions: &'f Definitions,
    seams: &'f Seams,
    dominators: &'f DominatorTree,
    /// The blocks at whose top and at whose end values are live.
    tops: Vec<(Block, u32)>,
    ends: Vec<(Block, u32)>,
    /// The value that was found live last, at the top and at the end of a block.
    at_top: IdMap<Block, PackedOption<Value>>,
    at_end: IdMap<Block, PackedOption<Value>>,
    work: Vec<Block>,
    /// How many edges may still be followed.
    num_left: usize,
}

impl Search<'_> {
    /// Lists by block, unless there are more edges to follow than may be.
    fn explore_all(mut self) -> Option<Live> {
        let num_values = self.definitions.blocks.len();
        let [mut uses, mut ends] = [(); 2].map(|()| IdLists::new());
        uses.rebuild(num_values, self.definitions.uses.iter().copied());
        ends.rebuild(num_values, self.definitions.at_end.iter().copied());
        for value in (0..num_values).map(Value::new) {
            uses.of(value).iter().for_each(|&block| self.reach_top(value, block));
            ends.of(value).iter().for_each(|&block| self.reach_end(value, block));
            while let Some(block) = self.work.pop() {
                let edges = self.seams.cfg.incoming(block);
                self.num_left = self.num_left.checked_sub(edges.len())?;
                for source in edges.iter().map(|&edge| self.seams.cfg.source(edge)) {
                    if self.dominators.is_reachable(source) {
                        self.reach_end(value, source);
                    }
                }
            }
        }
        let [mut at_top, mut at_end] = [(); 2].map(|()| IdLists::new());
        at_top.rebuild(self.seams.cfg.num_blocks(), self.tops.iter().copied());
        at_end.rebuild(self.seams.cfg.num_blocks(), self.ends.iter().copied());
        Some(Live::Lists { at_top, at_end })
    }

    fn reach_top(&mut self, value: Value, block: Block) {
        if self.at_top[block].replace(value) != value.into() {
            self.tops.push((block, number(value)));
            self.work.push(block);
        }
    }

    fn reach_end(&mut self, value: Value, block: Block) {
        if self.at_end[block].replace(value) != value.into() {
            self.ends.push((block, number(value)));
            if self.definitions.blocks[value] != block.into() {
                self.reach_top(value, block);
            }
        }
    }
}

fn number(value: Value) -> u32 {
    value.index() as u32
}
