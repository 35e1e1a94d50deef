//! What variables hold in a finished function: for debug information.

use super::Builder;
use crate::at_ends::{AtEnd, values_at_ends};
use crate::error::Stopped;
use crate::observe::Observer;
use ssaphire_graph::{Block, IdMap, Value, Variable};

impl<O: Observer> Builder<O> {
    /// Returns, for each block, the value that `variable` has at its end on every path, if the result contains one. Use
    /// it to emit debug information.
    ///
    /// Returns `None` if [`finish`](Self::finish) has not been called yet.
    ///
    /// A variable that is dead at the end of a block may hold no value there: its phi would be unused, so `finish` has
    /// dropped it, or no read has asked for one. Unreachable blocks hold none. The map has the blocks up to the last one
    /// that a call named.
    ///
    /// # Complexity
    /// O(*n* + *e*) for *n* blocks and *e* edges; O(*n* log *n* + *e*) where rows were given up.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, ValueCounter, Variable};
    /// let (mut host, mut ssa) = (ValueCounter::default(), Builder::new());
    /// let ([top, then, join], x) = ([0, 1, 2].map(Block::new), Variable::new(0));
    /// let (first, second) = (host.fresh(), host.fresh());
    /// ssa.write_variable(top, x, first);
    /// ssa.terminate(top, &[then, join]);
    /// ssa.seal_block(&mut host, then);
    /// ssa.write_variable(then, x, second);
    /// ssa.terminate(then, &[join]);
    /// ssa.seal_block(&mut host, join);
    /// ssa.terminate(join, &[]);
    /// assert!(ssa.values_at_ends(x).is_none()); // Not finished yet.
    /// ssa.finish(&mut host)?;
    /// let held = ssa.values_at_ends(x).unwrap();
    /// assert_eq!([held[top], held[then]], [Some(first), Some(second)]);
    /// assert_eq!(held[join], None); // Nothing reads it there, so there is no phi.
    /// # Ok::<(), ssaphire::CallError>(())
    /// ```
    pub fn values_at_ends(&self, variable: Variable) -> Option<IdMap<Block, Option<Value>>> {
        if self.stopped != Some(Stopped::Finished) {
            return None;
        }
        let result = self.result();
        let mut left = IdMap::filled(self.blocks.num_ids(), AtEnd::AsAtTop);
        for (block, data) in self.blocks.iter() {
            let Some(node) = data.own.node.expand() else { continue };
            // If none is stored, nothing was written since the top. If the row is the dominator's, nothing was written
            // since the end of that.
            if let Some(value) = self.defs.held_at(node, variable) {
                let value = result.resolve(value);
                let is_dropped = self.values.phi(value).is_some_and(|phi| !self.finish.is_kept(phi));
                left[block] = if is_dropped { AtEnd::Nothing } else { AtEnd::Value(value) };
            }
        }
        let on_entry = self.on_entry.initial(variable).or(self.on_entry.undefined(variable));
        let on_entry = on_entry.map(|value| result.resolve(value));
        let blocks = &self.blocks;
        let targets = |block| blocks.outgoing(block).map(|edge| blocks.edge(edge).target);
        Some(values_at_ends(blocks.entry(), on_entry, &left, targets))
    }
}
