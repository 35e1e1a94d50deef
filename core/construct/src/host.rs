//! The interface to the host, which provides values for phis and undefined variables.

use ssaphire_graph::{Block, Value, Variable};

/// The IR for which a construction builds SSA form.
///
/// A host implements two functions; the others are optional. They cannot call
/// the builder, which is borrowed during the call. The host writes the result
/// once [`finish`](crate::SsaBuilder::finish) has returned it.
pub trait PhiHost {
    /// Allocates the value that a phi of `variable` at the top of `block` defines.
    ///
    /// The value must be *fresh*: no instruction's result, parameter or constant, and no value that this host has
    /// returned before, not even for a phi that has been removed since. The builder rejects a value that this host has
    /// returned before ([`ContractError::PhiInUse`](crate::ContractError::PhiInUse)). In debug builds, and in all
    /// builds for a [`Strict`](crate::Strict) host, it also rejects any other value that it has seen. It cannot detect
    /// an instruction that gets the number of a phi *later*; see `define` of the builder that certifies.
    ///
    /// * Called: when a lookup reaches a join or an unsealed block.
    /// * State: the phi has no operands yet and may turn out not to be needed.
    /// * May change: the host's values, and the phis of `block`, to which it may add an empty one; no other block, no
    ///   use.
    fn new_phi(&mut self, block: Block, variable: Variable) -> Value;

    /// The value that `variable` holds where no write reaches.
    ///
    /// There is no default: this is the host's decision.
    ///
    /// The value must be available from the entry: a fresh one; a parameter or constant, such as zero; or one that this
    /// function has returned for another variable, even if it has been written since, as by a copy. If a parameter or
    /// constant was also written, it must be an initial value
    /// ([`SsaBuilder::try_set_initial`](crate::SsaBuilder::try_set_initial)) or declared
    /// ([`SsaBuilder::try_global`](crate::SsaBuilder::try_global)): otherwise the builder cannot distinguish it from an
    /// instruction's result. The builder rejects a phi
    /// ([`ContractError::UndefinedInUse`](crate::ContractError::UndefinedInUse)). In debug builds, and in all builds
    /// for a [`Strict`](crate::Strict) host, it also rejects any other value that was written.
    ///
    /// The builder also calls this for variables that are written on every path: no path
    /// from the entry reaches unreachable code, and a phi gets this value as its operand
    /// for an edge from there. So do not reject a program here; see
    /// [`Ssa::undefined_reads`](crate::Ssa::undefined_reads) for that.
    ///
    /// * Called: at most once per variable.
    /// * State: the value returned counts as available from the entry.
    /// * May change: the host's value table. If undefined values are instructions, the
    ///   host inserts one at the top of the entry, now, or when it writes the result and
    ///   an instruction or phi that remains uses the value.
    fn undefined(&mut self, variable: Variable) -> Value;

    /// Notifies the host that `from` is now forwarded to `to`.
    ///
    /// A host that keeps values in its own tables (for constant folding or value
    /// numbering) may update them; others do nothing, since the values that reads
    /// returned stay valid until `finish`.
    ///
    /// * Called: once per forwarded value, as soon as it is forwarded.
    /// * State: `to` may itself be forwarded later.
    /// * May change: the host's own tables.
    fn forwarded(&mut self, from: Value, to: Value) {
        let _ = (from, to);
    }

    /// Visits the host's code: the value at each use, and the phis.
    ///
    /// The judge checks the result as the builder returned it. This method extends the check to the host's
    /// code: a recording builder calls it in `finish` and again once the result is written, and reports every
    /// use that is not of the resolved value, and every phi that differs from the result.
    /// So it locates a forgotten replacement, or operands in the wrong order.
    ///
    /// Skip instructions that the host has added, such as those of undefined values, and blocks
    /// that it has removed.
    ///
    /// * Called: by a recording builder, in `finish` and when it compares the written result.
    /// * State: in `finish`, values may be forwarded ones, and phis are the host's own: their operands are uses.
    /// * May change: nothing.
    fn visit_code(&self, visit: &mut dyn FnMut(Placed<'_>)) -> Shown {
        let _ = visit;
        Shown::Nothing
    }

    /// Visits the values that the host's instructions use, in any order.
    ///
    /// Without it, every value that a read returned counts as used, so phis stay
    /// even if the host has dropped their readers.
    ///
    /// If a used phi is not visited, it is dropped, and its use is left without a definition. Do not visit the
    /// operands of the builder's own phis.
    ///
    /// A value that a read in unreachable code returned may be visited or not: it resolves to an undefined value or to
    /// one written there, and keeps no phi.
    ///
    /// * Called: once, in `finish`, if there are phis; by [`Strict`](crate::Strict) once more when the result is written.
    /// * State: the values may be forwarded ones; once the result is written, none is.
    /// * May change: nothing.
    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        let _ = visit;
        Uses::EveryRead
    }

    /// Whether the builder makes its debug-build checks of this host in release builds, too.
    ///
    /// Do not override it: [`Strict`](crate::Strict) returns true. A wrapper forwards to its host.
    ///
    /// * Called: in a function's first call that takes the host.
    /// * State: no phi has been asked for.
    /// * May change: nothing.
    fn is_strict(&self) -> bool {
        false
    }
}

/// A host that only numbers values.
///
/// For IRs that insert phis and undefined values after `finish`, for examples, and for measurements.
///
/// # Examples
/// ```
/// use ssaphire::{Block, Builder, SsaBuilder, Value, ValueCounter, Variable};
///
/// let (mut values, mut ssa) = (ValueCounter::default(), Builder::default());
/// let (entry, x, y) = (Block::new(0), Variable::new(0), Variable::new(1));
/// let sum = values.fresh();
/// ssa.write_variable(entry, x, sum);
/// assert_eq!(ssa.read_variable(&mut values, entry, y), Value::new(1)); // The undefined value of y.
/// assert_eq!(values.len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueCounter {
    num_values: usize,
}

impl ValueCounter {
    /// A counter whose first value is number `num_values`.
    pub fn starting_at(num_values: usize) -> Self {
        Self { num_values }
    }

    /// The next value.
    ///
    /// # Panics
    /// After 2^31 values.
    pub fn fresh(&mut self) -> Value {
        self.num_values += 1;
        Value::new(self.num_values - 1)
    }

    /// Number of values so far.
    pub fn len(&self) -> usize {
        self.num_values
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.num_values == 0
    }
}

impl PhiHost for ValueCounter {
    fn new_phi(&mut self, _: Block, _: Variable) -> Value {
        self.fresh()
    }

    fn undefined(&mut self, _: Variable) -> Value {
        self.fresh()
    }
}

/// A use or a phi in a host's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placed<'a> {
    /// An instruction uses a value.
    Use {
        /// The host's own number for this operand of this instruction: unique, and the same before and after the result
        /// is written. Places may disappear; none may be added.
        place: u64,
        /// The value there.
        value: Value,
    },
    /// A phi of the result.
    Phi {
        /// Its block.
        block: Block,
        /// Its value.
        value: Value,
        /// Its operands, by incoming edge. A host that has dropped those on edges from unreachable blocks leaves them
        /// out.
        operands: &'a [Value],
    },
}

/// Whether a host showed its code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shown {
    /// It did not: nothing is compared.
    #[default]
    Nothing,
    /// It did: every use whose value a read may have returned, and every phi of the result.
    Everything,
}

/// Whether a host reported the values its instructions use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uses {
    /// It did not: every value that a read returned counts as used.
    EveryRead,
    /// It did: a value that was not visited is unused.
    Visited,
}
