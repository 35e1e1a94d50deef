//! A host wrapper that checks the contract between builder and host.

use crate::fold::{Applied, FoldHost, Simplified};
use crate::host::{PhiHost, Placed, Shown, Uses};
use crate::result::Ssa;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};
use ssaphire_graph::{Block, IdSet, Operator, Value, Variable};

/// Forwards every call to the host, and panics if the builder or the host breaks the contract of [`PhiHost`].
///
/// For tests: it keeps a bit per value and variable, for one function. It
/// replaces the host without further change, since it dereferences to the host:
/// `type Host = Strict<MyHost>` in tests, `type Host = MyHost` otherwise.
///
/// | the host | is found |
/// |---|---|
/// | returns a value that is not fresh | by the builder, in release builds too: [`ContractError`](crate::ContractError) |
/// | keeps a value that was forwarded or dropped | by [`check`](Self::check), if it implements [`visit_uses`](PhiHost::visit_uses); else by [`check_uses`](Self::check_uses) |
///
/// ```should_panic
/// use ssaphire::{Block, Builder, PhiHost, Strict, Uses, Value, Variable};
///
/// #[derive(Default)]
/// struct Forgetful { num_values: usize, used: Vec<Value> }
///
/// impl PhiHost for Forgetful {
///     fn new_phi(&mut self, _: Block, _: Variable) -> Value { self.num_values += 1; Value::new(self.num_values) }
///     fn undefined(&mut self, _: Variable) -> Value { self.num_values += 1; Value::new(self.num_values) }
///     fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
///         self.used.iter().for_each(|&value| visit(value));
///         Uses::Visited
///     }
/// }
///
/// let (mut host, mut ssa) = (Strict::new(Forgetful::default()), Builder::new());
/// let (entry, header, x) = (Block::new(0), Block::new(1), Variable::new(0));
/// ssa.write_variable(entry, x, Value::new(0));
/// ssa.terminate(entry, &[header]);
/// let read = ssa.read_variable(&mut host, header, x); // A phi so far: the header is not sealed.
/// host.used.push(read);
/// ssa.terminate(header, &[header]);
/// ssa.seal_block(&mut host, header);
/// let result = ssa.finish(&mut host).unwrap();
/// host.check(&result); // v1: used in the result, but it stands for v0: a resolve is missing
/// ```
#[derive(Clone, Debug, Default)]
pub struct Strict<H> {
    host: H,
    phis: IdSet<Value>,
    asked: IdSet<Variable>,
    /// The values that the builder has reported as forwarded.
    forwarded: IdSet<Value>,
}

impl<H: PhiHost> Strict<H> {
    /// A wrapper around `host`, for one function.
    pub fn new(host: H) -> Self {
        let (phis, asked, forwarded) = (IdSet::new(), IdSet::new(), IdSet::new());
        Self { host, phis, asked, forwarded }
    }

    /// The host.
    pub fn into_inner(self) -> H {
        self.host
    }

    /// The host.
    pub fn inner(&self) -> &H {
        &self.host
    }

    /// The host, mutably.
    pub fn inner_mut(&mut self) -> &mut H {
        &mut self.host
    }

    /// Checks the result, and the host's code as far as [`visit_uses`](PhiHost::visit_uses) shows it.
    ///
    /// # Panics
    /// If the result does not fit the calls that this host has received, or the host uses a value that was forwarded or
    /// dropped.
    #[track_caller]
    pub fn check(&self, result: &Ssa<'_>) {
        self.check_phis(result);
        let dropped = Self::dropped(result);
        self.host.visit_uses(&mut |value| check_use(value, result, &dropped));
    }

    /// Checks that none of `uses`, the values that the function's instructions use now, was forwarded or dropped.
    ///
    /// For hosts without [`visit_uses`](PhiHost::visit_uses), whose code cannot be seen otherwise.
    ///
    /// # Panics
    /// If one was forwarded or dropped.
    #[track_caller]
    pub fn check_uses(&self, result: &Ssa<'_>, uses: impl IntoIterator<Item = Value>) {
        let dropped = Self::dropped(result);
        uses.into_iter().for_each(|value| check_use(value, result, &dropped));
    }

    fn dropped(result: &Ssa<'_>) -> IdSet<Value> {
        result.phis.unused().iter().copied().collect()
    }

    #[track_caller]
    fn check_phis(&self, result: &Ssa<'_>) {
        let mut last = None;
        for phi in result.phis.iter() {
            assert!(self.phis.contains(phi.value), "{}: kept, but new_phi did not make it", phi.value);
            assert!(result.resolve(phi.value) == phi.value, "{}: kept, but it stands for another", phi.value);
            assert!(last <= Some(phi.block), "{}: phis come by block", phi.value);
            assert_eq!(phi.operands.len(), result.phis.incoming(phi.block).len(), "{}: an operand per edge", phi.value);
            for &operand in phi.operands {
                assert!(result.resolve(operand) == operand, "{operand}: an operand that stands for another");
                assert!(!result.phis.unused().contains(&operand), "{operand}: an operand that is unused");
            }
            last = Some(phi.block);
        }
        for (from, to) in result.stands_for.iter() {
            assert!(self.forwarded.contains(from), "{from}: stands for {to}, but the host was not told");
        }
    }
}

#[track_caller]
fn check_use(value: Value, result: &Ssa<'_>, dropped: &IdSet<Value>) {
    let other = result.resolve(value);
    assert!(other == value, "{value}: used in the result, but it stands for {other}: a resolve is missing");
    assert!(!dropped.contains(value), "{value}: used in the result, but it is a phi that was dropped as unused");
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
        let value = self.host.new_phi(block, variable);
        self.phis.insert(value);
        value
    }

    fn undefined(&mut self, variable: Variable) -> Value {
        assert!(self.asked.insert(variable), "{variable}: undefined asked twice");
        self.host.undefined(variable)
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

    fn is_strict(&self) -> bool {
        true
    }
}

impl<H: FoldHost> FoldHost for Strict<H> {
    fn is_constant(&self, value: Value) -> bool {
        self.host.is_constant(value)
    }

    fn is_repeatable(&self, operator: Operator) -> bool {
        self.host.is_repeatable(operator)
    }

    fn exchanged(&self, operator: Operator) -> Option<Operator> {
        self.host.exchanged(operator)
    }

    fn evaluate(&mut self, operator: Operator, args: &[Value]) -> Option<Value> {
        self.host.evaluate(operator, args)
    }

    fn simplify(&mut self, applied: Applied<'_>, args: &mut Vec<Value>) -> Option<Simplified> {
        self.host.simplify(applied, args)
    }

    fn chosen_slot(&self, operator: Operator, args: &[Value], num_targets: usize) -> Option<u32> {
        self.host.chosen_slot(operator, args, num_targets)
    }

    fn append(&mut self, block: Block, operator: Operator, args: &[Value]) -> Value {
        self.host.append(block, operator, args)
    }

    fn remove(&mut self, value: Value) {
        self.host.remove(value);
    }
}
