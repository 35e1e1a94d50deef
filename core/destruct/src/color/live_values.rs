//! Where values are defined and used, and between which blocks they are live.

use crate::DestructForm;
use crate::error::DestructError;
use crate::live_sets::{LiveSets, Local};
use crate::seams::Seams;
use ssaphire_graph::{Block, DominatorTree, IdMap, LoopForest, PackedOption, Value, ValueEvent};

/// The blocks that define values which need a location.
#[derive(Debug)]
pub(super) struct Definitions {
    blocks: IdMap<Value, PackedOption<Block>>,
    /// Whether a value is used in another block than its own, or by a phi.
    leaves: IdMap<Value, bool>,
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
        let mut definitions = Self { blocks, leaves: IdMap::filled(num_values, false) };
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
                        let is_elsewhere = definitions.of_use(value, block, dominators)? != block;
                        definitions.leaves[value] |= is_elsewhere;
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
        let describe = |block: Block, local: &mut Local| {
            let is_here = |value: Value| self.blocks[value] == block.into();
            let number = |value: Value| value.index() as u32;
            for event in function.events(block) {
                match event {
                    ValueEvent::Use(value) if !function.is_constant(value) && !is_here(value) => {
                        local.used.push(number(value));
                    }
                    ValueEvent::Def(value) if self.leaves[value] => local.defined.push(number(value)),
                    _ => {}
                }
            }
            local.defined.extend(function.phis(block).filter(|&phi| self.leaves[phi]).map(number));
            if block == function.entry() {
                local.defined.extend(function.globals().filter(|&value| self.leaves[value]).map(number));
            }
            for edge in seams.cfg.outgoing(block) {
                let operands = seams.arguments(edge).iter().map(|argument| argument.operand);
                local.at_end.extend(operands.filter(|&operand| !function.is_constant(operand)).map(number));
            }
        };
        LiveSets::new(function.num_values(), &seams.cfg, dominators, loops, describe)
    }
}
