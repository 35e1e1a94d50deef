//! The variables that were assigned a value already in use, as by a copy `x = y`.
//!
//! Engine `auto` places a phi exactly where a variable's writes need it, as long as its bit is its own (`dominators`).
//! Then a redundant set of phis can only come from a value that was written twice: to the same variable in two places,
//! or as a phi to another variable. Each variable of such a set was assigned a value that was not new. So `minimize`
//! examines only the phis of these variables, and of those that share their bit: for the latter, a lookup may enter a
//! join of a loop needlessly, and find the value at the loop's header once as a phi and once, where it was stored, as
//! the value above.
//!
//! Proof: let P be a smallest redundant set, with outer value d. It is strongly
//! connected. If it has phis of several variables, each of these has an operand
//! that is a phi of another: that was written to it, and a phi is not new. If
//! it has phis of one variable only, d reaches it from one place, or d was
//! written in two; from one place, no phi of P would be in the iterated
//! dominance frontier of the variable's writes (Braun et al. 2013, Theorem 1).
//!
//! # Departures
//! Braun et al. 2013 remark that copies make redundant sets on reducible
//! graphs (Fig. 2); that this is the only way is our own remark.

use ssaphire_graph::{IdSet, Value, Variable};

#[derive(Clone, Debug, Default)]
pub(super) struct Copies {
    /// Values from this number on are new.
    next_fresh: usize,
    /// Writes of new values below this number need no further checks.
    end_of_plain: usize,
    /// Variables that were assigned a value already in use.
    rewritten: IdSet<Variable>,
    /// Variables with a phi that proved trivial when it got its operands.
    doubtful: IdSet<Variable>,
    /// The sum of the sizes of both sets.
    num_variables: usize,
}

impl Copies {
    pub(super) fn clear(&mut self) {
        self.next_fresh = 0;
        self.end_of_plain = 0;
        self.rewritten.clear();
        self.doubtful.clear();
        self.num_variables = 0;
    }

    /// Records that the value is in use. Returns whether it was new.
    #[inline]
    pub(super) fn take_fresh(&mut self, value: Value) -> bool {
        let is_fresh = value.index() >= self.next_fresh;
        self.next_fresh = self.next_fresh.max(value.index() + 1);
        is_fresh
    }

    /// From now on, writes of new values below this number need no further checks.
    pub(super) fn pass_new_values_below(&mut self, end: u32) {
        self.end_of_plain = end as usize;
    }

    /// Records a write of the value if it needs no further checks. Returns whether that is so.
    #[inline(always)]
    pub(super) fn is_plain_write(&mut self, value: Value) -> bool {
        let is_plain = value.index() >= self.next_fresh && value.index() < self.end_of_plain;
        if is_plain {
            self.next_fresh = value.index() + 1;
        }
        is_plain
    }

    /// Records that the host has assigned the variable a value already in use.
    #[inline(never)]
    pub(super) fn note_again(&mut self, variable: Variable) {
        self.num_variables += usize::from(self.rewritten.insert(variable));
    }

    /// Records that phis of the variable may depend on one that was trivial.
    #[inline(never)]
    pub(super) fn insert(&mut self, variable: Variable) {
        self.num_variables += usize::from(self.doubtful.insert(variable));
    }

    pub(super) fn contains(&self, variable: Variable) -> bool {
        self.is_rewritten(variable) || self.doubtful.contains(variable)
    }

    /// Whether the host has assigned the variable a value already in use.
    pub(super) fn is_rewritten(&self, variable: Variable) -> bool {
        self.rewritten.contains(variable)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.num_variables == 0
    }
}
