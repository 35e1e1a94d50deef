//! The claims of a result, recorded from the builder's calls to the host.

use alloc::vec::Vec;
use ssaphire_check::{Claim, Journal, Violation, Written};
use ssaphire_construct::{PhiHost, Placed, Shown, Ssa, Uses};
use ssaphire_graph::{Block, IdSet, Value, Variable};

/// The result of a construction, copied.
#[derive(Debug, Default)]
pub(crate) struct Claims {
    pub(crate) globals: IdSet<Value>,
    /// Variables with an initial value from the caller.
    pub(crate) initial: IdSet<Variable>,
    /// The values that the host returned for undefined variables.
    pub(crate) undefined: Vec<(Variable, Value)>,
    pub(crate) phis: Vec<(Block, Variable, Value)>,
    /// The operands of phi `i` end here, and start where those of the one before end.
    ends: Vec<u32>,
    pub(crate) operands: Vec<Value>,
    /// Operands on edges from unreachable blocks, by phi and place; a host may drop them.
    unreachable: Vec<Unreachable>,
    /// The forwarded values in id order, each with the value it resolves to.
    forwarded: Vec<(Value, Value)>,
    /// Whether there is a result.
    pub(crate) is_complete: bool,
    /// Phis that were dropped because the host's instructions do not use them.
    dropped: IdSet<Value>,
    /// Whether there were any.
    has_dropped: bool,
    /// These phis, if a claim may rely on them: their operands end here in `evidence_operands`, as for `phis`.
    evidence: Vec<(Block, Value, u32)>,
    evidence_operands: Vec<Value>,
    written: Written,
    /// Whether the host showed its code.
    pub(crate) shown: Shown,
    /// Whether the host's code was compared with the result.
    pub(crate) is_compared: bool,
    /// The differences between the host's code and the result.
    pub(crate) differences: Vec<Violation>,
}

/// An operand on an edge from an unreachable block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Unreachable {
    phi: Value,
    /// Its place among that many operands.
    place: usize,
    num_operands: usize,
    operand: Value,
}

impl Claims {
    pub(crate) fn clear(&mut self) {
        self.globals.clear();
        self.initial.clear();
        self.undefined.clear();
        self.phis.clear();
        self.ends.clear();
        self.operands.clear();
        self.unreachable.clear();
        self.forwarded.clear();
        self.is_complete = false;
        self.dropped.clear();
        self.has_dropped = false;
        self.evidence.clear();
        self.evidence_operands.clear();
        self.written.clear();
        self.shown = Shown::Nothing;
        self.is_compared = false;
        self.differences.clear();
    }

    /// Copies the result, and, if `with_evidence`, the dropped phis with their operands.
    pub(crate) fn take(&mut self, result: &Ssa<'_>, with_evidence: bool) {
        let Ssa { phis, stands_for, .. } = *result;
        for phi in phis.iter() {
            self.phis.push((phi.block, phi.variable, phi.value));
            self.operands.extend_from_slice(phi.operands);
            self.ends.push(self.operands.len() as u32);
            let edges = phis.incoming(phi.block).iter().zip(phi.operands).enumerate();
            let dead = edges.filter(|(_, (edge, _))| !phis.is_reachable(edge.source));
            let (phi, num_operands) = (phi.value, phi.operands.len());
            self.unreachable.extend(dead.map(|(place, (_, &operand))| Unreachable {
                phi,
                place,
                num_operands,
                operand,
            }));
        }
        self.unreachable.sort_unstable();
        self.forwarded.extend(stands_for.iter());
        for &phi in phis.unused() {
            self.has_dropped |= self.dropped.insert(phi);
        }
        for phi in phis.dropped().filter(|_| with_evidence) {
            self.evidence_operands.extend_from_slice(phi.operands);
            self.evidence.push((phi.block, phi.value, self.evidence_operands.len() as u32));
        }
        self.is_complete = true;
    }

