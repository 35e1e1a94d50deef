//! What a repair comes to.

use ssaphire::{Block, Value};
use std::ops::Range;

/// A phi that is inserted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NewPhi {
    /// Where it stands.
    pub(super) block: Block,
    /// Its value.
    pub(super) value: Value,
    /// Its operands, among those of all phis.
    operands: Range<usize>,
}

/// The phis to insert, and what each use sees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Solution {
    /// The phis, variable by variable.
    pub(super) phis: Vec<NewPhi>,
    operands: Vec<Value>,
    /// By use, variable by variable: what it sees.
    pub(super) answers: Vec<Value>,
}

impl Solution {
    /// Adds a phi.
    pub(super) fn push_phi(&mut self, block: Block, value: Value, operands: impl IntoIterator<Item = Value>) {
        let first = self.operands.len();
        self.operands.extend(operands);
        self.phis.push(NewPhi { block, value, operands: first..self.operands.len() });
    }

    /// The operands of a phi, by incoming edge.
    pub(super) fn operands(&self, phi: &NewPhi) -> &[Value] {
        &self.operands[phi.operands.clone()]
    }
}
