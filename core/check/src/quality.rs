//! The quality of a result: phis that could be removed.
//!
//! Everything here is computed from the finished [`SsaForm`] alone (and, for [`unnecessary_phis`], from the variables),
//! whatever produced it. A finding is not an error: a form with redundant or dead phis is correct, but larger than
//! necessary.
//!
//! | Braun et al. 2013 | here |
//! |---|---|
//! | section 2.2, trivial phi | [`trivial_phis`] |
//! | section 3.2, redundant set of phis | [`redundant_phis`] |
//! | section 4, pruned SSA form | [`dead_phis`] |
//! | Definition 2, necessary phi | [`unnecessary_phis`] |
//!
//! Unreachable code does not count: phis and uses in unreachable blocks are
//! ignored, and so are operands whose edge leaves an unreachable block.
//! Repeated edges are one operand each.
//!
//! For a function that breaks the rules of SSA form, the answer is unspecified
//! but deterministic: operands that are no value of the function are ignored,
//! and of two phis with the same value the first one counts.
//!
//! # Complexity
//! With *o* operands: trivial and dead phis O(*n* + *e* + values + events +
//! *o*); redundant phis one dominator computation on the value graph, O(*o*
//! log *o*), by Lengauer and Tarjan's method, so that hostile phis cannot make
//! the judge slow. Memory O(values + *o*).
//!
//! # Departures
//! The paper finds redundant sets by strongly connected components, one level
//! at a time (Algorithm 5); here they are read off dominators, see
//! [`redundant_phis`].

mod dead;
mod phi_table;
mod redundant;
mod unnecessary;

pub use unnecessary::unnecessary_phis;

use crate::Violation;
use alloc::vec::Vec;
use core::mem;
use dead::LivePhis;
use phi_table::PhiTable;
use redundant::Origins;
use ssaphire_graph::SsaForm;

/// All findings about the phis of `form`, sorted: trivial, redundant, dead.
///
/// A trivial phi is a redundant set of one; it is reported as trivial only.
/// [`QualityCheck`] does the same for many functions in the same memory.
pub fn quality(form: &impl SsaForm) -> Vec<Violation> {
    let mut check = QualityCheck::default();
    check.findings(form);
    mem::take(&mut check.found)
}

/// The phis whose operands are themselves and at most one other value, by block, then value.
///
/// The value reported is the phi itself where it has no other operand.
pub fn trivial_phis(form: &impl SsaForm) -> Vec<Violation> {
    let mut check = QualityCheck::default();
    check.phis.rebuild(form);
    check.find_trivial();
    check.sorted()
}

/// The phis that belong to a redundant set: each operand is in the set, or one and the same value.
///
/// Trivial phis are among them. Sorted by block, then value; the value
/// reported is the one that the phi always has, or the phi itself where no value
/// flows into it.
///
/// In the *value graph* an edge leads from each operand to its phi, and from
/// one root to each value that is not a phi.
/// A phi is redundant if and only if it has an immediate dominator other than
/// the root, or the root does not reach it. If a set is redundant with respect
/// to `v`, values flow into it only through `v`: then `v` dominates every phi
/// of the set. Conversely, the phis that `v` strictly dominates are a redundant
/// set: an operand that is neither `v` nor dominated by it would be a way
/// around `v`.
pub fn redundant_phis(form: &impl SsaForm) -> Vec<Violation> {
    let mut check = QualityCheck::default();
    check.phis.rebuild(form);
    check.find_redundant(|_| true);
    check.sorted()
}

/// The phis that no use other than phis needs, directly or through other phis. Sorted by block, then value.
pub fn dead_phis(form: &impl SsaForm) -> Vec<Violation> {
    let mut check = QualityCheck::default();
    check.phis.rebuild(form);
    check.find_dead(form);
    check.sorted()
}

/// Whether no set of phis of `form` is redundant.
///
/// For a form whose variables are all written with fresh values this is
/// Cytron's minimality; with copies it is stricter.
pub fn is_irredundant(form: &impl SsaForm) -> bool {
    redundant_phis(form).is_empty()
}

/// Whether every phi of `form` is needed, directly or through other phis, by a use that is not a phi.
pub fn is_pruned(form: &impl SsaForm) -> bool {
    dead_phis(form).is_empty()
}

/// The memory of [`quality`], for many functions in turn.
#[derive(Debug, Default)]
pub struct QualityCheck {
    phis: PhiTable,
    origins: Origins,
    live: LivePhis,
    found: Vec<Violation>,
}

impl QualityCheck {
    /// All findings about the phis of `form`, as [`quality`] gives them.
    pub fn findings(&mut self, form: &impl SsaForm) -> &[Violation] {
        self.found.clear();
        self.phis.rebuild(form);
        if !self.phis.is_empty() {
            self.find_trivial();
            self.find_redundant(|trivial| !trivial);
            self.find_dead(form);
            self.found.sort_unstable();
        }
        &self.found
    }

    /// The dead phis of `form`, as [`dead_phis`] gives them.
    pub fn dead(&mut self, form: &impl SsaForm) -> &[Violation] {
        self.found.clear();
        self.phis.rebuild(form);
        if !self.phis.is_empty() {
            self.find_dead(form);
            self.found.sort_unstable();
        }
        &self.found
    }

    fn find_trivial(&mut self) {
        for phi in self.phis.iter() {
            if let Some(value) = phi.only_operand() {
                self.found.push(Violation::TrivialPhi { block: phi.block, phi: phi.value, value });
            }
        }
    }

    /// Reports the redundant phis for which `wanted` returns true; its argument is whether the phi is trivial.
    fn find_redundant(&mut self, wanted: impl Fn(bool) -> bool) {
        self.origins.rebuild(&self.phis);
        for phi in self.phis.iter().filter(|phi| wanted(phi.only_operand().is_some())) {
            let origin = self.origins.of(phi.value);
            if origin != Some(phi.value) {
                let value = origin.unwrap_or(phi.value);
                self.found.push(Violation::RedundantPhi { block: phi.block, phi: phi.value, value });
            }
        }
    }

    fn find_dead(&mut self, form: &impl SsaForm) {
        self.live.rebuild(form, &self.phis);
        for (index, phi) in self.phis.iter().enumerate() {
            if !self.live.contains(index) {
                self.found.push(Violation::DeadPhi { block: phi.block, phi: phi.value });
            }
        }
    }

    fn sorted(mut self) -> Vec<Violation> {
        self.found.sort_unstable();
        self.found
    }
}
