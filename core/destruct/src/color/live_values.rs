//! Where values are defined and used, and between which blocks they are live.

use crate::DestructForm;
use crate::error::DestructError;
use crate::live_sets::{LiveSets, Local};
use crate::seams::Seams;
use alloc::vec::Vec;
use ssaphire_graph::{Block, DominatorTree, IdLists, IdMap, LoopForest, PackedOption, Value, ValueEvent};

/// The blocks that define values which need a location.
#[derive(Debug)]
pub(super) struct Definitions {
    blocks: IdMap<Value, PackedOption<Block>>,
    /// Whether a value is used in another block than its own, or by a phi.
    leaves: IdMap<Value, bool>,
    /// Uses of what other blocks define.
    uses: Vec<(Block, u32)>,
}

impl Definitions {
    /// # Errors
    /// If a use is not dominated by a definition.
    pub(super) fn new(
        function: &impl DestructForm,
        seams: &Seams,
        dominators: &DominatorTree,
    ) -> Result<Self, DestructError> {
        let num_values = function.num_values();
        let blocks = IdMap::filled(num_values, PackedOption::NONE);
        let mut definitions = Self { blocks, leaves: IdMap::filled(num_values, false), uses: Vec::new() };
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
                            definitions.leaves[value] = true;
                            definitions.uses.push((block, number(value)));
                        }
                    }
                }
            }
            for edge in seams.cfg.outgoing(block) {
                let operands = seams.arguments(edge).iter().map(|argument| argument.operand);
                for operand in operands.filter(|&operand| !function.is_constant(operand)) {
                    definitions.of_use(operand, block, dominators)?;
                    definitions.leaves[operand] = true;
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

    /// What is live at the top and at the end of each block.
    pub(super) fn live_sets(
        &self,
        function: &impl DestructForm,
        seams: &Seams,
        dominators: &DominatorTree,
        loops: &LoopForest,
    ) -> LiveSets {
        let mut used = IdLists::new();
        used.rebuild(seams.cfg.num_blocks(), self.uses.iter().copied());
        let all = self.blocks.iter().filter(|&(value, _)| self.leaves[value]);
        let mut defined = IdLists::new();
        defined.rebuild(
            seams.cfg.num_blocks(),
            all.filter_map(|(value, block)| block.expand().map(|block| (block, number(value)))),
        );
        let describe = |block: Block, local: &mut Local| {
            local.used.extend_from_slice(used.of(block));
            local.defined.extend_from_slice(defined.of(block));
            for edge in seams.cfg.outgoing(block) {
                let operands = seams.arguments(edge).iter().map(|argument| argument.operand);
                local.at_end.extend(operands.filter(|&operand| !function.is_constant(operand)).map(number));
            }
        };
        LiveSets::new(function.num_values(), &seams.cfg, dominators, loops, describe)
    }
}

fn number(value: Value) -> u32 {
    value.index() as u32
}
