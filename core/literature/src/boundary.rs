//! Where a walk backwards ends, for the engines that walk over whole graphs of blocks (`scc`, `region`).
//!
//! A block is *open* for a variable if only the sources of its edges know what
//! the variable holds: it has no definition and is sealed with edges, or a hint
//! lets the lookup pass. All other blocks are the boundary, and have a value.

use crate::driven::blocks::Blocks;
use crate::driven::{Driven, Strategy};
use ssaphire_construct::Observer;
use ssaphire_construct::PhiHost;
use ssaphire_construct::Stopped;
use ssaphire_graph::{Block, Value, Variable};

impl Blocks {
    /// Sources of the edges along which a lookup goes on from an open block, in operand order.
    ///
    /// From an unsealed block, which a hint has opened, the one edge that is there.
    pub(crate) fn sources(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        let first = if self.get(block).is_sealed { None } else { self.first_source(block) };
        self.incoming(block).iter().map(|edge| edge.source).chain(first)
    }
}

impl<S: Strategy, O: Observer> Driven<S, O> {
    /// What `variable` holds at the end of `block`, or `None` if the block is open. Counts one step.
    pub(crate) fn boundary(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<Option<Value>, Stopped> {
        self.spend(1)?;
        self.stats.lookup_steps += 1;
        if let Some(value) = self.definition(block, variable) {
            return Ok(Some(self.values.resolve(value)));
        }
        let data = self.blocks.get(block);
        if block == self.entry || (data.is_sealed && data.num_in == 0) {
            return Ok(Some(self.hold_at_root(host, block, variable)?));
        }
        if data.is_sealed || self.blocks.hint_leaves_out(block, variable) {
            return Ok(None);
        }
        Ok(Some(self.make_incomplete_phi(host, block, variable)?))
    }

    /// Stores what was found for an open block.
    pub(crate) fn close(&mut self, block: Block, variable: Variable, value: Value) {
        if !self.blocks.get(block).is_sealed {
            self.note_hinted(block, variable, value);
        }
        self.define(block, variable, value);
    }
}