    /// Visits the host's code before it writes the result. A phi that it uses counts as not dropped, even if the
    /// builder dropped it.
    pub(crate) fn look(&mut self, host: &dyn PhiHost) {
        let mut written = core::mem::take(&mut self.written);
        let (mut used, is_any_dropped) = (Vec::new(), !self.dropped.is_empty());
        self.shown = host.visit_code(&mut |placed| match placed {
            Placed::Use { place, value } => {
                used.extend(is_any_dropped.then_some((Some(place), value)));
                written.use_before(place, value);
            }
            Placed::Phi { block, value, operands } => {
                used.extend(operands.iter().filter(|_| is_any_dropped).map(|&operand| (None, operand)));
                written.phi_before(block, value, operands);
            }
        });
        used.retain(|&(_, value)| self.dropped.contains(self.resolve(value)));
        for (place, value) in used {
            self.dropped.remove(self.resolve(value));
            self.differences.extend(place.map(|place| Violation::UseNotVisited { place, value }));
        }
        self.written = written;
    }

    /// Compares the host's code with the result, which it has written.
    pub(crate) fn compare(&mut self, host: &dyn PhiHost) {
        if self.shown == Shown::Nothing || core::mem::replace(&mut self.is_compared, true) {
            return;
        }
        let mut written = core::mem::take(&mut self.written);
        host.visit_code(&mut |placed| match placed {
            Placed::Use { place, value } => written.use_after(place, value),
            Placed::Phi { block, value, operands } => match self.with_unreachable(value, operands) {
                Some(operands) => written.phi(block, value, &operands),
                None => written.phi(block, value, operands),
            },
        });
        self.differences.extend(written.compare(self));
        self.differences.sort_unstable();
        self.written = written;
    }

    /// All operands of a phi, if the host has dropped those on edges from unreachable blocks: `operands` and the
    /// dropped ones.
    fn with_unreachable(&self, phi: Value, operands: &[Value]) -> Option<Vec<Value>> {
        let first = self.unreachable.partition_point(|dead| dead.phi < phi);
        let end = self.unreachable.partition_point(|dead| dead.phi <= phi);
        let dead = &self.unreachable[first..end];
        let is_cut = dead.first().is_some_and(|first| operands.len() + dead.len() == first.num_operands);
        is_cut.then(|| {
            let mut all = operands.to_vec();
            dead.iter().for_each(|dead| all.insert(dead.place, dead.operand));
            all
        })
    }
}

impl Claim for Claims {
    fn resolve(&self, value: Value) -> Value {
        let found = self.forwarded.binary_search_by_key(&value, |&(from, _)| from);
        found.map_or(value, |place| self.forwarded[place].1)
    }

    fn visit_phis(&self, visit: &mut dyn FnMut(Block, Value, &[Value])) {
        let mut start = 0;
        for (&(block, _, value), &end) in self.phis.iter().zip(&self.ends) {
            visit(block, value, &self.operands[start..end as usize]);
            start = end as usize;
        }
    }

    fn is_dropped(&self, value: Value) -> bool {
        self.has_dropped && self.dropped.contains(self.resolve(value))
    }

    fn visit_dropped(&self, visit: &mut dyn FnMut(Block, Value, &[Value])) {
        let mut start = 0;
        for &(block, value, end) in &self.evidence {
            visit(block, value, &self.evidence_operands[start..end as usize]);
            start = end as usize;
        }
    }
}

/// A host wrapper that records the calls it forwards.
pub(crate) struct Recorded<'a> {
    pub(crate) host: &'a mut dyn PhiHost,
    pub(crate) journal: &'a mut Journal,
    pub(crate) claims: &'a mut Claims,
}

impl PhiHost for Recorded<'_> {
    fn new_phi(&mut self, block: Block, variable: Variable) -> Value {
        self.host.new_phi(block, variable)
    }

    fn undefined(&mut self, variable: Variable) -> Value {
        let value = self.host.undefined(variable);
        self.journal.global(value);
        self.claims.undefined.push((variable, value));
        value
    }

    fn forwarded(&mut self, from: Value, to: Value) {
        self.host.forwarded(from, to);
    }

    fn visit_code(&self, visit: &mut dyn FnMut(Placed<'_>)) -> Shown {
        self.host.visit_code(visit)
    }

    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        self.host.visit_uses(visit)
    }

    fn is_strict(&self) -> bool {
        self.host.is_strict()
    }
}
