//! The verdict on one certificate, by all checks together.

use crate::folds::Folds;
use crate::frame::Frame;
use crate::program::{Program, WithEvidence};
use crate::ranks::Ranks;
use crate::rules::{Uses, check_dropped};
use crate::validate::{Claims, Mode};
use crate::violation::Violation;
use alloc::vec::Vec;
use core::fmt;

/// The properties of a certificate that the judge has established.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// The mode in which reads of undefined variables were judged.
    pub mode: Mode,
    /// The claim keeps the rules of SSA form: one definition for each value, which dominates every use, and an operand
    /// of each phi for each incoming edge. This is independent of the source.
    pub structurally_valid: bool,
    /// Every claimed read gets, on every path, the value that the source gives it, and every folded operation gives the
    /// value that replaces it in the result. A [`Journal`](crate::Journal) claims all reads but those that returned a
    /// dropped phi on which no claim relies.
    pub equivalent: bool,
    /// Number of [equations](Program::equation_list) about operators that were taken as given: folded operations rely
    /// on them.
    pub equations: usize,
    /// No set of phis merges a single outer value, and no two phis of a block merge one variable; `None` if
    /// nothing proves or refutes it.
    ///
    /// Phis of two variables may still be equal, operand by operand: to merge those is value numbering.
    ///
    /// A certificate proves it by numbers on its values. The certificate of a [`Journal`](crate::Journal) has no
    /// numbers until they are added ([`Program::set_numbers`]), so this is `None` if it has a phi:
    /// [`quality`](crate::quality()) finds out by itself. `Some(false)` means that the given proof is wrong, not that
    /// there is none.
    pub minimal: Option<bool>,
    /// Each phi is needed by a use that is not a phi; `None` and `Some(false)` as for `minimal`.
    pub pruned: Option<bool>,
    /// All violations, sorted.
    pub violations: Vec<Violation>,
}

impl Verdict {
    /// Whether there are no violations. Properties that were not claimed were not checked.
    pub fn is_accepted(&self) -> bool {
        self.violations.is_empty()
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.equivalent, self.mode) {
            (true, Mode::Exact) => "equivalent to the source",
            (true, Mode::Refine) => "equivalent to the source where it is defined",
            (false, _) => "not equivalent to the source",
        })?;
        if self.equations > 0 {
            let plural = if self.equations == 1 { "" } else { "s" };
            write!(f, " given {} equation{plural}", self.equations)?;
        }
        f.write_str(if self.structurally_valid { ", structurally valid" } else { ", structurally invalid" })?;
        for (property, found) in [("minimal", self.minimal), ("pruned", self.pruned)] {
            match found {
                Some(true) => write!(f, ", {property}")?,
                Some(false) => write!(f, ", not shown to be {property}")?,
                None => write!(f, ", {property} not checked")?,
            }
        }
        Ok(())
    }
}

/// Judges all that `program` claims: see [`Verdict`].
///
/// # Complexity
/// That of [`validate`](crate::validate()) and of the dominator tree; the rest is linear.
pub fn judge(program: &Program, mode: Mode) -> Verdict {
    Judge::new().judge(program, mode)
}

/// The memory of [`judge`], for many functions in turn.
#[derive(Debug, Default)]
pub struct Judge {
    frame: Frame,
    uses: Uses,
    claims: Claims,
    folds: Folds,
    ranks: Ranks,
}

impl Judge {
    /// A judge without memory of its own yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Like [`judge`], with reused memory.
    pub fn judge(&mut self, program: &Program, mode: Mode) -> Verdict {
        let Self { frame, uses, claims, folds, ranks } = self;
        let mut violations = Vec::new();
        let form = WithEvidence(program);
        let has_graph = frame.rebuild(&form, &mut violations);
        claims.check_source(program, &mut violations);
        // A program that breaks these rules cannot be walked, so it is not judged any further.
        let is_well_formed = violations.is_empty();
        let (mut minimal, mut pruned) = (None, None);
        if has_graph {
            uses.check(&form, frame, &mut violations);
            check_dropped(program, frame, &mut violations);
        }
        let structurally_valid = violations.is_empty();
        let num_before = violations.len();
        if is_well_formed {
            claims.check(program, frame, mode, &mut violations);
            folds.check(program, frame, &mut violations);
        }
        let equivalent = is_well_formed && violations.len() == num_before;
        if is_well_formed {
            minimal = ranks.is_minimal(program, &frame.tree, &mut violations);
            if equivalent && minimal == Some(true) && program.num_phis() > 1 {
                let before = violations.len();
                claims.equal_phis(program, frame, &mut violations);
                minimal = Some(violations.len() == before);
            }
            pruned = ranks.is_pruned(program, &frame.tree, &mut violations);
        }
        violations.sort_unstable();
        violations.dedup();
        let equations = program.equation_list().len();
        Verdict { mode, structurally_valid, equivalent, equations, minimal, pruned, violations }
    }
}
