//! The phis that are not dead.

use super::phi_table::PhiTable;
use alloc::vec::Vec;
use ssaphire_graph::{SsaForm, ValueEvent};

/// The phis of a table that a use other than phis needs, directly or through other phis.
#[derive(Debug, Default)]
pub(super) struct LivePhis {
    /// By place in the table.
    live: Vec<bool>,
    work: Vec<usize>,
}

impl LivePhis {
    pub(super) fn rebuild(&mut self, form: &impl SsaForm, phis: &PhiTable) {
        self.live.clear();
        self.live.resize(phis.len(), false);
        phis.blocks().flat_map(|block| form.events(block)).for_each(|event| {
            if let ValueEvent::Use(value) = event {
                self.need(phis.index_of(value));
            }
        });
        while let Some(index) = self.work.pop() {
            for &operand in phis.operands(index) {
                self.need(phis.index_of(operand));
            }
        }
    }

    fn need(&mut self, phi: Option<usize>) {
        let Some(index) = phi else { return };
        if !self.live[index] {
            self.live[index] = true;
            self.work.push(index);
        }
    }

    pub(super) fn contains(&self, index: usize) -> bool {
        self.live[index]
    }
}
