//! A host wrapper that checks the contract between builder and host.

use crate::host::{HostError, PhiHost, Placed, Shown, Uses};
use crate::result::{Forwarding, KeptPhis};
use alloc::format;
use core::ops::{Deref, DerefMut};
use ssaphire_graph::{Block, IdSet, Value, Variable};

/// Passes every call on, and panics where builder or host breaks the contract of [`PhiHost`].
///
/// For tests: it keeps a bit per value and variable, for one function. It
/// stands in for the host without further change, since it leads to the host's
/// own methods: `type Host = Strict<MyHost>` in tests, `type Host = MyHost` otherwise.
#[derive(Clone, Debug, Default)]
pub struct Strict<H> {
    host: H,
    phis: IdSet<Value>,
    asked: IdSet<Variable>,
    forwarded: IdSet<Value>,
    is_finished: bool,
}

impl<H: PhiHost> Strict<H> {
    /// A wrapper around `host`, for one function.
    pub fn new(host: H) -> Self {
        let (phis, forwarded) = (IdSet::new(), IdSet::new());
        Self { host, phis, asked: IdSet::new(), forwarded, is_finished: false }
    }

    /// The host.
    pub fn into_inner(self) -> H {
        self.host
    }

    /// The host.
    pub fn inner(&self) -> &H {
        &self.host
    }

    /// The host, to be changed.
    pub fn inner_mut(&mut self) -> &mut H {
        &mut self.host
    }

    fn check_phis(&self, phis: &KeptPhis<'_>, stands_for: &Forwarding<'_>) {
        let mut last = None;
        for phi in phis.iter() {
            assert!(self.phis.contains(phi.value), "{}: kept, but new_phi did not make it", phi.value);
            assert!(stands_for.resolve(phi.value) == phi.value, "{}: kept, but it stands for another", phi.value);
            assert!(last <= Some(phi.block), "{}: phis come by block", phi.value);
            assert_eq!(phi.operands.len(), phis.incoming(phi.block).len(), "{}: an operand per edge", phi.value);
            for &operand in phi.operands {
                assert!(stands_for.resolve(operand) == operand, "{operand}: an operand that stands for another");
                assert!(!phis.unused().contains(&operand), "{operand}: an operand that is unused");
            }
            last = Some(phi.block);
        }
        for (from, to) in stands_for.iter() {
            assert!(self.forwarded.contains(from), "{from}: stands for {to}, but the host was not told");
        }
    }
}

impl<H> Deref for Strict<H> {
    type Target = H;

    fn deref(&self) -> &H {
        &self.host
    }
}

impl<H> DerefMut for Strict<H> {
    fn deref_mut(&mut self) -> &mut H {
        &mut self.host
    }
}

impl<H: PhiHost> PhiHost for Strict<H> {
    fn new_phi(&mut self, block: Block, variable: Variable) -> Value {
        assert!(!self.is_finished, "{block}: a phi of {variable} is made after finish");
        let value = self.host.new_phi(block, variable);
        assert!(self.phis.insert(value), "{value}: new_phi gave it twice");
        value
    }

    fn undefined(&mut self, variable: Variable) -> Value {
        assert!(!self.is_finished, "{variable}: undefined asked after finish");
        assert!(self.asked.insert(variable), "{variable}: undefined asked twice");
        let value = self.host.undefined(variable);
        assert!(!self.phis.contains(value), "{value}: an undefined value that is a phi");
        value
    }

    fn finish(&mut self, phis: &KeptPhis<'_>, stands_for: &Forwarding<'_>) -> Result<(), HostError> {
        assert!(!self.is_finished, "finish called twice");
        self.is_finished = true;
        self.check_phis(phis, stands_for);
        self.host.finish(phis, stands_for).map_err(|error| HostError::new(format!("{error}")))
    }

    fn forwarded(&mut self, from: Value, to: Value) {
        assert!(self.forwarded.insert(from), "{from}: forwarded twice");
        assert!(!self.forwarded.contains(to), "{to}: forwarded to, but it stands for another");
        self.host.forwarded(from, to);
    }

    fn visit_code(&self, visit: &mut dyn FnMut(Placed<'_>)) -> Shown {
        self.host.visit_code(visit)
    }

    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        self.host.visit_uses(visit)
    }
}
