//! The host of a replay: it takes delivery and keeps what it was given.

use ssaphire::{Block, PhiHost, Ssa, Value, Variable};

/// A phi that was handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakenPhi {
    /// The value it was given when it was made.
    pub value: Value,
    /// The block it stands in.
    pub block: Block,
    /// The variable whose lookup made it.
    pub variable: Variable,
    /// The place of its first operand; there is one per incoming edge.
    pub first_operand: u32,
}

/// An IR of numbers: values are counted, phis and aliases are written into flat lists.
///
/// That is what a compiler with block parameters writes too: a parameter per
/// phi, an argument per operand, an alias per value that stands for another.
#[derive(Debug, Default)]
pub struct ReplayHost {
    num_values: usize,
    phis: Vec<TakenPhi>,
    operands: Vec<Value>,
    aliases: Vec<(Value, Value)>,
}

impl ReplayHost {
    /// Forgets the function, and keeps the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.num_values = 0;
        self.phis.clear();
        self.operands.clear();
        self.aliases.clear();
    }

    /// The next value.
    #[inline]
    pub fn value(&mut self) -> Value {
        let value = Value::new(self.num_values);
        self.num_values += 1;
        value
    }

    /// The phis that were handed over, by block and creation.
    pub fn phis(&self) -> &[TakenPhi] {
        &self.phis
    }

    /// The operands of all phis, phi after phi, by incoming edge.
    pub fn operands(&self) -> &[Value] {
        &self.operands
    }

    /// Each value that stands for another, with that other.
    pub fn aliases(&self) -> &[(Value, Value)] {
        &self.aliases
    }
}

impl PhiHost for ReplayHost {
    fn new_phi(&mut self, _: Block, _: Variable) -> Value {
        self.value()
    }

    fn undefined(&mut self, _: Variable) -> Value {
        self.value()
    }
}

impl ReplayHost {
    /// Takes the result.
    pub(super) fn write(&mut self, result: &Ssa<'_>) {
        let Ssa { phis, stands_for, .. } = result;
        for phi in phis.iter() {
            let first_operand = self.operands.len() as u32;
            self.operands.extend_from_slice(phi.operands);
            self.phis.push(TakenPhi { value: phi.value, block: phi.block, variable: phi.variable, first_operand });
        }
        self.aliases.extend(stands_for.iter());
    }
}
