//! What a host owes the construction: values for what it makes.

use ssaphire_graph::{Block, Value, Variable};

/// What a construction asks of the IR that it builds.
///
/// Two functions are all a host owes. None of them can call the builder
/// back: the builder is borrowed while it calls. The result is what
/// [`finish`](crate::SsaBuilder::finish) returns; the host writes it then.
pub trait PhiHost {
    /// A value that stands for the phi of `variable` at the top of `block`.
    ///
    /// The value must be *fresh*: no instruction's result, parameter or constant, and no value that this host has
    /// returned before, be it for a phi that has been removed since. What this host has returned before is refused
    /// ([`ContractError::PhiInUse`](crate::ContractError::PhiInUse)). So is, in debug builds, and in all builds for a
    /// [`Strict`](crate::Strict) host, any other value that the builder has heard of. Of a result that
    /// gets the number of a phi *later* it does not hear; see `define` of the builder that certifies.
    ///
    /// * Called: when a lookup meets a join or an unsealed block.
    /// * State: the phi has no operands yet and may turn out not to be needed.
    /// * May change: the host's value table; no block, no use.
    fn new_phi(&mut self, block: Block, variable: Variable) -> Value;

    /// What `variable` holds where no write reaches.
    ///
    /// There is no default: this is the host's decision.
    ///
    /// The value must be available from the entry: a fresh one; a parameter or constant, such as zero; or one that this
    /// function has returned for another variable. A parameter or constant that was also written counts as such if it
    /// is an initial value ([`SsaBuilder::set_initial`](crate::SsaBuilder::set_initial)) or was named
    /// ([`SsaBuilder::global`](crate::SsaBuilder::global)): the builder cannot tell it from an instruction's result otherwise.
    /// A phi is refused ([`ContractError::UndefinedInUse`](crate::ContractError::UndefinedInUse)); so is, in debug
    /// builds, and in all builds for a [`Strict`](crate::Strict) host, any other value that was written.
    ///
    /// It is also asked for variables that are written on every path: unreachable
    /// code has no path, and an edge from there gets this value as its operand.
    /// So this is not the place to refuse a program; see
    /// [`Ssa::undefined_reads`](crate::Ssa::undefined_reads) for that.
    ///
    /// * Called: at most once per variable.
    /// * State: the value returned counts as available from the entry.
    /// * May change: the host's value table; a host whose undefined values are
    ///   instructions puts one at the top of the entry, now, or when it writes the result
    ///   if an operand of what stays is that value.
    fn undefined(&mut self, variable: Variable) -> Value;

    /// Hears that from now on `from` stands for `to`.
    ///
    /// A host that keeps values in tables of its own (for folding, or to
    /// number expressions) may update them; others need nothing, since values
    /// handed out stay valid until `finish`.
    ///
    /// * Called: once per value that stops standing for itself, as it happens.
    /// * State: `to` may itself be forwarded later.
    /// * May change: the host's own tables.
    fn forwarded(&mut self, from: Value, to: Value) {
        let _ = (from, to);
    }

    /// Shows what stands in the host's code: the value at each use, and the phis.
    ///
    /// A result is judged by what the builder says. This ties the host's code to it: a recording
    /// builder asks in `finish` and once the result is written, and refuses a use that
    /// does not hold what its value stands for, and phis that are not those of the result.
    /// So a forgotten replacement, or operands in the wrong order, is found where it happened.
    ///
    /// Instructions that the host has added, such as those of undefined values, have no uses to
    /// show; blocks that it has dropped are not shown any more.
    ///
    /// * Called: by a recording builder, in `finish` and where it compares what was written.
    /// * State: before, values may be such as stand for others, and phis are the host's own: their operands are uses.
    /// * May change: nothing.
    fn visit_code(&self, visit: &mut dyn FnMut(Placed<'_>)) -> Shown {
        let _ = visit;
        Shown::Nothing
    }

    /// Visits the values that the host's instructions use, in any order.
    ///
    /// Without an answer every value a read handed out counts as used, and
    /// phis are kept accordingly: the difference is phis whose reader was
    /// dropped by the host.
    ///
    /// A phi that is used and not visited is dropped, and its use left without a definition. Operands of
    /// the builder's own phis are not to be visited.
    ///
    /// * Called: once, in `finish`; by [`Strict`](crate::Strict) once more when the result is written.
    /// * State: the values may be such as stand for others; once the result is written, none does.
    /// * May change: nothing.
    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        let _ = visit;
        Uses::EveryRead
    }

    /// Whether the builder checks in release builds, too, what it checks in debug builds of this host.
    ///
    /// Leave it: [`Strict`](crate::Strict) says yes. A wrapper passes on what its host says.
    ///
    /// * Called: in the first call of a function that has a host.
    /// * State: no phi has been asked for.
    /// * May change: nothing.
    fn is_strict(&self) -> bool {
        false
    }
}

/// A host that numbers its values and makes nothing of them.
///
/// For hosts that write phis and undefined values when the result is there, for examples and for measurements.
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

/// What stands at one place of a host's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placed<'a> {
    /// An instruction uses a value.
    Use {
        /// The place, by a number of the host's own: that of the same operand of the same
        /// instruction before and after the result is written, and of no other. Places may go; none may come.
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
        /// Its operands, by incoming edge. A host that has dropped those on edges from unreachable blocks leaves them out.
        operands: &'a [Value],
    },
}

/// Whether a host showed its code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shown {
    /// It did not: nothing is compared.
    #[default]
    Nothing,
    /// It did: every use whose value a read may have handed out, and every phi of the result.
    Everything,
}

/// Whether a host reported the values its instructions use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uses {
    /// It did not: every value that a read handed out counts as used.
    EveryRead,
    /// It did: what was not visited is not used.
    Visited,
}
