//! Where a walk backwards ends, for the engines that walk over whole graphs of blocks (`scc`, `region`).
//!
//! A block is *open* for a variable if only the sources of its edges know what
//! the variable holds: it has no definition and is sealed with edges. All other blocks are the boundary, and have a
//! value.

use crate::driven::{Driven, Strategy};
use ssaphire_construct::Observer;
use ssaphire_construct::PhiHost;
use ssaphire_construct::Stopped;
use ssaphire_graph::{Block, Value, Variable};

impl<S: Strategy, O: Observer> Driven<S, O> {
    /// The value of `variable` at the end of `block`, or `None` if the block is open. Counts one step.
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
        if block == self.blocks.entry() || (data.is_sealed() && data.num_in == 0) {
            return Ok(Some(self.define_at_root(host, block, variable)?));
        }
        if data.is_sealed() {
            return Ok(None);
        }
        Ok(Some(self.make_incomplete_phi(host, block, variable)?))
    }
}
