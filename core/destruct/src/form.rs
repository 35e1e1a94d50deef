//! The input of SSA destruction: a function, and the constraints of its target.

use ssaphire_graph::{Block, IncomingEdge, InsertionPoints, Value, Variable};

/// A function to convert out of SSA form, and the constraints of its target.
///
/// Every function has a default but for those of [`InsertionPoints`]: the one of a machine whose registers are all
/// alike.
///
/// # Contract
/// The function is in SSA form, as accepted by `check::rules`.
/// All answers stay the same while the function is read.
pub trait DestructForm: InsertionPoints {
    /// Whether `value` needs no location, because moves and instructions can name it directly: an immediate, or an
    /// undefined value.
    fn is_constant(&self, value: Value) -> bool {
        let _ = value;
        false
    }

    /// The register class of `value`: values of different classes share no location.
    fn class(&self, value: Value) -> u32 {
        let _ = value;
        0
    }

    /// The variable that `value` is a version of, if any; used by [`Method::PerVariable`](crate::Method::PerVariable).
    fn variable(&self, value: Value) -> Option<Variable> {
        let _ = value;
        None
    }

    /// The value that the instruction that defines `value` copies, if it does nothing else.
    ///
    /// The instruction stays where it is. It has nothing to do where both values have one location.
    fn copied(&self, value: Value) -> Option<Value> {
        let _ = value;
        None
    }

    /// Whether the edge can be split. Edges of computed jumps and of exceptions cannot.
    fn can_split(&self, edge: IncomingEdge) -> bool {
        let _ = edge;
        true
    }

    /// The instructions of `block` whose result wants the location of an operand, in their order.
    fn tied(&self, block: Block) -> impl Iterator<Item = Tied> {
        let _ = block;
        core::iter::empty()
    }

    /// The variable whose storage `value` must be located in, if any.
    ///
    /// All values with the same storage get one location; if that is impossible, `destruct` returns an error.
    ///
    /// A constant has no storage.
    fn storage(&self, value: Value) -> Option<Variable> {
        let _ = value;
        None
    }
}

/// An instruction whose result wants the location of an operand: the array that it updates, the first operand of a
/// two-address instruction.
///
/// Where the two locations differ, the host copies the operand to the location of the result before it executes
/// the instruction, which then finds the operand there. No other operand of the instruction has that location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tied {
    /// The first event of the instruction: its index among those of the block.
    pub first_event: usize,
    /// The operand. It is among the uses of the instruction.
    pub operand: Value,
    /// The result: the last definition of the instruction.
    pub result: Value,
}

impl<F: DestructForm> DestructForm for &F {
    fn is_constant(&self, value: Value) -> bool {
        (**self).is_constant(value)
    }

    fn class(&self, value: Value) -> u32 {
        (**self).class(value)
    }

    fn variable(&self, value: Value) -> Option<Variable> {
        (**self).variable(value)
    }

    fn copied(&self, value: Value) -> Option<Value> {
        (**self).copied(value)
    }

    fn can_split(&self, edge: IncomingEdge) -> bool {
        (**self).can_split(edge)
    }

    fn tied(&self, block: Block) -> impl Iterator<Item = Tied> {
        (**self).tied(block)
    }

    fn storage(&self, value: Value) -> Option<Variable> {
        (**self).storage(value)
    }
}
