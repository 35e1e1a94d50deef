//! What a result claims, written down as the host is told.

use alloc::vec::Vec;
use core::cell::RefCell;
use ssaphire_check::{Claim, Journal};
use ssaphire_construct::{Forwarding, HostError, KeptPhis, PhiHost, Uses};
use ssaphire_graph::{Block, IdSet, Value, Variable};

/// The result of a construction, copied as it was handed to the host.
#[derive(Debug, Default)]
pub(crate) struct Claims {
    pub(crate) globals: IdSet<Value>,
    /// Variables whose initial value the caller gave.
    pub(crate) initial: IdSet<Variable>,
    /// What the host answered for undefined variables.
    pub(crate) undefined: Vec<(Variable, Value)>,
    pub(crate) phis: Vec<(Block, Variable, Value)>,
    /// The operands of phi `i` end here, and start where those of the one before end.
    ends: Vec<u32>,
    pub(crate) operands: Vec<Value>,
    /// Values that stand for others, in id order, and those.
    forwarded: Vec<(Value, Value)>,
    /// A host has taken the result.
    pub(crate) is_complete: bool,
    /// The values that instructions use, where the host told.
    used: Option<IdSet<Value>>,
}

impl Claims {
    pub(crate) fn clear(&mut self) {
        self.globals.clear();
        self.initial.clear();
        self.undefined.clear();
        self.phis.clear();
        self.ends.clear();
        self.operands.clear();
        self.forwarded.clear();
        self.is_complete = false;
        self.used = None;
    }

    fn take(&mut self, phis: &KeptPhis<'_>, stands_for: &Forwarding<'_>) {
        for phi in phis.iter() {
            self.phis.push((phi.block, phi.variable, phi.value));
            self.operands.extend_from_slice(phi.operands);
            self.ends.push(self.operands.len() as u32);
        }
        self.forwarded.extend(stands_for.iter());
        if let Some(used) = &mut self.used {
            *used = used.iter().map(|value| stands_for.resolve(value)).collect();
        }
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

    fn is_used(&self, value: Value) -> bool {
        self.used.as_ref().is_none_or(|used| used.contains(self.resolve(value)))
    }
}

/// A host that writes down what it is told on the way to another.
pub(crate) struct Recorded<'a> {
    pub(crate) host: &'a mut dyn PhiHost,
    pub(crate) journal: &'a mut Journal,
    pub(crate) claims: &'a mut Claims,
    /// The values that instructions use, where the host has told: it is asked before it gets the result.
    pub(crate) used: RefCell<Option<IdSet<Value>>>,
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

    fn finish(&mut self, phis: &KeptPhis<'_>, stands_for: &Forwarding<'_>) -> Result<(), HostError> {
        self.claims.used = self.used.take();
        self.claims.take(phis, stands_for);
        self.host.finish(phis, stands_for)?;
        self.claims.is_complete = true;
        Ok(())
    }

    fn forwarded(&mut self, from: Value, to: Value) {
        self.host.forwarded(from, to);
    }

    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        let mut used = IdSet::new();
        let answer = self.host.visit_uses(&mut |value| {
            used.insert(value);
            visit(value);
        });
        *self.used.borrow_mut() = (answer == Uses::Visited).then_some(used);
        answer
    }

    fn is_strict(&self) -> bool {
        self.host.is_strict()
    }
}
