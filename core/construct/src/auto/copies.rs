//! Which variables may hold what another one holds.
//!
//! Engine `auto` places a phi exactly where a variable's writes need it, as long
//! as its bit is its own (`dominators`). Then a redundant set of phis can only come from a value that was written twice:
//! to the same variable in two places, or as a phi to another variable. Each
//! variable of such a set has had a value written to it that was not new. So
//! `minimize` need look at the phis of these variables only, and of those that
//! share their bit: a lookup may enter a join of a loop for nothing, and find what
//! the loop's header holds once as a phi and once, where it was remembered, as the value above.
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
    /// Writes of new values below this number need no closer look.
    end_of_plain: usize,
    /// Variables to which the host has given something that is not new.
    rewritten: IdSet<Variable>,
    /// Variables whose phis were found trivial when they got their operands.
    doubtful: IdSet<Variable>,
    /// How many variables the one set has and how many the other, in sum.
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

    /// From now on the value is not new: whether it was.
    #[inline]
    pub(super) fn take_fresh(&mut self, value: Value) -> bool {
        let is_fresh = value.index() >= self.next_fresh;
        self.next_fresh = self.next_fresh.max(value.index() + 1);
        is_fresh
    }

    /// From now on writes of new values below this number need no closer look.
    pub(super) fn pass_new_values_below(&mut self, end: u32) {
        self.end_of_plain = end as usize;
    }

    /// The value is to be written: whether nothing else need be known of that.
    #[inline(always)]
    pub(super) fn is_plain_write(&mut self, value: Value) -> bool {
        let is_plain = value.index() >= self.next_fresh && value.index() < self.end_of_plain;
        if is_plain {
            self.next_fresh = value.index() + 1;
        }
        is_plain
    }

    /// The host gives the variable a value that is not new.
    #[inline(never)]
    pub(super) fn note_again(&mut self, variable: Variable) {
        self.num_variables += usize::from(self.rewritten.insert(variable));
    }

    /// Phis of the variable may depend on one that was trivial.
    #[inline(never)]
    pub(super) fn insert(&mut self, variable: Variable) {
        self.num_variables += usize::from(self.doubtful.insert(variable));
    }

    pub(super) fn contains(&self, variable: Variable) -> bool {
        self.is_rewritten(variable) || self.doubtful.contains(variable)
    }

    /// Whether the host has given the variable a value that was not new.
    pub(super) fn is_rewritten(&self, variable: Variable) -> bool {
        self.rewritten.contains(variable)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.num_variables == 0
    }
}
