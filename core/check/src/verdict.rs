//! The front door: everything that can be said about one certificate.

use crate::program::Program;
use crate::ranks::Ranks;
use crate::reach::Reachable;
use crate::rules::Rules;
use crate::validate::{Mode, Validator};
use crate::violation::Violation;
use alloc::vec::Vec;
use core::fmt;

/// What was established about a certificate, and what was not.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// What undefined values may have become.
    pub mode: Mode,
    /// The claim keeps the rules of SSA form.
    pub structurally_valid: bool,
    /// Every read gets, on every path, what the source says.
    pub equivalent: bool,
    /// No set of phis merges a single outer value; `None` if nothing proves or refutes it.
    ///
    /// A certificate proves it by numbers on its values. One that a [`Journal`](crate::Journal)
    /// wrote has none until somebody adds them ([`Program::set_numbers`]), so here stands `None`
    /// as soon as there is a phi: [`quality`](crate::quality()) finds out by itself.
    /// `Some(false)` means that the proof given is wrong, not that there is none.
    pub minimal: Option<bool>,
    /// Something that is not a phi needs each phi; `None` and `Some(false)` as for `minimal`.
    pub pruned: Option<bool>,
    /// Everything found wrong, sorted.
    pub violations: Vec<Violation>,
}

impl Verdict {
    /// Whether nothing was found wrong. What was not claimed was not looked for.
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
        f.write_str(if self.structurally_valid { ", structurally valid" } else { ", structurally broken" })?;
        for (property, found) in [("minimal", self.minimal), ("pruned", self.pruned)] {
            match found {
                Some(true) => write!(f, ", {property}")?,
                Some(false) => write!(f, ", not shown to be {property}")?,
                None => write!(f, ", not judged whether {property}")?,
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
    validator: Validator,
    rules: Rules,
    reachable: Reachable,
    ranks: Ranks,
}

impl Judge {
    /// A judge without memory of its own yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Does what [`judge`] does, in the memory there is.
    pub fn judge(&mut self, program: &Program, mode: Mode) -> Verdict {
        let mut violations = self.rules.check(program);
        let mut structurally_valid = violations.is_empty();
        let equivalent = match self.validator.validate(program, mode) {
            Ok(()) => true,
            Err(found) => {
                structurally_valid &= self.validator.is_well_formed();
                violations.extend(found);
                false
            }
        };
        let (mut minimal, mut pruned) = (None, None);
        if self.validator.is_well_formed() {
            self.reachable.rebuild(program);
            minimal = self.ranks.is_minimal(program, &self.reachable, &mut violations);
            pruned = self.ranks.is_pruned(program, &self.reachable, &mut violations);
        }
        violations.sort_unstable();
        violations.dedup();
        Verdict { mode, structurally_valid, equivalent, minimal, pruned, violations }
    }
}
