//! Dropped phis on which claims about operations rely.
//!
//! A dropped phi is *relied on* if an operation has it as an argument or as its result, or if it is an operand of one
//! that is relied on. Reads that returned one are claimed, so that it has the content of its variable where it was
//! read.

use super::{Claim, ClaimedPhi, Journal, translate};
use alloc::vec::Vec;
use ssaphire_graph::{IdMap, IdSet, PackedOption, Value, internal_id};

internal_id!(
    /// Number of a dropped phi, in the order shown.
    DroppedId, "dropped", u32::MAX as usize
);

/// The dropped phis of a claim. Memory is used again.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    relied_on: IdSet<Value>,
    pending: Vec<Value>,
    phis: IdMap<DroppedId, ClaimedPhi>,
    phi_of: IdMap<Value, PackedOption<DroppedId>>,
    operands: Vec<Value>,
}

impl Evidence {
    /// Whether a claim relies on the value, a phi that was dropped.
    pub(super) fn is_relied_on(&self, value: Value) -> bool {
        self.relied_on.contains(value)
    }

    fn rely_on(&mut self, value: Value, claim: &dyn Claim) {
        if claim.is_dropped(value) && self.relied_on.insert(value) {
            self.pending.push(value);
        }
    }

    fn take(&mut self, claim: &dyn Claim) {
        let Self { phis, phi_of, operands, .. } = self;
        phis.clear();
        phi_of.clear();
        operands.clear();
        claim.visit_dropped(&mut |block, value, list| {
            let (is_dropped, start, len) = (true, operands.len(), list.len());
            phi_of.grow_to(value, PackedOption::NONE);
            phi_of[value] = phis.push(ClaimedPhi { block, value, is_dropped, start, len }).into();
            operands.extend(list.iter().map(|&operand| claim.resolve(operand)));
        });
    }
}

impl Journal {
    /// Adds the dropped phis that operations rely on to the phis of the claim.
    ///
    /// # Complexity
    /// O(arguments of operations), and if one was dropped, O(operands of all dropped phis).
    pub(super) fn find_evidence(&mut self, claim: &dyn Claim) {
        let Self { evidence, folding, known, .. } = self;
        evidence.relied_on.clear();
        for value in folding.values() {
            let value = translate::stands_for(known, claim, value);
            evidence.rely_on(value, claim);
        }
        if evidence.pending.is_empty() {
            return;
        }
        evidence.take(claim);
        while let Some(value) = evidence.pending.pop() {
            let Some(phi) = evidence.phi_of.get(value).and_then(|phi| phi.expand()) else { continue };
            let ClaimedPhi { block, start, len, .. } = evidence.phis[phi];
            let claimed = ClaimedPhi { start: self.operands.len(), ..evidence.phis[phi] };
            self.num_blocks = self.num_blocks.max(block.index() + 1);
            self.phis.push(claimed);
            self.operands.extend_from_slice(&evidence.operands[start..start + len]);
            for place in start..start + len {
                evidence.rely_on(evidence.operands[place], claim);
            }
        }
    }
}
