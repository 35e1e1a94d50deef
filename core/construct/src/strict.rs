//! A host wrapper that checks the contract between builder and host.

use crate::host::{HostError, PhiHost, Placed, Shown, Uses};
use crate::result::{Forwarding, KeptPhis};
use alloc::format;
use core::ops::{Deref, DerefMut};
use ssaphire_graph::{Block, IdMap, IdSet, Value, Variable};

/// Passes every call on, and panics where builder or host breaks the contract of [`PhiHost`].
///
/// For tests: it keeps a bit per value and variable, for one function. It
/// stands in for the host without further change, since it leads to the host's
/// own methods: `type Host = Strict<MyHost>` in tests, `type Host = MyHost` otherwise.
///
/// | the host | is found |
/// |---|---|
/// | returns a value that is not fresh | by the builder, in release builds too: [`ContractError`](crate::ContractError) |
/// | keeps a value that was forwarded or dropped | after `finish`, if it implements [`visit_uses`](PhiHost::visit_uses); else by [`check_uses`](Self::check_uses) |
///
/// ```should_panic
/// use ssaphire_construct::{Builder, Forwarding, HostError, KeptPhis, PhiHost, Strict, Uses};
/// use ssaphire_graph::{Block, Value, Variable};
///
/// #[derive(Default)]
/// struct Forgetful { num_values: usize, used: Vec<Value> }
///
/// impl PhiHost for Forgetful {
///     fn new_phi(&mut self, _: Block, _: Variable) -> Value { self.num_values += 1; Value::new(self.num_values) }
///     fn undefined(&mut self, _: Variable) -> Value { self.num_values += 1; Value::new(self.num_values) }
///     fn finish(&mut self, _: &KeptPhis<'_>, _: &Forwarding<'_>) -> Result<(), HostError> { Ok(()) }
///     fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
///         self.used.iter().for_each(|&value| visit(value));
///         Uses::Visited
///     }
/// }
///
/// let (mut host, mut ssa) = (Strict::new(Forgetful::default()), Builder::default());
/// let (entry, header, x) = (Block::new(0), Block::new(1), Variable::new(0));
/// ssa.write_variable(entry, x, Value::new(0));
/// ssa.terminate(entry, &[header]);
/// let read = ssa.read_variable(&mut host, header, x); // A phi so far: the header is not sealed.
/// host.used.push(read);
/// ssa.terminate(header, &[header]);
/// ssa.seal_block(&mut host, header);
/// ssa.finish(&mut host); // v1: used after finish, but it stands for v0: a resolve is missing
/// ```
#[derive(Clone, Debug, Default)]
pub struct Strict<H> {
    host: H,
    phis: IdSet<Value>,
    asked: IdSet<Variable>,
    /// What values stand for, as it was said.
    forwarded: IdMap<Value, Option<Value>>,
    dropped: IdSet<Value>,
    is_finished: bool,
}

impl<H: PhiHost> Strict<H> {
    /// A wrapper around `host`, for one function.
    pub fn new(host: H) -> Self {
        let (phis, dropped) = (IdSet::new(), IdSet::new());
        Self { host, phis, asked: IdSet::new(), forwarded: IdMap::new(), dropped, is_finished: false }
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

    /// Checks that none of the values, which instructions of the finished function use, was forwarded or dropped.
    ///
    /// For hosts without [`visit_uses`](PhiHost::visit_uses), after [`finish`](crate::Builder::finish): what they have
    /// written cannot be seen otherwise. Hosts with that method are checked by `finish`.
    ///
    /// # Panics
    /// If one was, or before `finish`.
    #[track_caller]
    pub fn check_uses(&self, uses: impl IntoIterator<Item = Value>) {
        assert!(self.is_finished, "uses are checked after finish");
        uses.into_iter().for_each(|value| self.check_use(value));
    }

    #[track_caller]
    fn check_use(&self, value: Value) {
        if let Some(other) = self.stands_for(value) {
            let other = core::iter::successors(Some(other), |&other| self.stands_for(other)).last().unwrap_or(other);
            panic!("{value}: used after finish, but it stands for {other}: a resolve is missing");
        }
        assert!(
            !self.dropped.contains(value),
            "{value}: used after finish, but it is a phi that was dropped as unused"
        );
    }

    fn stands_for(&self, value: Value) -> Option<Value> {
        self.forwarded.get(value).copied().flatten()
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
            assert!(self.stands_for(from).is_some(), "{from}: stands for {to}, but the host was not told");
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
        self.phis.insert(value);
        value
    }

    fn undefined(&mut self, variable: Variable) -> Value {
        assert!(!self.is_finished, "{variable}: undefined asked after finish");
        assert!(self.asked.insert(variable), "{variable}: undefined asked twice");
        self.host.undefined(variable)
    }

    fn finish(&mut self, phis: &KeptPhis<'_>, stands_for: &Forwarding<'_>) -> Result<(), HostError> {
        assert!(!self.is_finished, "finish called twice");
        self.is_finished = true;
        self.check_phis(phis, stands_for);
        self.dropped = phis.unused().iter().copied().collect();
        self.host.finish(phis, stands_for).map_err(|error| HostError::new(format!("{error}")))?;
        self.host.visit_uses(&mut |value| self.check_use(value));
        Ok(())
    }

    fn forwarded(&mut self, from: Value, to: Value) {
        self.forwarded.grow_to(from, None);
        assert!(self.forwarded[from].replace(to).is_none(), "{from}: forwarded twice");
        assert!(self.stands_for(to).is_none(), "{to}: forwarded to, but it stands for another");
        self.host.forwarded(from, to);
    }

    fn visit_code(&self, visit: &mut dyn FnMut(Placed<'_>)) -> Shown {
        self.host.visit_code(visit)
    }

    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        self.host.visit_uses(visit)
    }

    fn is_strict(&self) -> bool {
        true
    }
}
