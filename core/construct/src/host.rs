//! What a host owes the construction: where its decisions are written.

use crate::result::{Forwarding, KeptPhis};
use alloc::string::String;
use core::fmt;
use ssaphire_graph::{Block, Value, Variable};

/// Where a construction writes what it has decided.
///
/// Three functions are all a host owes. None of them can call the builder
/// back: the builder is borrowed while it calls.
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
    /// is an initial value ([`Builder::set_initial`](crate::Builder::set_initial)) or was named
    /// ([`Builder::global`](crate::Builder::global)): the builder cannot tell it from an instruction's result otherwise.
    /// A phi is refused ([`ContractError::UndefinedInUse`](crate::ContractError::UndefinedInUse)); so is, in debug
    /// builds, and in all builds for a [`Strict`](crate::Strict) host, any other value that was written.
    ///
    /// It is also asked for variables that are written on every path: unreachable
    /// code has no path, and an edge from there gets this value as its operand.
    /// So this is not the place to refuse a program; see
    /// [`Builder::undefined_reads`](crate::Builder::undefined_reads) for that.
    ///
    /// * Called: at most once per variable.
    /// * State: the value returned counts as available from the entry.
    /// * May change: the host's value table; a host whose undefined values are
    ///   instructions puts one at the top of the entry, now, or in `finish` if
    ///   an operand of what stays is that value.
    fn undefined(&mut self, variable: Variable) -> Value;

    /// Takes the result: the phis that stay, and what every other value handed out stands for.
    ///
    /// * Called: once per function, last.
    /// * State: every block is sealed and filled.
    /// * May change: everything that is the host's, or nothing when it refuses.
    ///
    /// # Errors
    /// The host's own reason to refuse the result.
    fn finish(&mut self, phis: &KeptPhis<'_>, stands_for: &Forwarding<'_>) -> Result<(), HostError>;

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
    /// builder asks before and after [`finish`](Self::finish), and refuses a use that
    /// does not hold what its value stands for, and phis that are not those handed over.
    /// So a forgotten replacement, or operands in the wrong order, is found where it happened.
    ///
    /// Instructions that the host has added, such as those of undefined values, have no uses to
    /// show; blocks that it has dropped are not shown any more.
    ///
    /// * Called: by a recording builder, before and after `finish`.
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
    /// * Called: once, in `finish`, before anything is written; by [`Strict`](crate::Strict) once more after it.
    /// * State: the values may be such as stand for others; after `finish`, none does.
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

/// What stands at one place of a host's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placed<'a> {
    /// An instruction uses a value.
    Use {
        /// The place, by a number of the host's own: that of the same operand of the same
        /// instruction before and after `finish`, and of no other. Places may go; none may come.
        site: u64,
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

/// Why a host refused a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostError {
    reason: String,
}

impl HostError {
    /// An error with the given reason: a sentence part in lower case without a full stop.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl core::error::Error for HostError {}
