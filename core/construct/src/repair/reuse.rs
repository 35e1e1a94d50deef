//! Existing phis in blocks that need a new one, with the operands that the new one would have.
//!
//! A new phi and an existing one of its block are a *pair*. A pair matches if its phis have matching operands for each
//! edge: the same value, or again two phis of a pair that matches. The matching pairs are the greatest set of which
//! that is true: all pairs to begin with, less those that have an operand that differs, less those that depend on
//! these, and so on. The phis of a cycle therefore match together or not at all.
//!
//! # Complexity
//! O(operands of the existing phis in the blocks of new ones). A variable has one new phi in a block at most, so an
//! existing phi is in one pair at most.
//!
//! # Departures
//! None: the method is from no paper. Refining a partition of all phis gives the same sets.

use super::{PhiData, Repair, UNDEFINED};
use alloc::vec::Vec;
use ssaphire_graph::{Id, IdLists, IdMap, PackedOption, SsaForm, Value, internal_id};

internal_id!(
    /// Number of a pair.
    Pair, "pair"
);

/// The pairs; keeps memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    pairs: IdMap<Pair, PairData>,
    /// By value: its pair, if it is a phi of one; empty between calls.
    pair_of: IdMap<Value, PackedOption<Pair>>,
    /// Pairs with the pairs that depend on them.
    dependents: Vec<(Pair, Pair)>,
    dependents_of: IdLists<Pair, Pair>,
    /// Pairs that differ, whose dependents have not been looked at.
    differing: Vec<Pair>,
}

#[derive(Clone, Copy, Debug)]
struct PairData {
    /// Number of the new phi.
    new: usize,
    standing: Value,
    matches: bool,
}

impl Repair {
    /// Finds phis of `form` for the phis from number `first` on.
    pub(super) fn reuse_phis(&mut self, form: &impl SsaForm, first: usize) {
        self.candidates.list_pairs(form, &self.phis, first);
        self.compare_pairs(form, first);
        self.candidates.spread_differences();
        for &PairData { new, standing, matches } in self.candidates.pairs.values() {
            self.candidates.pair_of[standing] = PackedOption::NONE;
            let phi = &mut self.phis[new];
            if matches && !phi.is_reused {
                phi.is_reused = true;
                self.values[phi.held] = Some(standing);
            }
        }
    }

    /// Compares the operands of each pair, edge by edge.
    fn compare_pairs(&mut self, form: &impl SsaForm, first: usize) {
        // Phis are held in the order in which they were made.
        let first_held = self.phis.get(first).map_or(self.values.len(), |phi| phi.held.index());
        for pair in self.candidates.pairs.keys() {
            let PairData { new, standing, .. } = self.candidates.pairs[pair];
            let phi = &self.phis[new];
            let mut wanted = self.operands[phi.operands.clone()].iter();
            let mut has_same = true;
            for operand in form.operands(phi.block, standing) {
                has_same &= match wanted.next().map(|held| held.expand()) {
                    None => false,
                    // No value flows along this edge.
                    Some(None) => true,
                    Some(Some(held)) if held.index() >= first_held => {
                        self.candidates.depends(pair, operand, first + held.index() - first_held)
                    }
                    Some(Some(held)) => held != UNDEFINED && self.values[held] == Some(operand),
                };
            }
            if !has_same || wanted.next().is_some() {
                self.candidates.differ(pair);
            }
        }
    }
}

impl Candidates {
    /// Pairs each phi from number `first` on with all existing phis of its block.
    fn list_pairs(&mut self, form: &impl SsaForm, phis: &[PhiData], first: usize) {
        self.pairs.clear();
        self.dependents.clear();
        self.differing.clear();
        for (new, phi) in phis.iter().enumerate().skip(first) {
            for standing in form.phis(phi.block) {
                let pair = self.pairs.push(PairData { new, standing, matches: true });
                self.pair_of.grow_to(standing, PackedOption::NONE);
                self.pair_of[standing] = pair.into();
            }
        }
    }

    /// Makes `pair` depend on the pair of `operand`; returns whether that is a pair of the phi numbered `new`.
    fn depends(&mut self, pair: Pair, operand: Value, new: usize) -> bool {
        let other = self.pair_of.get(operand).and_then(|pair| pair.expand());
        let Some(other) = other.filter(|&other| self.pairs[other].new == new) else { return false };
        self.dependents.push((other, pair));
        true
    }

    fn differ(&mut self, pair: Pair) {
        if core::mem::replace(&mut self.pairs[pair].matches, false) {
            self.differing.push(pair);
        }
    }

    /// Spreads differences to the pairs that depend on pairs that differ.
    fn spread_differences(&mut self) {
        self.dependents_of.rebuild(self.pairs.len(), self.dependents.iter().copied());
        while let Some(pair) = self.differing.pop() {
            for place in self.dependents_of.range(pair) {
                self.differ(self.dependents_of.members()[place]);
            }
        }
    }
}
