//! The phis that were created, by block.

use crate::values::PhiId;
use alloc::vec::Vec;
use ssaphire_graph::{Block, IdMap, PackedOption, Value, Variable};

/// The state of a phi.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Its block is open, or its operands are being looked up.
    Incomplete,
    /// Its block is sealed, and it is equal to its variable at the top of an open block above.
    Deferred,
    /// It has its operands.
    Complete,
    /// It is forwarded to another value.
    Dead,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Phi {
    pub(super) value: Value,
    pub(super) block: Block,
    pub(super) variable: Variable,
    /// The position of its first operand, once it has operands: one for each incoming edge.
    pub(super) first_operand: u32,
    /// The phi of the same block that was made before it.
    pub(super) before: PackedOption<PhiId>,
    pub(super) state: State,
    /// Whether a read has returned it.
    pub(super) is_returned: bool,
}

/// The phis, in order of creation.
#[derive(Clone, Debug, Default)]
pub(super) struct Phis {
    pub(super) table: IdMap<PhiId, Phi>,
    /// The operands of all phis. Beyond those, room for more.
    pub(super) operands: Vec<Value>,
    pub(super) num_operands: usize,
}

impl Phis {
    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.num_operands = 0;
    }

    /// Room for the operands of another phi. They count once [`num_operands`](Self::num_operands) says so.
    #[inline]
    pub(super) fn room(&mut self, num_operands: usize) -> &mut [Value] {
        if self.num_operands + num_operands > self.operands.len() {
            self.grow(num_operands);
        }
        &mut self.operands[self.num_operands..][..num_operands]
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, num_operands: usize) {
        let len = self.num_operands + num_operands;
        let len = len + len / 2;
        self.operands.reserve_exact(len - self.operands.len());
        self.operands.resize(len, Value::new(0));
    }

    /// The phis of a block, from the last one made backwards.
    pub(super) fn list(&self, last: PackedOption<PhiId>) -> impl Iterator<Item = PhiId> + '_ {
        core::iter::successors(last.expand(), |&phi| self.table[phi].before.expand())
    }
}
