//! The comparison of a host's code with the claimed result.
//!
//! A certificate is about the result as the builder returned it. The host writes it into the code that runs: it has to
//! replace each value that it received with the value that it resolves to, and to write each phi into its block, with
//! its operands in order. The values at each use before and after show whether it did.

use crate::journal::Claim;
use crate::violation::Violation;
use alloc::vec::Vec;
use ssaphire_graph::{Block, Value};

/// A phi: its operands are `operands[start..end]`.
#[derive(Clone, Copy, Debug)]
struct Phi {
    value: Value,
    block: Block,
    start: usize,
    end: usize,
}

/// Phis with their operands, in one memory.
#[derive(Debug, Default)]
struct Phis {
    list: Vec<Phi>,
    operands: Vec<Value>,
}

impl Phis {
    fn clear(&mut self) {
        self.list.clear();
        self.operands.clear();
    }

    fn push(&mut self, block: Block, value: Value, operands: &[Value]) {
        let start = self.operands.len();
        self.operands.extend_from_slice(operands);
        self.list.push(Phi { value, block, start, end: self.operands.len() });
    }

    fn keys(&self) -> impl Iterator<Item = (Value, Block)> + '_ {
        self.list.iter().map(|phi| (phi.value, phi.block))
    }

    fn sort(&mut self) {
        self.list.sort_unstable_by_key(|phi| (phi.value, phi.block));
    }

    fn operands(&self, phi: Phi) -> &[Value] {
        &self.operands[phi.start..phi.end]
    }
}

/// The uses and phis in a host's code, to be compared with a [`Claim`].
///
/// *Places*, the host's own numbers, identify uses.
///
/// # Complexity
/// [`Written::compare`] is linear in uses and operands if places and phis come in
/// ascending order, and takes a logarithmic factor more otherwise. Memory is kept for the next function.
///
/// # Examples
/// ```
/// use ssaphire::check::{Claim, Violation, Written};
/// use ssaphire::{Block, Value};
///
/// /// v1 stands for v0, and there are no phis.
/// struct Forwarded;
///
/// impl Claim for Forwarded {
///     fn resolve(&self, value: Value) -> Value {
///         if value == Value::new(1) { Value::new(0) } else { value }
///     }
///     fn visit_phis(&self, _: &mut dyn FnMut(Block, Value, &[Value])) {}
/// }
///
/// let mut written = Written::default();
/// written.use_before(7, Value::new(1));
/// written.use_after(7, Value::new(1)); // The host forgot to put v0 there.
/// let violations = written.compare(&Forwarded);
/// assert_eq!(violations[0].to_string(), "place 7: uses v1, but should use v0, the final value of v1");
/// ```
#[derive(Debug, Default)]
pub struct Written {
    before: Vec<(u64, Value)>,
    after: Vec<(u64, Value)>,
    /// The host's own phis: those it had before it took the result.
    own: Phis,
    phis: Phis,
    claimed: Phis,
}

impl Written {
    /// Drops everything; keeps capacity.
    pub fn clear(&mut self) {
        self.before.clear();
        self.after.clear();
        self.own.clear();
        self.phis.clear();
    }

    /// Number of uses that were shown before the host took the result.
    pub fn num_uses(&self) -> usize {
        self.before.len()
    }

    /// Records that `value` was at `place` before the host took the result.
    pub fn use_before(&mut self, place: u64, value: Value) {
        self.before.push((place, value));
    }

    /// Records that `value` is at `place` now.
    pub fn use_after(&mut self, place: u64, value: Value) {
        self.after.push((place, value));
    }

    /// Records one of the host's own phis, from before it took the result: its operands are uses like others.
    pub fn phi_before(&mut self, block: Block, value: Value, operands: &[Value]) {
        self.own.push(block, value, operands);
    }

    /// Records that `block` has a phi `value` now, with these operands by incoming edge.
    pub fn phi(&mut self, block: Block, value: Value, operands: &[Value]) {
        self.phis.push(block, value, operands);
    }

    /// The differences between the host's code and `claim`, sorted.
    pub fn compare(&mut self, claim: &dyn Claim) -> Vec<Violation> {
        let mut violations = Vec::new();
        self.compare_uses(claim, &mut violations);
        self.compare_phis(claim, &mut violations);
        violations.sort_unstable();
        violations
    }

    fn compare_uses(&mut self, claim: &dyn Claim, violations: &mut Vec<Violation>) {
        for list in [&mut self.before, &mut self.after] {
            if !list.is_sorted_by_key(|&(place, _)| place) {
                list.sort_unstable();
            }
            let twice = list.windows(2).filter(|pair| pair[0].0 == pair[1].0);
            violations.extend(twice.map(|pair| Violation::PlaceTwice { place: pair[0].0 }));
        }
        let mut before = self.before.iter().peekable();
        for &(place, given) in &self.after {
            while before.next_if(|&&(other, _)| other < place).is_some() {}
            let Some(&(_, value)) = before.next_if(|&&(other, _)| other == place) else {
                violations.push(Violation::UseAdded { place, value: given });
                continue;
            };
            let stands_for = claim.resolve(value);
            if given != stands_for {
                violations.push(Violation::UseNotReplaced { place, value, stands_for, given });
            }
        }
    }

    fn compare_phis(&mut self, claim: &dyn Claim, violations: &mut Vec<Violation>) {
        let Self { own, phis, claimed, .. } = self;
        claimed.clear();
        claim.visit_phis(&mut |block, value, operands| claimed.push(block, value, operands));
        own.operands.iter_mut().for_each(|operand| *operand = claim.resolve(*operand));
        for &phi in &own.list {
            claimed.push(phi.block, phi.value, own.operands(phi));
        }
        // A host that writes them in the order of the result shows them in that order.
        if !phis.keys().eq(claimed.keys()) {
            phis.sort();
            claimed.sort();
        }
        let mut found = phis.list.iter().copied().peekable();
        for &phi in &claimed.list {
            while let Some(Phi { block, value, .. }) = found.next_if(|other| other.value < phi.value) {
                violations.push(Violation::PhiAdded { block, phi: value });
            }
            match found.next_if(|other| other.value == phi.value) {
                Some(other) => compare_phi(phi, claimed.operands(phi), other, phis.operands(other), violations),
                None => violations.push(Violation::PhiNotWritten { block: phi.block, phi: phi.value }),
            }
        }
        violations.extend(found.map(|Phi { block, value, .. }| Violation::PhiAdded { block, phi: value }));
    }
}

fn compare_phi(claimed: Phi, operands: &[Value], given: Phi, others: &[Value], violations: &mut Vec<Violation>) {
    let (block, phi) = (given.block, given.value);
    if claimed.block != block {
        violations.push(Violation::PhiMoved { block, phi, claimed: claimed.block });
    } else if operands.len() != others.len() {
        violations.push(Violation::OperandCount { block, phi, operands: others.len(), edges: operands.len() });
    } else {
        let pairs = operands.iter().zip(others).enumerate();
        violations.extend(
            pairs
                .filter(|(_, (claimed, given))| claimed != given)
                .map(|(operand, (&claimed, &given))| Violation::OperandChanged { block, phi, operand, claimed, given }),
        );
    }
}
