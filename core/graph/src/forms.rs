//! The two forms of a function: with variables, and with values.
//!
//! Classical constructors, liveness and the thesis read a [`VariableForm`];
//! `minimize`, repair, destruction and the judge read an [`SsaForm`].

use crate::{Block, Cfg, IncomingEdge, Value, Variable};
use core::fmt;

/// One access to variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// The variable is used.
    Read(Variable),
    /// The variable is assigned a value made here.
    Write(Variable),
    /// The first variable is assigned the content of the second one.
    Copy(Variable, Variable),
    /// The next `n` accesses happen in parallel: all reads before all writes.
    ///
    /// Not an access itself. Tuples do not nest. The accesses of an
    /// instruction that reads some variables and then writes others need no
    /// tuple when the reads come first; a swap of two copies does.
    Tuple(u32),
}

/// The accesses of a block but for [`Access::Tuple`], each with whether it is the last of those that happen at once.
///
/// An access outside of a tuple happens by itself. A tuple that says it is longer than it is ends with the block, or
/// where the next one begins; functions that check their input, such as `rename`, refuse it.
pub fn at_once(accesses: impl Iterator<Item = Access>) -> impl Iterator<Item = (Access, bool)> {
    let mut accesses = accesses.peekable();
    let mut to_come = 0;
    core::iter::from_fn(move || {
        let mut access = accesses.next()?;
        while let Access::Tuple(len) = access {
            to_come = len;
            access = accesses.next()?;
        }
        to_come = u32::saturating_sub(to_come, 1);
        let is_last = to_come == 0 || matches!(accesses.peek(), None | Some(Access::Tuple(_)));
        Some((access, is_last))
    })
}

/// A function whose variables are still read and written.
pub trait VariableForm: Cfg {
    /// Number of variables; ids are `0..num_variables`.
    fn num_variables(&self) -> usize;

    /// The accesses of `block`, in the order they happen.
    fn accesses(&self, block: Block) -> impl Iterator<Item = Access>;
}

/// A definition or use of a value in a block, after its phis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueEvent {
    /// The value gets its content here.
    Def(Value),
    /// The value is needed here.
    Use(Value),
}

/// A function in SSA form.
pub trait SsaForm: Cfg {
    /// Number of values; ids are `0..num_values`, and some may be unused.
    fn num_values(&self) -> usize;

    /// Values that have their content before control enters: parameters, constants, undefined values.
    fn globals(&self) -> impl Iterator<Item = Value>;

    /// The phis of `block`. All of them read their operands before any of them is written.
    fn phis(&self, block: Block) -> impl Iterator<Item = Value>;

    /// The operands of the phi `phi` of `block`, by incoming edge.
    ///
    /// A well-formed phi has one operand per incoming edge; the judge counts them.
    fn operands(&self, block: Block, phi: Value) -> impl Iterator<Item = Value>;

    /// The definitions and uses of `block` after its phis, uses before the definitions of the same instruction.
    ///
    /// The result of an instruction that ends its block and may throw is
    /// defined in the normal successor, where it comes first.
    fn events(&self, block: Block) -> impl Iterator<Item = ValueEvent>;
}

/// A function in SSA form, with the points at which copies can be inserted.
///
/// Read by `destruct` and by the checker of its result.
pub trait InsertionPoints: SsaForm {
    /// The number of leading events of `block` that define results of the predecessor's terminator.
    ///
    /// Copies at the top of `block` are inserted after them.
    fn num_results_at_top(&self, block: Block) -> usize;

    /// The number of trailing events of `block` that are uses by its terminator.
    ///
    /// Copies at the end of `block` are inserted before them.
    fn num_terminator_uses(&self, block: Block) -> usize;
}

/// A point at which copies of values can be inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InsertionPoint {
    /// At the top of the block, after its phis and the results of the predecessor's terminator.
    Top(Block),
    /// At the end of the block, before its terminator.
    End(Block),
    /// On the edge, in a block of its own.
    Edge(IncomingEdge),
}

impl fmt::Display for InsertionPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Top(block) => write!(f, "the top of {block}"),
            Self::End(block) => write!(f, "the end of {block}"),
            Self::Edge(edge) => write!(f, "slot {} of {}", edge.slot, edge.source),
        }
    }
}

impl<F: VariableForm> VariableForm for &F {
    fn num_variables(&self) -> usize {
        (**self).num_variables()
    }

    fn accesses(&self, block: Block) -> impl Iterator<Item = Access> {
        (**self).accesses(block)
    }
}

impl<F: SsaForm> SsaForm for &F {
    fn num_values(&self) -> usize {
        (**self).num_values()
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        (**self).globals()
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        (**self).phis(block)
    }

    fn operands(&self, block: Block, phi: Value) -> impl Iterator<Item = Value> {
        (**self).operands(block, phi)
    }

    fn events(&self, block: Block) -> impl Iterator<Item = ValueEvent> {
        (**self).events(block)
    }
}

impl<F: InsertionPoints> InsertionPoints for &F {
    fn num_results_at_top(&self, block: Block) -> usize {
        (**self).num_results_at_top(block)
    }

    fn num_terminator_uses(&self, block: Block) -> usize {
        (**self).num_terminator_uses(block)
    }
}

#[cfg(test)]
mod tests {
    use super::{Access, at_once};
    use crate::Variable;
    use alloc::vec::Vec;

    #[test]
    fn accesses_of_a_tuple_end_with_its_last_one() {
        let read = Access::Read(Variable::new(0));
        let ends =
            |accesses: &[Access]| at_once(accesses.iter().copied()).map(|(_, is_last)| is_last).collect::<Vec<_>>();
        assert_eq!(ends(&[read, read]), [true, true]);
        assert_eq!(ends(&[read, Access::Tuple(2), read, read, read]), [true, false, true, true]);
        // None, too few before the next one, and too few before the end.
        assert_eq!(ends(&[Access::Tuple(0), read]), [true]);
        assert_eq!(ends(&[Access::Tuple(3), read, Access::Tuple(2), read, read]), [true, false, true]);
        assert_eq!(ends(&[Access::Tuple(1), Access::Tuple(9), read, read]), [false, true]);
        assert_eq!(ends(&[Access::Tuple(1)]), []);
    }
}
