//! Finishing a function and writing the result into the host's operands.

use alloc::vec::Vec;
use ssaphire_construct::{CallError, PhiHost, Placed, Shown, Ssa, SsaBuilder, Strict, Uses};
use ssaphire_graph::{Block, Value, Variable};

/// A host whose operands can be visited, and changed in place.
pub trait OperandHost: PhiHost {
    /// Visits each operand of each instruction that stays, in the same order each time: values that reads returned,
    /// and all others. Operands of the result's phis are not included.
    ///
    /// * Called: twice by [`finish_in_place`], first to find the uses, then to write the resolved values.
    /// * May change: nothing but what `visit` changes.
    fn visit_operands(&mut self, visit: &mut dyn FnMut(&mut Value));
}

impl<H: OperandHost> OperandHost for Strict<H> {
    fn visit_operands(&mut self, visit: &mut dyn FnMut(&mut Value)) {
        self.inner_mut().visit_operands(visit);
    }
}

/// Calls [`finish`](SsaBuilder::finish), and replaces each operand of the host with the value it resolves to.
///
/// It visits the host's operands twice: before `finish`, to drop phis without uses, and after it, to replace every
/// operand. It never calls [`visit_uses`](PhiHost::visit_uses); it calls all other functions of the host as usual. The
/// host still inserts the phis of the result.
///
/// # Errors
/// As [`finish`](SsaBuilder::finish). No operand has changed then.
///
/// # Complexity
/// That of `finish`, plus two visits and O(1) for each operand.
///
/// # Examples
/// ```
/// use ssaphire::{Block, Builder, OperandHost, PhiHost, Value, Variable, finish_in_place};
///
/// #[derive(Default)]
/// struct MyIr { num_values: usize, operands: Vec<Value> }
///
/// impl PhiHost for MyIr {
///     fn new_phi(&mut self, _: Block, _: Variable) -> Value { self.num_values += 1; Value::new(self.num_values - 1) }
///     fn undefined(&mut self, variable: Variable) -> Value { self.new_phi(Block::new(0), variable) }
/// }
///
/// impl OperandHost for MyIr {
///     fn visit_operands(&mut self, visit: &mut dyn FnMut(&mut Value)) { self.operands.iter_mut().for_each(visit); }
/// }
///
/// // x = ..; loop { use x }: the loop is not sealed when it reads x, so the read returns an incomplete phi.
/// let (mut ir, mut ssa) = (MyIr { num_values: 1, ..MyIr::default() }, Builder::new());
/// let ([top, body], x, first) = ([0, 1].map(Block::new), Variable::new(0), Value::new(0));
/// ssa.write_variable(top, x, first);
/// ssa.terminate(top, &[body]);
/// let read = ssa.read_variable(&mut ir, body, x);
/// ir.operands.push(read);
/// ssa.terminate(body, &[body]);
/// ssa.seal_block(&mut ir, body);
/// let result = finish_in_place(&mut ssa, &mut ir)?;
/// assert!(result.phis.is_empty());
/// assert_eq!(ir.operands, [first]);
/// # Ok::<(), ssaphire::CallError>(())
/// ```
pub fn finish_in_place<'s, H: OperandHost, B: SsaBuilder>(ssa: &'s mut B, host: &mut H) -> Result<Ssa<'s>, CallError> {
    let mut uses = Vec::new();
    host.visit_operands(&mut |value| uses.push(*value));
    let result = ssa.finish(&mut Visited { host, uses: &uses })?;
    host.visit_operands(&mut |value| *value = result.resolve(*value));
    Ok(result)
}

/// A host whose uses are known.
struct Visited<'a, H> {
    host: &'a mut H,
    uses: &'a [Value],
}

impl<H: PhiHost> PhiHost for Visited<'_, H> {
    fn new_phi(&mut self, block: Block, variable: Variable) -> Value {
        self.host.new_phi(block, variable)
    }

    fn undefined(&mut self, variable: Variable) -> Value {
        self.host.undefined(variable)
    }

    fn forwarded(&mut self, from: Value, to: Value) {
        self.host.forwarded(from, to);
    }

    fn visit_code(&self, visit: &mut dyn FnMut(Placed<'_>)) -> Shown {
        self.host.visit_code(visit)
    }

    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        self.uses.iter().copied().for_each(visit);
        Uses::Visited
    }

    fn is_strict(&self) -> bool {
        self.host.is_strict()
    }
}
