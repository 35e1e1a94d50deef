//! The phis of a program and their operands, flat.

use alloc::vec::Vec;
use core::ops::Range;
use ssaphire_graph::internal_id;
use ssaphire_graph::{Id, Value};

internal_id!(
    /// Number of a phi of a graph, in the order they were added.
    pub(super) PhiNumber, "phi"
);

/// The phis of a program with their operands, and nothing else of it.
///
/// Operands that are not phis of this graph are values from outside. An
/// operand list may name the phi itself, and may be empty.
#[derive(Clone, Debug, Default)]
pub struct PhiGraph {
    phis: Vec<Value>,
    /// The operands of phi `i` start here and end where the next ones start.
    start: Vec<u32>,
    operands: Vec<Value>,
}

impl PhiGraph {
    /// Forgets all phis; keeps memory.
    pub fn clear(&mut self) {
        self.phis.clear();
        self.start.clear();
        self.operands.clear();
    }

    /// Adds a phi, without operands yet.
    pub fn begin_phi(&mut self, phi: Value) {
        self.phis.push(phi);
        self.start.push(self.operands.len() as u32);
    }

    /// Adds an operand to the last phi.
    pub fn push_operand(&mut self, operand: Value) {
        self.operands.push(operand);
    }

    /// The phis, in the order they were added.
    pub fn phis(&self) -> &[Value] {
        &self.phis
    }

    /// Number of operands of all phis.
    pub fn num_operands(&self) -> usize {
        self.operands.len()
    }

    fn range(&self, phi: usize) -> Range<usize> {
        let end = self.start.get(phi + 1).map_or(self.operands.len(), |&end| end as usize);
        self.start[phi] as usize..end
    }

    /// The numbers of the phis.
    pub(super) fn numbers(&self) -> impl DoubleEndedIterator<Item = PhiNumber> + Clone + use<> {
        (0..self.phis.len()).map(PhiNumber::new)
    }

    /// The phis with their numbers.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (PhiNumber, Value)> + '_ {
        self.numbers().zip(self.phis.iter().copied())
    }

    /// The phi of that number.
    #[inline]
    pub(super) fn phi(&self, number: PhiNumber) -> Value {
        self.phis[number.index()]
    }

    /// The operands of the phi of that number.
    #[inline]
    pub(super) fn operands_of(&self, number: PhiNumber) -> &[Value] {
        self.operands(number.index())
    }

    /// The operands of the phi added as number `phi`.
    pub fn operands(&self, phi: usize) -> &[Value] {
        &self.operands[self.range(phi)]
    }
}
