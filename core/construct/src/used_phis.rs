//! The phis that uses reach through operands: pruned SSA form has no others.

use crate::host::{PhiHost, Uses};
use crate::values::{PhiId, Values};
use alloc::vec::Vec;
use ssaphire_graph::{Id, IdSet, Value};

/// The phis of a function that something uses, and those of them whose operands are still to be marked.
#[derive(Clone, Debug, Default)]
pub struct UsedPhis {
    /// All phis numbered below this are used.
    num_all: usize,
    /// Others that are used.
    used: IdSet<PhiId>,
    work: Vec<PhiId>,
}

impl UsedPhis {
    /// Forgets the function; keeps memory.
    pub fn clear(&mut self) {
        self.num_all = 0;
        self.used.clear();
        self.work.clear();
    }

    /// All phis so far, which are `num_phis`, are used.
    pub fn mark_all(&mut self, num_phis: usize) {
        self.num_all = num_phis;
    }

    /// Marks the phis that `host` uses, if it says which.
    pub fn mark_uses(&mut self, host: &mut dyn PhiHost, values: &mut Values) -> Uses {
        host.visit_uses(&mut |value| self.mark(values, value))
    }

    /// Marks the phi that `value` is or was forwarded to, if it is one.
    pub fn mark(&mut self, values: &mut Values, value: Value) {
        let value = values.resolve(value);
        if let Some(phi) = values.phi(value) {
            if self.used.insert(phi) {
                self.work.push(phi);
            }
        }
    }

    /// Takes a marked phi whose operands have to be marked, too.
    pub fn take(&mut self) -> Option<PhiId> {
        self.work.pop()
    }

    /// The number of phis that [`mark_all`](Self::mark_all) was told.
    #[inline]
    pub fn num_all(&self) -> usize {
        self.num_all
    }

    /// Whether the phi is used.
    #[inline]
    pub fn contains(&self, phi: PhiId) -> bool {
        phi.index() < self.num_all || self.used.contains(phi)
    }
}
